//! Random tables: every type, encoding, codec, page version and filter, values in stretches of nulls.

use super::column::{BARE, Column};
use super::testing::Random;
use parquill::{
    BloomOptions, Codec, ColumnOptions, Encoding, FileOptions, LogicalType, PageVersion, PhysicalType, Repetition,
    StatisticsLevel,
};

/// All physical types.
pub const TYPES: [PhysicalType; 8] = [
    PhysicalType::Boolean,
    PhysicalType::Int32,
    PhysicalType::Int64,
    PhysicalType::Int96,
    PhysicalType::Float,
    PhysicalType::Double,
    PhysicalType::ByteArray,
    PhysicalType::FixedLenByteArray,
];

pub fn pick<T: Clone>(random: &mut Random, choices: &[T]) -> T {
    choices[random.below(choices.len())].clone()
}

/// Whether a leaf may have a Bloom filter.
fn takes_bloom(physical: PhysicalType, logical: LogicalType) -> bool {
    physical != PhysicalType::Boolean && !matches!(logical, LogicalType::Float16 | LogicalType::Decimal { .. })
}

/// Options that fit the type.
pub fn options(random: &mut Random, physical: PhysicalType, logical: LogicalType) -> ColumnOptions {
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
        bloom: (takes_bloom(physical, logical) && random.once_in(3)).then_some(bloom),
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

/// A column with `rows` rows, with options of all kinds.
pub fn column(random: &mut Random, physical: PhysicalType, rows: usize) -> Column {
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
            LogicalType::String => {
                value.map(|bytes| bytes.into_iter().map(char::from).collect::<String>().into_bytes())
            }
            _ => value,
        }
    });
    let rows: Vec<_> = rows.collect();
    let mut column = Column::nullable(physical, BARE, rows);
    if nulls == 0 {
        column.element.repetition = Repetition::Required;
    }
    if physical == PhysicalType::FixedLenByteArray {
        column.element.type_length = width;
    }
    column.element.logical = logical;
    column.options = options(random, physical, logical);
    column
}

/// Options of a file, with small pages and dictionaries among them.
pub fn file_options(random: &mut Random) -> FileOptions {
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

/// Columns of a table, and the rows of a row group.
pub fn table(random: &mut Random) -> (Vec<Column>, usize) {
    let rows = 1 + random.below(3000);
    let columns = (0..1 + random.below(6)).map(|index| {
        let physical = pick(random, &TYPES);
        column(random, physical, rows).named(&format!("{index}"))
    });
    let columns = columns.collect();
    (columns, pick(random, &[rows, rows.div_ceil(2), rows.div_ceil(5)]))
}
