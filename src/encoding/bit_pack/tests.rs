#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{pack, width_of};
use crate::testing::rounds;

fn packed(values: &[u32], width: u32) -> Vec<u8> {
    let mut out = Vec::new();
    pack(values, width, &mut out).unwrap();
    out
}

/// Bit by bit: bit i of value v is bit v·width + i of the output.
fn packed_naively(values: &[u32], width: u32) -> Vec<u8> {
    let mut out = vec![0; (values.len() * width as usize).div_ceil(8)];
    let bits = values.iter().flat_map(|value| (0..width).map(move |bit| value >> bit & 1));
    for (index, bit) in bits.enumerate() {
        out[index / 8] |= (bit as u8) << (index % 8);
    }
    out
}

#[test]
fn width_holds_the_largest_number() {
    let widths = [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (255, 8), (256, 9), (65_535, 16), (65_536, 17)];
    for (largest, width) in widths {
        assert_eq!(width_of(largest), width, "{largest}");
    }
    assert_eq!(width_of(u32::MAX >> 1), 31);
    assert_eq!(width_of(u32::MAX), 32);
}

#[test]
fn first_value_lies_in_the_lowest_bits() {
    // 1011, the first value rightmost.
    assert_eq!(packed(&[1, 1, 0, 1], 1), [0b1011]);
    // 3 bits each: 010_001_000, so 0b10001000 and 0b0.
    assert_eq!(packed(&[0, 1, 2], 3), [0b1000_1000, 0]);
    // 5 bits each: 1 | 2 << 5 | 3 << 10 = 0x0c41.
    assert_eq!(packed(&[1, 2, 3], 5), [0x41, 0x0c]);
    // 12 bits each: 0xabc | 0xdef << 12.
    assert_eq!(packed(&[0xabc, 0xdef], 12), [0xbc, 0xfa, 0xde]);
    // Whole bytes keep their order, little-endian.
    assert_eq!(packed(&[0x12, 0xff], 8), [0x12, 0xff]);
    assert_eq!(packed(&[0x1234], 16), [0x34, 0x12]);
    assert_eq!(packed(&[u32::MAX, 0x0102_0304], 32), [0xff, 0xff, 0xff, 0xff, 4, 3, 2, 1]);
    assert_eq!(packed(&[], 7), []);
}

#[test]
fn appends_behind_what_is_there() {
    let mut out = vec![9];
    pack(&[3u32], 2, &mut out).unwrap();
    assert_eq!(out, [9, 3]);
}

#[test]
fn every_width_and_length_equals_the_naive_twin() {
    rounds(4, |random| {
        for width in 1..=32 {
            for count in 0..70 {
                let values: Vec<u32> = (0..count).map(|_| (random.word() & ((1 << width) - 1)) as u32).collect();
                assert_eq!(packed(&values, width), packed_naively(&values, width), "width {width}: {values:?}");
            }
        }
    });
}
