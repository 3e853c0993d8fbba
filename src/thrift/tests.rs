#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{ListOf, Struct, binary, bool, structure, zigzag};

fn written(fields: impl FnOnce(&mut Struct<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    structure(&mut out, fields);
    out
}

#[test]
fn an_empty_struct_is_its_end() {
    assert_eq!(written(|_| {}), [0]);
}

#[test]
fn zigzag_alternates_signs() {
    let vectors: [(i64, &[u8]); 8] = [
        (0, &[0]),
        (-1, &[1]),
        (1, &[2]),
        (-64, &[0x7f]),
        (64, &[0x80, 0x01]),
        (i64::from(i32::MIN), &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        (i64::MAX, &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
        (i64::MIN, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
    ];
    for (value, bytes) in vectors {
        let mut out = Vec::new();
        zigzag(value, &mut out);
        assert_eq!(out, bytes, "{value}");
    }
}

#[test]
fn scalar_fields() {
    let out = written(|to| {
        to.bool(1, true); // step 1, type 1: true has no payload
        to.bool(2, false); // step 1, type 2
        to.i8(4, -2); // step 2, type 3, one raw byte
        to.i16(5, 3); // step 1, type 4, zigzag 6
        to.i32(6, -3); // step 1, type 5, zigzag 5
        to.i64(21, 1); // step 15, type 6, zigzag 2
        to.binary(22, b"hi"); // step 1, type 8, length 2
    });
    assert_eq!(out, [0x11, 0x12, 0x23, 0xfe, 0x14, 6, 0x15, 5, 0xf6, 2, 0x18, 2, b'h', b'i', 0]);
}

#[test]
fn a_step_above_15_writes_the_whole_id() {
    // Type 5 with step 0, then id 16 in zigzag: 32. The next step counts from there.
    assert_eq!(
        written(|to| {
            to.i32(16, 0);
            to.i32(17, 0)
        }),
        [0x05, 32, 0, 0x15, 0, 0]
    );
    // The reserved extension field: 32767 · 2 = 65534 = 0xfe 0xff 0x03.
    assert_eq!(written(|to| to.binary(32_767, b"")), [0x08, 0xfe, 0xff, 0x03, 0, 0]);
}

#[test]
fn ids_restart_in_a_nested_struct_and_go_on_behind_it() {
    let out = written(|to| {
        to.structure(3, |inner| inner.i32(1, 1)); // step 3, type 12; inside step 1, type 5, zigzag 2, end
        to.i32(4, 1); // step 1 from 3
    });
    assert_eq!(out, [0x3c, 0x15, 2, 0, 0x15, 2, 0]);
}

#[test]
fn short_lists_have_their_size_in_the_header() {
    let out = written(|to| to.list(1, ListOf::I32, [1, -1].iter(), |value, out| zigzag(*value, out)));
    assert_eq!(out, [0x19, 0x25, 2, 1, 0]);
    // Empty lists name the type of their elements too.
    let none: [i64; 0] = [];
    let out = written(|to| to.list(1, ListOf::Struct, none.iter(), |value, out| zigzag(*value, out)));
    assert_eq!(out, [0x19, 0x0c, 0]);
}

#[test]
fn lists_from_15_on_have_their_size_behind_the_header() {
    let fourteen = written(|to| to.list(1, ListOf::Bool, 0..14, |index, out| bool(index % 2 == 0, out)));
    assert_eq!(fourteen[..4], [0x19, 0xe1, 1, 2]);
    let fifteen = written(|to| to.list(1, ListOf::Bool, 0..15, |_, out| bool(true, out)));
    assert_eq!(fifteen[..4], [0x19, 0xf1, 15, 1]);
    let many = written(|to| to.list(1, ListOf::I64, 0..300, |_, out| zigzag(0, out)));
    assert_eq!(many[..5], [0x19, 0xf6, 0xac, 0x02, 0]);
    assert_eq!(many.len(), 4 + 300 + 1);
}

#[test]
fn list_elements_of_every_type() {
    let out = written(|to| {
        to.list(1, ListOf::Binary, [b"a".as_slice(), b""].into_iter(), binary);
        to.list(2, ListOf::Struct, 0..2, |index, out| structure(out, |to| to.i32(1, index)));
    });
    assert_eq!(out, [0x19, 0x28, 1, b'a', 0, 0x19, 0x2c, 0x15, 0, 0, 0x15, 2, 0, 0]);
}
