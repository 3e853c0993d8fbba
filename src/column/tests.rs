#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::bits::{align, bit, count_ones};
use super::{ColumnView, Cursor, Dense, Page, Presence, Scratch, Shape, Validity, Values};
use crate::error::Error;
use crate::testing::{Random, rounds};

const FLAT: Shape = Shape { width: 4, max_definition: 1, max_repetition: 0 };
const TEXT: Shape = Shape { width: 0, ..FLAT };

fn view<'a>(rows: usize, values: Values<'a>, validity: Validity<'a>) -> ColumnView<'a> {
    ColumnView { rows, values, validity }
}

/// Bits of `flags`, the first one at bit `first`; noise around them.
fn bitmap(flags: &[bool], first: usize, random: &mut Random) -> Vec<u8> {
    let mut bits = random.bytes((first + flags.len()).div_ceil(8) + 1);
    for (row, &flag) in flags.iter().enumerate() {
        let at = first + row;
        bits[at / 8] = bits[at / 8] & !(1 << (at % 8)) | u8::from(flag) << (at % 8);
    }
    bits
}

fn flags(random: &mut Random, count: usize) -> Vec<bool> {
    let density = 1 + random.below(9);
    (0..count).map(|_| random.below(10) < density).collect()
}

/// Bytes of a page's values, one entry each.
fn values(page: Page<'_>, width: usize) -> Vec<Vec<u8>> {
    match page.values {
        Dense::Fixed(bytes) => bytes.chunks_exact(width).map(<[u8]>::to_vec).collect(),
        Dense::Bits(bits) => (0..page.present).map(|index| vec![u8::from(bit(bits, index))]).collect(),
        Dense::Bytes { offsets, bytes } => offsets
            .windows(2)
            .map(|pair| bytes[(pair[0] - offsets[0]) as usize..(pair[1] - offsets[0]) as usize].to_vec())
            .collect(),
        Dense::Codes(codes) => codes.iter().map(|code| code.to_le_bytes().to_vec()).collect(),
    }
}

#[test]
fn bits_are_counted_and_moved_from_every_offset() {
    rounds(3, |random| {
        let mut out = vec![0xaa];
        for first in 0..=17 {
            for count in 0..=40 {
                let flags = flags(random, count);
                let bits = bitmap(&flags, first, random);
                let ones = flags.iter().filter(|flag| **flag).count();
                assert_eq!(count_ones(&bits, first, count), ones, "{count} from {first}");
                align(&bits, first, count, &mut out).unwrap();
                assert_eq!(
                    out,
                    bitmap(&flags, 0, &mut Random::new(0))[..count.div_ceil(8)]
                        .iter()
                        .enumerate()
                        .map(|(at, byte)| if (at + 1) * 8 > count { byte & !(0xff << (count % 8)) } else { *byte })
                        .collect::<Vec<u8>>(),
                    "{count} from {first}"
                );
            }
        }
    });
}

#[test]
fn bits_past_the_end_are_false_or_an_error() {
    assert!(!bit(&[0xff], 8));
    assert!(bit(&[0, 0x80], 15));
    assert_eq!(align(&[0xff], 1, 8, &mut Vec::new()), Err(Error::View));
    assert_eq!(align(&[], 0, 0, &mut Vec::new()), Ok(()));
}

/// Takes `view` apart into pages of random sizes; gives values and presence of all of them.
fn taken(view: ColumnView<'_>, shape: Shape, random: &mut Random) -> (Vec<Vec<u8>>, Vec<bool>) {
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(view, shape).unwrap();
    let (mut all, mut presence) = (Vec::new(), Vec::new());
    while cursor.remaining() > 0 {
        let rows = 1 + random.below(cursor.remaining());
        let page = cursor.take(rows, &mut scratch).unwrap();
        assert_eq!((page.rows, page.entries), (rows, rows));
        match page.presence {
            Presence::All => presence.extend(vec![true; rows]),
            Presence::Bits(bits) => {
                assert_eq!(bits.len(), rows.div_ceil(8));
                presence.extend((0..rows).map(|row| bit(bits, row)));
                assert!((rows..bits.len() * 8).all(|past| !bit(bits, past)), "bits past the last row");
            }
            Presence::Levels { .. } => unreachable!("a flat view"),
        }
        if let Dense::Bits(bits) = page.values {
            assert!((page.present..bits.len() * 8).all(|past| !bit(bits, past)), "bits past the last value");
        }
        let width = if shape.width == 0 { 4 } else { shape.width };
        let found = values(page, width);
        assert_eq!(found.len(), page.present);
        all.extend(found);
    }
    (all, presence)
}

/// Both layouts of nulls must give the values of present rows.
fn check_nulls<'a>(
    random: &mut Random,
    shape: Shape,
    present: &[bool],
    expected: &[Vec<u8>],
    dense: Values<'a>,
    spaced: Values<'a>,
) {
    let first = random.below(17);
    let bits = bitmap(present, first, random);
    let rows = present.len();
    let validities =
        [(Validity::Dense { bits: &bits, first }, dense), (Validity::Spaced { bits: &bits, first }, spaced)];
    for (validity, values) in validities {
        let found = taken(view(rows, values, validity), shape, random);
        assert_eq!(found, (expected.to_vec(), present.to_vec()), "{validity:?}");
    }
    let found = taken(view(rows, spaced, Validity::All), shape, random);
    assert_eq!(found.1, vec![true; rows]);
}

fn kept(present: &[bool], slots: &[Vec<u8>]) -> Vec<Vec<u8>> {
    slots.iter().zip(present).filter(|(_, present)| **present).map(|(slot, _)| slot.clone()).collect()
}

#[test]
fn fixed_widths_lose_their_null_slots() {
    rounds(200, |random| {
        let width = [1, 2, 3, 4, 8, 12, 16][random.below(7)];
        let count = random.below(60);
        let present = flags(random, count);
        let slots: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(width)).collect();
        let expected = kept(&present, &slots);
        let (dense, spaced) = (expected.concat(), slots.concat());
        let shape = Shape { width, ..FLAT };
        check_nulls(random, shape, &present, &expected, Values::Fixed(&dense), Values::Fixed(&spaced));
    });
}

#[test]
fn booleans_lose_their_null_slots() {
    rounds(200, |random| {
        let count = random.below(60);
        let present = flags(random, count);
        let slots: Vec<Vec<u8>> = (0..count).map(|_| vec![u8::from(random.once_in(2))]).collect();
        let expected = kept(&present, &slots);
        let first = random.below(17);
        let bits = |values: &[Vec<u8>], random: &mut Random| {
            let flags: Vec<bool> = values.iter().map(|value| value[0] == 1).collect();
            bitmap(&flags, first, random)
        };
        let (dense, spaced) = (bits(&expected, random), bits(&slots, random));
        let shape = Shape { width: 0, ..FLAT };
        let (dense, spaced) = (Values::Bits { bits: &dense, first }, Values::Bits { bits: &spaced, first });
        check_nulls(random, shape, &present, &expected, dense, spaced);
    });
}

#[test]
fn byte_arrays_and_codes_lose_their_null_slots() {
    rounds(200, |random| {
        let count = random.below(60);
        let present = flags(random, count);
        let slots: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let length = random.below(9);
                random.bytes(length)
            })
            .collect();
        let expected = kept(&present, &slots);
        let base = random.below(1000) as u32;
        let offsets = |values: &[Vec<u8>]| {
            let ends = values.iter().scan(base, |end, value| {
                *end += value.len() as u32;
                Some(*end)
            });
            std::iter::once(base).chain(ends).collect::<Vec<u32>>()
        };
        let (dense_offsets, spaced_offsets) = (offsets(&expected), offsets(&slots));
        let (dense, spaced) = (expected.concat(), slots.concat());
        let dense = Values::Bytes { offsets: &dense_offsets, bytes: &dense };
        let spaced = Values::Bytes { offsets: &spaced_offsets, bytes: &spaced };
        check_nulls(random, TEXT, &present, &expected, dense, spaced);

        let codes: Vec<u32> = (0..count).map(|_| random.word() as u32).collect();
        let slots: Vec<Vec<u8>> = codes.iter().map(|code| code.to_le_bytes().to_vec()).collect();
        let expected = kept(&present, &slots);
        let dense: Vec<u32> =
            codes.iter().zip(&present).filter(|(_, present)| **present).map(|(code, _)| *code).collect();
        check_nulls(random, TEXT, &present, &expected, Values::Codes(&dense), Values::Codes(&codes));
    });
}

#[test]
fn narrow_integers_are_widened_by_their_sign() {
    let mut scratch = Scratch::default();
    let mut wide = |values| {
        let mut cursor = Cursor::new(ColumnView::required(2, values), FLAT).unwrap();
        let page = cursor.take(2, &mut scratch).unwrap();
        let Dense::Fixed(bytes) = page.values else { unreachable!("fixed width") };
        bytes.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect::<Vec<_>>()
    };
    assert_eq!(wide(Values::Int8(&[0x80, 0x7f])), [-128, 127]);
    assert_eq!(wide(Values::UInt8(&[0x80, 0xff])), [128, 255]);
    assert_eq!(wide(Values::Int16(&[0, 0x80, 0xff, 0x7f])), [-32_768, 32_767]);
    assert_eq!(wide(Values::UInt16(&[0, 0x80, 0xff, 0xff])), [32_768, 65_535]);
}

#[test]
fn narrow_integers_lose_their_null_slots_first() {
    let mut scratch = Scratch::default();
    let validity = Validity::Spaced { bits: &[0b101], first: 0 };
    let mut cursor = Cursor::new(view(3, Values::Int16(&[1, 0, 99, 99, 0xff, 0xff]), validity), FLAT).unwrap();
    let page = cursor.take(3, &mut scratch).unwrap();
    assert_eq!(values(page, 4), [1i32.to_le_bytes().to_vec(), (-1i32).to_le_bytes().to_vec()]);
}

#[test]
fn a_view_that_is_short_of_anything_is_refused() {
    let none = Validity::All;
    let bits = |bits, first| Validity::Spaced { bits, first };
    let short: [(ColumnView<'_>, Shape); 14] = [
        (view(2, Values::Fixed(&[0; 7]), none), FLAT),
        (view(1, Values::Fixed(&[0; 8]), none), Shape { width: 0, ..FLAT }),
        (view(3, Values::Int8(&[0; 2]), none), FLAT),
        (view(3, Values::UInt16(&[0; 5]), none), FLAT),
        (view(1, Values::Int8(&[0; 8]), none), Shape { width: 8, ..FLAT }),
        (view(9, Values::Bits { bits: &[0], first: 0 }, none), TEXT),
        (view(8, Values::Bits { bits: &[0], first: 1 }, none), TEXT),
        (view(1, Values::Bits { bits: &[0], first: usize::MAX }, none), TEXT),
        (view(2, Values::Bytes { offsets: &[0, 0], bytes: &[] }, none), TEXT),
        (view(0, Values::Bytes { offsets: &[], bytes: &[] }, none), TEXT),
        (view(2, Values::Codes(&[0]), none), TEXT),
        (view(9, Values::Fixed(&[0; 36]), bits(&[0xff], 0)), FLAT),
        (view(8, Values::Fixed(&[0; 36]), bits(&[0xff], 1)), FLAT),
        (view(1, Values::Fixed(&[0; 36]), bits(&[0xff], usize::MAX)), FLAT),
    ];
    for (view, shape) in short {
        assert_eq!(Cursor::new(view, shape).err(), Some(Error::View), "{view:?}");
    }
    // Dense values: as many as bits say, not as many as rows.
    let dense = Validity::Dense { bits: &[0b111], first: 0 };
    assert!(Cursor::new(view(3, Values::Fixed(&[0; 8]), dense), FLAT).is_err());
    let dense = Validity::Dense { bits: &[0b101], first: 0 };
    assert!(Cursor::new(view(3, Values::Fixed(&[0; 8]), dense), FLAT).is_ok());
}

#[test]
fn counts_at_the_end_of_the_number_range_are_refused() {
    for values in [
        Values::Fixed(&[0; 4]),
        Values::Int8(&[0]),
        Values::Int16(&[0; 2]),
        Values::Bits { bits: &[0], first: 0 },
        Values::Bytes { offsets: &[0, 0], bytes: &[] },
        Values::Codes(&[0]),
    ] {
        for validity in
            [Validity::All, Validity::Dense { bits: &[0], first: 3 }, Validity::Spaced { bits: &[0], first: 3 }]
        {
            assert_eq!(Cursor::new(view(usize::MAX, values, validity), FLAT).err(), Some(Error::View));
        }
    }
}

#[test]
fn offsets_must_ascend_within_their_bytes() {
    let refused: [(&[u32], usize); 5] =
        [(&[0, 2, 1], 1), (&[3, 2, 4], 0), (&[0, 1, 4], 1), (&[10, 11, 14], 1), (&[0, u32::MAX], 0)];
    for (offsets, row) in refused {
        let values = Values::Bytes { offsets, bytes: b"abc" };
        let found = Cursor::new(ColumnView::required(offsets.len() - 1, values), TEXT).err();
        assert_eq!(found, Some(Error::Offsets { row }), "{offsets:?}");
    }
    let values = Values::Bytes { offsets: &[10, 11, 13], bytes: b"abc" };
    assert!(Cursor::new(ColumnView::required(2, values), TEXT).is_ok());
}

fn fit(
    rows: usize,
    values: Values<'_>,
    validity: Validity<'_>,
    shape: Shape,
    most: usize,
    bytes: usize,
) -> (usize, bool) {
    Cursor::new(view(rows, values, validity), shape).unwrap().fit(most, bytes)
}

#[test]
fn fixed_widths_fill_a_page_by_rows() {
    let fit = |rows, most| fit(rows, Values::Fixed(&[0; 40]), Validity::All, FLAT, most, 1);
    assert_eq!(fit(10, 4), (4, true));
    assert_eq!(fit(4, 4), (4, true));
    assert_eq!(fit(3, 4), (3, false));
    assert_eq!(fit(0, 4), (0, false));
}

#[test]
fn byte_arrays_fill_a_page_by_plain_bytes() {
    // Values of 1, 2, 3 and 0 bytes: 5, 11, 18 and 22 bytes in PLAIN form.
    let values = Values::Bytes { offsets: &[7, 8, 10, 13, 13], bytes: b"abbccc" };
    let expected = [(4, 1, true), (5, 1, true), (10, 1, true), (11, 2, true), (18, 3, true), (21, 3, true)];
    for (bytes, rows, full) in expected {
        assert_eq!(fit(4, values, Validity::All, TEXT, 100, bytes), (rows, full), "{bytes} bytes");
    }
    // Everything fits: full only when no further row may join.
    assert_eq!(fit(4, values, Validity::All, TEXT, 100, 22), (4, false));
    assert_eq!(fit(4, values, Validity::All, TEXT, 4, 22), (4, true));
    assert_eq!(fit(4, values, Validity::All, TEXT, 2, 22), (2, true));
}

#[test]
fn nulls_take_no_bytes_where_values_are_dense() {
    // Rows: null, "a", null, "bb", null.
    let values = Values::Bytes { offsets: &[0, 1, 3], bytes: b"abb" };
    let validity = Validity::Dense { bits: &[0b0101_0000], first: 3 };
    for (bytes, rows, full) in [(4, 1, true), (5, 3, true), (10, 3, true), (11, 5, false)] {
        assert_eq!(fit(5, values, validity, TEXT, 100, bytes), (rows, full), "{bytes} bytes");
    }
}

#[test]
fn a_value_larger_than_a_page_stands_alone() {
    let values = Values::Bytes { offsets: &[0, 1, 101, 102], bytes: &[b'x'; 102] };
    let mut cursor = Cursor::new(ColumnView::required(3, values), TEXT).unwrap();
    let mut scratch = Scratch::default();
    for rest in [2, 1, 0] {
        let (rows, full) = cursor.fit(100, 20);
        assert_eq!((rows, full), (1, rest > 0));
        cursor.take(rows, &mut scratch).unwrap();
        assert_eq!(cursor.remaining(), rest);
    }
}

#[test]
fn nested_rows_are_never_torn() {
    // Rows [1, 2], [], null, [3, null], [4] of a list; leaf values of 4 bytes.
    let shape = Shape { width: 4, max_definition: 3, max_repetition: 1 };
    let (definition, repetition) = ([3, 3, 1, 0, 3, 2, 3], [0, 1, 0, 0, 0, 1, 0]);
    let validity = Validity::Levels { definition: &definition, repetition: &repetition };
    let bytes: Vec<u8> = (1u32..=4).flat_map(u32::to_le_bytes).collect();
    let values = Values::Fixed(&bytes);
    // 8 bytes hold the first row, and the two without values behind it.
    for (most, bytes, rows, full) in [
        (100, 4, 1, true),
        (100, 8, 3, true),
        (100, 12, 4, true),
        (100, 16, 5, false),
        (2, 16, 2, true),
        (5, 16, 5, true),
    ] {
        assert_eq!(fit(5, values, validity, shape, most, bytes), (rows, full), "{most} rows, {bytes} bytes");
    }
    let mut cursor = Cursor::new(view(5, values, validity), shape).unwrap();
    let mut scratch = Scratch::default();
    let first = cursor.take(3, &mut scratch).unwrap();
    assert_eq!((first.rows, first.entries, first.present), (3, 4, 2));
    assert_eq!([first.row_of(0, 3), first.row_of(1, 3)], [0, 0]);
    let second = cursor.take(2, &mut scratch).unwrap();
    assert_eq!((second.rows, second.entries, second.present), (2, 3, 2));
    assert_eq!([second.row_of(0, 3), second.row_of(1, 3)], [0, 1]);
    assert_eq!(self::values(second, 4), [3u32.to_le_bytes(), 4u32.to_le_bytes()]);
    assert_eq!(cursor.remaining(), 0);
}

#[test]
fn levels_that_contradict_themselves_are_refused() {
    let list = Shape { width: 4, max_definition: 3, max_repetition: 1 };
    let field = Shape { width: 4, max_definition: 2, max_repetition: 0 };
    let refused: [(Shape, usize, &[u8], &[u8]); 8] = [
        (list, 1, &[3, 3], &[0]),
        (list, 1, &[3, 3], &[0, 0]),
        (list, 1, &[3, 3], &[1, 1]),
        (list, 1, &[4], &[0]),
        (list, 1, &[3, 3], &[0, 2]),
        (list, 1, &[3], &[]),
        (field, 2, &[2], &[]),
        (field, 1, &[2], &[0, 1]),
    ];
    for (shape, rows, definition, repetition) in refused {
        let validity = Validity::Levels { definition, repetition };
        let found = Cursor::new(view(rows, Values::Fixed(&[0; 16]), validity), shape).err();
        assert_eq!(found, Some(Error::View), "{rows} rows: {definition:?} {repetition:?}");
    }
    // A nested leaf without levels.
    for validity in [Validity::All, Validity::Spaced { bits: &[1], first: 0 }] {
        for shape in [list, field] {
            assert!(Cursor::new(view(1, Values::Fixed(&[0; 4]), validity), shape).is_err());
        }
    }
}

#[test]
fn the_row_of_a_value_counts_nulls() {
    let bits = [0b0011_0010];
    let page = Page { rows: 6, entries: 6, present: 3, presence: Presence::Bits(&bits), values: Dense::Fixed(&[]) };
    assert_eq!([page.row_of(0, 1), page.row_of(1, 1), page.row_of(2, 1)], [1, 4, 5]);
    let page = Page { presence: Presence::All, ..page };
    assert_eq!(page.row_of(2, 1), 2);
}
