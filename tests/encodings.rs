//! Random columns of every physical type through the whole writer and back, with every encoding, codec, page version,
//! page size, dictionary setting and Bloom filter.

mod common;

use common::column::{BARE, Column, round_trip, writer};
use common::file::File;
use common::testing::{Random, rounds};
use parquill::{
    BloomOptions, Codec, ColumnOptions, Encoding, FileOptions, LogicalType, MemorySink, PageVersion, PhysicalType,
    StatisticsLevel,
};

const TYPES: [PhysicalType; 8] = [
    PhysicalType::Boolean,
    PhysicalType::Int32,
    PhysicalType::Int64,
    PhysicalType::Int96,
    PhysicalType::Float,
    PhysicalType::Double,
    PhysicalType::ByteArray,
    PhysicalType::FixedLenByteArray,
];

fn pick<T: Clone>(random: &mut Random, choices: &[T]) -> T {
    choices[random.below(choices.len())].clone()
}

fn options(random: &mut Random, physical: PhysicalType) -> ColumnOptions {
    let fitting: Vec<Encoding> = Encoding::ALL.into_iter().filter(|encoding| encoding.fits(physical)).collect();
    let bloom = BloomOptions {
        false_positives: pick(random, &[0.5, 0.01, 0.000_1]),
        most_bytes: pick(random, &[0, 100, 1 << 20]),
    };
    ColumnOptions {
        codec: match random.below(5) {
            0 => Codec::None,
            1 => Codec::Snappy,
            2 => Codec::Lz4,
            _ => Codec::Zstd { level: random.below(15) as i8 - 5 },
        },
        encoding: (!random.once_in(4)).then(|| pick(random, &fitting)),
        dictionary: !random.once_in(4),
        statistics: pick(random, &[StatisticsLevel::None, StatisticsLevel::Chunk, StatisticsLevel::Page]),
        bloom: (physical != PhysicalType::Boolean && random.once_in(3)).then_some(bloom),
    }
}

/// A meaning that the type can have, so that bounds are held against its order.
fn logical(random: &mut Random, physical: PhysicalType, width: usize) -> LogicalType {
    let other = match (physical, width) {
        (PhysicalType::Int32, _) => LogicalType::Integer { bit_width: 32, signed: false },
        (PhysicalType::Int64, _) => LogicalType::Integer { bit_width: 64, signed: false },
        (PhysicalType::FixedLenByteArray, 2) => LogicalType::Float16,
        (PhysicalType::FixedLenByteArray, 16 | 40) => LogicalType::Decimal { precision: 38, scale: 3 },
        (PhysicalType::ByteArray, _) => LogicalType::String,
        _ => LogicalType::None,
    };
    pick(random, &[LogicalType::None, other])
}

/// One value of the domain `0..distinct`, in PLAIN form without length prefix.
fn value(random: &mut Random, physical: PhysicalType, width: usize, distinct: usize) -> Vec<u8> {
    let number = random.below(distinct) as u64;
    let bytes = |count: usize| -> Vec<u8> {
        let mut twin = Random::new(number);
        (0..count).map(|_| twin.word() as u8).collect()
    };
    match physical {
        PhysicalType::Boolean => vec![(number & 1) as u8],
        // Small numbers, their negatives, and any bits at all (NaNs among them).
        PhysicalType::Int32 | PhysicalType::Float if number.is_multiple_of(2) => (number as u32).to_le_bytes().to_vec(),
        PhysicalType::Int64 | PhysicalType::Double if number.is_multiple_of(2) => {
            number.wrapping_neg().to_le_bytes().to_vec()
        }
        PhysicalType::ByteArray => {
            let count = if random.once_in(50) { 300 } else { number as usize % 20 };
            // A start that many have in common.
            [vec![b'p'; number as usize / 20 % 3 * 5], bytes(count)].concat()
        }
        _ => bytes(width),
    }
}

fn column(random: &mut Random, index: usize, rows: usize) -> Column {
    let physical = pick(random, &TYPES);
    let width = match physical {
        PhysicalType::Int32 | PhysicalType::Float => 4,
        PhysicalType::Int64 | PhysicalType::Double => 8,
        PhysicalType::Int96 => 12,
        _ => pick(random, &[1, 2, 3, 16, 40]),
    };
    let logical = logical(random, physical, width);
    let distinct = pick(random, &[1, 2, 20, 300, 1 << 30]);
    let nulls = pick(random, &[0, 0, 1, 5, 10]);
    let rows = (0..rows).map(|row| {
        // Stretches of nulls, and nulls here and there.
        let null = nulls == 10 || (nulls > 0 && (row / 64 % 10 < nulls || random.once_in(8)));
        let value = (!null).then(|| value(random, physical, width, distinct));
        match logical {
            LogicalType::String => value.map(|bytes| bytes.into_iter().map(char::from).collect::<String>().into_bytes()),
            _ => value,
        }
    });
    let rows: Vec<_> = rows.collect();
    let mut column = Column::nullable(physical, BARE, rows).named(&format!("{index}"));
    if nulls == 0 {
        column.element.repetition = parquill::Repetition::Required;
    }
    if physical == PhysicalType::FixedLenByteArray {
        column.element.type_length = width;
    }
    column.element.logical = logical;
    column.options = options(random, physical);
    column
}

fn file_options(random: &mut Random) -> FileOptions {
    FileOptions {
        page_version: pick(random, &[PageVersion::V1, PageVersion::V2]),
        page_bytes: pick(random, &[1, 100, 4096, 1 << 20]),
        page_rows: pick(random, &[1, 7, 64, 1000, 20_000]),
        dictionary_bytes: pick(random, &[1, 200, 1 << 20]),
        statistics_truncate_bytes: pick(random, &[1, 5, 64]),
        page_checksum: random.once_in(2),
        ..FileOptions::default()
    }
}

fn table(random: &mut Random) -> (Vec<Column>, usize) {
    let rows = 1 + random.below(3000);
    let columns = (0..1 + random.below(6)).map(|index| column(random, index, rows)).collect();
    (columns, pick(random, &[rows, rows.div_ceil(2), rows.div_ceil(5)]))
}

#[test]
fn random_tables_come_back() {
    rounds(120, |random| {
        let (columns, group_rows) = table(random);
        let options = file_options(random);
        round_trip(&columns, options, group_rows);
    });
}

/// All chunks of a row group open at once, rows in batches, and nobody says beforehand how many.
fn in_batches(random: &mut Random, columns: &[Column], options: FileOptions, group_rows: usize) -> File {
    let mut writer = writer(columns, options, MemorySink::default()).unwrap();
    let rows = columns[0].rows.len();
    for start in (0..rows).step_by(group_rows) {
        let last = rows.min(start + group_rows);
        writer.begin_open_row_group().unwrap();
        (0..columns.len()).rev().for_each(|column| writer.begin_chunk(column).unwrap());
        let mut taken = vec![start; columns.len()];
        let mut end = start;
        while end < last {
            end = last.min(end + 1 + random.below(group_rows));
            for (index, (column, taken)) in columns.iter().zip(&mut taken).enumerate() {
                writer.select(index).unwrap();
                let flush = end == last || random.once_in(5);
                let rows = column.laid_out(*taken..end);
                *taken += writer.write(rows.view(column.element.physical), flush).unwrap();
            }
        }
        for column in 0..columns.len() {
            writer.select(column).unwrap();
            writer.end_chunk().unwrap();
        }
        writer.end_row_group().unwrap();
    }
    writer.finish().unwrap();
    File::parse(&writer.into_sink().to_vec())
}

#[test]
fn chunks_side_by_side_come_back() {
    rounds(60, |random| {
        let (columns, group_rows) = table(random);
        let options = file_options(random);
        let file = in_batches(random, &columns, options, group_rows);
        for (index, column) in columns.iter().enumerate() {
            let found: Vec<_> = file.row_groups.iter().flat_map(|group| group[index].values()).collect();
            assert!(found == column.rows, "column {index}");
        }
    });
}

/// Whole numbers as text, decimals, dates: what they mean does not change how they lie.
#[test]
fn logical_types_do_not_change_the_bytes() {
    let values = || (0..100i32).map(|row| (row * 37 % 50).to_le_bytes());
    let plain = round_trip(&[Column::required(PhysicalType::Int32, BARE, values())], FileOptions::default(), 100);
    let logical = [
        LogicalType::Date,
        LogicalType::Integer { bit_width: 8, signed: true },
        LogicalType::Integer { bit_width: 32, signed: false },
        LogicalType::Decimal { precision: 9, scale: 2 },
    ];
    for logical in logical {
        let mut column = Column::required(PhysicalType::Int32, BARE, values());
        column.element.logical = logical;
        let file = round_trip(&[column], FileOptions::default(), 100);
        assert_eq!(file.row_groups[0][0].pages[0].body, plain.row_groups[0][0].pages[0].body, "{logical:?}");
    }
}
