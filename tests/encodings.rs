//! Random columns of every physical type through the whole writer and back, with every codec, page size and
//! dictionary setting.

mod common;

use common::column::{BARE, Column, round_trip};
use common::testing::{Random, rounds};
use parquill::{Codec, ColumnOptions, Encoding, FileOptions, LogicalType, PhysicalType, StatisticsLevel};

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

fn options(random: &mut Random) -> ColumnOptions {
    ColumnOptions {
        codec: match random.below(4) {
            0 => Codec::None,
            1 => Codec::Snappy,
            _ => Codec::Zstd { level: random.below(15) as i8 - 5 },
        },
        encoding: pick(random, &[None, None, Some(Encoding::Plain), Some(Encoding::RleDictionary)]),
        dictionary: !random.once_in(4),
        statistics: pick(random, &[StatisticsLevel::None, StatisticsLevel::Chunk, StatisticsLevel::Page]),
        bloom: None,
    }
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
            bytes(count)
        }
        _ => bytes(width),
    }
}

fn column(random: &mut Random, index: usize, rows: usize) -> Column {
    let physical = pick(random, &TYPES);
    let mut options = options(random);
    if physical == PhysicalType::Boolean && options.encoding == Some(Encoding::RleDictionary) {
        options.encoding = None;
    }
    let width = match physical {
        PhysicalType::Int32 | PhysicalType::Float => 4,
        PhysicalType::Int64 | PhysicalType::Double => 8,
        PhysicalType::Int96 => 12,
        _ => pick(random, &[1, 2, 3, 16, 40]),
    };
    let distinct = pick(random, &[1, 2, 20, 300, 1 << 30]);
    let nulls = pick(random, &[0, 0, 1, 5, 10]);
    let rows = (0..rows).map(|row| {
        // Stretches of nulls, and nulls here and there.
        let null = nulls == 10 || (nulls > 0 && (row / 64 % 10 < nulls || random.once_in(8)));
        (!null).then(|| value(random, physical, width, distinct))
    });
    let rows: Vec<_> = rows.collect();
    let mut column = Column::nullable(physical, BARE, rows).named(&format!("{index}"));
    if nulls == 0 {
        column.element.repetition = parquill::Repetition::Required;
    }
    if physical == PhysicalType::FixedLenByteArray {
        column.element.type_length = width;
    }
    column.options = options;
    column
}

#[test]
fn random_tables_come_back() {
    rounds(60, |random| {
        let rows = 1 + random.below(3000);
        let columns: Vec<Column> = (0..1 + random.below(6)).map(|index| column(random, index, rows)).collect();
        let options = FileOptions {
            page_bytes: pick(random, &[1, 100, 4096, 1 << 20]),
            page_rows: pick(random, &[1, 7, 64, 1000, 20_000]),
            dictionary_bytes: pick(random, &[1, 200, 1 << 20]),
            statistics_truncate_bytes: pick(random, &[1, 5, 64]),
            page_checksum: random.once_in(2),
            ..FileOptions::default()
        };
        let group_rows = pick(random, &[rows, rows.div_ceil(2), rows.div_ceil(5)]);
        round_trip(&columns, options, group_rows);
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
