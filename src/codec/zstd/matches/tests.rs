#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{Input, Repeats, again};
use crate::testing::{Random, rounds};

fn input(data: &[u8]) -> Input<'_> {
    Input { data, start: 0, base: 1000 }
}

fn similar(random: &mut Random) -> Vec<u8> {
    let count = 20 + random.below(100);
    (0..count).map(|_| u8::from(random.once_in(12))).collect()
}

#[test]
fn bytes_in_common_are_counted_one_by_one() {
    rounds(2000, |random| {
        let data = similar(random);
        let b = 1 + random.below(data.len() - 1);
        let a = random.below(b);
        let least = random.below(b + 1);
        let ahead = (b..data.len()).take_while(|&at| data[at] == data[at - b + a]).count();
        assert_eq!(input(&data).common(a, b), ahead);
        let before = (1..=a.min(b - least)).take_while(|&back| data[a - back] == data[b - back]).count();
        assert_eq!(input(&data).common_before(a, b, least), before);
    });
}

#[test]
fn repeats_are_found_where_the_fifth_byte_says() {
    rounds(2000, |random| {
        let data = similar(random);
        let offset = 1 + random.below(10);
        let at = offset + random.below(data.len() - offset);
        let input = input(&data);
        let Some(word) = input.chunk(at).map(|bytes| u64::from_le_bytes(*bytes)) else { return };
        let equal = |at: usize| data.get(at) == Some(&data[at - offset]);
        let run = |start: usize| (start..data.len()).take_while(|&at| equal(at)).count();
        let expected = (at..=at + 4).find(|&start| run(start) >= 4);
        let found = input.repeats(at, word, offset);
        assert_eq!(found, expected.map(|start| (start, run(start))), "{data:?} at {at}, offset {offset}");
    });
}

#[test]
fn positions_of_other_pages_never_agree() {
    let data = [7; 40];
    let input = input(&data);
    let word = u64::from_le_bytes([7; 8]);
    for (position, expected) in [(1000, true), (1032, true), (999, false), (0, false), (1033, false), (u32::MAX, false)]
    {
        assert_eq!(input.found(position, word).1 as u32 == 0, expected, "position {position}");
    }
    assert_eq!(input.found(1005, word), (5, 0));
}

#[test]
fn offsets_are_named_as_the_format_says() {
    // RFC 8878, 3.1.1.5: [first, second, third], the offset, literals before it; its name and what is known then.
    let cases = [
        ([1, 4, 8], 8, 5, 3, [8, 1, 4]),
        ([1, 4, 8], 4, 5, 2, [4, 1, 8]),
        ([1, 4, 8], 1, 5, 1, [1, 4, 8]),
        ([1, 4, 8], 77, 5, 80, [77, 1, 4]),
        ([1, 4, 8], 77, 0, 80, [77, 1, 4]),
        // Without literals the names move on by one.
        ([9, 4, 7], 4, 0, 1, [4, 9, 7]),
        ([9, 4, 7], 7, 0, 2, [7, 9, 4]),
        ([9, 4, 7], 8, 0, 3, [8, 9, 4]),
        // The last offset has no name then.
        ([9, 4, 7], 9, 0, 12, [9, 9, 4]),
        ([9, 4, 7], 8, 1, 11, [8, 9, 4]),
    ];
    for (known, offset, literals, name, then) in cases {
        let mut repeats = Repeats(known);
        assert_eq!(repeats.name(offset, literals), name, "{known:?}, {offset} after {literals}");
        assert_eq!(repeats.0, then, "{known:?}, {offset} after {literals}");
    }
}

#[test]
fn the_offset_before_the_last_goes_on() {
    let data: Vec<u8> = [b"abcdefgh-abcdefg".as_slice(), &[0; 10]].concat();
    let mut repeats = Repeats([3, 9, 5]);
    let (word, length) = again(&input(&data), 9, &mut repeats).unwrap();
    assert_eq!((word.to_le_bytes(), length, repeats.0), (*b"abcdefg\0", 7, [9, 3, 5]));
    assert!(again(&input(&data), 9, &mut repeats).is_none());
}
