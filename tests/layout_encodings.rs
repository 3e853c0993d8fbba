//! Layouts of every encoding, declared as data and held against page headers, both indexes and footer: in both page
//! versions, with and without a codec.

mod common;

use common::column::{BARE, Column, DICTIONARY, round_trip};
use common::file::Chunk;
use common::page::Page;
use parquill::Encoding::{
    ByteStreamSplit, DeltaBinaryPacked, DeltaByteArray, DeltaLengthByteArray, Plain, Rle, RleDictionary,
};
use parquill::{Codec, ColumnOptions, Encoding, FileOptions, PageVersion, PhysicalType, StatisticsLevel};

/// A data page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Declared {
    encoding: Encoding,
    rows: usize,
    nulls: usize,
    /// Bytes of definition levels without their length.
    levels: usize,
    /// Bytes of the value section before compression.
    values: usize,
}

/// A page of a required column.
fn full(encoding: Encoding, rows: usize, values: usize) -> Declared {
    Declared { encoding, rows, nulls: 0, levels: 0, values }
}

/// A page of a nullable column: one run of levels that are all the same, else a header and a bit for each row.
fn holes(encoding: Encoding, rows: usize, nulls: usize, values: usize) -> Declared {
    let levels = if nulls == 0 || nulls == rows { 2 } else { 1 + rows.div_ceil(8) };
    Declared { encoding, rows, nulls, levels, values }
}

fn nulls(encoding: Encoding, rows: usize, values: usize) -> Declared {
    holes(encoding, rows, rows, values)
}

struct Layout {
    name: &'static str,
    column: Column,
    page_rows: usize,
    page_bytes: usize,
    dictionary_bytes: usize,
    /// Entries and bytes of the dictionary page.
    dictionary: Option<(usize, usize)>,
    pages: Vec<Declared>,
}

fn layout(name: &'static str, column: Column, page_rows: usize, pages: &[Declared]) -> Layout {
    let (page_bytes, dictionary_bytes) = (1 << 20, 1 << 20);
    Layout { name, column, page_rows, page_bytes, dictionary_bytes, dictionary: None, pages: pages.to_vec() }
}

/// Checks all of them in every version and codec, as many as `count`.
fn check(count: usize, layouts: Vec<Layout>) {
    assert_eq!(layouts.len(), count);
    for layout in layouts {
        for page_version in [PageVersion::V1, PageVersion::V2] {
            for codec in [Codec::None, Codec::Lz4] {
                let mut column = layout.column.clone();
                column.options.codec = codec;
                let options = FileOptions {
                    page_version,
                    page_rows: layout.page_rows,
                    page_bytes: layout.page_bytes,
                    dictionary_bytes: layout.dictionary_bytes,
                    ..FileOptions::default()
                };
                let rows = column.rows.len();
                let file = round_trip(&[column], options, rows);
                let chunk = &file.row_groups[0][0];
                let context = format!("{}, {page_version:?}, {codec:?}", layout.name);
                check_pages(&layout, chunk, page_version, codec, &context);
                check_indexes(&layout, chunk, &context);
                check_footer(&layout, chunk, page_version, &context);
            }
        }
    }
}

fn check_pages(layout: &Layout, chunk: &Chunk, version: PageVersion, codec: Codec, context: &str) {
    let found: Vec<Declared> = chunk
        .data_pages()
        .zip(&chunk.entries)
        .map(|(page, entries)| {
            let sections = page.sections(chunk);
            Declared {
                encoding: page.encoding(),
                rows: page.num_values(),
                nulls: entries.iter().filter(|entry| entry.value.is_none()).count(),
                levels: sections.definition.len(),
                values: sections.values.len(),
            }
        })
        .collect();
    assert_eq!(found, layout.pages, "{context}");
    let dictionary = chunk.pages.iter().find(|page| page.is_dictionary());
    assert_eq!(dictionary.map(|page| (page.num_values(), page.plain.len())), layout.dictionary, "{context}");
    for (page, declared) in chunk.data_pages().zip(&layout.pages) {
        let header = page.inner();
        let prefix = if version == PageVersion::V1 && declared.levels > 0 { 4 } else { 0 };
        assert_eq!(page.header.int(2) as usize, prefix + declared.levels + declared.values, "{context}");
        if codec == Codec::None {
            assert_eq!(page.body.len(), page.plain.len(), "{context}");
        }
        match version {
            PageVersion::V1 => assert_eq!(page.kind(), Page::DATA, "{context}"),
            PageVersion::V2 => {
                assert_eq!(page.kind(), Page::DATA_V2, "{context}");
                let expected = [declared.rows, declared.nulls, declared.rows].map(|count| count as i64);
                assert_eq!([1, 2, 3].map(|id| header.int(id)), expected, "{context}");
                assert_eq!([5, 6].map(|id| header.int(id)), [declared.levels as i64, 0], "{context}");
                assert_eq!(header.bool(7), page.body.len() < page.plain.len(), "{context}");
            }
        }
    }
}

fn check_indexes(layout: &Layout, chunk: &Chunk, context: &str) {
    let starts = layout.pages.iter().scan(0, |row, page| {
        *row += page.rows as i64;
        Some(*row - page.rows as i64)
    });
    let found = chunk.offset_index.structures(1).into_iter().map(|location| location.int(3));
    assert!(found.eq(starts), "{context}");
    let wanted = layout.column.options.statistics == StatisticsLevel::Page
        && layout.column.element.physical != Some(PhysicalType::Int96);
    assert_eq!(chunk.column_index.is_some(), wanted, "{context}");
    if let Some(index) = &chunk.column_index {
        let null_pages: Vec<bool> = layout.pages.iter().map(|page| page.nulls == page.rows).collect();
        let null_counts: Vec<i64> = layout.pages.iter().map(|page| page.nulls as i64).collect();
        assert_eq!((index.bools(1), index.ints(5)), (null_pages, null_counts), "{context}");
    }
}

fn check_footer(layout: &Layout, chunk: &Chunk, version: PageVersion, context: &str) {
    let sum = |of: fn(&Declared) -> usize| layout.pages.iter().map(of).sum::<usize>() as i64;
    assert_eq!(chunk.meta.int(5), sum(|page| page.rows), "{context}");
    assert_eq!(chunk.meta.has(12), layout.column.options.statistics != StatisticsLevel::None, "{context}");
    if chunk.meta.has(12) {
        assert_eq!(chunk.meta.structure(12).int(3), sum(|page| page.nulls), "{context}");
    }
    let data_page = if version == PageVersion::V1 { 0 } else { 3 };
    let mut stats = Vec::new();
    stats.extend(layout.dictionary.map(|_| [2, 0, 1]));
    for encoding in Encoding::ALL {
        let pages = layout.pages.iter().filter(|page| page.encoding == encoding).count() as i64;
        stats.extend((pages > 0).then_some([data_page, i64::from(encoding.id()), pages]));
    }
    let found: Vec<[i64; 3]> = chunk.meta.structures(13).iter().map(|stat| [1, 2, 3].map(|id| stat.int(id))).collect();
    assert_eq!(found, stats, "{context}");
}

fn with(encoding: Encoding) -> ColumnOptions {
    ColumnOptions { encoding: Some(encoding), ..BARE }
}

fn longs(encoding: Encoding, values: impl IntoIterator<Item = i64>) -> Column {
    Column::required(PhysicalType::Int64, with(encoding), values.into_iter().map(i64::to_le_bytes))
}

fn nullable_longs(encoding: Encoding, values: impl IntoIterator<Item = Option<i64>>) -> Column {
    let values = values.into_iter().map(|value| value.map(i64::to_le_bytes));
    Column::nullable(PhysicalType::Int64, with(encoding), values)
}

fn ints(encoding: Encoding, values: impl IntoIterator<Item = i32>) -> Column {
    Column::required(PhysicalType::Int32, with(encoding), values.into_iter().map(i32::to_le_bytes))
}

fn texts(encoding: Encoding, values: impl IntoIterator<Item = String>) -> Column {
    Column::required(PhysicalType::ByteArray, with(encoding), values).text()
}

fn nullable_texts(encoding: Encoding, values: impl IntoIterator<Item = Option<String>>) -> Column {
    Column::nullable(PhysicalType::ByteArray, with(encoding), values).text()
}

fn fixed(encoding: Encoding, width: usize, rows: u32) -> Column {
    let values = (0..rows).map(|row| [vec![0; width], row.to_be_bytes().to_vec()].concat().split_off(4));
    let mut column = Column::required(PhysicalType::FixedLenByteArray, with(encoding), values);
    column.element.type_length = width;
    column
}

fn flags(encoding: Encoding, values: impl IntoIterator<Item = bool>) -> Column {
    Column::required(PhysicalType::Boolean, with(encoding), values.into_iter().map(|value| [u8::from(value)]))
}

fn nullable_flags(encoding: Encoding, values: impl IntoIterator<Item = Option<bool>>) -> Column {
    let values = values.into_iter().map(|value| value.map(|value| [u8::from(value)]));
    Column::nullable(PhysicalType::Boolean, with(encoding), values)
}

/// Ten rows with values, ten without, ten with.
fn middle_null<V>(value: impl Fn(usize) -> V) -> impl Iterator<Item = Option<V>> {
    (0..30).map(move |row| (row / 10 != 1).then(|| value(row)))
}

#[test]
fn plain() {
    let text = |row: usize| format!("{row:03}");
    check(
        7,
        vec![
            layout("numbers", longs(Plain, 0..25), 10, &[full(Plain, 10, 80), full(Plain, 10, 80), full(Plain, 5, 40)]),
            layout(
                "a page of nulls",
                nullable_longs(Plain, middle_null(|row| row as i64)),
                10,
                &[holes(Plain, 10, 0, 80), nulls(Plain, 10, 0), holes(Plain, 10, 0, 80)],
            ),
            layout("nulls only", nullable_longs(Plain, [None; 20]), 10, &[nulls(Plain, 10, 0), nulls(Plain, 10, 0)]),
            // Four bytes of length each.
            layout("text", texts(Plain, (0..20).map(text)), 15, &[full(Plain, 15, 105), full(Plain, 5, 35)]),
            layout(
                "text with nulls",
                nullable_texts(Plain, (0..20).map(|row| (row % 2 > 0).then(|| text(row)))),
                16,
                &[holes(Plain, 16, 8, 56), holes(Plain, 4, 2, 14)],
            ),
            layout(
                "booleans",
                flags(Plain, (0..20).map(|row| row % 3 == 0)),
                9,
                &[full(Plain, 9, 2), full(Plain, 9, 2), full(Plain, 2, 1)],
            ),
            layout(
                "booleans, a page of nulls",
                nullable_flags(Plain, middle_null(|row| row % 2 == 0)),
                10,
                &[holes(Plain, 10, 0, 2), nulls(Plain, 10, 0), holes(Plain, 10, 0, 2)],
            ),
        ],
    );
}

#[test]
fn dictionary() {
    let forced = |rows: Vec<i64>| longs(RleDictionary, rows);
    let coded = |rows, values| full(RleDictionary, rows, values);
    let nullable = |rows: Vec<Option<i64>>| nullable_longs(RleDictionary, rows);
    let dictionary = |entries, bytes, layout| Layout { dictionary: Some((entries, bytes)), ..layout };
    let outgrown = (0..40).map(|row| if row < 20 { row % 4 } else { row }).collect();
    check(
        8,
        vec![
            // Width, header of two groups, four bytes.
            dictionary(
                4,
                32,
                layout("four entries", forced((0..20).map(|row| row % 4).collect()), 10, &[coded(10, 6), coded(10, 6)]),
            ),
            // Width, a run of 100 in two bytes, its value.
            dictionary(1, 8, layout("one entry", forced(vec![7; 100]), 100, &[coded(100, 4)])),
            // The first page knows two entries, the second four.
            dictionary(
                4,
                32,
                layout("growing", forced((0..16).map(|row| row / 4).collect()), 8, &[coded(8, 3), coded(8, 4)]),
            ),
            dictionary(
                4,
                32,
                Layout {
                    dictionary_bytes: 100,
                    ..layout(
                        "outgrown",
                        forced(outgrown),
                        10,
                        &[coded(10, 6), coded(10, 6), full(Plain, 10, 80), full(Plain, 10, 80)],
                    )
                },
            ),
            // The width is there even so, and nothing else.
            dictionary(
                1,
                8,
                layout(
                    "a page of nulls",
                    nullable(middle_null(|_| 5).collect()),
                    10,
                    &[holes(RleDictionary, 10, 0, 4), nulls(RleDictionary, 10, 1), holes(RleDictionary, 10, 0, 4)],
                ),
            ),
            dictionary(
                1,
                8,
                layout(
                    "nulls first",
                    nullable((0..20).map(|row| (row >= 10).then_some(5)).collect()),
                    10,
                    &[nulls(Plain, 10, 0), holes(RleDictionary, 10, 0, 4)],
                ),
            ),
            layout("nulls only", nullable(vec![None; 20]), 10, &[nulls(Plain, 10, 0), nulls(Plain, 10, 0)]),
            dictionary(
                2,
                14,
                layout(
                    "text",
                    nullable_texts(RleDictionary, (0..16).map(|row| (row % 4 > 0).then(|| format!("no{}", row % 2)))),
                    16,
                    &[holes(RleDictionary, 16, 4, 4)],
                ),
            ),
        ],
    );
}

/// The header: 2 bytes of block size, 1 of miniblocks, 1 or 2 of the count, the first value. A block: the smallest
/// difference, 4 widths, bodies of 4 bytes for each bit of width.
#[test]
fn delta_binary_packed() {
    let page = |rows, values| full(DeltaBinaryPacked, rows, values);
    let extremes = [i32::MIN, i32::MAX, i32::MIN, i32::MAX];
    check(
        10,
        vec![
            layout("one value", longs(DeltaBinaryPacked, [7]), 100, &[page(1, 5)]),
            layout("a first value of ten bytes", longs(DeltaBinaryPacked, [i64::MIN]), 100, &[page(1, 14)]),
            layout("steps of one", longs(DeltaBinaryPacked, 0..100), 100, &[page(100, 10)]),
            layout("each page begins anew", longs(DeltaBinaryPacked, 0..200), 100, &[page(100, 10), page(100, 11)]),
            layout("a block that is full", longs(DeltaBinaryPacked, 0..129), 200, &[page(129, 11)]),
            layout("a block for one more", longs(DeltaBinaryPacked, 0..130), 200, &[page(130, 16)]),
            // Differences wrap to −1, 1, −1: 2 bits above the smallest.
            layout("extremes of INT32", ints(DeltaBinaryPacked, extremes), 100, &[page(4, 9 + 5 + 8)]),
            // Differences 1 and 2: one bit above the smallest.
            layout(
                "nulls",
                nullable_longs(DeltaBinaryPacked, (0..40).map(|row| (row % 4 > 0).then_some(row))),
                100,
                &[holes(DeltaBinaryPacked, 40, 10, 5 + 5 + 4)],
            ),
            layout(
                "a page of nulls",
                nullable_longs(DeltaBinaryPacked, middle_null(|row| row as i64)),
                10,
                &[
                    holes(DeltaBinaryPacked, 10, 0, 10),
                    nulls(DeltaBinaryPacked, 10, 5),
                    holes(DeltaBinaryPacked, 10, 0, 10),
                ],
            ),
            layout(
                "nulls only",
                nullable_longs(DeltaBinaryPacked, [None; 20]),
                10,
                &[nulls(DeltaBinaryPacked, 10, 5), nulls(DeltaBinaryPacked, 10, 5)],
            ),
        ],
    );
}

#[test]
fn delta_length_byte_array() {
    let page = |rows, values| full(DeltaLengthByteArray, rows, values);
    let number = |row: usize| format!("{row:010}");
    check(
        6,
        vec![
            layout("one value", texts(DeltaLengthByteArray, ["abc".into()]), 100, &[page(1, 5 + 3)]),
            layout("equal lengths", texts(DeltaLengthByteArray, (0..10).map(number)), 100, &[page(10, 10 + 100)]),
            layout("empty ones", texts(DeltaLengthByteArray, vec![String::new(); 10]), 100, &[page(10, 10)]),
            // Pages are cut by PLAIN bytes: three of 14.
            Layout {
                page_bytes: 42,
                ..layout(
                    "cut by bytes",
                    texts(DeltaLengthByteArray, (0..7).map(number)),
                    100,
                    &[page(3, 10 + 30), page(3, 10 + 30), page(1, 5 + 10)],
                )
            },
            layout(
                "a page of nulls",
                nullable_texts(DeltaLengthByteArray, middle_null(number)),
                10,
                &[
                    holes(DeltaLengthByteArray, 10, 0, 110),
                    nulls(DeltaLengthByteArray, 10, 5),
                    holes(DeltaLengthByteArray, 10, 0, 110),
                ],
            ),
            layout(
                "nulls only",
                nullable_texts(DeltaLengthByteArray, vec![None; 10]),
                10,
                &[nulls(DeltaLengthByteArray, 10, 5)],
            ),
        ],
    );
}

#[test]
fn delta_byte_array() {
    let page = |rows, values| full(DeltaByteArray, rows, values);
    let number = |row: usize| format!("prefix{row}");
    // Prefixes 0 6 6 … and suffixes 7 1 1 …: 3 bits above the smallest difference, in one miniblock each.
    const STREAMS: usize = 2 * (5 + 5 + 12);
    check(
        7,
        vec![
            layout("one value", texts(DeltaByteArray, ["abc".into()]), 100, &[page(1, 5 + 5 + 3)]),
            layout("one page", texts(DeltaByteArray, (0..10).map(number)), 100, &[page(10, STREAMS + 7 + 9)]),
            layout(
                "each page begins anew",
                texts(DeltaByteArray, (0..10).map(number)),
                5,
                &[page(5, STREAMS + 7 + 4), page(5, STREAMS + 7 + 4)],
            ),
            layout("equal ones", texts(DeltaByteArray, vec!["same".into(); 10]), 100, &[page(10, STREAMS + 4)]),
            // Prefixes 0 3 3 …, suffixes 4 1 1 …: 2 bits.
            layout("fixed width", fixed(DeltaByteArray, 4, 10), 100, &[page(10, 2 * (5 + 5 + 8) + 4 + 9)]),
            layout(
                "a page of nulls",
                nullable_texts(DeltaByteArray, middle_null(|row| number(row % 10))),
                10,
                &[
                    holes(DeltaByteArray, 10, 0, STREAMS + 16),
                    nulls(DeltaByteArray, 10, 10),
                    holes(DeltaByteArray, 10, 0, STREAMS + 16),
                ],
            ),
            layout("nulls only", nullable_texts(DeltaByteArray, vec![None; 10]), 10, &[nulls(DeltaByteArray, 10, 10)]),
        ],
    );
}

#[test]
fn byte_stream_split() {
    let page = |rows, values| full(ByteStreamSplit, rows, values);
    let doubles =
        Column::required(PhysicalType::Double, with(ByteStreamSplit), (0..10).map(|row| f64::from(row).to_le_bytes()));
    let floats =
        |value: fn(usize) -> [u8; 4]| Column::nullable(PhysicalType::Float, with(ByteStreamSplit), middle_null(value));
    check(
        7,
        vec![
            Layout { page_bytes: 64, ..layout("doubles", doubles, 100, &[page(8, 64), page(2, 16)]) },
            layout(
                "floats, a page of nulls",
                floats(|row| (row as f32).to_le_bytes()),
                10,
                &[holes(ByteStreamSplit, 10, 0, 40), nulls(ByteStreamSplit, 10, 0), holes(ByteStreamSplit, 10, 0, 40)],
            ),
            layout("int32", ints(ByteStreamSplit, 0..10), 100, &[page(10, 40)]),
            layout("int64", longs(ByteStreamSplit, 0..10), 7, &[page(7, 56), page(3, 24)]),
            layout("three bytes", fixed(ByteStreamSplit, 3, 5), 100, &[page(5, 15)]),
            layout(
                "nulls only",
                nullable_longs(ByteStreamSplit, [None; 20]),
                10,
                &[nulls(ByteStreamSplit, 10, 0), nulls(ByteStreamSplit, 10, 0)],
            ),
            layout(
                "statistics none",
                {
                    let mut column = nullable_longs(ByteStreamSplit, [Some(1), None, None, Some(4)]);
                    column.options.statistics = StatisticsLevel::None;
                    column
                },
                10,
                &[holes(ByteStreamSplit, 4, 2, 16)],
            ),
        ],
    );
}

#[test]
fn rle_booleans() {
    let page = |rows, values| full(Rle, rows, values);
    check(
        6,
        vec![
            // The length, one header, bytes.
            layout("alternating", flags(Rle, (0..100).map(|row| row % 2 == 0)), 100, &[page(100, 4 + 1 + 13)]),
            // One run of 1000 in two bytes, its value.
            layout("all true", flags(Rle, [true; 1000]), 1000, &[page(1000, 4 + 2 + 1)]),
            // A run of 72 and the bits of the rest.
            layout("a run with a tail", flags(Rle, [true; 75]), 100, &[page(75, 4 + 3 + 2)]),
            layout("small pages", flags(Rle, (0..7).map(|row| row < 3)), 3, &[page(3, 6), page(3, 6), page(1, 6)]),
            layout(
                "nulls",
                nullable_flags(Rle, (0..20).map(|row| (row % 4 > 0).then_some(row % 2 == 0))),
                100,
                &[holes(Rle, 20, 5, 4 + 1 + 2)],
            ),
            layout(
                "a page of nulls",
                nullable_flags(Rle, middle_null(|row| row % 2 == 0)),
                10,
                &[holes(Rle, 10, 0, 7), nulls(Rle, 10, 4), holes(Rle, 10, 0, 7)],
            ),
        ],
    );
}

/// Numbers without an order that a codec could see.
fn scattered(row: i64) -> i64 {
    (row * row * 0x9e37_79b9 + row * 0x85eb_ca6b) >> 11 & 0xffff
}

#[test]
fn the_writers_own_choice() {
    let column = |options: ColumnOptions, rows: Vec<i64>| Column { options, ..longs(Plain, rows) };
    let int96 = |options: ColumnOptions| {
        Column::required(PhysicalType::Int96, options, (0..200).map(|row| [(scattered(row) % 3) as u8; 12]))
    };
    check(
        4,
        vec![
            Layout {
                dictionary: Some((7, 56)),
                ..layout(
                    "few values",
                    column(DICTIONARY, (0..160).map(|row| scattered(row) % 7).collect()),
                    80,
                    &[full(RleDictionary, 80, 1 + 1 + 30), full(RleDictionary, 80, 1 + 1 + 30)],
                )
            },
            layout(
                "all different",
                column(DICTIONARY, (0..200).collect()),
                100,
                &[full(Plain, 100, 800), full(Plain, 100, 800)],
            ),
            layout("no dictionary", column(BARE, vec![5; 100]), 100, &[full(Plain, 100, 800)]),
            Layout {
                dictionary: Some((3, 36)),
                ..layout("INT96", int96(DICTIONARY), 200, &[full(RleDictionary, 200, 1 + 1 + 50)])
            },
        ],
    );
}
