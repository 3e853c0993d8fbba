//! Which encoding the writer chooses for which data, in both modes of `Compatibility`, and what its choice is worth.

mod common;

use common::column::{Column, round_trip, write, writer};
use common::file::File;
use common::testing::{Random, rounds};
use parquill::Encoding::{
    ByteStreamSplit, DeltaBinaryPacked, DeltaByteArray, DeltaLengthByteArray, Plain, Rle, RleDictionary,
};
use parquill::PhysicalType::{Boolean, ByteArray, Double, FixedLenByteArray, Float, Int32, Int64};
use parquill::{Codec, ColumnOptions, Compatibility, Encoding, FileOptions, MemorySink, PhysicalType};

const ROWS: usize = 12_000;
const CODECS: [Codec; 4] = [Codec::None, Codec::Snappy, Codec::Lz4, Codec::Zstd { level: 1 }];

fn mode(compatibility: Compatibility) -> FileOptions {
    FileOptions { compatibility, page_rows: 4000, ..FileOptions::default() }
}

fn column(physical: PhysicalType, codec: Codec, value: &mut dyn FnMut(usize) -> Vec<u8>) -> Column {
    let rows: Vec<_> = (0..ROWS).map(value).collect();
    let type_length = if physical == FixedLenByteArray { rows[0].len() } else { 0 };
    let mut column = Column::required(physical, ColumnOptions { codec, ..ColumnOptions::default() }, rows);
    column.element.type_length = type_length;
    column
}

/// The encodings of a chunk's data pages, each once.
fn encodings(file: &File) -> Vec<Encoding> {
    let mut found: Vec<_> = file.row_groups[0][0].data_pages().map(|page| page.encoding()).collect();
    found.dedup();
    found
}

fn chosen(column: &Column, compatibility: Compatibility) -> Vec<Encoding> {
    encodings(&round_trip(std::slice::from_ref(column), mode(compatibility), ROWS))
}

/// Data, and what `Broad` and `Modern` make of it.
type Rule = (&'static str, PhysicalType, [Encoding; 2], fn(usize, &mut Random) -> Vec<u8>);

fn check(codec: Codec, rules: &[Rule]) {
    for (name, physical, expected, value) in rules {
        let mut random = Random::new(3);
        let column = column(*physical, codec, &mut |row| value(row, &mut random));
        let found = [Compatibility::Broad, Compatibility::Modern].map(|mode| chosen(&column, mode));
        assert_eq!(found, expected.map(|encoding| vec![encoding]), "{name}, {codec:?}");
    }
}

#[test]
fn what_is_chosen_without_a_codec() {
    check(
        Codec::None,
        &[
            ("ascending", Int64, [Plain, DeltaBinaryPacked], |row, random| {
                (row as i64 * 40 + random.below(40) as i64).to_le_bytes().to_vec()
            }),
            ("a narrow range", Int32, [Plain, DeltaBinaryPacked], |_, random| {
                (1_000_000 + random.below(100_000) as i32).to_le_bytes().to_vec()
            }),
            ("all bits", Int64, [Plain, Plain], |_, random| random.bytes(8)),
            ("few integers", Int64, [RleDictionary, RleDictionary], |_, random| {
                (random.below(9) as i64 * 0x0123_4567_89ab).to_le_bytes().to_vec()
            }),
            ("one integer", Int32, [RleDictionary, RleDictionary], |_, _| 77i32.to_le_bytes().to_vec()),
            ("full precision", Double, [Plain, Plain], |_, random| (random.word() as f64 / 3.0).to_le_bytes().to_vec()),
            ("few floats", Float, [RleDictionary, RleDictionary], |_, random| {
                (random.below(50) as f32 / 8.0).to_le_bytes().to_vec()
            }),
            ("sorted texts", ByteArray, [Plain, DeltaByteArray], |row, _| format!("/items/{row:08}").into_bytes()),
            ("short texts", ByteArray, [Plain, DeltaLengthByteArray], |_, random| {
                let length = 3 + random.below(5);
                random.bytes(length)
            }),
            ("few texts", ByteArray, [RleDictionary, RleDictionary], |_, random| {
                format!("kind {}", random.below(20)).into_bytes()
            }),
            ("runs of booleans", Boolean, [Plain, Rle], |row, _| vec![u8::from(row / 500 % 2 > 0)]),
            ("booleans", Boolean, [Plain, Plain], |_, random| vec![u8::from(random.once_in(2))]),
            ("random fixed bytes", FixedLenByteArray, [Plain, Plain], |_, random| random.bytes(16)),
            ("few fixed bytes", FixedLenByteArray, [RleDictionary, RleDictionary], |_, random| {
                vec![random.below(5) as u8; 16]
            }),
        ],
    );
}

#[test]
fn what_is_chosen_under_a_codec() {
    for codec in &CODECS[1..] {
        check(
            *codec,
            &[
                ("a walk", Double, [Plain, ByteStreamSplit], |row, random| {
                    (1000.0 + row as f64 + random.word() as f64 / 1e19).to_le_bytes().to_vec()
                }),
                ("a walk", Float, [Plain, ByteStreamSplit], |row, random| {
                    (1000.0 + row as f32 / 7.0 + random.below(1000) as f32 / 1e3).to_le_bytes().to_vec()
                }),
                ("ascending", Int64, [Plain, DeltaBinaryPacked], |row, random| {
                    (row as i64 * 40 + random.below(40) as i64).to_le_bytes().to_vec()
                }),
                ("fixed bytes that share a start", FixedLenByteArray, [Plain, Plain], |row, random| {
                    [(row as u64).to_be_bytes(), random.word().to_le_bytes()].concat()
                }),
                // Without a codec the dictionary would be a third of PLAIN; here PLAIN is one match after the other.
                ("a pattern", Int64, [Plain, DeltaBinaryPacked], |row, _| (row as i64 % 1000).to_le_bytes().to_vec()),
            ],
        );
    }
}

#[test]
fn codes_take_whole_bytes_where_the_codec_makes_more_of_it() {
    let skewed = |codec| {
        let mut random = Random::new(4);
        column(Int32, codec, &mut |_| {
            let most = 1 << random.below(6);
            (random.below(most) as i32).wrapping_mul(0x0765_4321).to_le_bytes().to_vec()
        })
    };
    for (codec, width) in [(Codec::None, 5), (Codec::Zstd { level: 1 }, 8)] {
        let file = round_trip(&[skewed(codec)], mode(Compatibility::Broad), ROWS);
        let chunk = &file.row_groups[0][0];
        let page = chunk.data_pages().next().unwrap();
        assert_eq!(page.encoding(), RleDictionary);
        assert_eq!(page.sections(chunk).values[0], width, "{codec:?}");
    }
}

#[test]
fn what_the_caller_says_goes_before() {
    let texts = |options: ColumnOptions| {
        Column::required(ByteArray, options, (0..ROWS).map(|row| format!("kind {}", row * row % 7)))
    };
    for compatibility in [Compatibility::Broad, Compatibility::Modern] {
        for encoding in [Plain, DeltaLengthByteArray, DeltaByteArray, RleDictionary] {
            let column = texts(ColumnOptions { encoding: Some(encoding), ..ColumnOptions::default() });
            assert_eq!(chosen(&column, compatibility), [encoding]);
        }
        let column = texts(ColumnOptions { dictionary: false, ..ColumnOptions::default() });
        assert!(!chosen(&column, compatibility).contains(&RleDictionary));
    }
}

/// A column of any type, of values that are drawn, counted up, repeated or mixed of these, with or without nulls.
fn any_column(random: &mut Random) -> Column {
    let physical = [Boolean, Int32, Int64, Float, Double, ByteArray, FixedLenByteArray][random.below(7)];
    let pool: Vec<u64> = (0..1 + random.below(3000)).map(|_| random.word()).collect();
    let (shape, step, spread) = (random.below(5), random.word() >> (20 + random.below(43)), 1 + random.below(1 << 20));
    let nulls = if random.once_in(2) { usize::MAX } else { 1 + random.below(9) };
    let run = 1 + random.below(300);
    let start = random.word() >> random.below(64);
    let mut number = |row: usize| {
        let drawn = random.below(spread) as u64;
        let number = match shape {
            0 => drawn,
            1 => start.wrapping_add(row as u64 * step).wrapping_add(drawn % 16),
            2 => pool[drawn as usize % pool.len()],
            3 => pool[row / run % pool.len()],
            _ => [drawn, pool[drawn as usize % pool.len()]][usize::from(row > ROWS / 2)],
        };
        (!random.once_in(nulls)).then_some(number)
    };
    let value = |number: u64| match physical {
        Boolean => vec![(number % 2) as u8],
        Int32 => (number as u32).to_le_bytes().to_vec(),
        Float => (number as f32 / 64.0).to_le_bytes().to_vec(),
        Double => (number as f64 / 1024.0).to_le_bytes().to_vec(),
        ByteArray => format!("{number:x} and {}", number % 7).into_bytes(),
        FixedLenByteArray => u128::from(number).to_be_bytes().to_vec(),
        _ => number.to_le_bytes().to_vec(),
    };
    let rows: Vec<_> = (0..ROWS).map(|row| number(row).map(value)).collect();
    let mut column = match nulls {
        usize::MAX => Column::required(physical, ColumnOptions::default(), rows.into_iter().flatten()),
        _ => Column::nullable(physical, ColumnOptions::default(), rows),
    };
    column.options.codec = CODECS[random.below(CODECS.len())];
    column.element.type_length = if physical == FixedLenByteArray { 16 } else { 0 };
    column
}

#[test]
fn broad_takes_no_other_encoding_and_modern_is_never_much_larger() {
    let (mut broad, mut modern) = (0, 0);
    rounds(60, |random| {
        let column = any_column(random);
        let rows = column.rows.len();
        let [plain, free] = [Compatibility::Broad, Compatibility::Modern].map(|compatibility| {
            let file = round_trip(std::slice::from_ref(&column), mode(compatibility), rows);
            let found = encodings(&file);
            let allowed = |encoding: &Encoding| matches!(encoding, Plain | RleDictionary);
            assert!(compatibility == Compatibility::Modern || found.iter().all(allowed), "{found:?}");
            (write(std::slice::from_ref(&column), mode(compatibility), rows).len(), found)
        });
        let context = format!("{:?} {:?}: {plain:?} and {free:?}", column.element.physical, column.options.codec);
        assert!(free.0 as f64 <= plain.0 as f64 * 1.03 + 64.0, "{context}");
        broad += plain.0;
        modern += free.0;
    });
    println!("Modern / Broad: {:.3}", f64::from(modern as u32) / f64::from(broad as u32));
    assert!(modern < broad);
}

/// The choice against every encoding that it had to choose from.
#[test]
fn the_choice_is_near_the_best() {
    let fits: [(PhysicalType, &[Encoding]); 5] = [
        (Int32, &[Plain, RleDictionary, DeltaBinaryPacked, ByteStreamSplit]),
        (Int64, &[Plain, RleDictionary, DeltaBinaryPacked, ByteStreamSplit]),
        (Float, &[Plain, RleDictionary, ByteStreamSplit]),
        (Double, &[Plain, RleDictionary, ByteStreamSplit]),
        (ByteArray, &[Plain, RleDictionary, DeltaLengthByteArray, DeltaByteArray]),
    ];
    let (mut all, mut best) = (0, 0);
    rounds(60, |random| {
        let column = any_column(random);
        let rows = column.rows.len();
        let physical = column.element.physical.unwrap();
        let Some((_, encodings)) = fits.iter().find(|(fit, _)| *fit == physical) else { return };
        let size = |encoding| {
            let mut column = column.clone();
            column.options.encoding = encoding;
            write(&[column], mode(Compatibility::Modern), rows).len()
        };
        all += size(None);
        best += encodings.iter().map(|&encoding| size(Some(encoding))).min().unwrap();
    });
    println!("chosen / best: {:.4}", f64::from(all as u32) / f64::from(best as u32));
    assert!(all as f64 <= best as f64 * 1.03, "{all} bytes, {best} at best");
}

/// Numbers of a walk: each stretch has its own, and all of them come again.
#[test]
fn scattered_rows_know_how_large_the_dictionary_grows() {
    let rows = 200_000;
    let value = |row: usize| ((row / 40 + row % 7 * 5) % 3000) as i64 * 0x0123_4567;
    let options = ColumnOptions { codec: Codec::None, ..ColumnOptions::default() };
    let column = Column::required(Int64, options, (0..rows).map(|row| value(row).to_le_bytes()));
    let groups = (0..512).flat_map(|group| group * rows / 512..group * rows / 512 + 8);
    let slices = (0..8).flat_map(|slice| slice * rows / 8..slice * rows / 8 + 768);
    let picked: Vec<_> = groups.chain(slices).map(|row| column.rows[row].clone()).collect();
    let sample = Column { rows: picked, ..column.clone() };
    let small = FileOptions { dictionary_bytes: 40_000, ..FileOptions::default() };
    for scattered in [0, 4096] {
        let mut writer = writer(std::slice::from_ref(&column), small.clone(), MemorySink::default()).unwrap();
        writer.begin_row_group(rows as u64).unwrap();
        writer.begin_chunk(0).unwrap();
        let view = sample.laid_out(4096 - scattered..sample.rows.len());
        writer.sample(view.view(column.element.physical), scattered).unwrap();
        assert_eq!(writer.dictionary_open(), scattered > 0);
    }
}

/// Of 30,000 numbers the first page has 8,500: with it alone a dictionary would not pay.
#[test]
fn an_open_row_group_has_more_to_come() {
    let rows = 100_000;
    let mut random = Random::new(5);
    let options = ColumnOptions { codec: Codec::None, ..ColumnOptions::default() };
    let numbers = (0..rows).map(|_| (random.below(30_000) as i64 * 0x0012_3456_789a).to_le_bytes());
    let column = Column::required(Int64, options, numbers);
    let options = FileOptions { page_rows: 10_000, ..FileOptions::default() };
    let mut writer = writer(std::slice::from_ref(&column), options, MemorySink::default()).unwrap();
    writer.begin_open_row_group().unwrap();
    writer.begin_chunk(0).unwrap();
    for start in (0..rows).step_by(10_000) {
        let part = column.laid_out(start..start + 10_000);
        assert_eq!(writer.write(part.view(column.element.physical), start + 10_000 == rows), Ok(10_000));
    }
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    assert_eq!(encodings(&file), [RleDictionary]);
    assert!(file.row_groups[0][0].values() == column.rows);
}
