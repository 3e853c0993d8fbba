#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{Lengths, common, front_coded, lengths_then_bytes};
use crate::testing::{Deltas, Random, rounds};

fn by_length(values: &[&[u8]], base: u32) -> Vec<u8> {
    let mut offsets = vec![base];
    for value in values {
        offsets.push(offsets[offsets.len() - 1] + value.len() as u32);
    }
    let mut out = Vec::new();
    lengths_then_bytes(&offsets, &values.concat(), &mut out).unwrap();
    out
}

fn by_prefix(values: &[&[u8]], lengths: &mut Lengths) -> Vec<u8> {
    let mut out = Vec::new();
    front_coded(values.iter().copied(), lengths, &mut out).unwrap();
    out
}

fn decode_lengths(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut decoder = Deltas(bytes);
    let lengths = decoder.values(32);
    let mut rest = decoder.0;
    let mut take = |length: i64| {
        let (value, after) = rest.split_at(length as usize);
        rest = after;
        value.to_vec()
    };
    let values = lengths.into_iter().map(&mut take).collect();
    assert!(rest.is_empty());
    values
}

fn decode_prefixes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut decoder = Deltas(bytes);
    let prefixes = decoder.values(32);
    let suffixes = decode_lengths(decoder.0);
    let mut values: Vec<Vec<u8>> = Vec::new();
    for (prefix, suffix) in prefixes.into_iter().zip(suffixes) {
        let before = values.last().map_or(&[][..], |value| &value[..prefix as usize]);
        values.push([before, &suffix].concat());
    }
    values
}

#[test]
fn the_formats_own_examples() {
    // "Hello", "World", "Foobar", "ABCDEF": lengths 5 5 6 6, differences 0 1 0, smallest 0, in 1 bit: 0 1 0.
    let values: [&[u8]; 4] = [b"Hello", b"World", b"Foobar", b"ABCDEF"];
    let head = [0x80, 0x01, 4, 4, 10, 0, 1, 0, 0, 0, 0b010, 0, 0, 0];
    assert_eq!(by_length(&values, 0), [&head[..], b"HelloWorldFoobarABCDEF"].concat());
    assert_eq!(by_length(&values, 77), by_length(&values, 0));
    // "axis", "axle", "babble", "babyhood": prefixes 0 2 0 3 and suffixes "axis", "le", "babble", "yhood".
    let values: [&[u8]; 4] = [b"axis", b"axle", b"babble", b"babyhood"];
    let bytes = by_prefix(&values, &mut Lengths::default());
    let mut decoder = Deltas(&bytes);
    assert_eq!(decoder.values(32), [0, 2, 0, 3]);
    let suffixes: [&[u8]; 4] = [b"axis", b"le", b"babble", b"yhood"];
    assert_eq!(decode_lengths(decoder.0), suffixes);
}

#[test]
fn common_starts_of_every_length() {
    // Whole words, the rest behind them, and a value that is a prefix of the other.
    for shared in 0..40 {
        let value = |length: usize, other: u8| {
            let mut bytes = vec![b'x'; shared];
            bytes.resize(shared + length, other);
            bytes
        };
        for (a, b) in [(value(0, 0), value(0, 0)), (value(3, 1), value(0, 0)), (value(1, 1), value(9, 2))] {
            assert_eq!([common(&a, &b), common(&b, &a)], [shared; 2]);
        }
    }
}

#[test]
fn values_of_one_width_have_all_their_lengths() {
    // 0 1 2, 0 1 3, 9 9 9: prefixes 0 2 0 (differences 2 −2), suffixes 3 1 3 (−2 2): above −2 4 0 and 0 4, in 3 bits.
    let bytes = by_prefix(&[&[0, 1, 2], &[0, 1, 3], &[9, 9, 9]], &mut Lengths::default());
    let packed = |byte: u8| [[byte].as_slice(), &[0; 11]].concat();
    let expected = [
        &[0x80, 0x01, 4, 3, 0, 3, 3, 0, 0, 0][..],
        &packed(0b100),
        &[0x80, 0x01, 4, 3, 6, 3, 3, 0, 0, 0],
        &packed(0b10_0000),
        &[0, 1, 2, 3, 9, 9, 9],
    ];
    assert_eq!(bytes, expected.concat());
}

#[test]
fn without_values_both_streams_have_their_headers() {
    // HC-59.
    let header = [0x80, 0x01, 4, 0, 0];
    assert_eq!(by_length(&[], 0), header);
    let mut out = Vec::new();
    lengths_then_bytes(&[], &[], &mut out).unwrap();
    assert_eq!(out, header);
    assert_eq!(by_prefix(&[], &mut Lengths::default()), [header, header].concat());
}

#[test]
fn each_page_starts_without_a_prefix() {
    let mut lengths = Lengths::default();
    let value: &[u8] = b"the same";
    let first = by_prefix(&[value, value], &mut lengths);
    assert_eq!(by_prefix(&[value, value], &mut lengths), first);
}

#[test]
fn random_values_come_back() {
    rounds(200, |random: &mut Random| {
        let mut lengths = Lengths::default();
        let values: Vec<Vec<u8>> = (0..random.below(300))
            .map(|_| {
                let size = random.below(40);
                (0..size).map(|_| b'a' + random.below(2) as u8).collect()
            })
            .collect();
        let slices: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
        if !values.is_empty() {
            assert_eq!(decode_lengths(&by_length(&slices, 3)), values);
            assert_eq!(decode_prefixes(&by_prefix(&slices, &mut lengths)), values);
        }
    });
}
