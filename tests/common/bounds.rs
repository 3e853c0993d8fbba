//! Bounds of chunks and pages, held against the values in the order of the column's type.

use super::decode::Entry;
use super::file::Chunk;
use super::thrift::{Struct, Value};
use core::cmp::Ordering;

/// A value by which its type is ordered.
#[derive(Debug, Clone, PartialEq)]
enum Key {
    Number(i128),
    Float(f64),
    Bytes(Vec<u8>),
}

impl Key {
    /// NaN compares with nothing.
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(a.cmp(b)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(b),
            (Self::Bytes(a), Self::Bytes(b)) => Some(a.cmp(b)),
            _ => panic!("{self:?} and {other:?}"),
        }
    }

    fn at_most(&self, other: &Self) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    fn is_nan(&self) -> bool {
        matches!(self, Self::Float(number) if number.is_nan())
    }
}

/// The keys of a leaf's values; `None` where its type has no order.
fn key_of(element: &Struct) -> Option<fn(&[u8]) -> Key> {
    let union = if element.has(10) { element.structure(10).0.iter().next() } else { None };
    let interval = element.has(6) && element.int(6) == 21;
    let unsigned = matches!(union, Some((10, Value::Struct(integer))) if !integer.bool(2));
    fn unsigned_number(bytes: &[u8]) -> i128 {
        bytes.iter().rev().fold(0, |number, byte| number << 8 | i128::from(*byte))
    }
    fn signed_number(bytes: &[u8]) -> i128 {
        let bits = 128 - 8 * bytes.len();
        unsigned_number(bytes) << bits >> bits
    }
    Some(match (element.int(1), union.map(|(id, _)| id)) {
        (3, _) | (_, Some(11)) => return None,
        _ if interval => return None,
        (0, _) => |bytes| Key::Number(unsigned_number(bytes)),
        (1 | 2, _) if unsigned => |bytes| Key::Number(unsigned_number(bytes)),
        (1 | 2, _) => |bytes| Key::Number(signed_number(bytes)),
        (4, _) => |bytes| Key::Float(f32::from_le_bytes(bytes.try_into().unwrap()).into()),
        (5, _) => |bytes| Key::Float(f64::from_le_bytes(bytes.try_into().unwrap())),
        (7, Some(15)) => |bytes| Key::Float(half(u16::from_le_bytes(bytes.try_into().unwrap()))),
        // Big-endian with a sign: ordered as bytes once the sign bit is turned round.
        (7, Some(5)) => |bytes| {
            let mut bytes = bytes.to_vec();
            bytes[0] ^= 0x80;
            Key::Bytes(bytes)
        },
        _ => |bytes| Key::Bytes(bytes.to_vec()),
    })
}

/// A number of half precision.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f64::from(bits & 0x3ff) / 1024.0;
    sign * match bits >> 10 & 0x1f {
        0 => fraction / 16384.0,
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1.0 + fraction) * 2f64.powi(i32::from(exponent) - 15),
    }
}

/// Bounds as they are written: the smallest and largest value, or what lies beyond them where they were cut.
struct Bounds<'a> {
    min: &'a [u8],
    max: &'a [u8],
    /// Where it is said: whether minimum and maximum are values.
    exact: Option<(bool, bool)>,
}

fn check(bounds: &Bounds<'_>, values: &[&[u8]], chunk: &Chunk, key: fn(&[u8]) -> Key) {
    let keys: Vec<Key> = values.iter().map(|value| key(value)).collect();
    let (min, max) = (key(bounds.min), key(bounds.max));
    assert!(!keys.is_empty() && keys.iter().all(|key| !key.is_nan()), "bounds beside NaN, or of nothing");
    assert!(keys.iter().all(|key| min.at_most(key) && key.at_most(&max)), "{keys:?} outside of {min:?} to {max:?}");
    for (bound, sign, name) in [(&min, -1.0, "minimum"), (&max, 1.0, "maximum")] {
        if let Key::Float(number) = bound {
            assert!(*number != 0.0 || number.is_sign_negative() == (sign < 0.0), "sign of a zero {name}");
        }
    }
    let cut = chunk.kind.physical == 6;
    let found = |bound: &Key| keys.iter().any(|key| key.compare(bound) == Some(Ordering::Equal));
    let (exact_min, exact_max) = bounds.exact.unwrap_or((!cut, !cut));
    assert!(!exact_min || found(&min), "the minimum is none of the values");
    assert!(!exact_max || found(&max), "the maximum is none of the values");
    if bounds.exact.is_some() {
        assert!(exact_min || !found(&min), "a minimum that was not cut");
        assert!(exact_max || !found(&max), "a maximum that was not cut");
        assert!(cut || (exact_min && exact_max));
    }
    let text = chunk.element.has(6) && matches!(chunk.element.int(6), 0 | 4 | 19);
    if text && values.iter().all(|value| std::str::from_utf8(value).is_ok()) {
        assert!([bounds.min, bounds.max].iter().all(|bound| std::str::from_utf8(bound).is_ok()), "bounds of text");
    }
}

fn present(entries: &[Entry]) -> Vec<&[u8]> {
    entries.iter().filter_map(|entry| entry.value.as_deref()).collect()
}

fn nans(entries: &[Entry], key: fn(&[u8]) -> Key) -> i64 {
    present(entries).iter().filter(|value| key(value).is_nan()).count() as i64
}

fn is_float(chunk: &Chunk) -> bool {
    let element = &chunk.element;
    matches!(element.int(1), 4 | 5) || (element.has(10) && element.structure(10).has(15))
}

pub fn of_chunk(chunk: &Chunk) {
    if !chunk.meta.has(12) {
        return;
    }
    let statistics = chunk.meta.structure(12);
    assert!(!statistics.has(1) && !statistics.has(2), "the old fields");
    let bounded = statistics.has(6);
    assert_eq!(statistics.has(8), bounded, "a minimum and its flag");
    assert_eq!(statistics.has(7), statistics.has(5), "a maximum and its flag");
    // Of bytes a maximum may be missing that cannot be raised, never a minimum alone.
    assert!(statistics.has(5) == bounded || (bounded && chunk.kind.physical == 6), "a bound without the other");
    let Some(key) = key_of(&chunk.element) else {
        assert!(!bounded && !statistics.has(9), "bounds without an order");
        return;
    };
    let float = is_float(chunk);
    assert_eq!(statistics.has(9), float, "nan_count");
    if float {
        let expected: i64 = chunk.entries.iter().map(|page| nans(page, key)).sum();
        assert_eq!(statistics.int(9), expected, "nan_count");
    }
    if bounded {
        let values: Vec<&[u8]> = chunk.entries.iter().flat_map(|page| present(page)).collect();
        // Where there is no maximum the largest value stands in for it.
        let largest = || values.iter().copied().max().unwrap_or_default();
        let (max, exact) = match statistics.has(5) {
            true => (statistics.binary(5), statistics.bool(7)),
            false => (largest(), true),
        };
        let exact = Some((statistics.bool(8), exact));
        check(&Bounds { min: statistics.binary(6), max, exact }, &values, chunk, key);
    }
}

pub fn of_pages(chunk: &Chunk, index: &Struct) {
    let (mins, maxs) = (index.binaries(2), index.binaries(3));
    let Some(key) = key_of(&chunk.element) else {
        assert!(index.bools(1).iter().all(|null| *null), "an index without an order");
        return;
    };
    let mut before: Option<(Key, Key)> = None;
    let (mut ascending, mut descending) = (true, true);
    for (entries, (min, max)) in chunk.entries.iter().zip(mins.into_iter().zip(maxs)) {
        let values = present(entries);
        if values.is_empty() {
            continue;
        }
        check(&Bounds { min, max, exact: None }, &values, chunk, key);
        let now = (key(min), key(max));
        if let Some(before) = before {
            ascending &= before.0.at_most(&now.0) && before.1.at_most(&now.1);
            descending &= now.0.at_most(&before.0) && now.1.at_most(&before.1);
        }
        before = Some(now);
    }
    let expected = match (ascending, descending) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => 0,
    };
    assert_eq!(index.int(4), expected, "boundary_order");
    let float = is_float(chunk);
    assert_eq!(index.has(8), float, "nan_counts");
    if float {
        let expected: Vec<i64> = chunk.entries.iter().map(|page| nans(page, key)).collect();
        assert_eq!(index.ints(8), expected, "nan_counts");
    }
}
