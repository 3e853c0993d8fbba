//! Area "index".

use crate::common::bloom::xxh64;
use crate::common::column::{BARE, Column, DICTIONARY};
use crate::{
    CODECS, VERSIONS, chunk_of, compressed, doubles, encoded, encodings, ints, nullable_ints, nullable_texts,
    page_rows, pages, texts, version,
};
use parquill::{BloomOptions, ColumnOptions, Encoding, FileOptions, PhysicalType, StatisticsLevel};

fn order(column: Column) -> i64 {
    chunk_of(column, page_rows(1)).column_index.unwrap().int(4)
}

const ASCENDING: i64 = 1;
const DESCENDING: i64 = 2;
const UNORDERED: i64 = 0;

#[test]
fn hc_105_null_pages_in_front() {
    for page_version in VERSIONS {
        for encoding in [Encoding::Plain, Encoding::DeltaBinaryPacked, Encoding::RleDictionary] {
            let column = nullable_ints(std::iter::repeat_n(None, 60).chain([Some(5), Some(6)]), encoded(encoding));
            let chunk = chunk_of(column, FileOptions { page_rows: 10, ..version(page_version) });
            assert_eq!(pages(&chunk), [10, 10, 10, 10, 10, 10, 2]);
            let index = chunk.column_index.unwrap();
            assert_eq!(index.bools(1), [true, true, true, true, true, true, false]);
            assert_eq!(index.ints(5), [10, 10, 10, 10, 10, 10, 0]);
            let bounds = |id, value: i32| {
                let bytes = value.to_le_bytes();
                index
                    .binaries(id)
                    .iter()
                    .map(|bound| *bound == bytes)
                    .eq([false, false, false, false, false, false, true])
            };
            assert!(bounds(2, 5) && bounds(3, 6) && index.int(4) == ASCENDING);
        }
    }
    // A page with values and without bounds: the offset index alone.
    let chunk = chunk_of(doubles([1.0, f64::NAN], BARE), page_rows(1));
    assert!(chunk.column_index.is_none() && chunk.offset_index.structures(1).len() == 2);
}

#[test]
fn hc_107_null_pages_have_all_their_entries_null() {
    let column = nullable_texts([None, None, Some("a"), None], BARE);
    let index = chunk_of(column, page_rows(2)).column_index.unwrap();
    assert_eq!((index.bools(1), index.ints(5)), (vec![true, false], vec![2, 1]));
    let index = chunk_of(nullable_texts([Some(""), Some("")], BARE), page_rows(2)).column_index.unwrap();
    assert_eq!((index.bools(1), index.ints(5)), (vec![false], vec![0]));
}

#[test]
fn hc_108_pages_of_the_offset_index_tile_the_chunk() {
    for codec in CODECS {
        for page_version in VERSIONS {
            let column = doubles((0..5000).map(|row| f64::from(row % 97)), ColumnOptions { codec, ..DICTIONARY });
            let chunk = chunk_of(column, FileOptions { page_rows: 500, ..version(page_version) });
            let locations = chunk.offset_index.structures(1);
            assert_eq!(locations.len(), 10);
            // The dictionary page lies in front and is not listed.
            let dictionary = chunk.pages[0].header_bytes + chunk.pages[0].body.len();
            let mut next = chunk.meta.int(11) + dictionary as i64;
            for location in locations {
                assert_eq!(location.int(1), next);
                next += location.int(2);
            }
            assert_eq!(next, chunk.meta.int(11) + chunk.meta.int(7));
        }
    }
}

#[test]
fn hc_110_an_order_is_claimed_only_where_it_holds() {
    assert_eq!(order(ints([1, 2, 3, 4], BARE)), ASCENDING);
    assert_eq!(order(texts(["d", "c", "b", "a"], BARE)), DESCENDING);
    assert_eq!(order(ints([1, 3, 2, 4], BARE)), UNORDERED);
    // Bytes, not UTF-16: U+FF5E before U+1F600.
    assert_eq!(order(texts(["z", "\u{ff5e}", "😀", "😀"], BARE)), ASCENDING);
    assert_eq!(order(nullable_ints([None, Some(1), None, Some(2)], BARE)), ASCENDING);
    // In the order of the type: −1 before 1, and as bytes behind it.
    assert_eq!(order(ints([-1, 1], BARE)), ASCENDING);
    // Minima ascend, maxima do not.
    let column = ints([1, 9, 2, 8, 3, 7], BARE);
    assert_eq!(chunk_of(column, page_rows(2)).column_index.unwrap().int(4), UNORDERED);
}

fn filtered(bloom: BloomOptions, options: ColumnOptions) -> ColumnOptions {
    ColumnOptions { bloom: Some(bloom), ..options }
}

#[test]
fn hc_112_the_filter_knows_values_before_and_after_a_fallback() {
    let values = || std::iter::repeat_n("dup".to_string(), 2000).chain((0..30_000).map(|row| format!("u{row}")));
    for page_version in VERSIONS {
        let file = FileOptions { dictionary_bytes: 8192, page_rows: 1000, ..version(page_version) };
        let options = filtered(BloomOptions::default(), encoded(Encoding::RleDictionary));
        let chunk = chunk_of(texts(values(), options), file);
        let mut found = encodings(&chunk);
        found.dedup();
        assert_eq!(found, [Encoding::RleDictionary, Encoding::Plain]);
        let filter = chunk.bloom.unwrap();
        assert!(values().all(|value| filter.holds(value.as_bytes())));
        let absent = (0..20_000).filter(|row| filter.holds(format!("v{row}").as_bytes())).count();
        assert!(absent < 400, "{absent} of 20000 absent values pass");
        // Asked for is written, with one value, with statistics off, and where every value is null.
        for statistics in [StatisticsLevel::None, StatisticsLevel::Page] {
            let options = ColumnOptions { statistics, ..filtered(BloomOptions::default(), DICTIONARY) };
            assert!(chunk_of(texts(["dup"; 100], options), version(page_version)).bloom.is_some());
            let filter = chunk_of(nullable_texts([None; 100], options), version(page_version)).bloom.unwrap();
            assert!(filter.0.iter().flatten().all(|word| *word == 0));
        }
    }
}

#[test]
fn hc_113_what_is_hashed() {
    assert_eq!(xxh64(b"hello"), 0x26c7_827d_889f_6da3);
    assert_eq!(xxh64(b""), 0xef46_db37_51d8_e999);
    assert_eq!(xxh64(&42i32.to_le_bytes()), 0xd756_d7b6_2fc5_0bf1);
    assert_eq!(xxh64(&42i64.to_le_bytes()), 0xb556_806f_b6d1_4353);
    assert_eq!(xxh64(&1.5f64.to_le_bytes()), 0x49f7_b96b_6b5c_caf9);
    // One block: the filter is exactly the bits of these hashes. The checker makes it again from the values.
    for codec in CODECS {
        let options = filtered(BloomOptions { most_bytes: 32, ..BloomOptions::default() }, compressed(codec));
        let columns = [
            texts(["hello", ""], options),
            ints([42, 7], options),
            Column::required(PhysicalType::Int64, options, [42i64, 7].map(i64::to_le_bytes)),
            doubles([1.5, 2.0], options),
            nullable_texts([Some("hello"), None], options),
        ];
        for (column, sizes) in columns.into_iter().zip([16, 16, 16, 16, 8]) {
            let filter = chunk_of(column, FileOptions::default()).bloom.unwrap();
            assert_eq!(filter.0.len(), 1);
            let bits: u32 = filter.0[0].iter().map(|word| word.count_ones()).sum();
            assert!(bits <= sizes && bits >= 8);
        }
    }
}
