#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{Dictionary, home};
use crate::column::Dense;
use crate::error::Error;
use crate::testing::rounds;

const NO_LIMIT: usize = usize::MAX;

fn open(width: usize) -> Dictionary {
    let mut dictionary = Dictionary::default();
    dictionary.open(width).unwrap();
    dictionary
}

fn codes(dictionary: &mut Dictionary, values: Dense<'_>, limit: usize) -> (bool, Vec<u32>) {
    let mut codes = Vec::new();
    let fits = dictionary.encode_codes(values, limit, &mut codes).unwrap();
    (fits, codes)
}

fn body(dictionary: &Dictionary) -> Vec<u8> {
    let mut out = Vec::new();
    dictionary.encode(&mut out).unwrap();
    out
}

/// Offsets and bytes of `values`, the first offset at `base`.
fn strings(values: &[&[u8]], base: u32) -> (Vec<u32>, Vec<u8>) {
    let mut offsets = vec![base];
    let mut bytes = Vec::new();
    for value in values {
        bytes.extend_from_slice(value);
        offsets.push(base + bytes.len() as u32);
    }
    (offsets, bytes)
}

#[test]
fn codes_count_first_appearances() {
    let mut dictionary = open(4);
    let values: Vec<u8> = [7i32, 9, 7, -1, 9, 7].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&values), NO_LIMIT), (true, vec![0, 1, 0, 2, 1, 0]));
    assert_eq!(dictionary.len(), 3);
    assert_eq!(dictionary.plain_bytes(), 12);
    // PLAIN: 7, 9 and −1, little-endian.
    assert_eq!(body(&dictionary), [7, 0, 0, 0, 9, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    assert_eq!(dictionary.entry(1), Some([9, 0, 0, 0].as_slice()));
    assert_eq!(dictionary.entry(3), None);
}

#[test]
fn codes_go_on_over_pages() {
    let mut dictionary = open(8);
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&1u64.to_le_bytes()), NO_LIMIT).1, [0]);
    let next: Vec<u8> = [2u64, 1].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&next), NO_LIMIT).1, [1, 0]);
}

#[test]
fn strings_are_told_apart_by_length_too() {
    let mut dictionary = open(0);
    let values: [&[u8]; 7] = [b"", b"a", b"a\0", b"", b"12345678", b"123456789", b"a"];
    let (offsets, bytes) = strings(&values, 1000);
    let found = codes(&mut dictionary, Dense::Bytes { offsets: &offsets, bytes: &bytes }, NO_LIMIT);
    assert_eq!(found, (true, vec![0, 1, 2, 0, 3, 4, 1]));
    // Five entries with 4 bytes of length each, and 0 + 1 + 2 + 8 + 9 bytes.
    assert_eq!(dictionary.plain_bytes(), 5 * 4 + 20);
    let mut expected = vec![0, 0, 0, 0, 1, 0, 0, 0, b'a', 2, 0, 0, 0, b'a', 0, 8, 0, 0, 0];
    expected.extend(b"12345678\x09\0\0\x00123456789");
    assert_eq!(body(&dictionary), expected);
}

#[test]
fn zeros_and_nans_are_their_bits() {
    let doubles = [
        0.0f64.to_bits(),
        (-0.0f64).to_bits(),
        0x7ff8_0000_0000_0000,
        0x7ff8_0000_0000_0001,
        0xfff8_0000_0000_0000,
        0x7ff0_0000_0000_0001,
    ];
    let values: Vec<u8> = doubles.iter().chain(&doubles).flat_map(|bits| bits.to_le_bytes()).collect();
    let mut dictionary = open(8);
    let found = codes(&mut dictionary, Dense::Fixed(&values), NO_LIMIT).1;
    assert_eq!(found, [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    assert_eq!(body(&dictionary), values[..48]);

    let floats = [0u32, 0x8000_0000, 0x7fc0_0000, 0x7fc0_0001, 0xffc0_0000];
    let values: Vec<u8> = floats.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let mut dictionary = open(4);
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&values), NO_LIMIT).1, [0, 1, 2, 3, 4]);
    assert_eq!(body(&dictionary), values);

    // Half precision, as FIXED_LEN_BYTE_ARRAY(2): +0, −0, NaN.
    let mut dictionary = open(2);
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&[0, 0, 0, 0x80, 0, 0x7e, 0, 0]), NO_LIMIT).1, [0, 1, 2, 0]);
}

#[test]
fn the_limit_counts_plain_bytes() {
    let values: Vec<u8> = (0u32..3).flat_map(u32::to_le_bytes).collect();
    assert!(codes(&mut open(4), Dense::Fixed(&values), 12).0);
    let mut dictionary = open(4);
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&values), 11), (false, vec![0, 1, 2]));

    let (offsets, bytes) = strings(&[b"ab", b"c"], 0);
    let text = Dense::Bytes { offsets: &offsets, bytes: &bytes };
    assert!(codes(&mut open(0), text, 11).0);
    assert!(!codes(&mut open(0), text, 10).0);

    let triples = Dense::Fixed(b"abcdef");
    assert!(codes(&mut open(3), triples, 6).0);
    assert!(!codes(&mut open(3), triples, 5).0);
}

#[test]
fn nothing_is_looked_at_behind_the_limit() {
    let values: Vec<u8> = (0u32..1000).flat_map(u32::to_le_bytes).collect();
    let mut dictionary = open(4);
    let (fits, codes) = codes(&mut dictionary, Dense::Fixed(&values), 40);
    assert!(!fits);
    assert_eq!((codes.len(), dictionary.len()), (11, 11));
}

#[test]
fn truncate_goes_back_to_the_mark() {
    let (offsets, bytes) = strings(&[b"one", b"two"], 0);
    let mut dictionary = open(0);
    codes(&mut dictionary, Dense::Bytes { offsets: &offsets, bytes: &bytes }, NO_LIMIT);
    let (mark, before) = (dictionary.mark(), body(&dictionary));
    let (offsets, bytes) = strings(&[b"three", b"one", b"four"], 0);
    codes(&mut dictionary, Dense::Bytes { offsets: &offsets, bytes: &bytes }, NO_LIMIT);
    assert_eq!(dictionary.len(), 4);
    dictionary.truncate(mark);
    assert_eq!(body(&dictionary), before);
    assert_eq!((dictionary.len(), dictionary.plain_bytes()), (2, before.len()));
    assert_eq!(dictionary.entry(2), None);
}

#[test]
fn a_reopened_dictionary_is_empty_whatever_happened_before() {
    let values: Vec<u8> = (0u64..500).flat_map(u64::to_le_bytes).collect();
    let mut dictionary = open(8);
    let empty = dictionary.mark();
    for _ in 0..2 {
        codes(&mut dictionary, Dense::Fixed(&values), NO_LIMIT);
        // Given up with its first page: no entry stays, but the table has seen them all.
        dictionary.truncate(empty);
        dictionary.open(8).unwrap();
        assert!(dictionary.slots.iter().all(|slot| slot.code == 0), "codes of the chunk before are still in the table");
    }
    dictionary.open(4).unwrap();
    assert_eq!(codes(&mut dictionary, Dense::Fixed(&[1, 0, 0, 0]), NO_LIMIT).1, [0]);
    assert_eq!(dictionary.plain_bytes(), 4);
}

#[test]
fn equal_entries_of_the_caller_share_a_code() {
    let mut dictionary = open(0);
    let (offsets, bytes) = strings(&[b"x", b"y", b"x", b"", b"y", b""], 5);
    dictionary.hand_over(&offsets, &bytes).unwrap();
    assert_eq!(codes(&mut dictionary, Dense::Codes(&[2, 1, 0, 5, 4, 3]), NO_LIMIT), (true, vec![0, 1, 0, 2, 1, 2]));
    // Later ones count on.
    let (offsets, bytes) = strings(&[b"z", b"x"], 0);
    dictionary.hand_over(&offsets, &bytes).unwrap();
    assert_eq!(codes(&mut dictionary, Dense::Codes(&[7, 6]), NO_LIMIT), (true, vec![0, 3]));
    assert_eq!(body(&dictionary), [1, 0, 0, 0, b'x', 1, 0, 0, 0, b'y', 0, 0, 0, 0, 1, 0, 0, 0, b'z']);
}

#[test]
fn a_code_without_an_entry_is_an_error() {
    let mut dictionary = open(0);
    dictionary.hand_over(&[0, 1], b"x").unwrap();
    for (handed, row) in [([0, 1], 1), ([u32::MAX, 0], 0)] {
        let result = dictionary.encode_codes(Dense::Codes(&handed), NO_LIMIT, &mut Vec::new());
        assert_eq!(result, Err(Error::Code { row }));
    }
}

#[test]
fn entries_outside_of_their_bytes_are_an_error() {
    for (offsets, row) in [([0, 1, 4], 1), ([2, 1, 3], 0), ([0, 3, 2], 1)] {
        assert_eq!(open(0).hand_over(&offsets, b"abc"), Err(Error::Offsets { row }), "{offsets:?}");
    }
    assert_eq!(open(4).hand_over(&[0, 1], b"a"), Err(Error::View));
}

#[test]
fn values_of_another_kind_are_an_error() {
    let bytes = Dense::Bytes { offsets: &[0, 1], bytes: b"a" };
    let wrong = [(0, Dense::Fixed(b"abcd")), (4, bytes), (8, Dense::Codes(&[0])), (0, Dense::Bits(&[1]))];
    for (width, values) in wrong {
        assert_eq!(open(width).encode_codes(values, NO_LIMIT, &mut Vec::new()), Err(Error::View), "{values:?}");
    }
}

#[test]
fn random_values_equal_the_naive_twin() {
    rounds(60, |random| {
        let width = [0, 1, 2, 3, 4, 8, 16][random.below(7)];
        let mut dictionary = open(width);
        let mut entries: Vec<Vec<u8>> = Vec::new();
        let distinct = 1 + random.below(2000);
        for _ in 0..1 + random.below(4) {
            let values: Vec<Vec<u8>> = (0..random.below(1500))
                .map(|_| {
                    let number = random.below(distinct) as u64;
                    let length = if width == 0 { number as usize % 21 } else { width };
                    number.to_le_bytes().iter().copied().cycle().take(length).collect()
                })
                .collect();
            let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
            let (offsets, bytes) = strings(&slices, 0);
            let dense =
                if width == 0 { Dense::Bytes { offsets: &offsets, bytes: &bytes } } else { Dense::Fixed(&bytes) };
            let expected: Vec<u32> = values
                .iter()
                .map(|value| match entries.iter().position(|entry| entry == value) {
                    Some(code) => code as u32,
                    None => {
                        entries.push(value.clone());
                        entries.len() as u32 - 1
                    }
                })
                .collect();
            assert_eq!(codes(&mut dictionary, dense, NO_LIMIT).1, expected, "width {width}");
        }
        for (code, entry) in entries.iter().enumerate() {
            assert_eq!(dictionary.entry(code as u32), Some(entry.as_slice()));
        }
    });
}

/// Slots looked at to find each entry, on average and at worst.
fn probes(dictionary: &Dictionary) -> (f64, usize) {
    let mask = dictionary.slots.len() - 1;
    let filled = dictionary.slots.iter().enumerate().filter(|(_, slot)| slot.code > 0);
    let lengths = filled.map(|(at, slot)| 1 + (at.wrapping_sub(home(slot.key, mask)) & mask));
    let lengths: Vec<usize> = lengths.collect();
    (lengths.iter().sum::<usize>() as f64 / lengths.len() as f64, lengths.into_iter().max().unwrap_or(0))
}

fn check_probes(name: &str, width: usize, values: &[Vec<u8>]) {
    let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
    let (offsets, bytes) = strings(&slices, 0);
    let mut dictionary = open(width);
    let dense = if width == 0 { Dense::Bytes { offsets: &offsets, bytes: &bytes } } else { Dense::Fixed(&bytes) };
    codes(&mut dictionary, dense, NO_LIMIT);
    let (average, worst) = probes(&dictionary);
    assert!(average < 3.0, "{name}, width {width}: {average:.2} slots a look-up, {worst} at worst");
}

/// A way to make a value from its number.
type Pattern<N, V> = (&'static str, fn(N) -> V);

#[test]
fn regular_values_do_not_pile_up_in_the_table() {
    let wide: [Pattern<u64, u64>; 9] = [
        ("counter", |index| index),
        ("days in milliseconds", |index| 1_700_000_000_000 + index * 86_400_000),
        ("multiples of 2^16", |index| index << 16),
        ("multiples of 2^32", |index| index << 32),
        ("multiples of 2^40", |index| index << 40),
        ("whole doubles", |index| (index as f64).to_bits()),
        ("hundredths", |index| (index as f64 / 100.0).to_bits()),
        ("negative", |index| index.wrapping_neg()),
        ("two halves", |index| index << 32 | index),
    ];
    for (name, pattern) in wide {
        let values: Vec<Vec<u8>> = (0..40_000).map(|index| pattern(index).to_le_bytes().to_vec()).collect();
        check_probes(name, 8, &values);
    }
    let narrow: [Pattern<u32, u32>; 4] = [
        ("counter", |index| index),
        ("multiples of 2^12", |index| index << 12),
        ("whole floats", |index| (index as f32).to_bits()),
        ("hundredths", |index| (index as f32 / 100.0).to_bits()),
    ];
    for (name, pattern) in narrow {
        let values: Vec<Vec<u8>> = (0..40_000).map(|index| pattern(index).to_le_bytes().to_vec()).collect();
        check_probes(name, 4, &values);
    }
    let texts: [Pattern<u32, String>; 3] = [
        ("numbered", |index| format!("customer {index}")),
        ("fixed length", |index| format!("{index:016}")),
        ("common ending", |index| format!("{index}@example.org")),
    ];
    for (name, pattern) in texts {
        let values: Vec<Vec<u8>> = (0..40_000).map(|index| pattern(index).into_bytes()).collect();
        check_probes(name, 0, &values);
    }
}

/// Numbers whose look-ups all begin at the first slot of any table that these make.
fn colliding(count: usize) -> Vec<u8> {
    (0u64..).filter(|&number| home(number, 0xffff) == 0).take(count).flat_map(u64::to_le_bytes).collect()
}

#[test]
fn values_that_all_begin_at_one_slot_end_the_dictionary() {
    let values = colliding(700);
    let mut dictionary = open(8);
    let (fits, codes) = codes(&mut dictionary, Dense::Fixed(&values), NO_LIMIT);
    assert!(!fits);
    assert!(codes.len() > 500 && codes.len() < 600, "{} values", codes.len());
    // As good as new for the next chunk.
    dictionary.open(8).unwrap();
    assert!(super::tests::codes(&mut dictionary, Dense::Fixed(&values[..800]), NO_LIMIT).0);
}
