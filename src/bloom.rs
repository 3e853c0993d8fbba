//! Split-block Bloom filters (parquet-format, BloomFilter).

use core::f64::consts::{LN_2, LOG10_2};

use crate::error::{Error, reserve};
use crate::hash;
use crate::options::{BloomOptions, FileOptions};
use crate::order::Order;
use crate::thrift;

/// Words of a block: each takes one bit of every value.
const WORDS: usize = 8;
const BLOCK_BYTES: usize = WORDS * 4;

/// One odd multiplier a word (parquet-format, BloomFilter).
const SALTS: [u32; WORDS] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

/// The filter of the open chunk: made for as many distinct values as rows, folded to what they turned out to be.
#[derive(Debug, Default)]
pub(crate) struct Bloom {
    blocks: Vec<[u32; WORDS]>,
    false_positives: f64,
}

impl Bloom {
    /// Empties it for a chunk of at most `values` values; their number may be unknown (0).
    pub fn open(&mut self, options: BloomOptions, values: u64) -> Result<(), Error> {
        /// Values to plan for where the chunk's are not known.
        const UNKNOWN: u64 = 1 << 20;
        let values = if values == 0 { UNKNOWN } else { values } as f64;
        // A value is let through when all its bits are set: (1 − e^(−8 n / bits))^8. Blocks fill unevenly, which costs
        // some 5 % more bits for every power of ten.
        let share = options.false_positives;
        let of_a_bit = share.sqrt().sqrt().sqrt();
        // ln(1 − x), for which tiny x needs its own form. One logarithm is enough for the module.
        let fill = if of_a_bit < 1e-6 { -of_a_bit } else { (1.0 - of_a_bit).log2() * LN_2 };
        let bits = -8.0 * values / fill * (1.0 - 0.055 * LOG10_2 * share.log2());
        let most = (options.most_bytes.min(FileOptions::MAX_SIZE) / BLOCK_BYTES).max(1);
        // Only powers of two can be folded.
        let wanted = ((bits / 8.0 / BLOCK_BYTES as f64).ceil() as usize).max(1).next_power_of_two();
        let count = wanted.min(1 << most.ilog2());
        self.blocks.clear();
        reserve(&mut self.blocks, count)?;
        self.blocks.resize(count, [0; WORDS]);
        self.false_positives = options.false_positives;
        Ok(())
    }

    /// Adds a value in PLAIN form, without length prefix.
    ///
    /// Readers look for what equals the value asked for, by bytes. Of floats more is equal than bytes are: a zero is
    /// added with both signs, a NaN also as the usual one.
    pub fn add(&mut self, value: &[u8], order: Order) {
        self.add_bytes(value);
        let number = match (order, value) {
            (Order::Float, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (Order::Double, _) => value.first_chunk().map_or(1.0, |bytes| f64::from_le_bytes(*bytes)),
            _ => return,
        };
        let mut also = |single: f32, double: f64| match order {
            Order::Float => self.add_bytes(&single.to_le_bytes()),
            _ => self.add_bytes(&double.to_le_bytes()),
        };
        if number == 0.0 {
            also(0.0, 0.0);
            also(-0.0, -0.0);
        } else if number.is_nan() {
            also(f32::NAN, f64::NAN);
        }
    }

    fn add_bytes(&mut self, value: &[u8]) {
        let hash = hash::xxh64(value);
        let index = (hash >> 32).wrapping_mul(self.blocks.len() as u64) >> 32;
        if let Some(block) = usize::try_from(index).ok().and_then(|index| self.blocks.get_mut(index)) {
            for (word, salt) in block.iter_mut().zip(SALTS) {
                *word |= 1 << ((hash as u32).wrapping_mul(salt) >> 27);
            }
        }
    }

    /// Halves the filter while it stays below its share of false positives; then appends header and bits.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        while self.blocks.len() > 1 && folded_rate(&self.blocks) <= self.false_positives {
            // SPEC: the block is the high half of the hash times the number of blocks; half as many blocks, and
            // neighbours become one.
            for index in 0..self.blocks.len() / 2 {
                if let Some(&[left, right]) = self.blocks.get(index * 2..).and_then(<[_]>::first_chunk::<2>)
                    && let Some(to) = self.blocks.get_mut(index)
                {
                    *to = union(left, right);
                }
            }
            self.blocks.truncate(self.blocks.len() / 2);
        }
        let bytes = self.blocks.len() * BLOCK_BYTES;
        reserve(out, 32 + bytes)?;
        thrift::structure(out, |header| {
            header.i32(1, i32::try_from(bytes).unwrap_or(i32::MAX));
            // Block, XXHASH, UNCOMPRESSED: the only variant of each union.
            for id in 2..=4 {
                header.structure(id, |variant| variant.structure(1, |_| {}));
            }
        });
        out.extend(self.blocks.iter().flatten().flat_map(|word| word.to_le_bytes()));
        Ok(())
    }
}

fn union(mut left: [u32; WORDS], right: [u32; WORDS]) -> [u32; WORDS] {
    left.iter_mut().zip(right).for_each(|(left, right)| *left |= right);
    left
}

/// The share of absent values that would pass if neighbours were one block.
fn folded_rate(blocks: &[[u32; WORDS]]) -> f64 {
    let pairs = blocks.as_chunks::<2>().0;
    let rate = |&[left, right]: &[[u32; WORDS]; 2]| {
        union(left, right).iter().map(|word| f64::from(word.count_ones()) / 32.0).product::<f64>()
    };
    pairs.iter().map(rate).sum::<f64>() / pairs.len() as f64
}

#[cfg(test)]
mod tests;
