//! Definition levels of flat columns, as RLE / bit-packed hybrid of width 1 (parquet-format, Encodings, RLE).
//!
//! At width 1 a bit-packed run *is* the validity bitmap, so bytes are copied, never unpacked.

use crate::encoding::rle::{BIT_PACKED_RUN, varint};
use crate::error::{Error, Limit, reserve};

/// A stretch of equal bytes (8 rows each) from this length on is cheaper as an RLE run with its two headers.
const RUN_BYTES: usize = 8;

/// Appends the levels of a V1 page: their length as u32, then the runs.
/// `validity` starts at bit 0; `None` when all rows are present.
pub(crate) fn definition_levels(
    rows: usize,
    present: usize,
    validity: Option<&[u8]>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let start = out.len();
    // Worst case: every byte literal, and a header of at most 5 bytes for each RUN_BYTES of them.
    reserve(out, 4 + rows.div_ceil(8) * 2 + 16)?;
    out.extend_from_slice(&[0; 4]);
    match validity {
        Some(bits) if present > 0 => bitmap_runs(bits, rows, out),
        _ => rle_run(rows, u8::from(present > 0), out),
    }
    let too_large = Error::Limit { what: Limit::PageBytes, size: out.len() as u64 };
    let size = u32::try_from(out.len() - start - 4).map_err(|_| too_large)?;
    if let Some(prefix) = out.get_mut(start..start + 4) {
        prefix.copy_from_slice(&size.to_le_bytes());
    }
    Ok(())
}

fn rle_run(rows: usize, level: u8, out: &mut Vec<u8>) {
    varint((rows as u64) << 1, out);
    out.push(level);
}

fn literal_run(bytes: &[u8], out: &mut Vec<u8>) {
    if !bytes.is_empty() {
        varint((bytes.len() as u64) << 1 | BIT_PACKED_RUN, out);
        out.extend_from_slice(bytes);
    }
}

fn bitmap_runs(bits: &[u8], rows: usize, out: &mut Vec<u8>) {
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
            literal_run(literal.get(..literal_bytes).unwrap_or_default(), out);
            rle_run(run * 8, byte & 1, out);
            literal = after;
            literal_bytes = 0;
        } else {
            literal_bytes += run;
        }
        ahead = after;
    }
    // What is left of the whole bytes and the last partial byte lie side by side in `bits`.
    let tail = bits.get(bits.len() - rest.len() - literal_bytes..).unwrap_or_default();
    literal_run(tail, out);
}
