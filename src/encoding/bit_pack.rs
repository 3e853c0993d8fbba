//! Bit packing, LSB first, as the RLE hybrid and the delta encodings take it.

use crate::error::{Error, reserve};

/// Bits that hold every number up to `largest`.
pub(crate) fn width_of(largest: u32) -> u32 {
    u32::BITS - largest.leading_zeros()
}

/// Appends `values` with `width` bits each, the last byte padded with zeros. Widths go from 1 to 32.
pub(crate) fn pack<T: Copy + Into<u32>>(values: &[T], width: u32, out: &mut Vec<u8>) -> Result<(), Error> {
    let size = (values.len() * width as usize).div_ceil(8);
    reserve(out, size + 8)?;
    if width == 8 {
        out.extend(values.iter().map(|&value| value.into().to_le_bytes()[0]));
        return Ok(());
    }
    // Below 32 bits wait in the low half of the word, so a value of 32 bits always has room.
    let (mut word, mut used) = (0u64, 0);
    for &value in values {
        word |= u64::from(value.into()) << used;
        used += width;
        if used >= 32 {
            out.extend_from_slice(&word.to_le_bytes()[..4]);
            word >>= 32;
            used -= 32;
        }
    }
    out.extend(word.to_le_bytes().iter().take(used.div_ceil(8) as usize));
    Ok(())
}

/// Appends 32 `values` with `width` bits each, 0 to 64. The caller has made room.
pub(crate) fn pack_wide(values: &[u64; 32], width: u32, out: &mut Vec<u8>) {
    // Below 32 bits wait, so a value of 64 bits needs 96 at most.
    let (mut word, mut used) = (0u128, 0);
    for &value in values {
        word |= u128::from(value) << used;
        used += width;
        while used >= 32 {
            out.extend_from_slice(&word.to_le_bytes()[..4]);
            word >>= 32;
            used -= 32;
        }
    }
}

#[cfg(test)]
mod tests;
