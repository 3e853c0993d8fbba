//! DELTA_BINARY_PACKED (parquet-format, Encodings: 5), for INT32 and INT64.
//!
//! A header, then blocks of differences: the smallest of the block once, and what each has above it in as few bits as
//! its miniblock needs. All arithmetic wraps, in the width of the type: a difference of INT32 never takes more than
//! 32 bits.

use super::bit_pack;
use super::rle::varint;
use crate::error::{Error, reserve};
use crate::thrift::zigzag;

/// Values of a block and of one of its miniblocks. SPEC: multiples of 128 and of 32.
const BLOCK: usize = 128;
const MINIBLOCK: usize = 32;
const MINIBLOCKS: usize = BLOCK / MINIBLOCK;

/// Appends little-endian INT32 values.
pub(crate) fn int32(values: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let values = values.as_chunks::<4>().0;
    encode(values.iter().map(|value| i32::from_le_bytes(*value)), out)
}

/// Appends little-endian INT64 values.
pub(crate) fn int64(values: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let values = values.as_chunks::<8>().0;
    encode(values.iter().map(|value| i64::from_le_bytes(*value)), out)
}

/// The arithmetic of one type.
pub(crate) trait Integer: Copy + Ord {
    /// `self - before`, wrapping.
    fn delta(self, before: Self) -> Self;
    /// How far `self` lies above `least`, wrapping.
    fn above(self, least: Self) -> u64;
    fn signed(self) -> i64;
}

impl Integer for i32 {
    fn delta(self, before: Self) -> Self {
        self.wrapping_sub(before)
    }

    fn above(self, least: Self) -> u64 {
        u64::from(self.wrapping_sub(least).cast_unsigned())
    }

    fn signed(self) -> i64 {
        i64::from(self)
    }
}

impl Integer for i64 {
    fn delta(self, before: Self) -> Self {
        self.wrapping_sub(before)
    }

    fn above(self, least: Self) -> u64 {
        self.wrapping_sub(least).cast_unsigned()
    }

    fn signed(self) -> i64 {
        self
    }
}

/// Appends `values`. Without any there is still a header: readers want one.
pub(crate) fn encode<T: Integer>(mut values: impl ExactSizeIterator<Item = T>, out: &mut Vec<u8>) -> Result<(), Error> {
    reserve(out, 32)?;
    varint(BLOCK as u64, out);
    varint(MINIBLOCKS as u64, out);
    varint(values.len() as u64, out);
    let first = values.next();
    zigzag(first.map_or(0, T::signed), out);
    let Some(mut before) = first else { return Ok(()) };
    while values.len() > 0 {
        let mut deltas = [before; BLOCK];
        let mut count = 0;
        for (to, value) in deltas.iter_mut().zip(&mut values) {
            *to = value.delta(before);
            before = value;
            count += 1;
        }
        block(deltas.get(..count).unwrap_or_default(), out)?;
    }
    Ok(())
}

fn block<T: Integer>(deltas: &[T], out: &mut Vec<u8>) -> Result<(), Error> {
    let Some(&least) = deltas.iter().min() else { return Ok(()) };
    // The smallest difference takes 10 bytes at most, then a width byte for each miniblock, then their bodies.
    reserve(out, 10 + MINIBLOCKS + BLOCK * 8)?;
    zigzag(least.signed(), out);
    let widths_at = out.len();
    // SPEC: miniblocks that are not there have a width byte all the same, 0, and no body.
    out.extend_from_slice(&[0; MINIBLOCKS]);
    for (index, miniblock) in deltas.chunks(MINIBLOCK).enumerate() {
        // SPEC: the last one is padded to its full length.
        let mut above = [0u64; MINIBLOCK];
        above.iter_mut().zip(miniblock).for_each(|(to, delta)| *to = delta.above(least));
        let width = u64::BITS - above.iter().fold(0, |all, value| all | value).leading_zeros();
        if let Some(to) = out.get_mut(widths_at + index) {
            *to = width.to_le_bytes()[0];
        }
        bit_pack::pack_wide(&above, width, out);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
