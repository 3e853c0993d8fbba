#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::Histograms;
use crate::order::Order;
use crate::schema::{Leaf, LogicalType, PhysicalType};
use crate::thrift;

fn open(max_definition: u16, max_repetition: u16) -> Histograms {
    let leaf = Leaf {
        path: vec![0],
        physical: PhysicalType::Int32,
        logical: LogicalType::None,
        width: 4,
        max_definition,
        max_repetition,
        order: Order::Int32,
    };
    let mut histograms = Histograms::default();
    histograms.open(&leaf, 2).unwrap();
    histograms
}

fn written(write: impl Fn(&mut thrift::Struct<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    thrift::structure(&mut out, write);
    out
}

#[test]
fn levels_that_the_null_count_explains_are_not_counted() {
    for max_definition in [0, 1] {
        let mut histograms = open(max_definition, 0);
        histograms.add(&[0, 1], &[]).unwrap();
        assert!(histograms.is_empty());
        assert_eq!(written(|to| histograms.write_chunk(to, 2, 3)), [0]);
        assert_eq!(written(|to| histograms.write_pages(to, 6, 7)), [0]);
    }
}

#[test]
fn pages_follow_each_other_and_sum_up() {
    let mut histograms = open(3, 1);
    histograms.add(&[3, 3, 1, 0], &[0, 1, 0, 0]).unwrap();
    histograms.add(&[3, 2], &[0, 1]).unwrap();
    assert!(!histograms.is_empty());
    // Lists of i64 (type 6), zigzag: two counts a page for repetition, four for definition.
    let pages = [
        0x69,
        0x46,
        2 * 3,
        2,
        2,
        2, // field 6: 3 and 1, then 1 and 1
        0x19,
        0x86,
        2,
        2,
        0,
        2 * 2,
        0,
        0,
        2,
        2, // field 7: 1 1 0 2, then 0 0 1 1
        0,
    ];
    assert_eq!(written(|to| histograms.write_pages(to, 6, 7)), pages);
    let chunk = [0x29, 0x26, 2 * 4, 2 * 2, 0x19, 0x46, 2, 2, 2, 2 * 3, 0];
    assert_eq!(written(|to| histograms.write_chunk(to, 2, 3)), chunk);
}

#[test]
fn definition_levels_are_counted_without_repetition() {
    let mut histograms = open(2, 0);
    histograms.add(&[2, 0, 2], &[]).unwrap();
    assert_eq!(written(|to| histograms.write_chunk(to, 2, 3)), [0x39, 0x36, 2, 0, 2 * 2, 0]);
}
