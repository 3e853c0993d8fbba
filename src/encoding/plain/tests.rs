#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{byte_array, byte_array_bytes, byte_arrays, fixed};
use crate::error::{Error, Limit};

#[test]
fn fixed_values_are_what_lies_there() {
    let mut out = vec![7];
    fixed(&[1, 2, 3, 4], &mut out).unwrap();
    assert_eq!(out, [7, 1, 2, 3, 4]);
}

#[test]
fn byte_arrays_have_their_length_in_front() {
    let mut out = vec![7];
    byte_arrays(&[0, 2, 2, 3], b"abc", &mut out).unwrap();
    // "ab", "", "c": a u32 little-endian before each.
    assert_eq!(out, [7, 2, 0, 0, 0, b'a', b'b', 0, 0, 0, 0, 1, 0, 0, 0, b'c']);
}

#[test]
fn bytes_start_at_the_first_offset() {
    let mut out = Vec::new();
    byte_arrays(&[100, 101], b"xyz", &mut out).unwrap();
    assert_eq!(out, [1, 0, 0, 0, b'x']);
}

#[test]
fn no_offsets_are_no_values() {
    let mut out = Vec::new();
    byte_arrays(&[], b"", &mut out).unwrap();
    byte_arrays(&[5], b"", &mut out).unwrap();
    assert_eq!(out, []);
}

#[test]
fn a_length_above_255_uses_its_other_bytes() {
    let mut out = Vec::new();
    byte_array(&[b'x'; 258], 258, &mut out);
    assert_eq!(out[..5], [2, 1, 0, 0, b'x']);
    assert_eq!(out.len(), 262);
}

#[test]
fn an_offset_outside_is_an_error() {
    let result = byte_arrays(&[0, 1, 4], b"abc", &mut Vec::new());
    assert_eq!(result, Err(Error::Offsets { row: 1 }));
}

#[test]
fn more_than_a_page_can_count_is_refused_before_memory_is_asked_for() {
    // 4 bytes of length and 2^31 - 4 of value: one byte more than an i32 holds.
    let size = 1u64 << 31;
    let result = byte_arrays(&[0, (size - 4) as u32], b"", &mut Vec::new());
    assert_eq!(result, Err(Error::Limit { what: Limit::PageBytes, size }));
}

#[test]
fn sizes_saturate() {
    assert_eq!(byte_array_bytes(3, 10), 22);
    assert_eq!(byte_array_bytes(usize::MAX / 2, 10), usize::MAX);
    assert_eq!(byte_array_bytes(1, usize::MAX), usize::MAX);
}
