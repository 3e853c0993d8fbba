//! Settings that cannot be, refused before the first byte.

mod common;

use common::column::{BARE, Column, writer};
use parquill::{
    BloomOptions, Codec, ColumnOptions, Encoding, Error, FileOptions, FileWriter, LogicalType, MemorySink,
    PhysicalType, Schema, Setting,
};

fn ints() -> Column {
    Column::required(PhysicalType::Int32, BARE, Vec::<[u8; 4]>::new())
}

/// The error of opening a writer.
fn opening(columns: &[Column], options: FileOptions) -> Option<Error> {
    writer(columns, options, MemorySink::default()).err()
}

#[test]
fn sizes_out_of_range_are_refused() {
    const MOST: usize = FileOptions::MAX_SIZE;
    for size in [0, MOST + 1, usize::MAX] {
        let wrong = [
            FileOptions { page_bytes: size, ..FileOptions::default() },
            FileOptions { page_rows: size, ..FileOptions::default() },
            FileOptions { dictionary_bytes: size, ..FileOptions::default() },
            FileOptions { statistics_truncate_bytes: size, ..FileOptions::default() },
        ];
        for options in wrong {
            assert_eq!(opening(&[ints()], options.clone()), Some(Error::Setting(Setting::Size)), "{options:?}");
        }
    }
    for size in [1, MOST] {
        let options = FileOptions {
            page_bytes: size,
            page_rows: size,
            dictionary_bytes: size,
            statistics_truncate_bytes: size,
            ..FileOptions::default()
        };
        assert_eq!(opening(&[ints()], options), None);
    }
}

#[test]
fn encodings_must_fit_their_column() {
    let with = |mut column: Column, encoding| {
        column.options.encoding = Some(encoding);
        opening(&[column], FileOptions::default())
    };
    let empty = |physical| {
        let mut column = Column::required(physical, BARE, Vec::<[u8; 1]>::new());
        column.element.type_length = if physical == PhysicalType::FixedLenByteArray { 3 } else { 0 };
        column
    };
    use Encoding as E;
    use PhysicalType as P;
    let fitting: [(P, &[E]); 8] = [
        (P::Boolean, &[E::Plain, E::Rle]),
        (P::Int32, &[E::Plain, E::DeltaBinaryPacked, E::RleDictionary, E::ByteStreamSplit]),
        (P::Int64, &[E::Plain, E::DeltaBinaryPacked, E::RleDictionary, E::ByteStreamSplit]),
        (P::Int96, &[E::Plain, E::RleDictionary]),
        (P::Float, &[E::Plain, E::RleDictionary, E::ByteStreamSplit]),
        (P::Double, &[E::Plain, E::RleDictionary, E::ByteStreamSplit]),
        (P::ByteArray, &[E::Plain, E::DeltaLengthByteArray, E::DeltaByteArray, E::RleDictionary]),
        (P::FixedLenByteArray, &[E::Plain, E::DeltaByteArray, E::RleDictionary, E::ByteStreamSplit]),
    ];
    for (physical, fitting) in fitting {
        for encoding in E::ALL {
            let expected = (!fitting.contains(&encoding)).then_some(Error::Setting(Setting::Encoding));
            assert_eq!(with(empty(physical), encoding), expected, "{physical:?} {encoding:?}");
        }
    }
}

#[test]
fn encodings_have_the_numbers_of_the_format() {
    let ids: Vec<i32> = Encoding::ALL.iter().map(|encoding| encoding.id()).collect();
    assert_eq!(ids, [0, 3, 5, 6, 7, 8, 9]);
    for id in -1..300 {
        assert_eq!(Encoding::from_id(id).map(Encoding::id), ids.contains(&id).then_some(id));
    }
}

#[test]
fn every_leaf_needs_its_options() {
    for count in [0, 2] {
        let schema = Schema::new(vec![ints().element]).unwrap();
        let result = FileWriter::new(schema, vec![BARE; count], FileOptions::default(), MemorySink::default());
        assert_eq!(result.err(), Some(Error::Setting(Setting::ColumnCount)));
    }
}

#[test]
fn codec_numbers_out_of_range_are_refused() {
    assert_eq!(Codec::from_id(0, 99), Ok(Codec::None));
    assert_eq!(Codec::from_id(1, -99), Ok(Codec::Snappy));
    assert_eq!(Codec::from_id(7, 99), Ok(Codec::Lz4));
    for level in [-5, 0, 9] {
        assert_eq!(Codec::from_id(6, i32::from(level)), Ok(Codec::Zstd { level }));
    }
    for level in [-6, 10, 128, i32::MIN, i32::MAX] {
        assert_eq!(Codec::from_id(6, level), Err(Error::Setting(Setting::Level)), "{level}");
    }
    // GZIP, LZO, BROTLI and the LZ4 of Hadoop among them.
    for id in [-1, 2, 3, 4, 5, 8, i32::MAX] {
        assert_eq!(Codec::from_id(id, 1), Err(Error::Setting(Setting::Code)), "{id}");
    }
    for level in [-6, 10, i8::MAX] {
        let options = ColumnOptions { codec: Codec::Zstd { level }, ..BARE };
        let column = Column { options, ..ints() };
        assert_eq!(opening(&[column], FileOptions::default()), Some(Error::Setting(Setting::Level)), "{level}");
    }
    assert_eq!(PhysicalType::from_id(8), None);
    assert_eq!(PhysicalType::from_id(-1), None);
    for id in 0..8 {
        assert_eq!(PhysicalType::from_id(id).map(|physical| physical as i32), Some(id));
    }
}

#[test]
fn bloom_filters_that_cannot_be() {
    let with = |physical, false_positives| {
        let bloom = Some(BloomOptions { false_positives, ..BloomOptions::default() });
        let mut column = Column::required(physical, ColumnOptions { bloom, ..BARE }, Vec::<[u8; 1]>::new());
        column.element.type_length = if physical == PhysicalType::FixedLenByteArray { 3 } else { 0 };
        opening(&[column], FileOptions::default())
    };
    let refused = Some(Error::Setting(Setting::Bloom));
    // Readers of today lose rows when they look these up.
    for logical in [LogicalType::Float16, LogicalType::Decimal { precision: 4, scale: 1 }] {
        let bloom = Some(BloomOptions::default());
        let options = ColumnOptions { bloom, ..BARE };
        let mut column = Column::required(PhysicalType::FixedLenByteArray, options, Vec::<[u8; 2]>::new());
        (column.element.type_length, column.element.logical) = (2, logical);
        assert_eq!(opening(&[column], FileOptions::default()), refused, "{logical:?}");
    }
    assert_eq!(with(PhysicalType::Boolean, 0.01), refused);
    for share in [0.0, -0.0, -0.5, 1.0, 1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(with(PhysicalType::Int32, share), refused, "{share}");
    }
    for share in [f64::MIN_POSITIVE, 0.01, 0.999_999] {
        for id in 1..8 {
            assert_eq!(with(PhysicalType::from_id(id).unwrap(), share), None, "{id} {share}");
        }
    }
}
