//! What the footer says of types, bounds and the file itself.

mod common;

use common::column::{BARE, Column, round_trip, writer};
use common::file::{Chunk, File};
use common::thrift::{Struct, Value};
use parquill::{ColumnOptions, Element, FileOptions, LogicalType, MemorySink, PhysicalType, StatisticsLevel, TimeUnit};

fn element_of(element: Element) -> Struct {
    let column = Column { element, options: BARE, rows: Vec::new() };
    let mut writer = writer(&[column], FileOptions::default(), MemorySink::default()).unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    file.footer.structures(2)[1].clone()
}

/// The logical type of a column: id of the union's field and what is inside.
fn logical(element: &Struct) -> Option<(i64, Struct)> {
    element.has(10).then(|| {
        let union = element.structure(10);
        assert_eq!(union.0.len(), 1, "a union has one field");
        let (id, value) = union.0.iter().next().unwrap();
        let Value::Struct(inside) = value else { panic!("{value:?}") };
        (*id, inside.clone())
    })
}

#[test]
fn types_are_said_in_the_old_and_the_new_way() {
    use LogicalType as L;
    use PhysicalType as P;
    let integer = |bit_width, signed| L::Integer { bit_width, signed };
    let none: &[(i64, Value)] = &[];
    let unit = |id: i64| Value::Struct(Struct([(id, Value::Struct(Struct::default()))].into()));
    let time = |utc, id| [(1, Value::Bool(utc)), (2, unit(id))];
    let width = |bits: i64, signed| [(1, Value::Int(bits)), (2, Value::Bool(signed))];
    let decimal = [(1, Value::Int(2)), (2, Value::Int(9))];
    let (ms, us, ns) = (TimeUnit::Millis, TimeUnit::Micros, TimeUnit::Nanos);
    type Row<'a> = (P, usize, L, Option<i64>, Option<(i64, &'a [(i64, Value)])>);
    let expected: [Row<'_>; 26] = [
        (P::Int64, 0, L::None, None, None),
        (P::ByteArray, 0, L::String, Some(0), Some((1, none))),
        (P::ByteArray, 0, L::Enum, Some(4), Some((4, none))),
        (P::ByteArray, 0, L::Json, Some(19), Some((12, none))),
        // DuckDB and hyparquet refuse the old name.
        (P::ByteArray, 0, L::Bson, None, Some((13, none))),
        (P::Int32, 0, L::Decimal { precision: 9, scale: 2 }, Some(5), Some((5, &decimal))),
        (P::FixedLenByteArray, 4, L::Decimal { precision: 9, scale: 2 }, Some(5), Some((5, &decimal))),
        (P::Int32, 0, L::Date, Some(6), Some((6, none))),
        (P::Int32, 0, L::Time { unit: ms, utc: false }, Some(7), Some((7, &time(false, 1)))),
        (P::Int64, 0, L::Time { unit: us, utc: true }, Some(8), Some((7, &time(true, 2)))),
        (P::Int64, 0, L::Time { unit: ns, utc: true }, None, Some((7, &time(true, 3)))),
        (P::Int64, 0, L::Timestamp { unit: ms, utc: true }, Some(9), Some((8, &time(true, 1)))),
        (P::Int64, 0, L::Timestamp { unit: us, utc: false }, Some(10), Some((8, &time(false, 2)))),
        (P::Int64, 0, L::Timestamp { unit: ns, utc: false }, None, Some((8, &time(false, 3)))),
        (P::Int32, 0, integer(8, false), Some(11), Some((10, &width(8, false)))),
        (P::Int32, 0, integer(16, false), Some(12), Some((10, &width(16, false)))),
        (P::Int32, 0, integer(32, false), Some(13), Some((10, &width(32, false)))),
        (P::Int64, 0, integer(64, false), Some(14), Some((10, &width(64, false)))),
        (P::Int32, 0, integer(8, true), Some(15), Some((10, &width(8, true)))),
        (P::Int32, 0, integer(16, true), Some(16), Some((10, &width(16, true)))),
        (P::Int32, 0, integer(32, true), Some(17), Some((10, &width(32, true)))),
        (P::Int64, 0, integer(64, true), Some(18), Some((10, &width(64, true)))),
        (P::FixedLenByteArray, 12, L::Interval, Some(21), None),
        (P::Int32, 0, L::Unknown, None, Some((11, none))),
        (P::FixedLenByteArray, 16, L::Uuid, None, Some((14, none))),
        (P::FixedLenByteArray, 2, L::Float16, None, Some((15, none))),
    ];
    for (physical, type_length, meaning, converted, union) in expected {
        let leaf = common::column::leaf("c", physical, parquill::Repetition::Optional, meaning);
        let found = element_of(Element { type_length, ..leaf });
        assert_eq!((found.int(1), found.int(3), found.text(4)), (physical as i64, 1, "c"), "{meaning:?}");
        assert_eq!(found.has(2).then(|| found.int(2)), (type_length > 0).then_some(type_length as i64), "{meaning:?}");
        assert_eq!(found.has(6).then(|| found.int(6)), converted, "{meaning:?}");
        let union = union.map(|(id, fields)| (id, Struct(fields.iter().cloned().collect())));
        assert_eq!(logical(&found), union, "{meaning:?}");
        let decimal = matches!(meaning, L::Decimal { .. }).then_some((2, 9));
        assert_eq!(found.has(7).then(|| (found.int(7), found.int(8))), decimal, "{meaning:?}");
        assert!(!found.has(9), "a field id nobody gave");
    }
}

#[test]
fn field_ids_are_kept() {
    for id in [0, 7, i32::MAX] {
        let leaf = common::column::leaf("c", PhysicalType::Int32, parquill::Repetition::Required, LogicalType::None);
        assert_eq!(element_of(Element { field_id: Some(id), ..leaf }).int(9), i64::from(id));
    }
}

#[test]
fn the_file_names_its_writer_and_keeps_metadata() {
    let column = Column::required(PhysicalType::Int32, BARE, [[0; 4]]);
    let file = round_trip(std::slice::from_ref(&column), FileOptions::default(), 1);
    let version = env!("CARGO_PKG_VERSION");
    assert!(file.footer.text(6).starts_with(&format!("parquill version {version} (build ")));
    assert!(file.footer.text(6).ends_with(')'));
    assert!(!file.footer.has(5));
    let options = FileOptions {
        created_by: "other version 1.2.3 (build abc)".into(),
        key_values: vec![("k".into(), "v".into()), ("empty".into(), String::new())],
        ..FileOptions::default()
    };
    let file = round_trip(&[column], options, 1);
    assert_eq!(file.footer.text(6), "other version 1.2.3 (build abc)");
    let pairs: Vec<(&str, &str)> = file.footer.structures(5).iter().map(|pair| (pair.text(1), pair.text(2))).collect();
    assert_eq!(pairs, [("k", "v"), ("empty", "")]);
    // Every leaf has the order of its type.
    assert_eq!(file.footer.structures(7).iter().map(|order| order.0.len()).collect::<Vec<_>>(), [1]);
    assert!(file.footer.structures(7)[0].has(1));
}

/// Bounds of a chunk with their flags, minimum first.
fn bounds(chunk: &Chunk) -> Option<[(Vec<u8>, bool); 2]> {
    let statistics = chunk.meta.structure(12);
    assert!(!statistics.has(1) && !statistics.has(2), "the old fields");
    statistics.has(5).then(|| {
        [(statistics.binary(6).to_vec(), statistics.bool(8)), (statistics.binary(5).to_vec(), statistics.bool(7))]
    })
}

fn small_pages() -> FileOptions {
    FileOptions { page_rows: 4, statistics_truncate_bytes: 4, ..FileOptions::default() }
}

#[test]
fn bounds_of_a_chunk_span_its_pages() {
    let values = [3, 5, 4, 4, -7, 0, 0, 0, 90, 1].map(i32::to_le_bytes);
    let file = round_trip(&[Column::required(PhysicalType::Int32, BARE, values)], small_pages(), 10);
    let chunk = &file.row_groups[0][0];
    let expected = [((-7i32).to_le_bytes().to_vec(), true), (90i32.to_le_bytes().to_vec(), true)];
    assert_eq!(bounds(chunk), Some(expected));
    let index = chunk.column_index.as_ref().unwrap();
    assert_eq!(index.binaries(2), [3i32, -7, 1].map(i32::to_le_bytes).iter().map(|b| &b[..]).collect::<Vec<_>>());
    assert_eq!(index.binaries(3), [5i32, 0, 90].map(i32::to_le_bytes).iter().map(|b| &b[..]).collect::<Vec<_>>());
    assert_eq!(index.int(4), 0);
}

#[test]
fn long_bounds_are_cut_and_say_so() {
    let check = |values: &[&str], min: (&str, bool), max: (&str, bool)| {
        let column =
            Column::required(PhysicalType::ByteArray, BARE, values.iter().map(|value| value.as_bytes())).text();
        let file = round_trip(&[column], small_pages(), values.len());
        let expected = [min, max].map(|(bound, exact)| (bound.as_bytes().to_vec(), exact));
        assert_eq!(bounds(&file.row_groups[0][0]), Some(expected), "{values:?}");
    };
    check(&["abcd", "b"], ("abcd", true), ("b", true));
    check(&["abcdef", "xyzzy"], ("abcd", false), ("xyz{", false));
    check(&["abcé", "b"], ("abc", false), ("b", true));
    check(&["", "zzz\u{7f}x"], ("", true), ("zz{", false));
    // The larger one is found although both begin alike.
    check(&["aaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaa"], ("aaaa", false), ("aaab", false));
}

#[test]
fn a_maximum_that_cannot_be_raised_is_left_out() {
    let column = |values: Vec<Vec<u8>>| Column::required(PhysicalType::ByteArray, BARE, values);
    let file = round_trip(&[column(vec![vec![0xff; 5], vec![1]])], small_pages(), 2);
    let chunk = &file.row_groups[0][0];
    let statistics = chunk.meta.structure(12);
    assert_eq!(statistics.0.keys().copied().collect::<Vec<_>>(), [3, 6, 8]);
    assert_eq!((statistics.int(3), statistics.binary(6), statistics.bool(8)), (0, &[1][..], true));
    assert!(chunk.column_index.is_none());
    // In one row group is in all of them: readers take what the others say for the whole file.
    let file = round_trip(&[column(vec![vec![7], vec![0xff; 5], vec![8, 8, 8, 8, 8]])], small_pages(), 1);
    let fields = |group: &Vec<Chunk>| group[0].meta.structure(12).0.keys().copied().collect::<Vec<_>>();
    assert_eq!(file.row_groups.iter().map(fields).collect::<Vec<_>>(), vec![vec![3, 6, 8]; 3]);
}

#[test]
fn a_nan_in_any_row_group_leaves_the_column_without_bounds() {
    let column = |nan: usize| {
        let values = (0..12usize).map(move |row| if row == nan { f64::NAN } else { row as f64 }.to_le_bytes());
        Column::required(PhysicalType::Double, BARE, values)
    };
    let file = round_trip(&[column(usize::MAX)], small_pages(), 6);
    assert!(file.row_groups.iter().all(|group| bounds(&group[0]).is_some()));
    assert!(file.row_groups.iter().all(|group| group[0].meta.structure(12).int(9) == 0));
    let file = round_trip(&[column(7)], small_pages(), 6);
    let nans: Vec<i64> = file.row_groups.iter().map(|group| group[0].meta.structure(12).int(9)).collect();
    assert_eq!(nans, [0, 1]);
    assert!(file.row_groups.iter().all(|group| bounds(&group[0]).is_none()));
    assert_eq!(file.row_groups.iter().map(|group| group[0].column_index.is_some()).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_chunk_of_nulls_takes_no_bounds_from_the_others() {
    let values = (0..12).map(|row| (row >= 6).then_some([row as u8; 4]));
    let file = round_trip(&[Column::nullable(PhysicalType::Int32, BARE, values)], small_pages(), 6);
    let [nulls, values] = [0, 1].map(|group| &file.row_groups[group][0]);
    assert_eq!((bounds(nulls), nulls.meta.structure(12).int(3)), (None, 6));
    assert!(nulls.column_index.is_some());
    assert!(bounds(values).is_some());
}

#[test]
fn bytes_before_encoding_are_counted_with_repeats() {
    let options = ColumnOptions { dictionary: true, statistics: StatisticsLevel::Page, ..BARE };
    let values = (0..200).map(|row| (row % 2 > 0).then_some("three"));
    let file = round_trip(&[Column::nullable(PhysicalType::ByteArray, options, values)], FileOptions::default(), 200);
    let chunk = &file.row_groups[0][0];
    assert_eq!(chunk.meta.structure(16).int(1), 500);
    assert_eq!(chunk.offset_index.ints(2), [500]);
}

#[test]
fn row_groups_beyond_the_range_of_their_number_go_without() {
    let rows = (1 << 15) + 2;
    let options = ColumnOptions { statistics: StatisticsLevel::None, ..BARE };
    let column = Column::required(PhysicalType::Boolean, options, (0..rows).map(|row| [(row % 2) as u8]));
    let file = round_trip(&[column], FileOptions::default(), 1);
    let groups = file.footer.structures(4);
    assert_eq!(groups.len(), rows);
    let last = |group: &Struct| group.has(7).then(|| group.int(7));
    assert_eq!([32_766, 32_767, 32_768].map(|group| last(groups[group])), [Some(32_766), Some(32_767), None]);
}
