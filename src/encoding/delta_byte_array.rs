//! DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY (parquet-format, Encodings: 6 and 7).

use super::delta_binary_packed;
use crate::error::{Error, reserve};

/// Lengths of the page being made. Kept for the life of the writer.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    prefixes: Vec<i32>,
    suffixes: Vec<i32>,
}

/// Appends byte arrays as all their lengths, then all their bytes. `offsets` has one entry more than values; `bytes`
/// starts at the first.
pub(crate) fn lengths_then_bytes(offsets: &[u32], bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let lengths = offsets.iter().zip(offsets.iter().skip(1)).map(|(start, end)| (end - start).cast_signed());
    delta_binary_packed::encode(lengths, out)?;
    let size = offsets.last().zip(offsets.first()).map_or(0, |(end, start)| (end - start) as usize);
    reserve(out, size)?;
    out.extend_from_slice(bytes.get(..size).ok_or(Error::View)?);
    Ok(())
}

/// Appends values as what each shares with the one before, and the rest. The first of a page shares nothing.
pub(crate) fn front_coded<'v>(
    values: impl ExactSizeIterator<Item = &'v [u8]> + Clone,
    lengths: &mut Lengths,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let Lengths { prefixes, suffixes } = lengths;
    prefixes.clear();
    suffixes.clear();
    reserve(prefixes, values.len())?;
    reserve(suffixes, values.len())?;
    let mut before: &[u8] = &[];
    let mut suffix_bytes = 0;
    for value in values.clone() {
        let prefix = common(before, value);
        let suffix = value.len() - prefix;
        // A page, and so a value, has fewer than 2^31 bytes.
        prefixes.push(i32::try_from(prefix).map_err(|_| Error::View)?);
        suffixes.push(i32::try_from(suffix).map_err(|_| Error::View)?);
        suffix_bytes += suffix;
        before = value;
    }
    delta_binary_packed::encode(prefixes.iter().copied(), out)?;
    delta_binary_packed::encode(suffixes.iter().copied(), out)?;
    reserve(out, suffix_bytes)?;
    for (value, &prefix) in values.zip(prefixes.iter()) {
        out.extend_from_slice(value.get(prefix.unsigned_abs() as usize..).unwrap_or_default());
    }
    Ok(())
}

/// Length of the common start, 8 bytes at a time.
pub(crate) fn common(a: &[u8], b: &[u8]) -> usize {
    let (words_a, _) = a.as_chunks::<8>();
    let (words_b, _) = b.as_chunks::<8>();
    let words = words_a.iter().zip(words_b).take_while(|(one, other)| one == other).count();
    let (tail_a, tail_b) = (a.get(words * 8..).unwrap_or_default(), b.get(words * 8..).unwrap_or_default());
    words * 8 + tail_a.iter().zip(tail_b).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests;
