#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{hybrid, shortest_run, varint};
use crate::testing::{Run, hybrid_values, rounds, runs};

fn encoded(values: &[u32], width: u32) -> Vec<u8> {
    let mut out = Vec::new();
    hybrid(values, width, &mut out).unwrap();
    out
}

fn check(values: &[u32], width: u32) {
    let bytes = encoded(values, width);
    assert_eq!(hybrid_values(&bytes, width as usize, values.len()), values, "width {width}: {bytes:02x?}");
}

/// What distinguishes one value from the others at any width.
fn other(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

#[test]
fn varint_has_seven_bits_a_byte_low_ones_first() {
    let vectors: [(u64, &[u8]); 7] = [
        (0, &[0]),
        (127, &[0x7f]),
        (128, &[0x80, 0x01]),
        (300, &[0xac, 0x02]),
        (16_384, &[0x80, 0x80, 0x01]),
        (u64::from(u32::MAX), &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    ];
    for (value, bytes) in vectors {
        let mut out = Vec::new();
        varint(value, &mut out);
        assert_eq!(out, bytes, "{value}");
    }
}

#[test]
fn nothing_has_no_run() {
    assert_eq!(encoded(&[], 3), []);
}

#[test]
fn eight_values_are_one_group() {
    // Header: one group, bit-packed: 1 << 1 | 1. Then 3 bits each, the first value lowest:
    // 10_001_000, 1_100_011_0 (its low bit the end of 2), 111_110_10.
    assert_eq!(encoded(&[0, 1, 2, 3, 4, 5, 6, 7], 3), [0x03, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
}

#[test]
fn last_group_is_padded_with_zeros() {
    // One group again: 1 and 2 in 4 bits each, then six zeros.
    assert_eq!(encoded(&[1, 2], 4), [0x03, 0x21, 0, 0, 0]);
}

#[test]
fn a_long_run_is_a_count_and_a_value() {
    // Header 100 << 1 = 200 = 0xc8 0x01; the value in the one byte that 5 bits need.
    assert_eq!(encoded(&[17; 100], 5), [0xc8, 0x01, 17]);
    // 9 bits take two bytes, 17 three, 32 four, all little-endian.
    assert_eq!(encoded(&[0x1ab; 100], 9), [0xc8, 0x01, 0xab, 0x01]);
    assert_eq!(encoded(&[0x1_abcd; 100], 17), [0xc8, 0x01, 0xcd, 0xab, 0x01]);
    assert_eq!(encoded(&[0x8000_0001; 100], 32), [0xc8, 0x01, 0x01, 0, 0, 0x80]);
}

#[test]
fn literals_around_a_long_run_share_nothing_with_it() {
    // One group of 0 and 1 in turns, 50 ones, and the rest as a group with padding.
    let mut values = vec![0, 1, 0, 1, 0, 1, 0, 1];
    values.extend([1; 50]);
    values.extend([0, 0, 1]);
    // The run is looked for at whole groups only, so the one before it stays in its group.
    let bytes = [0x03, 0b1010_1010, 50 << 1, 1, 0x03, 0b100];
    assert_eq!(encoded(&values, 1), bytes);
}

#[test]
fn shortest_run_is_where_it_pays() {
    let expected = [(1, 40), (2, 24), (3, 16), (4, 16), (5, 8), (8, 8), (9, 8), (16, 8), (17, 8), (24, 8), (32, 8)];
    for (width, run) in expected {
        assert_eq!(shortest_run(width), run, "width {width}");
    }
}

#[test]
fn one_less_than_the_shortest_run_is_packed() {
    for width in 1..=32 {
        let run = shortest_run(width);
        let value = other(width);
        assert_eq!(runs(&encoded(&vec![value; run], width), width as usize), [Run::Rle { count: run, value }]);
        let short = runs(&encoded(&vec![value; run - 1], width), width as usize);
        assert!(matches!(short.as_slice(), [Run::Packed { .. }]), "width {width}: {short:?}");
    }
}

#[test]
fn runs_around_group_and_threshold_at_every_place() {
    for width in 1..=32 {
        let shortest = shortest_run(width);
        for run in [1, 7, 8, 9, 15, 16, 17, shortest - 1, shortest, shortest + 1, shortest + 8, 2 * shortest + 3] {
            for before in 0..=9 {
                for after in [0, 1, 7, 8, 9] {
                    let noise = |count: u32| (0..count).map(|index| index & 1);
                    let mut values: Vec<u32> = noise(before).collect();
                    values.extend(std::iter::repeat_n(other(width), run));
                    values.extend(noise(after));
                    check(&values, width);
                }
            }
        }
    }
}

#[test]
fn neighbouring_runs_stay_apart() {
    for width in 1..=32 {
        let run = shortest_run(width) + 3;
        let values: Vec<u32> =
            (0..4 * run).map(|index| if (index / run).is_multiple_of(2) { 0 } else { other(width) }).collect();
        check(&values, width);
    }
}

#[test]
fn random_runs_come_back() {
    rounds(400, |random| {
        let width = 1 + random.below(32) as u32;
        let mut values = Vec::new();
        for _ in 0..random.below(12) {
            let count = [1, 3, 8, 40, 200][random.below(5)];
            let value = (random.word() as u32) & other(width);
            let same = random.once_in(2);
            values.extend((0..1 + random.below(count)).map(|_| match same {
                true => value,
                false => (random.word() as u32) & other(width),
            }));
        }
        check(&values, width);
        // Never larger than one bit-packed run of everything.
        let packed = 5 + values.len().div_ceil(8) * width as usize;
        assert!(encoded(&values, width).len() <= packed, "width {width}, {} values", values.len());
    });
}
