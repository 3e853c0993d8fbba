#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{BLOCK_BYTES, Bloom, BloomOptions, SALTS};
use crate::hash::xxh64;
use crate::order::Order;
use crate::testing::Random;

const OPTIONS: BloomOptions = BloomOptions { false_positives: 0.01, most_bytes: 1 << 20 };

fn filter(options: BloomOptions, rows: u64, values: impl Iterator<Item = [u8; 8]>) -> Vec<u8> {
    let mut bloom = Bloom::default();
    bloom.open(options, rows).unwrap();
    values.for_each(|value| bloom.add(&value, Order::Int64));
    bits(bloom)
}

/// The bits, without the header.
fn bits(mut bloom: Bloom) -> Vec<u8> {
    let mut out = Vec::new();
    bloom.finish(&mut out).unwrap();
    let size = bloom.blocks.len() * BLOCK_BYTES;
    // Number of bytes, then for each of three unions: header, one empty struct in field 1, its end.
    let head = &out[..out.len() - size];
    assert_eq!(head[0], 0x15);
    assert_eq!(head[head.len() - 13..], [0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0]);
    out.split_off(out.len() - size)
}

/// A reader's look-up, straight from the format's description.
fn holds(bits: &[u8], value: &[u8]) -> bool {
    let hash = xxh64(value);
    let blocks = (bits.len() / BLOCK_BYTES) as u64;
    let block = (((hash >> 32) * blocks) >> 32) as usize * BLOCK_BYTES;
    (0..8).all(|word| {
        let bit = (hash as u32).wrapping_mul(SALTS[word]) >> 27;
        bits[block + word * 4 + bit as usize / 8] >> (bit % 8) & 1 == 1
    })
}

#[test]
fn what_was_added_is_found_and_little_else() {
    for (rows, distinct) in [(1u64, 1u64), (10, 10), (10_000, 10_000), (100_000, 50), (100_000, 20_000)] {
        let values = || (0..rows).map(|row| (row % distinct).to_le_bytes());
        let bits = filter(OPTIONS, rows, values());
        assert!(values().all(|value| holds(&bits, &value)));
        let absent = (1u64 << 40..(1 << 40) + 20_000).filter(|value| holds(&bits, &value.to_le_bytes())).count();
        assert!(absent < 20_000 * 2 / 100, "{rows} rows, {distinct} distinct: {absent} of 20000");
        // Folded to what the distinct values need: 10.5 bits each, and at most twice twice that.
        assert!(bits.len() as u64 * 8 <= (distinct * 42).max(256), "{rows} rows, {distinct} distinct: {}", bits.len());
    }
}

#[test]
fn the_limit_holds() {
    let options = BloomOptions { most_bytes: 100, ..OPTIONS };
    let bits = filter(options, 1 << 20, (0u64..1000).map(u64::to_le_bytes));
    // A power of two of 32-byte blocks within 100 bytes.
    assert_eq!(bits.len(), 64);
    assert!((0u64..1000).all(|value| holds(&bits, &value.to_le_bytes())));
}

#[test]
fn any_rows_and_shares_give_a_filter() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let options = BloomOptions {
            false_positives: 0.000_1 + random.below(9_998) as f64 / 10_000.0,
            most_bytes: random.below(1 << 16),
        };
        let mut bloom = Bloom::default();
        bloom.open(options, random.below(1 << 20) as u64).unwrap();
        let value = random.word().to_le_bytes();
        bloom.add(&value, Order::Bytes);
        assert!(holds(&bits(bloom), &value));
    }
}

#[test]
fn equal_floats_are_found_whatever_their_bytes() {
    let mut bloom = Bloom::default();
    bloom.open(OPTIONS, 100).unwrap();
    bloom.add(&(-0.0f64).to_le_bytes(), Order::Double);
    bloom.add(&f64::from_bits(0x7ff8_0000_0000_0123).to_le_bytes(), Order::Double);
    let bits = bits(bloom);
    for value in [0.0, -0.0, f64::NAN, f64::from_bits(0x7ff8_0000_0000_0123)] {
        assert!(holds(&bits, &value.to_le_bytes()), "{value}");
    }
    let mut bloom = Bloom::default();
    bloom.open(OPTIONS, 100).unwrap();
    bloom.add(&0.0f32.to_le_bytes(), Order::Float);
    assert!(holds(&self::bits(bloom), &(-0.0f32).to_le_bytes()));
}
