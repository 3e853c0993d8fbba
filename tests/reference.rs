//! The `parquet` crate reads what was written: levels, values, checksums, page indexes and Bloom filters.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::column::{Column, write};
use common::nested;
use common::tables::{TYPES, column, file_options, options, pick, table};
use common::testing::rounds;
use parquet::column::reader::{ColumnReader, get_typed_column_reader};
use parquet::data_type::{
    AsBytes, BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type, Int64Type,
    Int96Type,
};
use parquet::file::properties::ReaderProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::{ReadOptionsBuilder, SerializedFileReader};
use parquill::{
    Codec, ColumnOptions, Encoding, FileOptions, LogicalType, PageVersion, PhysicalType, Repetition, StatisticsLevel,
};

type Bytes = bytes::Bytes;

fn open(bytes: Vec<u8>) -> SerializedFileReader<Bytes> {
    let properties = ReaderProperties::builder().set_read_bloom_filter(true).build();
    let options = ReadOptionsBuilder::new().with_page_index().with_reader_properties(properties).build();
    SerializedFileReader::new_with_options(Bytes::from(bytes), options).unwrap()
}

/// Levels and values of a chunk: definition, repetition, values in PLAIN form.
type Read = (Vec<i16>, Vec<i16>, Vec<Vec<u8>>);

fn typed<T: DataType>(reader: ColumnReader, levels: [i16; 2]) -> Read {
    let mut reader = get_typed_column_reader::<T>(reader);
    let (mut definition, mut repetition, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let of = |most: i16| most > 0;
    reader
        .read_records(
            usize::MAX,
            of(levels[0]).then_some(&mut definition),
            of(levels[1]).then_some(&mut repetition),
            &mut values,
        )
        .unwrap();
    (definition, repetition, values.iter().map(|value| value.as_bytes().to_vec()).collect())
}

fn read(group: &dyn RowGroupReader, column: usize) -> Read {
    let descriptor = group.metadata().column(column).column_descr_ptr();
    let levels = [descriptor.max_def_level(), descriptor.max_rep_level()];
    let reader = group.get_column_reader(column).unwrap();
    match &reader {
        ColumnReader::BoolColumnReader(_) => typed::<BoolType>(reader, levels),
        ColumnReader::Int32ColumnReader(_) => typed::<Int32Type>(reader, levels),
        ColumnReader::Int64ColumnReader(_) => typed::<Int64Type>(reader, levels),
        ColumnReader::Int96ColumnReader(_) => typed::<Int96Type>(reader, levels),
        ColumnReader::FloatColumnReader(_) => typed::<FloatType>(reader, levels),
        ColumnReader::DoubleColumnReader(_) => typed::<DoubleType>(reader, levels),
        ColumnReader::ByteArrayColumnReader(_) => typed::<ByteArrayType>(reader, levels),
        ColumnReader::FixedLenByteArrayColumnReader(_) => typed::<FixedLenByteArrayType>(reader, levels),
    }
}

/// Rows of a flat column in one row group.
fn rows(group: &dyn RowGroupReader, column: usize) -> Vec<Option<Vec<u8>>> {
    let (definition, _, values) = read(group, column);
    if group.metadata().column(column).column_descr().max_def_level() == 0 {
        return values.into_iter().map(Some).collect();
    }
    let mut values = values.into_iter();
    definition.into_iter().map(|level| if level == 1 { values.next() } else { None }).collect()
}

/// Writes the columns, has them read, and compares everything.
fn check(columns: &[Column], options: FileOptions, group_rows: usize) {
    let file = open(write(columns, options, group_rows));
    let metadata = file.metadata();
    for (index, column) in columns.iter().enumerate() {
        let mut expected = column.rows.as_slice();
        for at in 0..file.num_row_groups() {
            let group = file.get_row_group(at).unwrap();
            let (part, rest) = expected.split_at(group.metadata().num_rows() as usize);
            expected = rest;
            assert!(rows(group.as_ref(), index) == part, "column {index}: {:?}", column.options);
            let chunk = group.metadata().column(index);
            let nulls = part.iter().filter(|row| row.is_none()).count() as u64;
            if column.options.statistics != StatisticsLevel::None {
                assert_eq!(chunk.statistics().unwrap().null_count_opt(), Some(nulls));
            }
            let pages = metadata.page_index_for_row_group(at).num_data_pages(index);
            assert!(pages.is_some_and(|pages| pages > 0));
            let filter = group.get_column_bloom_filter(index);
            assert_eq!(filter.is_some(), column.options.bloom.is_some());
            if let Some(filter) = filter {
                assert!(part.iter().flatten().all(|value| filter.check(value.as_slice())));
            }
        }
        assert!(expected.is_empty());
    }
}

#[test]
fn every_type_encoding_version_and_codec() {
    const ROWS: usize = 9000;
    for physical in TYPES {
        for encoding in Encoding::ALL.into_iter().filter(|encoding| encoding.fits(physical)).map(Some).chain([None]) {
            // Values that are read, of each type in each encoding.
            let mut values = 0;
            rounds(3, |random| {
                for page_version in [PageVersion::V1, PageVersion::V2] {
                    if values >= 100_000 && page_version == PageVersion::V1 {
                        return;
                    }
                    let codecs =
                        [Codec::None, Codec::Snappy, Codec::Lz4, Codec::Zstd { level: 1 }, Codec::Zstd { level: 9 }];
                    let columns = codecs.map(|codec| {
                        // The second and third columns are without nulls, whatever comes up.
                        let full = matches!(codec, Codec::Snappy | Codec::Lz4);
                        let mut columns = std::iter::repeat_with(|| column(random, physical, ROWS));
                        let fits = |column: &Column| !full || column.element.repetition == Repetition::Required;
                        let column = columns.find(fits).unwrap();
                        let options = ColumnOptions { codec, encoding, ..column.options };
                        Column { options, ..column }.named(&format!("{codec:?}"))
                    });
                    // Pages of nulls and a chunk of nulls beside one without any.
                    let mut nulls = columns[3].clone().named("nulls");
                    nulls.element.repetition = Repetition::Optional;
                    nulls.rows[..ROWS / 2 + 100].fill(None);
                    let columns = [columns.to_vec(), vec![nulls]].concat();
                    values += columns.iter().flat_map(|column| &column.rows).flatten().count();
                    let options = FileOptions { page_version, page_rows: 300, ..FileOptions::default() };
                    check(&columns, options, ROWS / 2);
                }
            });
            println!("{physical:?}, {encoding:?}: {values} values");
            assert!(values >= 100_000);
        }
    }
}

#[test]
fn random_tables_are_read() {
    rounds(100, |random| {
        let (columns, group_rows) = table(random);
        let options = file_options(random);
        check(&columns, options, group_rows);
    });
}

#[test]
fn nested_levels_are_read() {
    rounds(100, |random| {
        let depth = random.below(4);
        let text = random.once_in(2);
        let count = 1 + random.below(300);
        let entries = nested::rows(random, depth, count, text);
        let physical = if text { PhysicalType::ByteArray } else { PhysicalType::Int64 };
        let options = options(random, physical, LogicalType::None);
        let file = FileOptions { page_rows: pick(random, &[3, 20, 20_000]), ..file_options(random) };
        let bytes = nested::write_bytes(nested::schema(depth, physical), options, file, &entries, count);
        let file = open(bytes);
        let group = file.get_row_group(0).unwrap();
        let (definition, repetition, values) = read(group.as_ref(), 0);
        let entries = entries.concat();
        assert!(definition.iter().map(|level| *level as u32).eq(entries.iter().map(|entry| entry.definition)));
        let expected = entries.iter().filter(|_| depth > 0).map(|entry| entry.repetition);
        assert!(repetition.iter().map(|level| *level as u32).eq(expected));
        assert!(values.iter().eq(entries.iter().flat_map(|entry| &entry.value)));
    });
}
