//! Values of present rows moved together, narrow ones widened: what cannot be used where it lies.

use super::bits::bit;
use crate::error::{Error, reserve};

/// The values of present rows; where they lie, when no row is null.
pub(super) fn values<'b>(
    values: &'b [u8],
    width: usize,
    validity: Option<&[u8]>,
    out: &'b mut Vec<u8>,
) -> Result<&'b [u8], Error> {
    let Some(validity) = validity else { return Ok(values) };
    out.clear();
    reserve(out, values.len())?;
    for (group, &byte) in values.chunks(width.saturating_mul(8)).zip(validity) {
        if byte == 0xff {
            out.extend_from_slice(group);
            continue;
        }
        let mut left = byte;
        while left != 0 {
            let at = left.trailing_zeros() as usize * width;
            out.extend_from_slice(group.get(at..at + width).unwrap_or_default());
            left &= left - 1;
        }
    }
    Ok(out)
}

pub(super) fn bits(bits: &[u8], validity: &[u8], slots: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    out.clear();
    reserve(out, bits.len())?;
    let (mut byte, mut used) = (0u8, 0);
    for row in (0..slots).filter(|&row| bit(validity, row)) {
        byte |= u8::from(bit(bits, row)) << used;
        used += 1;
        if used == 8 {
            out.push(byte);
            (byte, used) = (0, 0);
        }
    }
    if used > 0 {
        out.push(byte);
    }
    Ok(())
}

/// Byte arrays of present rows; bytes that lie under a null are left behind.
pub(super) fn byte_arrays(
    offsets: &[u32],
    base: u32,
    bytes: &[u8],
    validity: &[u8],
    out: &mut Vec<u8>,
    out_offsets: &mut Vec<u32>,
) -> Result<(), Error> {
    out.clear();
    out_offsets.clear();
    reserve(out_offsets, offsets.len())?;
    let span = offsets.last().copied().unwrap_or(base) - offsets.first().copied().unwrap_or(base);
    reserve(out, span as usize)?;
    out_offsets.push(0);
    let mut total = 0u32;
    for (row, pair) in offsets.windows(2).enumerate() {
        if let [start, end] = *pair
            && bit(validity, row)
        {
            let value = bytes.get((start - base) as usize..(end - base) as usize).ok_or(Error::Offsets { row })?;
            out.extend_from_slice(value);
            total += end - start;
            out_offsets.push(total);
        }
    }
    Ok(())
}

pub(super) fn widen<const N: usize>(narrow: &[u8], out: &mut Vec<u8>, value: impl Fn([u8; N]) -> i32) {
    out.extend(narrow.as_chunks::<N>().0.iter().flat_map(|bytes| value(*bytes).to_le_bytes()));
}
