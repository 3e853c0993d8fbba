//! Sorting columns of every type: rows in their order are taken, the first that is not is named, and the footer says it.

mod common;

use common::column::{BARE, Column, leaf, round_trip, writer};
use common::nested::{list, schema};
use parquill::{
    ColumnOptions, ColumnView, Encoding, Error, FileOptions, FileWriter, LogicalType, MemorySink, PhysicalType, Schema,
    Setting, SortingColumn, TimeUnit, Validity, Values,
};

fn sorted_by(columns: &[usize], descending: bool, nulls_first: bool) -> FileOptions {
    let sorting = columns.iter().map(|&column| SortingColumn { column, descending, nulls_first }).collect();
    FileOptions { sorting, page_rows: 2, ..FileOptions::default() }
}

/// Type, width of fixed bytes, meaning, and values that ascend.
type Kind = (PhysicalType, usize, LogicalType, Vec<Vec<u8>>);

fn kinds() -> Vec<Kind> {
    use LogicalType as L;
    use PhysicalType as P;
    let ints = |values: &[i32]| values.iter().map(|value| value.to_le_bytes().to_vec()).collect::<Vec<_>>();
    let longs = |values: &[i64]| values.iter().map(|value| value.to_le_bytes().to_vec()).collect::<Vec<_>>();
    let halves = |values: &[u16]| values.iter().map(|value| value.to_le_bytes().to_vec()).collect::<Vec<_>>();
    let bytes = |values: &[&[u8]]| values.iter().map(|value| value.to_vec()).collect::<Vec<_>>();
    let unsigned = |bit_width| L::Integer { bit_width, signed: false };
    let floats = [f32::NEG_INFINITY, -1.5, -0.0, 0.0, 1e-30, 7.0].map(|value| value.to_le_bytes().to_vec());
    let doubles = [-1e300, -0.0, 0.0, 2.0, f64::INFINITY].map(|value| value.to_le_bytes().to_vec());
    vec![
        (P::Boolean, 0, L::None, vec![vec![0], vec![0], vec![1], vec![1]]),
        (P::Int32, 0, L::None, ints(&[i32::MIN, -1, 0, 1, i32::MAX])),
        (P::Int32, 0, unsigned(32), ints(&[0, 1, i32::MAX, i32::MIN, -1])),
        (P::Int32, 0, L::Date, ints(&[-10, 0, 20_000])),
        (P::Int32, 0, L::Decimal { precision: 9, scale: 2 }, ints(&[-5, 0, 5])),
        (P::Int64, 0, L::None, longs(&[i64::MIN, -1, 0, 1, i64::MAX])),
        (P::Int64, 0, unsigned(64), longs(&[0, 1, i64::MAX, i64::MIN, -1])),
        (P::Int64, 0, L::Timestamp { unit: TimeUnit::Micros, utc: true }, longs(&[-1, 0, 1])),
        (P::Float, 0, L::None, floats.to_vec()),
        (P::Double, 0, L::None, doubles.to_vec()),
        (P::FixedLenByteArray, 2, L::Float16, halves(&[0xfc00, 0xbc00, 0x8000, 0x0000, 0x3c00, 0x7c00])),
        (P::ByteArray, 0, L::String, bytes(&[b"", b"a", b"aa", b"b", "é".as_bytes()])),
        (P::ByteArray, 0, L::None, bytes(&[b"", &[0], &[0x7f], &[0x80], &[0xff]])),
        (P::FixedLenByteArray, 3, L::None, bytes(&[&[0, 0, 1], &[0, 1, 0], &[0x80, 0, 0], &[0xff, 0, 0]])),
        (
            P::FixedLenByteArray,
            2,
            L::Decimal { precision: 4, scale: 0 },
            bytes(&[&[0x80, 0], &[0xff, 0xff], &[0, 0], &[1, 0]]),
        ),
    ]
}

fn column((physical, width, logical, _): &Kind, rows: Vec<Option<Vec<u8>>>, encoding: Option<Encoding>) -> Column {
    let mut column = Column::nullable(*physical, ColumnOptions { encoding, ..BARE }, rows);
    (column.element.type_length, column.element.logical) = (*width, *logical);
    column
}

fn error_of(column: &Column, options: FileOptions) -> Option<Error> {
    common::column::write_to(std::slice::from_ref(column), options, usize::MAX, MemorySink::default()).err()
}

#[test]
fn rows_in_order_are_taken_and_declared() {
    for kind in kinds() {
        for encoding in Encoding::ALL.into_iter().filter(|encoding| encoding.fits(kind.0)) {
            for (descending, nulls_first) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut rows: Vec<Option<Vec<u8>>> =
                    kind.3.iter().flat_map(|value| [Some(value.clone()), Some(value.clone())]).collect();
                if descending {
                    rows.reverse();
                }
                let nulls = if nulls_first { 0..0 } else { rows.len()..rows.len() };
                rows.splice(nulls, [None, None]);
                let column = column(&kind, rows, Some(encoding));
                let file = round_trip(&[column], sorted_by(&[0], descending, nulls_first), usize::MAX);
                let sorting = file.footer.structures(4)[0].structures(4);
                assert_eq!((sorting.len(), sorting[0].int(1)), (1, 0));
                assert_eq!((sorting[0].bool(2), sorting[0].bool(3)), (descending, nulls_first));
            }
        }
    }
}

#[test]
fn the_first_row_out_of_order_is_named() {
    for kind in kinds() {
        for encoding in Encoding::ALL.into_iter().filter(|encoding| encoding.fits(kind.0)) {
            let last = kind.3.len() - 1;
            let mut rows: Vec<Option<Vec<u8>>> = kind.3.iter().cloned().map(Some).collect();
            rows.push(Some(kind.3[0].clone()));
            let row = last + 1;
            let found = error_of(&column(&kind, rows.clone(), Some(encoding)), sorted_by(&[0], false, false));
            assert_eq!(found, Some(Error::Unsorted { row }), "{:?} {:?} {encoding:?}", kind.0, kind.2);
            rows.insert(0, None);
            let found = error_of(&column(&kind, rows, Some(encoding)), sorted_by(&[0], false, false));
            assert_eq!(found, Some(Error::Unsorted { row: 1 }), "{:?} {:?} {encoding:?}", kind.0, kind.2);
        }
    }
}

#[test]
fn a_leaf_of_a_group_is_sorted_by_its_rows() {
    // { x: 1 }, { x: 2 }, { x: null }, null: nulls of either kind come last.
    let options = |nulls_first| sorted_by(&[0], false, nulls_first);
    let write = |options: FileOptions| {
        let schema = Schema::new(schema(0, PhysicalType::Int64)).unwrap();
        let mut writer = FileWriter::new(schema, vec![BARE], options, MemorySink::default())?;
        writer.begin_row_group(4)?;
        writer.begin_chunk(0)?;
        let values: Vec<u8> = [1i64, 2].iter().flat_map(|value| value.to_le_bytes()).collect();
        let validity = Validity::Levels { definition: &[2, 2, 1, 0], repetition: &[] };
        writer.write(ColumnView { rows: 4, values: Values::Fixed(&values), validity }, true)?;
        writer.end_chunk()?;
        writer.end_row_group()
    };
    assert_eq!(write(options(false)), Ok(()));
    assert_eq!(write(options(true)), Err(Error::Unsorted { row: 2 }));
}

#[test]
fn what_cannot_be_sorted_by() {
    let open = |elements, options| {
        let schema = Schema::new(elements).unwrap();
        let leaves = schema.leaves().len();
        FileWriter::new(schema, vec![BARE; leaves], options, MemorySink::default()).map(|_| ()).err()
    };
    let refused = Some(Error::Setting(Setting::Sorting));
    let repeated = || list(PhysicalType::Int64, LogicalType::None);
    assert_eq!(open(repeated(), sorted_by(&[0], false, false)), refused);
    let flat = |physical, logical, width| {
        let mut element = leaf("a", physical, parquill::Repetition::Required, logical);
        element.type_length = width;
        vec![element]
    };
    assert_eq!(open(flat(PhysicalType::Int96, LogicalType::None, 0), sorted_by(&[0], false, false)), refused);
    let interval = flat(PhysicalType::FixedLenByteArray, LogicalType::Interval, 12);
    assert_eq!(open(interval, sorted_by(&[0], false, false)), refused);
    let int = || flat(PhysicalType::Int32, LogicalType::None, 0);
    assert_eq!(open(int(), sorted_by(&[1], false, false)), refused);
    assert_eq!(open(int(), sorted_by(&[0, 0], false, false)), refused);
    assert_eq!(open(int(), sorted_by(&[0], false, false)), None);
}

#[test]
fn every_row_group_is_sorted_on_its_own() {
    let kind = &kinds()[1];
    let rows = [3, 4, 1, 2].map(|value: i32| Some(value.to_le_bytes().to_vec())).to_vec();
    let column = column(kind, rows, None);
    round_trip(std::slice::from_ref(&column), sorted_by(&[0], false, false), 2);
    assert_eq!(error_of(&column, sorted_by(&[0], false, false)), Some(Error::Unsorted { row: 2 }));
    let open = writer(std::slice::from_ref(&column), sorted_by(&[0], false, false), MemorySink::default());
    assert!(open.is_ok());
}
