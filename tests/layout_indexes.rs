//! Layouts of version 2, of lists and groups, of pages of nulls and of the levels of statistics.

mod common;

use common::column::{BARE, Column};
use common::decode::Entry;
use common::layout::{below, doubles, flat, longs, nullable, row, texts, v1, v2, with};
use common::nested::{list, list_entries, schema};
use parquill::Encoding::{ByteStreamSplit, DeltaBinaryPacked, RleDictionary};
use parquill::{ColumnOptions, FileOptions, LogicalType, PhysicalType, StatisticsLevel};

#[test]
fn version_2() {
    flat(
        "required",
        longs(BARE, 0..5),
        v2(2),
        "v2 Plain 2 nulls 0 rows 2 bytes 0+0+16 | row 0 | nulls 0, 0 to 1
         v2 Plain 2 nulls 0 rows 2 bytes 0+0+16 | row 2 | nulls 0, 2 to 3
         v2 Plain 1 nulls 0 rows 1 bytes 0+0+8 | row 4 | nulls 0, 4 to 4
         chunk 5 | nulls 0, 0 to 4 | ascending",
    );
    flat(
        "nullable",
        nullable(BARE, [Some(3), None, Some(1), None, None, None, Some(2), Some(2)]),
        v2(4),
        "v2 Plain 4 nulls 2 rows 4 bytes 0+2+16 | row 0 | nulls 2, 1 to 3
         v2 Plain 4 nulls 2 rows 4 bytes 0+2+16 | row 4 | nulls 2, 2 to 2
         chunk 8 | nulls 4, 1 to 3 | unordered",
    );
    flat(
        "with a codec that gains and one page in which it does not",
        Column {
            options: ColumnOptions { codec: parquill::Codec::Snappy, ..BARE },
            ..longs(BARE, (0..100).map(|row| if row < 99 { 7 } else { 0x0123_4567_89ab_cdef }))
        },
        v2(99),
        "v2 Plain 99 nulls 0 rows 99 bytes 0+0+792 compressed | row 0 | nulls 0, 7 to 7
         v2 Plain 1 nulls 0 rows 1 bytes 0+0+8 | row 99 | nulls 0, 81985529216486895 to 81985529216486895
         chunk 100 | nulls 0, 7 to 81985529216486895 | ascending",
    );
    flat(
        "a dictionary",
        texts(with(RleDictionary), (0..40).map(|row| format!("v{}", row % 4))),
        v2(20),
        "dictionary 4 24
         v2 RleDictionary 20 nulls 0 rows 20 bytes 0+0+8 | row 0 | nulls 0, \"v0\" to \"v3\"
         v2 RleDictionary 20 nulls 0 rows 20 bytes 0+0+8 | row 20 | nulls 0, \"v0\" to \"v3\"
         chunk 40 | nulls 0, \"v0\" to \"v3\" | ascending | 80 bytes",
    );
    flat(
        "booleans",
        Column::required(PhysicalType::Boolean, BARE, [[0u8], [1], [1], [1], [1]]),
        v2(2),
        "v2 Plain 2 nulls 0 rows 2 bytes 0+0+1 | row 0 | nulls 0, false to true
         v2 Plain 2 nulls 0 rows 2 bytes 0+0+1 | row 2 | nulls 0, true to true
         v2 Plain 1 nulls 0 rows 1 bytes 0+0+1 | row 4 | nulls 0, true to true
         chunk 5 | nulls 0, false to true | ascending",
    );
}

/// Rows [1, 2], [], null, [3, null], [4] of a nullable list of nullable values.
fn list_rows() -> Vec<Vec<Entry>> {
    vec![
        row(&[(0, 3, Some(1)), (1, 3, Some(2))]),
        row(&[(0, 1, None)]),
        row(&[(0, 0, None)]),
        row(&[(0, 3, Some(3)), (1, 2, None)]),
        row(&[(0, 3, Some(4))]),
    ]
}

#[test]
fn lists_and_groups() {
    let leaf = || schema(1, PhysicalType::Int64);
    below(
        "a list, version 1",
        leaf(),
        BARE,
        v1(20),
        &list_rows(),
        "v1 Plain 7 bytes 2+3+32 | row 0 | nulls 3, 1 to 4
         chunk 7 | nulls 3, 1 to 4 | ascending | [5, 2][1, 1, 1, 4]",
    );
    below(
        "a list, version 2",
        leaf(),
        BARE,
        v2(2),
        &list_rows(),
        "v2 Plain 3 nulls 1 rows 2 bytes 2+3+16 | row 0 | nulls 1, 1 to 2
         v2 Plain 3 nulls 2 rows 2 bytes 2+3+8 | row 2 | nulls 2, 3 to 3
         v2 Plain 1 nulls 0 rows 1 bytes 2+3+8 | row 4 | nulls 0, 4 to 4
         chunk 7 | nulls 3, 1 to 4 | ascending | [5, 2][1, 1, 1, 4]",
    );
    below(
        "a list in delta",
        leaf(),
        with(DeltaBinaryPacked),
        v1(3),
        &list_rows(),
        "v1 DeltaBinaryPacked 4 bytes 2+3+10 | row 0 | nulls 2, 1 to 2
         v1 DeltaBinaryPacked 3 bytes 2+3+10 | row 3 | nulls 1, 3 to 4
         chunk 7 | nulls 3, 1 to 4 | ascending | [5, 2][1, 1, 1, 4]",
    );
    below(
        "a list with a dictionary",
        leaf(),
        with(RleDictionary),
        v2(4),
        &list_rows(),
        "dictionary 4 32
         v2 RleDictionary 6 nulls 3 rows 4 bytes 2+3+4 | row 0 | nulls 3, 1 to 3
         v2 RleDictionary 1 nulls 0 rows 1 bytes 2+3+4 | row 4 | nulls 0, 4 to 4
         chunk 7 | nulls 3, 1 to 4 | ascending | [5, 2][1, 1, 1, 4]",
    );
    // [[1, null], null, []], null, [[2]].
    let rows = [
        row(&[(0, 5, Some(1)), (2, 4, None), (1, 2, None), (1, 3, None)]),
        row(&[(0, 0, None)]),
        row(&[(0, 5, Some(2))]),
    ];
    below(
        "a list of lists",
        schema(2, PhysicalType::Int64),
        BARE,
        v2(2),
        &rows,
        "v2 Plain 5 nulls 4 rows 2 bytes 3+4+8 | row 0 | nulls 4, 1 to 1
         v2 Plain 1 nulls 0 rows 1 bytes 3+4+8 | row 2 | nulls 0, 2 to 2
         chunk 6 | nulls 4, 1 to 2 | ascending | [3, 2, 1][1, 0, 1, 1, 1, 2]",
    );
    // { x: 1 }, null, { x: null }.
    let rows = [row(&[(0, 2, Some(1))]), row(&[(0, 0, None)]), row(&[(0, 1, None)])];
    below(
        "a group",
        schema(0, PhysicalType::Int64),
        BARE,
        v1(2),
        &rows,
        "v1 Plain 2 bytes 0+3+8 | row 0 | nulls 1, 1 to 1
         v1 Plain 1 bytes 0+3+0 | row 2 | nulls 1, all null
         chunk 3 | nulls 2, 1 to 1 | ascending | [1, 1, 1]",
    );
    below(
        "a group, version 2",
        schema(0, PhysicalType::Int64),
        BARE,
        v2(3),
        &rows,
        "v2 Plain 3 nulls 2 rows 3 bytes 0+3+8 | row 0 | nulls 2, 1 to 1
         chunk 3 | nulls 2, 1 to 1 | ascending | [1, 1, 1]",
    );
    // 100 bytes of values take 12; a row of 40 stands alone.
    let rows = list_entries([2, 3, 40, 10, 2, 1].map(|count| vec![Some(7i64.to_le_bytes()); count]));
    let file = FileOptions { page_bytes: 100, ..v2(100) };
    below(
        "rows are not torn",
        list(PhysicalType::Int64, LogicalType::None),
        BARE,
        file,
        &rows,
        "v2 Plain 5 nulls 0 rows 2 bytes 2+3+40 | row 0 | nulls 0, 7 to 7
         v2 Plain 40 nulls 0 rows 1 bytes 6+2+320 | row 2 | nulls 0, 7 to 7
         v2 Plain 12 nulls 0 rows 2 bytes 3+5+96 | row 3 | nulls 0, 7 to 7
         v2 Plain 1 nulls 0 rows 1 bytes 2+3+8 | row 5 | nulls 0, 7 to 7
         chunk 58 | nulls 0, 7 to 7 | ascending | [6, 52][0, 0, 58]",
    );
    let nothing = [row(&[(0, 0, None)]), row(&[(0, 1, None)]), row(&[(0, 2, None), (1, 2, None)])];
    let rows = [nothing.to_vec(), vec![row(&[(0, 3, Some(9))])], nothing.to_vec()].concat();
    below(
        "pages without a value",
        leaf(),
        BARE,
        v1(3),
        &rows,
        "v1 Plain 4 bytes 2+3+0 | row 0 | nulls 4, all null
         v1 Plain 3 bytes 2+3+8 | row 3 | nulls 2, 9 to 9
         v1 Plain 2 bytes 2+3+0 | row 6 | nulls 2, all null
         chunk 9 | nulls 8, 9 to 9 | ascending | [7, 2][2, 2, 4, 1]",
    );
}

#[test]
fn pages_of_nulls() {
    let page = |value: Option<i64>| [value; 3];
    let pages = |values: &[Option<i64>]| nullable(BARE, values.iter().flat_map(|&value| page(value)));
    flat(
        "in front and between",
        pages(&[None, Some(1), None, Some(4)]),
        v1(3),
        "v1 Plain 3 bytes 0+2+0 | row 0 | nulls 3, all null
         v1 Plain 3 bytes 0+2+24 | row 3 | nulls 0, 1 to 1
         v1 Plain 3 bytes 0+2+0 | row 6 | nulls 3, all null
         v1 Plain 3 bytes 0+2+24 | row 9 | nulls 0, 4 to 4
         chunk 12 | nulls 6, 1 to 4 | ascending",
    );
    flat(
        "at both ends, falling",
        pages(&[None, Some(9), Some(-9), None]),
        v1(3),
        "v1 Plain 3 bytes 0+2+0 | row 0 | nulls 3, all null
         v1 Plain 3 bytes 0+2+24 | row 3 | nulls 0, 9 to 9
         v1 Plain 3 bytes 0+2+24 | row 6 | nulls 0, -9 to -9
         v1 Plain 3 bytes 0+2+0 | row 9 | nulls 3, all null
         chunk 12 | nulls 6, -9 to 9 | descending",
    );
    flat(
        "nothing else",
        pages(&[None, None]),
        v2(3),
        "v2 Plain 3 nulls 3 rows 3 bytes 0+2+0 | row 0 | nulls 3, all null
         v2 Plain 3 nulls 3 rows 3 bytes 0+2+0 | row 3 | nulls 3, all null
         chunk 6 | nulls 6 | ascending",
    );
    let flags = [None, None, Some([1u8]), None].into_iter();
    flat(
        "booleans between",
        Column::nullable(PhysicalType::Boolean, BARE, flags),
        v1(2),
        "v1 Plain 2 bytes 0+2+0 | row 0 | nulls 2, all null
         v1 Plain 2 bytes 0+2+1 | row 2 | nulls 1, true to true
         chunk 4 | nulls 3, true to true | ascending",
    );
    let zeros = [None, None, Some(0.0f64), None].map(|value| value.map(f64::to_le_bytes));
    flat(
        "zeros",
        Column::nullable(PhysicalType::Double, with(ByteStreamSplit), zeros),
        v2(2),
        "v2 ByteStreamSplit 2 nulls 2 rows 2 bytes 0+2+0 | row 0 | nulls 2, all null
         v2 ByteStreamSplit 2 nulls 1 rows 2 bytes 0+2+8 | row 2 | nulls 1, -0.0 to 0.0
         chunk 4 | nulls 3, -0.0 to 0.0, nan 0 | ascending",
    );
}

#[test]
fn levels_of_statistics() {
    let at = |statistics: StatisticsLevel| ColumnOptions { statistics, ..BARE };
    let some = || (0..6).map(|row| (row % 2 > 0).then_some(row));
    flat(
        "none",
        nullable(at(StatisticsLevel::None), some()),
        v1(3),
        "v1 Plain 3 bytes 0+2+8 | row 0 | no index
         v1 Plain 3 bytes 0+2+16 | row 3 | no index
         chunk 6 | no statistics",
    );
    flat(
        "none in version 2",
        nullable(at(StatisticsLevel::None), some()),
        v2(3),
        "v2 Plain 3 nulls 2 rows 3 bytes 0+2+8 | row 0 | no index
         v2 Plain 3 nulls 1 rows 3 bytes 0+2+16 | row 3 | no index
         chunk 6 | no statistics",
    );
    flat(
        "of the chunk",
        nullable(at(StatisticsLevel::Chunk), some()),
        v1(3),
        "v1 Plain 3 bytes 0+2+8 | row 0 | no index
         v1 Plain 3 bytes 0+2+16 | row 3 | no index
         chunk 6 | nulls 3, 1 to 5",
    );
    flat(
        "of pages",
        nullable(at(StatisticsLevel::Page), some()),
        v1(3),
        "v1 Plain 3 bytes 0+2+8 | row 0 | nulls 2, 1 to 1
         v1 Plain 3 bytes 0+2+16 | row 3 | nulls 1, 3 to 5
         chunk 6 | nulls 3, 1 to 5 | ascending",
    );
    flat(
        "text of the chunk",
        texts(at(StatisticsLevel::Chunk), ["b", "a"].map(str::to_string)),
        v1(3),
        "v1 Plain 2 bytes 0+0+10 | row 0 | no index
         chunk 2 | nulls 0, \"a\" to \"b\"",
    );
    flat(
        "beside a NaN",
        doubles(BARE, [1.0, 2.0, f64::NAN]),
        v1(2),
        "v1 Plain 2 bytes 0+0+16 | row 0 | no index
         v1 Plain 1 bytes 0+0+8 | row 2 | no index
         chunk 3 | nulls 0, nan 1",
    );
    flat(
        "zeros with their signs",
        doubles(BARE, [0.0, -0.0, 3.0]),
        v1(2),
        "v1 Plain 2 bytes 0+0+16 | row 0 | nulls 0, -0.0 to 0.0
         v1 Plain 1 bytes 0+0+8 | row 2 | nulls 0, 3.0 to 3.0
         chunk 3 | nulls 0, -0.0 to 3.0, nan 0 | ascending",
    );
    let cut = |bytes: usize, options: FileOptions| FileOptions { statistics_truncate_bytes: bytes, ..options };
    flat(
        "bounds that are cut",
        texts(BARE, ["abcdé".into(), "xyz".into()]),
        cut(5, v1(1)),
        "v1 Plain 1 bytes 0+0+10 | row 0 | nulls 0, \"abcd\" to \"abce\"
         v1 Plain 1 bytes 0+0+7 | row 1 | nulls 0, \"xyz\" to \"xyz\"
         chunk 2 | nulls 0, \"abcd\"~ to \"xyz\" | ascending | 9 bytes",
    );
    let binary = |values: Vec<Vec<u8>>| Column::required(PhysicalType::ByteArray, BARE, values);
    flat(
        "a maximum that cannot be raised",
        binary(vec![vec![255; 4], vec![255; 2]]),
        cut(3, v1(1)),
        "v1 Plain 1 bytes 0+0+8 | row 0 | no index
         v1 Plain 1 bytes 0+0+6 | row 1 | no index
         chunk 2 | nulls 0, ffff | 6 bytes",
    );
    flat(
        "a maximum that is raised",
        binary(vec![vec![1, 255, 255, 9], vec![0, 1]]),
        cut(3, v1(1)),
        "v1 Plain 1 bytes 0+0+8 | row 0 | nulls 0, 01ffff to \"\\u{2}\"
         v1 Plain 1 bytes 0+0+6 | row 1 | nulls 0, \"\\0\\u{1}\" to \"\\0\\u{1}\"
         chunk 2 | nulls 0, \"\\0\\u{1}\" to \"\\u{2}\"~ | descending | 6 bytes",
    );
    let mut int96 = Column::required(PhysicalType::Int96, BARE, [[1u8; 12], [2; 12]]);
    flat(
        "no order",
        int96.clone(),
        v1(1),
        "v1 Plain 1 bytes 0+0+12 | row 0 | no index
         v1 Plain 1 bytes 0+0+12 | row 1 | no index
         chunk 2 | nulls 0",
    );
    int96.element.physical = Some(PhysicalType::FixedLenByteArray);
    int96.element.type_length = 12;
    flat(
        "bytes of twelve",
        int96.clone(),
        v1(1),
        "v1 Plain 1 bytes 0+0+12 | row 0 | nulls 0, 010101010101010101010101 to 010101010101010101010101
         v1 Plain 1 bytes 0+0+12 | row 1 | nulls 0, 020202020202020202020202 to 020202020202020202020202
         chunk 2 | nulls 0, 010101010101010101010101 to 020202020202020202020202 | ascending",
    );
    int96.element.logical = LogicalType::Interval;
    flat(
        "an interval",
        int96,
        v1(1),
        "v1 Plain 1 bytes 0+0+12 | row 0 | no index
         v1 Plain 1 bytes 0+0+12 | row 1 | no index
         chunk 2 | nulls 0",
    );
}
