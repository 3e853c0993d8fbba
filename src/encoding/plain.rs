//! PLAIN (parquet-format, Encodings: PLAIN = 0).

use crate::column::byte_array_bytes;
use crate::error::{Error, Limit, reserve};

/// Appends values of a fixed width, or booleans that are bits already: PLAIN is what lies there.
pub(crate) fn fixed(values: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    reserve(out, values.len())?;
    out.extend_from_slice(values);
    Ok(())
}

/// Appends byte arrays: u32 length, then the bytes. `offsets` has one entry more than values; `bytes` starts at the first.
pub(crate) fn byte_arrays(offsets: &[u32], bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let (Some(&base), Some(&end)) = (offsets.first(), offsets.last()) else { return Ok(()) };
    let size = byte_array_bytes(offsets.len() - 1, (end - base) as usize);
    if size > i32::MAX as usize {
        return Err(Error::Limit { what: Limit::PageBytes, size: size as u64 });
    }
    reserve(out, size)?;
    for (row, pair) in offsets.windows(2).enumerate() {
        if let [start, end] = *pair {
            let value = bytes.get((start - base) as usize..(end - base) as usize).ok_or(Error::Offsets { row })?;
            byte_array(value, end - start, out);
        }
    }
    Ok(())
}

/// Appends one byte array of `length` bytes.
pub(crate) fn byte_array(value: &[u8], length: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests;
