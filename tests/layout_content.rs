//! Layouts of pages that end by their content or by what front coding makes of them, of dictionaries given up, of
//! checksums and Bloom filters.

mod common;

use common::column::{BARE, Column, DICTIONARY};
use common::layout::{below, flat, longs, nullable, texts, v1, v2, with};
use common::nested::{list, list_entries};
use parquill::Encoding::{DeltaByteArray, DeltaLengthByteArray, RleDictionary};
use parquill::{BloomOptions, ColumnOptions, FileOptions, LogicalType, PageVersion, PhysicalType};

fn content_defined(least: usize, most: usize) -> FileOptions {
    FileOptions { page_bytes: most, content_defined: Some(least), ..v1(1 << 20) }
}

#[test]
fn by_content() {
    flat(
        "always the same",
        longs(BARE, [7; 25]),
        content_defined(16, 80),
        "v1 Plain 5 bytes 0+0+40 | row 0 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 5 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 7 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 9 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 11 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 13 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 15 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 17 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 19 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 21 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 23 | nulls 0, 7 to 7
         chunk 25 | nulls 0, 7 to 7 | ascending",
    );
    flat(
        "no more rows than that",
        longs(BARE, [7; 9]),
        FileOptions { page_rows: 4, ..content_defined(16, 80) },
        "v1 Plain 4 bytes 0+0+32 | row 0 | nulls 0, 7 to 7
         v1 Plain 3 bytes 0+0+24 | row 4 | nulls 0, 7 to 7
         v1 Plain 2 bytes 0+0+16 | row 7 | nulls 0, 7 to 7
         chunk 9 | nulls 0, 7 to 7 | ascending",
    );
    let nothing = Column::nullable(PhysicalType::ByteArray, BARE, vec![None::<Vec<u8>>; 25]).text();
    flat(
        "nulls only",
        nothing,
        content_defined(8, 40),
        "v1 Plain 3 bytes 0+2+0 | row 0 | nulls 3, all null
         v1 Plain 6 bytes 0+2+0 | row 3 | nulls 6, all null
         v1 Plain 2 bytes 0+2+0 | row 9 | nulls 2, all null
         v1 Plain 6 bytes 0+2+0 | row 11 | nulls 6, all null
         v1 Plain 8 bytes 0+2+0 | row 17 | nulls 8, all null
         chunk 25 | nulls 25 | ascending | 0 bytes",
    );
    // These ends may never move: files of earlier versions would share nothing with those of later ones.
    let squares = || (0..120i64).map(|row| row * row * 7919 % 10_007);
    flat(
        "numbers",
        longs(BARE, squares()),
        content_defined(64, 512),
        "v1 Plain 25 bytes 0+0+200 | row 0 | nulls 0, 0 to 9843
         v1 Plain 20 bytes 0+0+160 | row 25 | nulls 0, 460 to 9506
         v1 Plain 55 bytes 0+0+440 | row 45 | nulls 0, 109 to 9834
         v1 Plain 19 bytes 0+0+152 | row 100 | nulls 0, 1211 to 9832
         v1 Plain 1 bytes 0+0+8 | row 119 | nulls 0, 2517 to 2517
         chunk 120 | nulls 0, 0 to 9843 | unordered",
    );
    let holes = squares().map(|value| (value % 3 > 0).then_some(value));
    flat(
        "numbers and nulls",
        nullable(BARE, holes),
        content_defined(64, 512),
        "v1 Plain 33 bytes 0+6+184 | row 0 | nulls 10, 115 to 9545
         v1 Plain 8 bytes 0+2+48 | row 33 | nulls 2, 1538 to 7966
         v1 Plain 32 bytes 0+5+144 | row 41 | nulls 14, 460 to 9349
         v1 Plain 10 bytes 0+3+64 | row 73 | nulls 2, 109 to 8914
         v1 Plain 17 bytes 0+4+72 | row 83 | nulls 8, 1840 to 9037
         v1 Plain 9 bytes 0+3+56 | row 100 | nulls 2, 1211 to 5647
         v1 Plain 11 bytes 0+3+48 | row 109 | nulls 5, 2875 to 9832
         chunk 120 | nulls 43, 109 to 9832 | unordered",
    );
    let words = squares().map(|value| "ab".repeat(value as usize % 9) + &value.to_string());
    flat(
        "text",
        texts(with(DeltaLengthByteArray), words),
        content_defined(128, 1024),
        "v1 DeltaLengthByteArray 9 bytes 0+0+149 | row 0 | nulls 0, \"0\" to \"abababababababab7919\"
         v1 DeltaLengthByteArray 17 bytes 0+0+233 | row 9 | nulls 0, \"5850\" to \"ababababababab529\"
         v1 DeltaLengthByteArray 15 bytes 0+0+214 | row 26 | nulls 0, \"8919\" to \"abababababababab5849\"
         v1 DeltaLengthByteArray 59 bytes 0+0+708 | row 41 | nulls 0, \"1035\" to \"abababababababab8531\"
         v1 DeltaLengthByteArray 14 bytes 0+0+188 | row 100 | nulls 0, \"3906\" to \"abababababababab6983\"
         v1 DeltaLengthByteArray 6 bytes 0+0+96 | row 114 | nulls 0, \"3528\" to \"abababababab3336\"
         chunk 120 | nulls 0, \"0\" to \"abababababababab8531\" | unordered | 1384 bytes",
    );
    let lists = (0..40).map(|row| squares().skip(row).take(row % 4).map(|value| Some(value.to_le_bytes())).collect());
    let rows = list_entries(lists);
    let elements = list(PhysicalType::Int64, LogicalType::None);
    below(
        "lists",
        elements,
        BARE,
        content_defined(64, 256),
        &rows,
        "v1 Plain 14 bytes 3+5+96 | row 0 | nulls 2, 991 to 7919
         v1 Plain 8 bytes 2+3+48 | row 8 | nulls 2, 991 to 9545
         v1 Plain 14 bytes 3+5+96 | row 13 | nulls 2, 529 to 9843
         v1 Plain 17 bytes 4+7+120 | row 21 | nulls 2, 115 to 9843
         v1 Plain 17 bytes 4+7+120 | row 31 | nulls 2, 1538 to 7966
         chunk 70 | nulls 10, 115 to 9843 | unordered | [40, 30][10, 0, 60]",
    );
}

#[test]
fn front_coding() {
    let base = |count: usize| "x".repeat(count);
    let long = |count: usize| (0..8).map(move |row| format!("{}{row}", base(count)));
    let file = |page_bytes| FileOptions { page_bytes, statistics_truncate_bytes: 3, ..v1(100) };
    flat(
        "values larger than a page",
        texts(with(DeltaByteArray), long(100)),
        file(50),
        "v1 DeltaByteArray 8 bytes 0+0+186 | row 0 | nulls 0, \"xxx\" to \"xxy\"
         chunk 8 | nulls 0, \"xxx\"~ to \"xxy\"~ | ascending | 808 bytes",
    );
    flat(
        "as many bytes as they are encoded",
        texts(with(DeltaByteArray), long(100)),
        file(10),
        "v1 DeltaByteArray 4 bytes 0+0+182 | row 0 | nulls 0, \"xxx\" to \"xxy\"
         v1 DeltaByteArray 4 bytes 0+0+182 | row 4 | nulls 0, \"xxx\" to \"xxy\"
         chunk 8 | nulls 0, \"xxx\"~ to \"xxy\"~ | ascending | 808 bytes",
    );
    flat(
        "no more than 64 times as much in PLAIN form",
        texts(with(DeltaByteArray), long(1000)),
        file(40),
        "v1 DeltaByteArray 2 bytes 0+0+1025 | row 0 | nulls 0, \"xxx\" to \"xxy\"
         v1 DeltaByteArray 2 bytes 0+0+1025 | row 2 | nulls 0, \"xxx\" to \"xxy\"
         v1 DeltaByteArray 2 bytes 0+0+1025 | row 4 | nulls 0, \"xxx\" to \"xxy\"
         v1 DeltaByteArray 2 bytes 0+0+1025 | row 6 | nulls 0, \"xxx\" to \"xxy\"
         chunk 8 | nulls 0, \"xxx\"~ to \"xxy\"~ | ascending | 8008 bytes",
    );
    let by_rows = FileOptions { page_version: PageVersion::V2, page_rows: 5, ..file(1 << 20) };
    flat(
        "the same by rows",
        texts(with(DeltaByteArray), long(100)),
        by_rows,
        "v2 DeltaByteArray 5 nulls 0 rows 5 bytes 0+0+183 | row 0 | nulls 0, \"xxx\" to \"xxy\"
         v2 DeltaByteArray 3 nulls 0 rows 3 bytes 0+0+181 | row 5 | nulls 0, \"xxx\" to \"xxy\"
         chunk 8 | nulls 0, \"xxx\"~ to \"xxy\"~ | ascending | 808 bytes",
    );
    let apart = (0..6).map(|row| format!("{row}{}", base(100)));
    flat(
        "nothing shared",
        texts(with(DeltaByteArray), apart),
        file(300),
        "v1 DeltaByteArray 3 bytes 0+0+324 | row 0 | nulls 0, \"0xx\" to \"2xy\"
         v1 DeltaByteArray 3 bytes 0+0+324 | row 3 | nulls 0, \"3xx\" to \"5xy\"
         chunk 6 | nulls 0, \"0xx\"~ to \"5xy\"~ | ascending | 606 bytes",
    );
}
#[test]
fn dictionaries_given_up() {
    let options = |page_version| FileOptions { page_version, dictionary_bytes: 40, ..v1(10) };
    let outgrown = || (0..30).map(|row| format!("{:04}", if row < 10 { row % 5 } else { row }));
    flat(
        "text that outgrows it",
        texts(with(RleDictionary), outgrown()),
        options(PageVersion::V1),
        "dictionary 5 40
         v1 RleDictionary 10 bytes 0+0+8 | row 0 | nulls 0, \"0000\" to \"0004\"
         v1 Plain 10 bytes 0+0+80 | row 10 | nulls 0, \"0010\" to \"0019\"
         v1 Plain 10 bytes 0+0+80 | row 20 | nulls 0, \"0020\" to \"0029\"
         chunk 30 | nulls 0, \"0000\" to \"0029\" | ascending | 120 bytes",
    );
    flat(
        "the same in version 2",
        texts(with(RleDictionary), outgrown()),
        options(PageVersion::V2),
        "dictionary 5 40
         v2 RleDictionary 10 nulls 0 rows 10 bytes 0+0+8 | row 0 | nulls 0, \"0000\" to \"0004\"
         v2 Plain 10 nulls 0 rows 10 bytes 0+0+80 | row 10 | nulls 0, \"0010\" to \"0019\"
         v2 Plain 10 nulls 0 rows 10 bytes 0+0+80 | row 20 | nulls 0, \"0020\" to \"0029\"
         chunk 30 | nulls 0, \"0000\" to \"0029\" | ascending | 120 bytes",
    );
    flat(
        "larger at once",
        longs(with(RleDictionary), 0..12),
        FileOptions { dictionary_bytes: 90, ..v1(12) },
        "v1 Plain 12 bytes 0+0+96 | row 0 | nulls 0, 0 to 11
         chunk 12 | nulls 0, 0 to 11 | ascending",
    );
    let some = (0..20).map(|row| (row != 3).then_some(row / 10 * 100));
    flat(
        "nulls among them",
        nullable(with(RleDictionary), some),
        FileOptions { dictionary_bytes: 8, ..v2(10) },
        "dictionary 1 8
         v2 RleDictionary 10 nulls 1 rows 10 bytes 0+3+4 | row 0 | nulls 1, 0 to 0
         v2 Plain 10 nulls 0 rows 10 bytes 0+2+80 | row 10 | nulls 0, 100 to 100
         chunk 20 | nulls 1, 0 to 100 | ascending",
    );
}

#[test]
fn checksums_and_filters() {
    let unchecked = |options: FileOptions| FileOptions { page_checksum: false, ..options };
    flat(
        "no checksum",
        longs(BARE, 0..3),
        unchecked(v1(2)),
        "v1 Plain 2 bytes 0+0+16 | row 0 | nulls 0, 0 to 1
         v1 Plain 1 bytes 0+0+8 | row 2 | nulls 0, 2 to 2
         chunk 3 | nulls 0, 0 to 2 | ascending | unchecked",
    );
    flat(
        "no checksum in version 2",
        longs(DICTIONARY, [5; 80]),
        unchecked(v2(80)),
        "dictionary 1 8
         v2 RleDictionary 80 nulls 0 rows 80 bytes 0+0+4 | row 0 | nulls 0, 5 to 5
         chunk 80 | nulls 0, 5 to 5 | ascending | unchecked",
    );
    let bloom = |options: ColumnOptions| ColumnOptions {
        bloom: Some(BloomOptions { most_bytes: 32, ..BloomOptions::default() }),
        ..options
    };
    flat(
        "a filter of two values",
        longs(bloom(BARE), [42, 7, 42]),
        v1(10),
        "v1 Plain 3 bytes 0+0+24 | row 0 | nulls 0, 7 to 42
         chunk 3 | nulls 0, 7 to 42 | ascending | filter of 32 with 15 bits",
    );
    flat(
        "and nulls",
        nullable(bloom(BARE), [None, Some(42), None]),
        v2(10),
        "v2 Plain 3 nulls 2 rows 3 bytes 0+2+8 | row 0 | nulls 2, 42 to 42
         chunk 3 | nulls 2, 42 to 42 | ascending | filter of 32 with 8 bits",
    );
    flat(
        "of nulls only",
        nullable(bloom(BARE), [None; 3]),
        v1(10),
        "v1 Plain 3 bytes 0+2+0 | row 0 | nulls 3, all null
         chunk 3 | nulls 3 | ascending | filter of 32 with 0 bits",
    );
    let outgrown = (0..20).map(|row| if row < 10 { 1 } else { row });
    let file = FileOptions { dictionary_bytes: 16, ..v1(10) };
    flat(
        "of both sides of a fallback",
        longs(bloom(with(RleDictionary)), outgrown),
        file,
        "dictionary 1 8
         v1 RleDictionary 10 bytes 0+0+4 | row 0 | nulls 0, 1 to 1
         v1 Plain 10 bytes 0+0+80 | row 10 | nulls 0, 10 to 19
         chunk 20 | nulls 0, 1 to 19 | ascending | filter of 32 with 74 bits",
    );
}
