#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{PageCounts, PageIndex, SerializedIndex, Truncation};
use crate::histogram::Histograms;
use crate::order::Order;
use crate::page::PageSizes;
use crate::statistics::Bounds;

const WHOLE: Truncation = Truncation { bytes: 64, text: false, applies: false };
const TEXT: Truncation = Truncation { bytes: 2, text: true, applies: true };

fn open() -> PageIndex {
    let mut index = PageIndex::default();
    index.open(3, 8).unwrap();
    index
}

fn bounds(min: &[u8], max: &[u8]) -> Bounds {
    Bounds { min: min.to_vec(), max: max.to_vec(), known: true }
}

fn add(index: &mut PageIndex, bytes: i32, rows: u64, nulls: u64, bounds: &Bounds, cut: Truncation) {
    let sizes = PageSizes { compressed_bytes: bytes, uncompressed_bytes: 0 };
    let counts = PageCounts { rows, entries: rows, null_count: nulls, nan_count: 0, value_bytes: 3 };
    index.add(sizes, counts, bounds, cut).unwrap();
}

fn serialized(index: &PageIndex, order: Order) -> SerializedIndex {
    index.serialize(1000, order, true, false, &Histograms::default()).unwrap()
}

/// Minimum and maximum of a page, or nothing but nulls.
type Page<'a> = Option<(&'a [u8], &'a [u8])>;

/// The boundary order that pages with these bounds get.
fn boundary_order(pages: &[Page<'_>], order: Order) -> i32 {
    let mut index = open();
    for page in pages {
        match page {
            Some((min, max)) => add(&mut index, 10, 5, 0, &bounds(min, max), WHOLE),
            None => add(&mut index, 10, 5, 5, &Bounds::default(), WHOLE),
        }
    }
    index.boundary_order(order)
}

#[test]
fn offset_index_lists_offset_size_and_first_row() {
    let mut index = open();
    add(&mut index, 100, 20, 0, &bounds(b"a", b"b"), WHOLE);
    add(&mut index, 28, 7, 0, &bounds(b"a", b"b"), WHOLE);
    let locations = [
        0x19, 0x2c, // field 1: a list of two structs
        0x16, 0xd0, 0x0f, // offset 1000: zigzag 2000
        0x15, 0xc8, 0x01, // 100 bytes with the header: zigzag 200
        0x16, 0, 0, // from row 0
        0x16, 0x98, 0x11, // offset 1100: zigzag 2200
        0x15, 56, 0x16, 40, 0, // 28 bytes from row 20
    ];
    let without = serialized(&index, Order::Bytes).offset_index;
    assert_eq!(without, [&locations[..], &[0]].concat());
    // With the bytes of byte arrays: field 2, two i64 of 3.
    let with = index.serialize(1000, Order::Bytes, true, true, &Histograms::default()).unwrap().offset_index;
    assert_eq!(with, [&locations[..], &[0x19, 0x26, 6, 6, 0]].concat());
}

#[test]
fn column_index_has_empty_bounds_for_pages_of_nulls() {
    let mut index = open();
    add(&mut index, 10, 4, 4, &Bounds::default(), WHOLE);
    add(&mut index, 10, 4, 1, &bounds(b"a", b"bc"), WHOLE);
    let expected = [
        0x19, 0x21, 1, 2, // null_pages: true, false
        0x19, 0x28, 0, 1, b'a', // min_values
        0x19, 0x28, 0, 2, b'b', b'c', // max_values
        0x15, 2, // ascending: zigzag 1
        0x19, 0x26, 8, 2, // null_counts: 4 and 1
        0,
    ];
    assert_eq!(serialized(&index, Order::Bytes).column_index, Some(expected.to_vec()));
}

#[test]
fn floats_count_their_nans() {
    let mut index = open();
    let zero = 0f32.to_le_bytes();
    add(&mut index, 10, 4, 0, &bounds(&zero, &zero), WHOLE);
    let found = serialized(&index, Order::Float).column_index.unwrap();
    // null_counts 0, then field 8 (step 3): nan_counts 0.
    assert_eq!(found[found.len() - 7..], [0x19, 0x16, 0, 0x39, 0x16, 0, 0]);
}

#[test]
fn a_page_with_values_and_no_bounds_leaves_no_column_index() {
    let mut index = open();
    add(&mut index, 10, 4, 0, &bounds(b"a", b"a"), WHOLE);
    add(&mut index, 10, 4, 3, &Bounds::default(), WHOLE);
    assert_eq!(serialized(&index, Order::Bytes).column_index, None);
    // The next chunk is not held to that.
    index.open(1, 1).unwrap();
    add(&mut index, 10, 4, 0, &bounds(b"a", b"a"), WHOLE);
    assert!(serialized(&index, Order::Bytes).column_index.is_some());
}

#[test]
fn nobody_asks_nobody_gets() {
    let mut index = open();
    add(&mut index, 10, 4, 0, &bounds(b"a", b"a"), WHOLE);
    assert_eq!(index.serialize(0, Order::Bytes, false, false, &Histograms::default()).unwrap().column_index, None);
}

#[test]
fn bounds_are_cut_at_the_limit() {
    let mut index = open();
    add(&mut index, 10, 1, 0, &bounds("aéb".as_bytes(), "xyz".as_bytes()), TEXT);
    let found = serialized(&index, Order::Bytes).column_index.unwrap();
    assert_eq!(found[..10], [0x19, 0x11, 2, 0x19, 0x18, 1, b'a', 0x19, 0x18, 2]);
    assert_eq!(found[10..12], [b'x', b'z']);
}

#[test]
fn an_upper_bound_that_cannot_be_raised_leaves_no_column_index() {
    let mut index = open();
    let bytes = Truncation { text: false, ..TEXT };
    add(&mut index, 10, 1, 0, &bounds(b"a", &[0xff; 3]), bytes);
    assert_eq!(serialized(&index, Order::Bytes).column_index, None);
}

#[test]
fn boundary_order_needs_both_lists() {
    let page = |min: &'static [u8], max: &'static [u8]| Some((min, max));
    let (a, b, c, d) = (b"a".as_slice(), b"b".as_slice(), b"c".as_slice(), b"d".as_slice());
    let expected: [(&[Page<'_>], i32); 11] = [
        (&[page(b"a", b"b")], 1),
        (&[Some((a, b)), Some((b, c)), Some((c, d))], 1),
        (&[Some((c, d)), Some((b, c)), Some((a, b))], 2),
        // All equal ascends.
        (&[Some((a, b)), Some((a, b))], 1),
        (&[Some((a, b)), Some((a, c)), Some((a, b))], 0),
        // One list up, the other down.
        (&[Some((a, d)), Some((b, c))], 0),
        (&[Some((b, c)), Some((a, d))], 0),
        (&[Some((a, d)), Some((a, c))], 2),
        // Pages of nulls are passed over, wherever they lie.
        (&[None, Some((a, b)), None, None, Some((b, c)), None], 1),
        (&[Some((b, c)), None, Some((a, b))], 2),
        (&[None, None], 1),
    ];
    for (pages, order) in expected {
        assert_eq!(boundary_order(pages, Order::Bytes), order, "{pages:?}");
    }
}

#[test]
fn boundary_order_follows_the_type() {
    let (minus, plus) = ((-1i32).to_le_bytes(), 1i32.to_le_bytes());
    let pages = [Some((minus.as_slice(), minus.as_slice())), Some((plus.as_slice(), plus.as_slice()))];
    assert_eq!(boundary_order(&pages, Order::Int32), 1);
    assert_eq!(boundary_order(&pages, Order::UInt32), 2);
}
