//! A table with something of everything, and the hashes of its files: the same bytes on every machine, native or
//! WebAssembly. A change of encoder or format changes them; that is meant to be seen.

use parquill::{
    Codec, ColumnOptions, ColumnView, Element, FileOptions, FileWriter, LogicalType, MemorySink, PhysicalType,
    Repetition, Schema, StatisticsLevel, TimeUnit,
};

use super::column::{Column, leaf};
use super::testing::Random;

/// Codec, bytes of the file and their hash.
pub const EXPECTED: [(Codec, usize, u64); 7] = [
    (Codec::None, 1_347_001, 0x0984_fbd7_69f6_8bac),
    (Codec::Snappy, 788_554, 0xca92_cd45_2e3f_2f0c),
    (Codec::Zstd { level: -5 }, 587_397, 0xf30d_d99e_b5a9_c35e),
    (Codec::Zstd { level: 1 }, 586_048, 0x1a25_de14_35a6_882f),
    (Codec::Zstd { level: 3 }, 595_220, 0x6cc6_4a5d_e18d_26c8),
    (Codec::Zstd { level: 5 }, 589_500, 0x410c_ff48_4fed_9544),
    (Codec::Zstd { level: 9 }, 586_673, 0x361f_d2b2_5189_6fd7),
];

/// FNV-1a.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

const ROWS: usize = 12_000;

/// Only whole numbers and divisions make the values: no two machines disagree on those.
pub fn table(codec: Codec) -> Vec<Column> {
    let mut random = Random::new(7);
    let mut column = |element: Element, value: &dyn Fn(usize, &mut Random) -> Option<Vec<u8>>| Column {
        element,
        options: ColumnOptions {
            codec,
            encoding: None,
            dictionary: true,
            statistics: StatisticsLevel::Page,
            bloom: None,
        },
        rows: (0..ROWS).map(|row| value(row, &mut random)).collect(),
    };
    let some = |bytes: &[u8]| Some(bytes.to_vec());
    let element = |name: &str, physical, logical| leaf(name, physical, Repetition::Required, logical);
    let nullable = |name: &str, physical, logical| leaf(name, physical, Repetition::Optional, logical);
    let fixed = |element: Element, type_length| Element { type_length, ..element };
    let timestamp = LogicalType::Timestamp { unit: TimeUnit::Micros, utc: true };
    let unsigned = LogicalType::Integer { bit_width: 32, signed: false };
    use PhysicalType as P;
    vec![
        column(element("id", P::Int64, LogicalType::None), &|row, _| some(&(row as i64).to_le_bytes())),
        column(element("at", P::Int64, timestamp), &|row, random| {
            some(&(1_700_000_000_000_000 + row as i64 * 60_000_000 + random.below(1000) as i64).to_le_bytes())
        }),
        column(nullable("kind", P::ByteArray, LogicalType::String), &|row, random| {
            (row % 11 > 0).then(|| ["red", "green", "blue", "grün", "赤"][random.below(5)].as_bytes().to_vec())
        }),
        column(element("text", P::ByteArray, LogicalType::String), &|row, random| {
            some(format!("row {row} of a table that has {} more words", random.word() >> 24).as_bytes())
        }),
        column(nullable("long", P::ByteArray, LogicalType::None), &|row, random| {
            (row % 500 == 3).then(|| random.bytes(row))
        }),
        column(element("price", P::Double, LogicalType::None), &|_, random| {
            some(&(random.below(100_000) as f64 / 100.0).to_le_bytes())
        }),
        column(nullable("zero", P::Double, LogicalType::None), &|row, _| {
            (row % 3 > 0).then(|| [0.0f64, -0.0][row % 2].to_le_bytes().to_vec())
        }),
        column(nullable("float", P::Float, LogicalType::None), &|row, random| {
            (row / 64 % 3 > 0)
                .then(|| if row == 9000 { f32::NAN } else { random.below(99) as f32 / 8.0 }.to_le_bytes().to_vec())
        }),
        column(fixed(element("half", P::FixedLenByteArray, LogicalType::Float16), 2), &|row, _| {
            some(&((row % 0x7c00) as u16).to_le_bytes())
        }),
        column(nullable("flag", P::Boolean, LogicalType::None), &|row, random| {
            (row % 7 > 0).then(|| vec![u8::from(random.once_in(3))])
        }),
        column(element("count", P::Int32, unsigned), &|_, random| some(&(random.word() as u32).to_le_bytes())),
        column(fixed(nullable("uuid", P::FixedLenByteArray, LogicalType::Uuid), 16), &|row, random| {
            (row % 4 > 0).then(|| random.bytes(16))
        }),
        column(nullable("nothing", P::Int32, LogicalType::None), &|_, _| None),
    ]
}

/// The file of `columns`: two row groups, rows in pieces, a sample before every chunk.
pub fn file(columns: &[Column]) -> Vec<u8> {
    let schema = Schema::new(columns.iter().map(|column| column.element.clone()).collect()).unwrap();
    let options = FileOptions {
        page_rows: 1500,
        page_bytes: 40_000,
        dictionary_bytes: 30_000,
        statistics_truncate_bytes: 16,
        created_by: "parquill version 0.0.0 (build golden)".into(),
        key_values: vec![("key".into(), "value".into())],
        ..FileOptions::default()
    };
    let columns_options = columns.iter().map(|column| column.options).collect();
    let mut writer = FileWriter::new(schema, columns_options, options, MemorySink::default()).unwrap();
    for group in [0..8000, 8000..ROWS] {
        writer.begin_row_group(group.len() as u64).unwrap();
        for (index, column) in columns.iter().enumerate() {
            let physical = column.element.physical;
            writer.begin_chunk(index).unwrap();
            writer.sample(column.laid_out(group.start..group.start + 700).view(physical), 0).unwrap();
            let mut start = group.start;
            while start < group.end {
                let end = group.end.min(start + 3333);
                let part = column.laid_out(start..end);
                let view: ColumnView<'_> = part.view(physical);
                start += writer.write_checked(view, end == group.end).unwrap();
            }
            writer.end_chunk().unwrap();
        }
        writer.end_row_group().unwrap();
    }
    writer.finish().unwrap();
    writer.into_sink().to_vec()
}

/// Writes the table with every codec and compares.
pub fn check() {
    let found = EXPECTED.map(|(codec, ..)| {
        let bytes = file(&table(codec));
        (codec, bytes.len(), hash(&bytes))
    });
    let listed = found.map(|(codec, size, hash)| format!("    (Codec::{codec:?}, {size}, {hash:#018x}),")).join("\n");
    assert!(found == EXPECTED, "other bytes than expected:\n{listed}");
}
