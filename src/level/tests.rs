#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::levels;
use crate::column::{Dense, Page, Presence};
use crate::error::Error;
use crate::options::PageVersion::V1;
use crate::testing::{Run, hybrid_values, rounds, runs};

fn page(rows: usize, present: usize, presence: Presence<'_>) -> Page<'_> {
    let entries = match presence {
        Presence::Levels { definition, .. } => definition.len(),
        _ => rows,
    };
    Page { rows, entries, present, presence, values: Dense::Fixed(&[]) }
}

fn flat(validity: &[bool]) -> Vec<u8> {
    let mut bits = vec![0u8; validity.len().div_ceil(8)];
    for (row, _) in validity.iter().enumerate().filter(|(_, present)| **present) {
        bits[row / 8] |= 1 << (row % 8);
    }
    let present = validity.iter().filter(|present| **present).count();
    let presence = if present == validity.len() { Presence::All } else { Presence::Bits(&bits) };
    let mut out = Vec::new();
    levels(page(validity.len(), present, presence), 1, 0, V1, &mut out).unwrap();
    out
}

/// Splits off a length prefix.
fn section(bytes: &[u8]) -> (&[u8], &[u8]) {
    let size = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    bytes[4..].split_at(size)
}

#[test]
fn levels_that_cannot_differ_are_not_there() {
    let mut out = vec![1];
    levels(page(5, 5, Presence::All), 0, 0, V1, &mut out).unwrap();
    assert_eq!(out, [1]);
}

#[test]
fn all_present_and_all_null_are_one_run() {
    // Two bytes: ten times (10 << 1) level 1, or 0.
    assert_eq!(flat(&[true; 10]), [2, 0, 0, 0, 20, 1]);
    assert_eq!(flat(&[false; 10]), [2, 0, 0, 0, 20, 0]);
    // 200 rows: the count takes two bytes.
    assert_eq!(flat(&[false; 200]), [3, 0, 0, 0, 0x90, 0x03, 0]);
}

#[test]
fn few_rows_are_their_bitmap() {
    // One group of eight, bit-packed (1 << 1 | 1), the first row lowest.
    assert_eq!(flat(&[false, true, true, false, true]), [2, 0, 0, 0, 3, 0b10110]);
    // Two groups.
    assert_eq!(flat(&[true, false, false, false, false, false, false, false, true]), [3, 0, 0, 0, 5, 0b1, 0b1]);
}

#[test]
fn a_long_stretch_between_others_is_a_run() {
    let mut validity = vec![true, false, true, false, true, false, true, false];
    validity.extend([true; 64]);
    validity.extend([false, true]);
    // One group; 64 times level 1 (128 = 0x80 0x01); one group.
    assert_eq!(flat(&validity), [7, 0, 0, 0, 3, 0b0101_0101, 0x80, 0x01, 1, 3, 0b10]);
}

#[test]
fn a_stretch_of_seven_bytes_stays_in_the_bitmap() {
    for (bytes, expected) in [(7, 1), (8, 3)] {
        for level in [true, false] {
            let mut validity = vec![true, false, true, false, true, false, true, false];
            validity.extend(vec![level; bytes * 8]);
            validity.extend([true, false, true, false, true, false, true, false]);
            let out = flat(&validity);
            assert_eq!(runs(section(&out).0, 1).len(), expected, "{bytes} bytes of {level}");
        }
    }
}

#[test]
fn a_partly_used_last_byte_never_joins_a_run() {
    // 8 bytes of one level and then 3 rows of it: as a run of 67 they could be, with padding they must not.
    for level in [true, false] {
        let mut validity = vec![!level; 8];
        validity.extend([level; 67]);
        let out = flat(&validity);
        let (level, other) = (u32::from(level), u32::from(!level));
        let last = Run::Packed { values: vec![level, level, level, 0, 0, 0, 0, 0] };
        let expected = [Run::Packed { values: vec![other; 8] }, Run::Rle { count: 64, value: level }, last];
        assert_eq!(runs(section(&out).0, 1), expected);
    }
}

#[test]
fn random_bitmaps_come_back() {
    rounds(400, |random| {
        let mut validity = Vec::new();
        for _ in 0..1 + random.below(6) {
            let density = random.below(4);
            let most = [8, 70, 300][random.below(3)];
            let count = random.below(most);
            validity.extend((0..count).map(|_| match density {
                0 => false,
                1 => true,
                _ => random.once_in(2),
            }));
        }
        if validity.is_empty() {
            return;
        }
        let out = flat(&validity);
        let expected: Vec<u32> = validity.iter().map(|&present| u32::from(present)).collect();
        let (levels, rest) = section(&out);
        assert_eq!(hybrid_values(levels, 1, validity.len()), expected);
        assert!(rest.is_empty());
    });
}

#[test]
fn nested_levels_come_repetition_first() {
    // Rows [1, 2], [], null, [3, null], [4] of a nullable list of nullable values.
    let repetition = [0, 1, 0, 0, 0, 1, 0];
    let definition = [3, 3, 1, 0, 3, 2, 3];
    let mut out = Vec::new();
    levels(page(5, 4, Presence::Levels { definition: &definition, repetition: &repetition }), 3, 1, V1, &mut out)
        .unwrap();
    let expected = [
        // Repetition: two bytes, one group of width 1: entries 1 and 5.
        2,
        0,
        0,
        0,
        3,
        0b10_0010,
        // Definition: three bytes, one group of width 2: 3 3 1 0, then 3 2 3 and padding.
        3,
        0,
        0,
        0,
        3,
        0b00_01_11_11,
        0b00_11_10_11,
    ];
    assert_eq!(out, expected);
}

#[test]
fn levels_without_repetition_have_one_section() {
    let mut out = Vec::new();
    let presence = Presence::Levels { definition: &[2, 1, 0], repetition: &[] };
    levels(page(3, 1, presence), 2, 0, V1, &mut out).unwrap();
    assert_eq!(out, [3, 0, 0, 0, 3, 0b00_01_10, 0]);
}

#[test]
fn a_repeated_leaf_needs_levels() {
    assert_eq!(levels(page(3, 3, Presence::All), 1, 1, V1, &mut Vec::new()), Err(Error::View));
}
