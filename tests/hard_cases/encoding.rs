//! Area "encoding".

use crate::common::column::{BARE, Column, DICTIONARY, write, writer};
use crate::common::file::File;
use crate::common::nested::{self, list, list_entries};
use crate::common::testing::{Run, runs};
use crate::{
    CODECS, VERSIONS, body, chunk_of, encoded, encodings, ints, nullable_ints, nullable_texts, only_chunk, page_rows,
    pages, texts, version,
};
use parquill::{
    Codec, ColumnOptions, ColumnView, Encoding, FileOptions, LogicalType, MemorySink, PageVersion, PhysicalType,
    Validity, Values,
};

#[test]
fn hc_49_index_width_at_powers_of_two() {
    let expected = [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (255, 8), (256, 8), (257, 9), (65_536, 16), (65_537, 17)];
    for page_version in VERSIONS {
        for (entries, width) in expected {
            let column = ints((0..entries * 2).map(|row| row % entries), encoded(Encoding::RleDictionary));
            let options = FileOptions { page_rows: 1 << 20, ..version(page_version) };
            let chunk = chunk_of(column, options);
            assert_eq!(chunk.pages[0].num_values(), entries as usize);
            assert_eq!(body(&chunk, 0)[0], width, "{entries} entries");
        }
    }
}

#[test]
fn hc_51_minus_zero_is_an_entry_of_its_own() {
    // Also 0x8000 beside 0 in half precision. Values are compared by their bytes.
    let alternating = |zero: &[u8], minus: &[u8]| -> Vec<Vec<u8>> {
        (0..200).map(|row| if row % 2 == 0 { zero } else { minus }.to_vec()).collect()
    };
    let mut half = Column::required(PhysicalType::FixedLenByteArray, DICTIONARY, alternating(&[0, 0], &[0, 0x80]));
    (half.element.type_length, half.element.logical) = (2, LogicalType::Float16);
    let columns = [
        Column::required(PhysicalType::Double, DICTIONARY, alternating(&0f64.to_le_bytes(), &(-0f64).to_le_bytes())),
        Column::required(PhysicalType::Float, DICTIONARY, alternating(&0f32.to_le_bytes(), &(-0f32).to_le_bytes())),
        half,
    ];
    for column in columns {
        let chunk = chunk_of(column, FileOptions::default());
        assert!(chunk.pages[0].is_dictionary());
        assert_eq!(chunk.pages[0].num_values(), 2);
    }
}

#[test]
fn hc_52_pages_are_what_their_headers_say_after_a_fallback() {
    for page_version in VERSIONS {
        for codec in CODECS {
            let options = ColumnOptions { codec, ..encoded(Encoding::RleDictionary) };
            let column = texts((0..20_000).map(|row| format!("value-{row}")), options);
            let file = FileOptions { dictionary_bytes: 4096, page_rows: 100, ..version(page_version) };
            // The checker decodes each page by its header and counts encodings again.
            let chunk = chunk_of(column, file);
            assert!(chunk.pages[0].is_dictionary());
            assert!(chunk.pages[0].plain.len() <= 4096);
            let mut found = encodings(&chunk);
            found.dedup();
            assert_eq!(found, [Encoding::RleDictionary, Encoding::Plain]);
            assert_eq!(chunk.meta.ints(2), [Encoding::Plain.id(), Encoding::RleDictionary.id()].map(i64::from));
        }
    }
}

#[test]
fn hc_54_rle_booleans_have_their_bytes_in_front() {
    for page_version in VERSIONS {
        let rows = (0..1000).map(|row| [u8::from(row % 3 == 0)]);
        let column = Column::required(PhysicalType::Boolean, encoded(Encoding::Rle), rows);
        let chunk = chunk_of(column, version(page_version));
        let (size, rest) = body(&chunk, 0).split_at(4);
        // 125 groups of eight, one bit each: header and bytes, not 1000.
        assert_eq!(u32::from_le_bytes(size.try_into().unwrap()), 127);
        assert!(matches!(runs(rest, 1).as_slice(), [Run::Packed { values }] if values.len() == 1000));
        // Levels have such a length in version 1 only, indices never.
        let rows = (0..1000).map(|row| (row % 7 > 0).then_some([u8::from(row % 3 == 0)]));
        let chunk =
            chunk_of(Column::nullable(PhysicalType::Boolean, encoded(Encoding::Rle), rows), version(page_version));
        let definition = chunk.pages[0].sections(&chunk).definition;
        let before = chunk.pages[0].plain.len() - definition.len() - body(&chunk, 0).len();
        assert_eq!(before, if page_version == PageVersion::V1 { 4 } else { 0 });
        let indices =
            chunk_of(ints((0..999).map(|row| row % 5), encoded(Encoding::RleDictionary)), version(page_version));
        assert_eq!(body(&indices, 0)[0], 3);
    }
}

/// The file of a boolean column whose rows come in `batches`.
fn booleans_in(batches: &[usize], column: &Column, options: FileOptions, first: usize) -> Vec<u8> {
    let mut writer = writer(std::slice::from_ref(column), options, MemorySink::default()).unwrap();
    writer.begin_row_group(column.rows.len() as u64).unwrap();
    writer.begin_chunk(0).unwrap();
    let (mut start, mut end) = (0, 0);
    for batch in batches {
        end += batch;
        let rows = column.laid_out(start..end);
        // The same bits, moved: bit `first` is the first.
        let shifted: Vec<u8> = (0..rows.bytes.len() * 8 + first)
            .collect::<Vec<_>>()
            .chunks(8)
            .map(|bits| {
                bits.iter().enumerate().fold(0, |byte, (to, &at)| {
                    let bit = at.checked_sub(first).map_or(1, |at| rows.bytes[at / 8] >> (at % 8) & 1);
                    byte | bit << to
                })
            })
            .collect();
        let view = rows.view(column.element.physical);
        let view = ColumnView { values: Values::Bits { bits: &shifted, first }, ..view };
        start += writer.write(view, end == column.rows.len()).unwrap();
    }
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    writer.into_sink().to_vec()
}

#[test]
fn hc_55_booleans_in_odd_batches_are_the_same_bytes() {
    let rows = |row: usize| Some([u8::from(row * row % 5 < 2)]);
    let full = || (0..3000).map(rows);
    let holes = || (0..3000).map(|row| rows(row).filter(|_| row % 7 != 3));
    for encoding in [Encoding::Plain, Encoding::Rle] {
        let columns = [
            Column::required(PhysicalType::Boolean, encoded(encoding), full().flatten()),
            Column::nullable(PhysicalType::Boolean, encoded(encoding), holes()),
        ];
        for (column, page_rows) in columns.iter().flat_map(|column| [(column, 3), (column, 20_000), (column, 1001)]) {
            for page_version in VERSIONS {
                let options = FileOptions { page_rows, ..version(page_version) };
                let whole = write(std::slice::from_ref(column), options.clone(), 3000);
                assert!(only_chunk(File::parse(&whole)).values() == column.rows);
                for first in [0, 1, 5] {
                    let batches = booleans_in(&[3, 6, 1, 990, 2000], column, options.clone(), first);
                    assert!(batches == whole, "{encoding:?}, pages of {page_rows} rows, from bit {first}");
                }
            }
        }
    }
}

#[test]
fn hc_56_byte_streams_span_the_page_and_skip_nulls() {
    let options = encoded(Encoding::ByteStreamSplit);
    let values = [Some(1.5f64), None, Some(-2.0), None, Some(3e300)];
    let column = Column::nullable(PhysicalType::Double, options, values.map(|value| value.map(f64::to_le_bytes)));
    for page_version in VERSIONS {
        let mut writer = writer(std::slice::from_ref(&column), version(page_version), MemorySink::default()).unwrap();
        writer.begin_open_row_group().unwrap();
        writer.begin_chunk(0).unwrap();
        // The first batch makes no page, so its rows come again with the second.
        let first = column.laid_out(0..3);
        assert_eq!(writer.write(first.view(column.element.physical), false), Ok(0));
        let both = column.laid_out(0..5);
        assert_eq!(writer.write(both.view(column.element.physical), true), Ok(5));
        writer.end_chunk().unwrap();
        writer.end_row_group().unwrap();
        writer.finish().unwrap();
        let chunk = only_chunk(File::parse(&writer.into_sink().to_vec()));
        assert!(chunk.values() == column.rows);
        let [a, b, c] = [1.5f64, -2.0, 3e300].map(f64::to_le_bytes);
        let expected: Vec<u8> = (0..8).flat_map(|byte| [a[byte], b[byte], c[byte]]).collect();
        assert_eq!(body(&chunk, 0), expected);
    }
    for (physical, width) in [
        (PhysicalType::Float, 4),
        (PhysicalType::Int32, 4),
        (PhysicalType::Int64, 8),
        (PhysicalType::FixedLenByteArray, 2),
    ] {
        let rows =
            (0..5u8).map(|row| (row % 2 == 0).then(|| (0..width).map(|byte| row * 16 + byte).collect::<Vec<u8>>()));
        let mut column = Column::nullable(physical, options, rows);
        column.element.type_length = if physical == PhysicalType::FixedLenByteArray { 2 } else { 0 };
        let chunk = chunk_of(column, FileOptions::default());
        let expected: Vec<u8> = (0..width).flat_map(|byte| [byte, 32 + byte, 64 + byte]).collect();
        assert_eq!(body(&chunk, 0), expected, "{physical:?}");
    }
}

#[test]
fn hc_58_the_last_delta_block_may_be_partly_filled() {
    for count in [1, 2, 31, 32, 33, 34, 65, 127, 128, 129, 130, 257] {
        for page_version in VERSIONS {
            let squares = (0..count).map(|row: i32| row * row);
            let chunk = chunk_of(ints(squares, encoded(Encoding::DeltaBinaryPacked)), version(page_version));
            // Header of 128 values in 4 miniblocks, then whole miniblocks only: of the differences, none is missing.
            assert!(body(&chunk, 0).starts_with(&[0x80, 0x01, 4]), "{count} values");
            let longs = (0..i64::from(count)).map(|row| (row * row - 40).to_le_bytes());
            chunk_of(
                Column::required(PhysicalType::Int64, encoded(Encoding::DeltaBinaryPacked), longs),
                version(page_version),
            );
        }
    }
}

#[test]
fn hc_59_delta_pages_without_values_have_their_headers() {
    const EMPTY: [u8; 5] = [0x80, 0x01, 4, 0, 0];
    for page_version in VERSIONS {
        let nulls =
            Column::nullable(PhysicalType::Int64, encoded(Encoding::DeltaBinaryPacked), vec![None::<[u8; 8]>; 50_000]);
        let chunk = chunk_of(nulls, FileOptions { page_rows: 1000, ..version(page_version) });
        assert_eq!(pages(&chunk), [1000; 50]);
        assert!((0..50).all(|page| body(&chunk, page) == EMPTY));

        for (encoding, streams) in [(Encoding::DeltaLengthByteArray, 1), (Encoding::DeltaByteArray, 2)] {
            let rows = std::iter::repeat_n(None, 1000).chain([Some("z")]);
            let column = nullable_texts(rows, encoded(encoding));
            let chunk = chunk_of(column, FileOptions { page_rows: 1000, ..version(page_version) });
            assert_eq!(encodings(&chunk), [encoding; 2]);
            assert_eq!(body(&chunk, 0), EMPTY.repeat(streams));
        }
    }
}

#[test]
fn hc_61_delta_strings_in_lists_over_many_pages() {
    let row = |row: usize| (0..50).map(|at| (!(row + at).is_multiple_of(7)).then(|| format!("s{at}"))).collect();
    let rows = list_entries((0..20_000).map(row));
    let elements = || list(PhysicalType::ByteArray, LogicalType::String);
    // Front-coded pages hold up to 4096 bytes of what is left, so more rows.
    for (encoding, least) in [(Encoding::DeltaLengthByteArray, 1000), (Encoding::DeltaByteArray, 500)] {
        let file = FileOptions { page_bytes: 4096, ..version(PageVersion::V2) };
        let chunk = only_chunk(nested::write(elements(), encoded(encoding), file, &rows, 20_000));
        // The checker counts nulls and rows of each page again; each begins with a row.
        assert!(chunk.entries() == rows.concat());
        assert!(pages(&chunk).len() > least);
        for page in chunk.data_pages() {
            let present = page.num_values() - page.inner().int(2) as usize;
            let lengths = page.sections(&chunk).values;
            // The first stream says how many values there are: 7 bits or 14.
            let count = usize::from(lengths[3] & 0x7f) + usize::from(lengths[4]) * 128 * usize::from(lengths[3] >> 7);
            assert_eq!(count, present);
        }
    }
}

#[test]
fn hc_62_packed_runs_are_padded_to_eight() {
    for count in [1, 7, 8, 9, 63, 64, 65, 503, 504, 505, 512] {
        let rows = |modulus: i32| (0..count).map(move |row| (row % 3 > 0).then_some(row % modulus));
        for page_version in VERSIONS {
            // Levels, and indices too: the reader of runs takes nothing but zeros behind the last value.
            let plain = chunk_of(nullable_ints(rows(i32::MAX), BARE), version(page_version));
            assert_eq!(plain.meta.int(5), i64::from(count));
            chunk_of(nullable_ints(rows(11), encoded(Encoding::RleDictionary)), version(page_version));
        }
    }
}

#[test]
fn hc_64_repeated_entries_of_a_dictionary_keep_their_rows() {
    let column = nullable_texts([Some("p"), Some("p"), Some("q"), Some("r"), None], DICTIONARY);
    let expected = [Some("p"), Some("q"), Some("p"), Some("r"), None];
    let mut writer = writer(std::slice::from_ref(&column), FileOptions::default(), MemorySink::default()).unwrap();
    writer.begin_row_group(5).unwrap();
    writer.begin_chunk(0).unwrap();
    writer.hand_over(&[0, 1, 2, 3, 4], b"pqpr").unwrap();
    let validity = Validity::Dense { bits: &[0b1111], first: 0 };
    writer.write(ColumnView { rows: 5, values: Values::Codes(&[2, 1, 0, 3]), validity }, true).unwrap();
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let chunk = only_chunk(File::parse(&writer.into_sink().to_vec()));
    assert_eq!(chunk.values(), expected.map(|value| value.map(|text| text.as_bytes().to_vec())));
    assert_eq!(chunk.pages[0].num_values(), 3, "equal entries are one");
}

#[test]
fn hc_65_nothing_new_unless_it_is_asked_for() {
    let columns = [
        ints(0..5000, ColumnOptions::default()),
        texts((0..5000).map(|row| format!("{}", row % 9)), ColumnOptions::default()),
        Column::required(PhysicalType::Boolean, ColumnOptions::default(), (0..5000).map(|row| [u8::from(row % 9 > 3)])),
        Column::required(
            PhysicalType::Double,
            ColumnOptions::default(),
            (0..5000).map(|row| f64::from(row).to_le_bytes()),
        ),
    ];
    for column in columns {
        let chunk = chunk_of(column, FileOptions::default());
        let old = [Encoding::Plain, Encoding::RleDictionary];
        assert!(encodings(&chunk).iter().all(|encoding| old.contains(encoding)));
        assert!(chunk.data_pages().all(|page| page.kind() == crate::common::page::Page::DATA));
        assert!(chunk.bloom.is_none());
    }
}

#[test]
fn hc_66_front_coding_with_values_larger_than_a_page() {
    let base = "x".repeat(40_000);
    let column = || texts((0..64).map(|row| format!("{base}{row}")), encoded(Encoding::DeltaByteArray));
    for page_version in VERSIONS {
        let chunk = chunk_of(column(), FileOptions { page_bytes: 16_384, ..version(page_version) });
        // What is common is written once a page, and a page has room for 64 times its bytes in PLAIN form.
        assert_eq!(pages(&chunk), [26, 26, 12]);
        assert!(chunk.meta.int(6) < 125_000, "{} bytes", chunk.meta.int(6));
        // With room for them all, once.
        let chunk = chunk_of(column(), FileOptions { page_bytes: 1 << 22, ..version(page_version) });
        assert_eq!(pages(&chunk), [64]);
        assert!(chunk.meta.int(6) < 41_000, "{} bytes", chunk.meta.int(6));
    }
    let halves = chunk_of(column(), FileOptions { page_bytes: 1 << 22, ..page_rows(32) });
    assert_eq!(pages(&halves), [32; 2]);
    assert!(matches!(halves.meta.int(6), 80_000..82_000) && halves.meta.int(4) == i64::from(Codec::None.id()));
}
