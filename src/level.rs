//! Repetition and definition levels as RLE / bit-packed hybrid (parquet-format, Encodings, RLE).
//!
//! Flat columns have definition levels of width 1 only, and there a bit-packed run *is* the validity bitmap: its
//! bytes are copied, never unpacked.

use crate::column::{Page, Presence};
use crate::encoding::bit_pack;
use crate::encoding::rle::{self, BIT_PACKED_RUN, varint};
use crate::error::{Error, Limit, reserve};
use crate::options::PageVersion;

/// A stretch of equal bytes (8 rows each) from this length on is cheaper as an RLE run with its two headers.
const RUN_BYTES: usize = 8;

/// Appends the levels of a page: repetition, then definition. Levels that cannot differ are not there at all. In
/// version 1 each has its length before it as u32; version 2 says it in the header. Gives the bytes of both.
pub(crate) fn levels(
    page: Page<'_>,
    max_definition: u16,
    max_repetition: u16,
    version: PageVersion,
    out: &mut Vec<u8>,
) -> Result<(usize, usize), Error> {
    let repetition_bytes = one_level(max_repetition, version, out, |width, out| match page.presence {
        Presence::Levels { repetition, .. } => rle::hybrid(repetition, width, out),
        _ => Err(Error::View),
    })?;
    let definition_bytes = one_level(max_definition, version, out, |width, out| match page.presence {
        Presence::Levels { definition, .. } => rle::hybrid(definition, width, out),
        Presence::Bits(bits) if page.present > 0 => bitmap_runs(bits, page.rows, out),
        Presence::Bits(_) => rle_run(page.rows, 0, out),
        Presence::All => rle_run(page.entries, max_definition.to_le_bytes()[0], out),
    })?;
    Ok((repetition_bytes, definition_bytes))
}

fn one_level(
    max: u16,
    version: PageVersion,
    out: &mut Vec<u8>,
    runs: impl FnOnce(u32, &mut Vec<u8>) -> Result<(), Error>,
) -> Result<usize, Error> {
    let start = out.len();
    let width = bit_pack::width_of(u32::from(max));
    match (max, version) {
        (0, _) => {}
        (_, PageVersion::V1) => prefixed(out, |out| runs(width, out))?,
        (_, PageVersion::V2) => runs(width, out)?,
    }
    Ok(out.len() - start)
}

/// Appends booleans, from bit 0, as runs with their length before them: in both page versions.
pub(crate) fn booleans(bits: &[u8], count: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    prefixed(out, |out| bitmap_runs(bits, count, out))
}

fn prefixed(out: &mut Vec<u8>, levels: impl FnOnce(&mut Vec<u8>) -> Result<(), Error>) -> Result<(), Error> {
    let start = out.len();
    reserve(out, 4)?;
    out.extend_from_slice(&[0; 4]);
    levels(out)?;
    let bytes = out.len() - start - 4;
    let size = u32::try_from(bytes).map_err(|_| Error::Limit { what: Limit::PageBytes, size: bytes as u64 })?;
    if let Some(prefix) = out.get_mut(start..start + 4) {
        prefix.copy_from_slice(&size.to_le_bytes());
    }
    Ok(())
}

fn rle_run(rows: usize, level: u8, out: &mut Vec<u8>) -> Result<(), Error> {
    reserve(out, 16)?;
    varint((rows as u64) << 1, out);
    out.push(level);
    Ok(())
}

fn literal_run(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    if !bytes.is_empty() {
        reserve(out, 16 + bytes.len())?;
        varint((bytes.len() as u64) << 1 | BIT_PACKED_RUN, out);
        out.extend_from_slice(bytes);
    }
    Ok(())
}

fn bitmap_runs(bits: &[u8], rows: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    // The last, partly used byte never joins an RLE run: its padding would count as rows.
    let (whole, rest) = bits.split_at(bits.len().min(rows / 8));
    let mut literal = whole;
    let mut literal_bytes = 0;
    let mut ahead = whole;
    while let Some(&byte) = ahead.first() {
        let run = match byte {
            0x00 | 0xff => ahead.iter().take_while(|&&next| next == byte).count(),
            _ => 1,
        };
        let (_, after) = ahead.split_at(run);
        if run >= RUN_BYTES {
            literal_run(literal.get(..literal_bytes).unwrap_or_default(), out)?;
            rle_run(run * 8, byte & 1, out)?;
            literal = after;
            literal_bytes = 0;
        } else {
            literal_bytes += run;
        }
        ahead = after;
    }
    // What is left of the whole bytes and the last partial byte lie side by side in `bits`.
    let tail = bits.get(bits.len() - rest.len() - literal_bytes..).unwrap_or_default();
    literal_run(tail, out)
}

#[cfg(test)]
mod tests;
