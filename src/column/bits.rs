//! Bitmaps, LSB-first.

use crate::error::{Error, reserve};

/// Whether `bits` hold `count` bits from bit `first`.
pub(super) fn holds(bits: &[u8], first: usize, count: usize) -> bool {
    bits.len().saturating_mul(8) >= first.saturating_add(count)
}

/// Bit `index`, LSB-first; false past the end.
pub(crate) fn bit(bits: &[u8], index: usize) -> bool {
    bits.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
}

/// Ones among `count` bits from bit `first`.
pub(crate) fn count_ones(bits: &[u8], first: usize, count: usize) -> usize {
    let end = first + count;
    let bytes = bits.get(first / 8..end.div_ceil(8)).unwrap_or_default();
    let all: usize = bytes.iter().map(|byte| byte.count_ones() as usize).sum();
    let before = bytes.first().map_or(0, |byte| (byte & !(0xff << (first % 8))).count_ones() as usize);
    let after = match end % 8 {
        0 => 0,
        used => bytes.last().map_or(0, |byte| (byte >> used).count_ones() as usize),
    };
    if count == 0 { 0 } else { all - before - after }
}

/// `count` bits from bit `first`, moved to bit 0; bits past the end become 0.
pub(crate) fn align(bits: &[u8], first: usize, count: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    out.clear();
    let size = count.div_ceil(8);
    reserve(out, size)?;
    let shift = first % 8;
    let bytes = bits.get(first / 8..(first + count).div_ceil(8)).ok_or(Error::View)?;
    if shift == 0 {
        out.extend_from_slice(bytes);
    } else {
        let next = bytes.iter().skip(1).copied().chain([0]);
        out.extend(bytes.iter().zip(next).map(|(low, high)| low >> shift | high << (8 - shift)));
        out.truncate(size);
    }
    if let (Some(last), used @ 1..) = (out.last_mut(), count % 8) {
        *last &= !(0xff << used);
    }
    Ok(())
}
