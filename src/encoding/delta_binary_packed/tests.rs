#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{encode, int32, int64};
use crate::testing::{Deltas, Random, rounds};

fn bytes32(values: &[i32]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut out = Vec::new();
    int32(&bytes, &mut out).unwrap();
    out
}

fn bytes64(values: &[i64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut out = Vec::new();
    int64(&bytes, &mut out).unwrap();
    out
}

fn check32(values: &[i32]) {
    let bytes = bytes32(values);
    let mut decoder = Deltas(&bytes);
    let expected: Vec<i64> = values.iter().map(|&value| i64::from(value)).collect();
    assert_eq!(decoder.values(32), expected);
    assert!(decoder.0.is_empty());
}

fn check64(values: &[i64]) {
    let bytes = bytes64(values);
    let mut decoder = Deltas(&bytes);
    assert_eq!(decoder.values(64), values);
    assert!(decoder.0.is_empty());
}

#[test]
fn the_formats_own_examples() {
    // 1 to 5: all differences are 1, so nothing lies above the smallest and no miniblock has a body.
    let head = [0x80, 0x01, 4];
    assert_eq!(bytes32(&[1, 2, 3, 4, 5]), [&head[..], &[5, 2, 2, 0, 0, 0, 0]].concat());
    // 7 5 3 1 2 3 4 5: differences −2 −2 −2 1 1 1 1, smallest −2 (zigzag 3), above it 0 0 0 3 3 3 3 in 2 bits each:
    // 11000000, 00111111, and six bytes of padding up to 32 values.
    let body = [0xc0, 0x3f, 0, 0, 0, 0, 0, 0];
    assert_eq!(bytes32(&[7, 5, 3, 1, 2, 3, 4, 5]), [&head[..], &[8, 14, 3, 2, 0, 0, 0], &body[..]].concat());
}

#[test]
fn each_miniblock_has_the_width_that_it_needs() {
    // 32 steps of 1, then of 6 and 1: the smallest is 1 (2); above it 32 zeros in no bits, then 5 0 in 3 bits.
    let values: Vec<i32> = (0..=32).chain([38, 39]).collect();
    let head = [0x80, 0x01, 4, 35, 0, /* block */ 2, 0, 3, 0, 0];
    let mut body = [0; 12];
    body[0] = 0b101;
    assert_eq!(bytes32(&values), [&head[..], &body].concat());
    // A second block begins with its own smallest: 128 steps of 1, then one of −3 (5).
    let values: Vec<i32> = (0..=128).chain([125]).collect();
    assert_eq!(bytes32(&values), [0x80, 0x01, 4, 0x82, 0x01, 0, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0]);
}

#[test]
fn int64_takes_up_to_64_bits() {
    // Differences MAX and −MAX − 1 = MIN (zigzag 2^64 − 1 in ten bytes); above MIN lie 2^64 − 1 and 0.
    let bytes = bytes64(&[0, i64::MAX, -1]);
    let block = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 64, 0, 0, 0];
    let mut body = [0; 256];
    body[..8].fill(0xff);
    assert_eq!(bytes, [&[0x80, 0x01, 4, 3, 0][..], &block, &body].concat());
}

#[test]
fn without_values_and_with_one() {
    // HC-59: a header all the same, with count 0 and first value 0.
    assert_eq!(bytes32(&[]), [0x80, 0x01, 4, 0, 0]);
    assert_eq!(bytes64(&[]), [0x80, 0x01, 4, 0, 0]);
    assert_eq!(bytes64(&[-3]), [0x80, 0x01, 4, 1, 5]);
}

#[test]
fn differences_wrap_in_the_width_of_the_type() {
    // MAX − MIN wraps to −1 in 32 bits; the difference back is 1.
    assert_eq!(bytes32(&[i32::MIN, i32::MAX, i32::MIN])[3..9], [3, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    check32(&[i32::MIN, i32::MAX, i32::MIN, 0, i32::MAX, -1, i32::MIN]);
    check64(&[i64::MIN, i64::MAX, i64::MIN, 0, i64::MAX, -1, i64::MIN]);
}

#[test]
fn the_last_block_may_be_partly_filled() {
    // HC-58.
    for count in [0, 1, 2, 31, 32, 33, 34, 65, 127, 128, 129, 130, 257] {
        check32(&(0..count).map(|value| value * value).collect::<Vec<_>>());
        check64(&(0..i64::from(count)).map(|value| value * value * value - 7).collect::<Vec<_>>());
    }
}

#[test]
fn every_width() {
    for width in 0..=64u32 {
        let top = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
        let values: Vec<i64> = (0..200).map(|index| if index % 3 == 0 { top.cast_signed() } else { 0 }).collect();
        check64(&values);
        if width <= 32 {
            check32(&values.iter().map(|&value| value as i32).collect::<Vec<_>>());
        }
    }
}

#[test]
fn random_values_come_back() {
    rounds(200, |random: &mut Random| {
        let count = random.below(400);
        let bits = random.below(64) as u32;
        let values: Vec<i64> = (0..count).map(|_| (random.word() >> bits).cast_signed()).collect();
        check64(&values);
        check32(&values.iter().map(|&value| value as i32).collect::<Vec<_>>());
    });
}

#[test]
fn an_iterator_is_as_good_as_bytes() {
    let mut out = Vec::new();
    encode([3i32, 1, 4].into_iter(), &mut out).unwrap();
    assert_eq!(out, bytes32(&[3, 1, 4]));
}
