#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use core::cmp::Ordering;

use super::{Bounds, MARGIN, PageStatistics, truncate_max, truncate_min};
use crate::column::Dense;
use crate::encoding::dictionary::Dictionary;
use crate::order::Order;
use crate::testing::{Random, rounds};

type Pair = (Vec<u8>, Vec<u8>);

/// Bounds and NaNs of `bytes`, as fixed-width values.
fn fixed(order: Order, width: usize, bytes: &[u8]) -> (Option<Pair>, u64) {
    let mut statistics = PageStatistics::default();
    statistics.collect(Dense::Fixed(bytes), width, order, 64).unwrap();
    (known(&statistics.bounds), statistics.nan_count)
}

fn known(bounds: &Bounds) -> Option<Pair> {
    bounds.known.then(|| (bounds.min.clone(), bounds.max.clone()))
}

fn doubles(values: &[f64]) -> (Option<(f64, f64)>, u64) {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let (bounds, nans) = fixed(Order::Double, 8, &bytes);
    let number = |bytes: Vec<u8>| f64::from_le_bytes(bytes.try_into().unwrap());
    (bounds.map(|(min, max)| (number(min), number(max))), nans)
}

fn texts(values: &[&str], truncate: usize) -> Option<Pair> {
    let mut offsets = vec![7];
    let mut bytes = Vec::new();
    for value in values {
        bytes.extend_from_slice(value.as_bytes());
        offsets.push(7 + bytes.len() as u32);
    }
    let mut statistics = PageStatistics::default();
    statistics.collect(Dense::Bytes { offsets: &offsets, bytes: &bytes }, 0, Order::Bytes, truncate).unwrap();
    known(&statistics.bounds)
}

#[test]
fn no_values_no_bounds() {
    for (order, width) in [
        (Order::Int32, 4),
        (Order::UInt64, 8),
        (Order::Double, 8),
        (Order::Float16, 2),
        (Order::Bytes, 16),
        (Order::Decimal, 5),
    ] {
        assert_eq!(fixed(order, width, &[]), (None, 0), "{order:?}");
    }
    assert_eq!(texts(&[], 64), None);
    let mut statistics = PageStatistics::default();
    statistics.collect_bits(&[], 0).unwrap();
    assert!(!statistics.bounds.known);
}

#[test]
fn signed_and_unsigned_see_the_same_bits_otherwise() {
    let bytes: Vec<u8> = [-1i32, 0, 5].iter().flat_map(|value| value.to_le_bytes()).collect();
    let (minus_one, five) = (vec![0xff; 4], vec![5, 0, 0, 0]);
    assert_eq!(fixed(Order::Int32, 4, &bytes).0, Some((minus_one.clone(), five)));
    assert_eq!(fixed(Order::UInt32, 4, &bytes).0, Some((vec![0; 4], minus_one)));
}

#[test]
fn integers_equal_the_naive_twin_at_every_length() {
    fn check(random: &mut Random, count: usize) {
        let bytes = random.bytes(count * 8);
        for (order, width) in
            [(Order::Int32, 4), (Order::UInt32, 4), (Order::Int64, 8), (Order::UInt64, 8), (Order::Decimal, 8)]
        {
            let values = || bytes.chunks_exact(width);
            let min = values().min_by(|a, b| order.compare(a, b)).map(<[u8]>::to_vec);
            let max = values().max_by(|a, b| order.compare(a, b)).map(<[u8]>::to_vec);
            assert_eq!(fixed(order, width, &bytes).0, min.zip(max), "{order:?}, {count} words");
        }
    }
    rounds(20, |random| (0..40).for_each(|count| check(random, count)));
}

#[test]
fn the_extreme_is_found_at_every_place() {
    for count in 1..40 {
        for at in 0..count {
            let mut values = vec![0.5; count];
            values[at] = -1.0;
            let max = if count == 1 { -1.0 } else { 0.5 };
            assert_eq!(doubles(&values).0, Some((-1.0, max)), "{at} of {count}");
            values[at] = 2.0;
            let min = if count == 1 { 2.0 } else { 0.5 };
            assert_eq!(doubles(&values).0, Some((min, 2.0)), "{at} of {count}");
            values[at] = f64::NAN;
            assert_eq!(doubles(&values), (None, 1), "{at} of {count}");
        }
    }
}

#[test]
fn nan_leaves_no_bounds() {
    let negative_payload = f64::from_bits(0xfff0_0000_0000_0001);
    assert_eq!(doubles(&[1.0, f64::NAN, 2.0, negative_payload]), (None, 2));
    assert_eq!(doubles(&[f64::NAN]), (None, 1));
    let bytes: Vec<u8> = [1.0, f32::NAN].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert_eq!(fixed(Order::Float, 4, &bytes), (None, 1));
    // Half precision: 1.0 and two NaNs; infinity (0x7c00) is none.
    assert_eq!(fixed(Order::Float16, 2, &[0, 0x3c, 1, 0x7c, 0, 0xfe]), (None, 2));
    assert_eq!(fixed(Order::Float16, 2, &[0, 0x7c]), (Some((vec![0, 0x7c], vec![0, 0x7c])), 0));
}

#[test]
fn infinities_are_values() {
    assert_eq!(doubles(&[f64::INFINITY]).0, Some((f64::INFINITY, f64::INFINITY)));
    assert_eq!(doubles(&[f64::NEG_INFINITY; 9]).0, Some((f64::NEG_INFINITY, f64::NEG_INFINITY)));
    assert_eq!(doubles(&[f64::INFINITY, f64::NEG_INFINITY, 0.5]).0, Some((f64::NEG_INFINITY, f64::INFINITY)));
}

#[test]
fn a_zero_minimum_is_negative_and_a_zero_maximum_positive() {
    for zeros in [[0.0, 0.0], [-0.0, -0.0], [0.0, -0.0]] {
        for count in [1, 2] {
            let (min, max) = doubles(&zeros[..count]).0.unwrap();
            assert_eq!((min.to_bits(), max.to_bits()), ((-0.0f64).to_bits(), 0), "{zeros:?}");
        }
    }
    let (min, max) = doubles(&[0.0, 1.0]).0.unwrap();
    assert_eq!((min.to_bits(), max), ((-0.0f64).to_bits(), 1.0));
    let (min, max) = doubles(&[-1.0, -0.0]).0.unwrap();
    assert_eq!((min, max.to_bits()), (-1.0, 0));

    let zero = 0f32.to_le_bytes();
    assert_eq!(fixed(Order::Float, 4, &zero).0, Some((vec![0, 0, 0, 0x80], vec![0; 4])));
    assert_eq!(fixed(Order::Float16, 2, &[0, 0]).0, Some((vec![0, 0x80], vec![0, 0])));
    assert_eq!(fixed(Order::Float16, 2, &[0, 0x80]).0, Some((vec![0, 0x80], vec![0, 0])));
}

#[test]
fn booleans_are_one_byte() {
    let bounds = |bits: &[u8], count| {
        let mut statistics = PageStatistics::default();
        statistics.collect_bits(bits, count).unwrap();
        known(&statistics.bounds)
    };
    assert_eq!(bounds(&[0b111], 3), Some((vec![1], vec![1])));
    assert_eq!(bounds(&[0b000], 3), Some((vec![0], vec![0])));
    assert_eq!(bounds(&[0xff, 0b01], 10), Some((vec![0], vec![1])));
    assert_eq!(bounds(&[0xff, 0b11], 10), Some((vec![1], vec![1])));
}

#[test]
fn fixed_bytes_have_bounds_up_to_the_limit_and_whole_ones() {
    let bytes = [[0x7f; 16], [0x80; 16], [0x01; 16]].concat();
    assert_eq!(fixed(Order::Bytes, 16, &bytes).0, Some((vec![0x01; 16], vec![0x80; 16])));
    assert!(fixed(Order::Bytes, 64, &[1; 128]).0.is_some());
    assert!(fixed(Order::Bytes, 65, &[1; 130]).0.is_none());
}

#[test]
fn a_decimal_is_negative_by_its_first_byte() {
    // −1, 0 and 256 in two bytes, big-endian.
    let bytes = [0xff, 0xff, 0, 0, 1, 0];
    assert_eq!(fixed(Order::Decimal, 2, &bytes).0, Some((vec![0xff, 0xff], vec![1, 0])));
}

#[test]
fn what_has_no_order_has_no_bounds() {
    assert_eq!(fixed(Order::Undefined, 12, &[1; 24]), (None, 0));
}

#[test]
fn texts_compare_by_unsigned_bytes_and_by_length_last() {
    let pair = |min: &str, max: &str| Some((min.as_bytes().to_vec(), max.as_bytes().to_vec()));
    assert_eq!(texts(&["b", "a", "ab"], 64), pair("a", "b"));
    assert_eq!(texts(&["", "a"], 64), pair("", "a"));
    assert_eq!(texts(&["a\0", "a"], 64), pair("a", "a\0"));
    assert_eq!(texts(&["z", "é", "€"], 64), pair("z", "€"));
    // The same first eight bytes.
    assert_eq!(texts(&["12345678b", "12345678", "12345678a"], 64), pair("12345678", "12345678b"));
    // U+FFFD is below U+10000 in UTF-8, though its UTF-16 form is above.
    assert_eq!(texts(&["\u{10000}", "\u{fffd}"], 64), pair("\u{fffd}", "\u{10000}"));
}

#[test]
fn bytes_that_decide_nothing_are_not_kept() {
    let long = "x".repeat(1000);
    let (min, max) = texts(&[&long], 10).unwrap();
    assert_eq!((min.len(), max.len()), (10 + MARGIN, 10 + MARGIN));
}

#[test]
fn random_texts_equal_the_naive_twin() {
    rounds(200, |random| {
        let values: Vec<String> = (0..1 + random.below(30))
            .map(|_| (0..random.below(12)).map(|_| ['a', 'b', '\0', 'é'][random.below(4)]).collect())
            .collect();
        let slices: Vec<&str> = values.iter().map(String::as_str).collect();
        let bounds = |value: Option<&&str>| value.unwrap().as_bytes().to_vec();
        let expected = (bounds(slices.iter().min()), bounds(slices.iter().max()));
        assert_eq!(texts(&slices, 64), Some(expected), "{values:?}");
    });
}

#[test]
fn entries_that_no_row_uses_do_not_count() {
    let mut dictionary = Dictionary::default();
    dictionary.open(0).unwrap();
    dictionary.hand_over(&[0, 1, 2, 3, 4], b"zamb").unwrap();
    let mut statistics = PageStatistics::default();
    statistics.open();
    statistics.collect_codes(&[3, 2, 3], &dictionary, 64).unwrap();
    assert_eq!(known(&statistics.bounds), Some((b"b".to_vec(), b"m".to_vec())));
    // A page later the same entries count again, and new ones do.
    dictionary.hand_over(&[0, 1], b"0").unwrap();
    statistics.collect_codes(&[2, 4], &dictionary, 64).unwrap();
    assert_eq!(known(&statistics.bounds), Some((b"0".to_vec(), b"m".to_vec())));
    statistics.collect_codes(&[], &dictionary, 64).unwrap();
    assert_eq!(known(&statistics.bounds), None);
    // A new chunk knows nothing of the old one's codes.
    statistics.open();
    statistics.collect_codes(&[2], &dictionary, 64).unwrap();
    assert_eq!(known(&statistics.bounds), Some((b"m".to_vec(), b"m".to_vec())));
}

fn bounds(min: &[u8], max: &[u8]) -> Bounds {
    Bounds { min: min.to_vec(), max: max.to_vec(), known: true }
}

#[test]
fn merging_widens_on_both_sides() {
    let mut chunk = Bounds::default();
    chunk.merge(&Bounds::default(), Order::Bytes).unwrap();
    assert_eq!(known(&chunk), None);
    for (page, expected) in [
        (bounds(b"m", b"n"), (b"m", b"n")),
        (bounds(b"a", b"b"), (b"a", b"n")),
        (bounds(b"x", b"z"), (b"a", b"z")),
        (Bounds::default(), (b"a", b"z")),
    ] {
        chunk.merge(&page, Order::Bytes).unwrap();
        assert_eq!(known(&chunk), Some((expected.0.to_vec(), expected.1.to_vec())));
    }
    chunk.clear();
    assert_eq!(known(&chunk), None);
}

#[test]
fn merging_follows_the_order() {
    let mut chunk = bounds(&5i32.to_le_bytes(), &5i32.to_le_bytes());
    let page = bounds(&(-1i32).to_le_bytes(), &(-1i32).to_le_bytes());
    chunk.merge(&page, Order::Int32).unwrap();
    assert_eq!(known(&chunk), Some((vec![0xff; 4], vec![5, 0, 0, 0])));
    let mut chunk = bounds(&5i32.to_le_bytes(), &5i32.to_le_bytes());
    chunk.merge(&page, Order::UInt32).unwrap();
    assert_eq!(known(&chunk), Some((vec![5, 0, 0, 0], vec![0xff; 4])));
}

/// A lower bound cut to `limit`, and whether it is the value itself.
fn min(value: &[u8], limit: usize, text: bool) -> (Vec<u8>, bool) {
    let mut bound = value.to_vec();
    let exact = truncate_min(&mut bound, limit, text);
    (bound, exact)
}

/// An upper bound, or nothing.
fn max(value: &[u8], limit: usize, text: bool) -> Option<(Vec<u8>, bool)> {
    let mut bound = value.to_vec();
    truncate_max(&mut bound, limit, text).map(|exact| (bound, exact))
}

#[test]
fn what_fits_is_exact() {
    for value in [b"".as_slice(), b"ab", b"\xff\xff"] {
        for text in [true, false] {
            assert_eq!(min(value, 2, text), (value.to_vec(), true));
            assert_eq!(max(value, 2, text), Some((value.to_vec(), true)));
        }
    }
}

#[test]
fn bytes_are_cut_and_raised_with_a_carry() {
    assert_eq!(min(b"abc", 2, false), (b"ab".to_vec(), false));
    assert_eq!(max(b"abc", 2, false), Some((b"ac".to_vec(), false)));
    assert_eq!(max(&[1, 0xff, 0xff, 9], 3, false), Some((vec![2], false)));
    assert_eq!(max(&[1, 0xfe, 0xff, 9], 3, false), Some((vec![1, 0xff], false)));
    // Nothing can be raised.
    assert_eq!(max(&[0xff; 4], 3, false), None);
    assert_eq!(min(&[0xff; 4], 3, false), (vec![0xff; 3], false));
}

#[test]
fn text_is_cut_at_a_character() {
    // 'é' is two bytes: the third byte of "aéb" is its second.
    assert_eq!(min("aéb".as_bytes(), 2, true), (b"a".to_vec(), false));
    assert_eq!(min("aéb".as_bytes(), 3, true), ("aé".as_bytes().to_vec(), false));
    assert_eq!(min("😀x".as_bytes(), 3, true), (b"".to_vec(), false));
    assert_eq!(max("aéb".as_bytes(), 2, true), Some((b"b".to_vec(), false)));
}

#[test]
fn text_is_raised_by_a_character_of_the_same_width() {
    let raised =
        |value: &str, limit| max(value.as_bytes(), limit, true).map(|(bound, _)| String::from_utf8(bound).unwrap());
    assert_eq!(raised("abc", 2), Some("ac".into()));
    assert_eq!(raised("aéx", 3), Some("aê".into()));
    // The last one of its width: U+7F, U+7FF, U+FFFF, U+10FFFF. What is before is raised instead.
    for last in ["\u{7f}", "\u{7ff}", "\u{ffff}", "\u{10ffff}"] {
        assert_eq!(raised(&format!("b{last}x"), 1 + last.len()), Some("c".into()), "{last:?}");
        assert_eq!(raised(&format!("{last}x"), last.len()), None, "{last:?}");
    }
    // Over the surrogates, which have no UTF-8.
    assert_eq!(raised("\u{d7ff}x", 3), Some("\u{e000}".into()));
    // No character fits at all.
    assert_eq!(raised("😀x", 3), None);
}

#[test]
fn text_that_is_none_still_gets_true_bounds() {
    let value = b"ab\xff\xffcd";
    assert_eq!(min(value, 4, true), (b"ab".to_vec(), false));
    assert_eq!(max(value, 4, true), Some((b"ac".to_vec(), false)));
}

#[test]
fn random_bounds_hold_the_value() {
    rounds(3000, |random| {
        let alphabet = ['a', '\u{7f}', 'é', '\u{7ff}', '€', '\u{d7ff}', '\u{ffff}', '😀', '\u{10ffff}'];
        let text = random.once_in(2);
        let count = random.below(10);
        let value: Vec<u8> = match text {
            true => (0..count).map(|_| alphabet[random.below(alphabet.len())]).collect::<String>().into_bytes(),
            false => (0..count).map(|_| [0, 0x7f, 0xfe, 0xff][random.below(4)]).collect(),
        };
        let limit = 1 + random.below(12);
        let (low, exact) = min(&value, limit, text);
        assert!(low <= value && low.len() <= limit && exact == (low == value), "{value:02x?} by {limit}");
        let high = max(&value, limit, text);
        if let Some((high, exact)) = &high {
            assert!(*high >= value && high.len() <= limit && *exact == (*high == value), "{value:02x?} by {limit}");
        }
        if text {
            let valid = |bound: &[u8]| core::str::from_utf8(bound).is_ok();
            assert!(valid(&low) && high.as_ref().is_none_or(|(high, _)| valid(high)), "{value:02x?} by {limit}");
        }
        // A bound is given up only where every byte string of that length is smaller.
        if high.is_none() && !text {
            assert_eq!(value[..limit].cmp(&vec![0xff; limit]), Ordering::Equal);
        }
    });
}
