//! Area "stats". The checker holds every bound against the values besides.

use crate::common::column::{BARE, Column, DICTIONARY, round_trip, writer};
use crate::common::file::{Chunk, File};
use crate::{
    VERSIONS, chunk_of, doubles, encoded, ints, nullable_ints, nullable_texts, only_chunk, page_rows, texts, version,
};
use parquill::{ColumnOptions, ColumnView, Encoding, FileOptions, LogicalType, MemorySink, PhysicalType, Values};

/// Minimum and maximum of the chunk.
fn bounds(chunk: &Chunk) -> Option<(Vec<u8>, Vec<u8>)> {
    let statistics = chunk.meta.structure(12);
    statistics.has(5).then(|| (statistics.binary(6).to_vec(), statistics.binary(5).to_vec()))
}

fn null_count(chunk: &Chunk) -> i64 {
    chunk.meta.structure(12).int(3)
}

/// Minimum and maximum of each page.
fn page_bounds(chunk: &Chunk) -> Vec<(&[u8], &[u8])> {
    let index = chunk.column_index.as_ref().unwrap();
    index.binaries(2).into_iter().zip(index.binaries(3)).collect()
}

#[test]
fn hc_89_a_zero_minimum_is_negative_a_zero_maximum_positive() {
    let (minus, plus, five) = ((-0f64).to_le_bytes(), 0f64.to_le_bytes(), 5f64.to_le_bytes());
    for options in [BARE, encoded(Encoding::RleDictionary), encoded(Encoding::ByteStreamSplit)] {
        for page_version in VERSIONS {
            for (values, max) in [([0.0, 0.0], plus), ([-0.0, -0.0], plus), ([-0.0, 5.0], five), ([0.0, -0.0], plus)] {
                let chunk = chunk_of(doubles(values, options), version(page_version));
                assert_eq!(bounds(&chunk), Some((minus.to_vec(), max.to_vec())), "{values:?}");
                assert_eq!(page_bounds(&chunk), [(&minus[..], &max[..])]);
            }
        }
    }
}

#[test]
fn hc_90_unsigned_numbers_are_compared_as_such() {
    let unsigned = |bit_width| LogicalType::Integer { bit_width, signed: false };
    for encoding in [Encoding::Plain, Encoding::DeltaBinaryPacked, Encoding::RleDictionary, Encoding::ByteStreamSplit] {
        let values = [1, 1 << 63, 5u64].map(u64::to_le_bytes);
        let mut u = Column::required(PhysicalType::Int64, encoded(encoding), values);
        u.element.logical = unsigned(64);
        assert_eq!(bounds(&chunk_of(u, FileOptions::default())), Some((values[0].to_vec(), values[1].to_vec())));
        let values = [0, 1 << 31, u32::MAX].map(u32::to_le_bytes);
        let mut v = Column::required(PhysicalType::Int32, encoded(encoding), values);
        v.element.logical = unsigned(32);
        assert_eq!(bounds(&chunk_of(v, FileOptions::default())), Some((values[0].to_vec(), values[2].to_vec())));
        // Bytes come narrow and are widened.
        let mut w = ints([200, 3], encoded(encoding));
        w.element.logical = unsigned(8);
        let mut writer = writer(std::slice::from_ref(&w), FileOptions::default(), MemorySink::default()).unwrap();
        writer.begin_row_group(2).unwrap();
        writer.begin_chunk(0).unwrap();
        writer.write(ColumnView::required(2, Values::UInt8(&[200, 3])), true).unwrap();
        writer.end_chunk().unwrap();
        writer.end_row_group().unwrap();
        writer.finish().unwrap();
        let chunk = only_chunk(File::parse(&writer.into_sink().to_vec()));
        assert!(chunk.values() == w.rows);
        assert_eq!(bounds(&chunk), Some((vec![3, 0, 0, 0], vec![200, 0, 0, 0])));
    }
}

#[test]
fn hc_93_a_prefix_is_smaller() {
    for options in [BARE, DICTIONARY, encoded(Encoding::DeltaByteArray)] {
        let chunk = chunk_of(texts(["b", "", "ba", "bb"], options), page_rows(1));
        assert_eq!(bounds(&chunk), Some((b"".to_vec(), b"bb".to_vec())));
        assert_eq!(chunk.column_index.as_ref().unwrap().int(4), 0);
    }
}

#[test]
fn hc_94_an_empty_bound_is_a_bound() {
    for encoding in [Encoding::Plain, Encoding::DeltaLengthByteArray, Encoding::RleDictionary] {
        let chunk = chunk_of(texts(["", "a"], encoded(encoding)), FileOptions::default());
        assert_eq!((bounds(&chunk), page_bounds(&chunk)), (Some((vec![], b"a".to_vec())), vec![(&b""[..], &b"a"[..])]));
        let chunk = chunk_of(texts(["", ""], encoded(encoding)), FileOptions::default());
        assert_eq!((bounds(&chunk), page_bounds(&chunk)), (Some((vec![], vec![])), vec![(&b""[..], &b""[..])]));
        assert_eq!(chunk.column_index.as_ref().unwrap().bools(1), [false]);
    }
}

#[test]
fn hc_96_nothing_can_be_added_to_ff() {
    let column = |value: Vec<u8>| Column::required(PhysicalType::ByteArray, BARE, [value]);
    let all = chunk_of(column(vec![255; 300]), FileOptions::default());
    // The minimum is a plain prefix, and above it there is no bound.
    let statistics = all.meta.structure(12);
    assert_eq!((statistics.binary(6), statistics.bool(8)), (&[255; 64][..], false));
    assert_eq!((statistics.has(5), statistics.has(7), null_count(&all)), (false, false, 0));
    let one = chunk_of(column([vec![1], vec![255; 299]].concat()), FileOptions::default());
    assert_eq!(bounds(&one), Some(([vec![1], vec![255; 63]].concat(), vec![2])));
    assert_eq!(null_count(&one), 0);
}

#[test]
fn hc_97_nulls_are_counted_once() {
    for page_version in VERSIONS {
        let column = nullable_texts([None, Some("x"), Some("y"), None, Some("z")], BARE);
        let chunk = chunk_of(column, FileOptions { page_rows: 1, ..version(page_version) });
        assert_eq!(null_count(&chunk), 2);
        assert_eq!(chunk.column_index.as_ref().unwrap().ints(5), [1, 0, 0, 1, 0]);
    }
}

#[test]
fn hc_98_a_null_count_of_zero_is_written() {
    let columns = [
        nullable_ints([Some(1), Some(2)], BARE).named("a"),
        ints([1, 2], BARE).named("r"),
        texts(["q".repeat(100_000), "q".repeat(100_000)], BARE).named("s"),
    ];
    let file = round_trip(&columns, FileOptions::default(), 2);
    assert_eq!(file.row_groups[0].iter().map(null_count).collect::<Vec<_>>(), [0; 3]);
}

#[test]
fn hc_99_a_chunk_of_nulls_has_a_count_and_no_bounds() {
    for page_version in VERSIONS {
        for chunk in [
            chunk_of(nullable_ints([None; 3], BARE), version(page_version)),
            chunk_of(nullable_texts([None; 3], DICTIONARY), version(page_version)),
            chunk_of(nullable_texts([None; 3], encoded(Encoding::DeltaByteArray)), version(page_version)),
        ] {
            assert_eq!((bounds(&chunk), null_count(&chunk)), (None, 3));
            assert_eq!(chunk.column_index.as_ref().unwrap().bools(1), [true]);
            assert_eq!(page_bounds(&chunk), [(&b""[..], &b""[..])]);
        }
    }
}

#[test]
fn hc_101_bounds_are_of_rows_not_of_entries() {
    let column = nullable_texts([Some("maple"), Some("pine"), Some("birch")], ColumnOptions::default());
    let mut writer = writer(std::slice::from_ref(&column), page_rows(2), MemorySink::default()).unwrap();
    writer.begin_row_group(3).unwrap();
    writer.begin_chunk(0).unwrap();
    fn view(codes: &[u32]) -> ColumnView<'_> {
        ColumnView::required(codes.len(), Values::Codes(codes))
    }
    writer.hand_over(&[0, 5, 9, 12], b"maplepineash").unwrap();
    writer.write(view(&[0, 1]), false).unwrap();
    writer.hand_over(&[0, 7, 12], b"zelkovabirch").unwrap();
    writer.write(view(&[4]), true).unwrap();
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let chunk = only_chunk(File::parse(&writer.into_sink().to_vec()));
    assert!(chunk.values() == column.rows);
    assert_eq!(bounds(&chunk), Some((b"birch".to_vec(), b"pine".to_vec())));
    assert_eq!(page_bounds(&chunk), [(&b"maple"[..], &b"pine"[..]), (b"birch", b"birch")]);
}

#[test]
fn hc_103_half_precision_has_bounds_by_value_and_none_beside_nan() {
    // 1, −2, 0, −1, −0, 2.
    let halves = |bits: &[u16]| {
        let values: Vec<[u8; 2]> = bits.iter().map(|bits| bits.to_le_bytes()).collect();
        let mut column = Column::required(PhysicalType::FixedLenByteArray, BARE, values);
        (column.element.type_length, column.element.logical) = (2, LogicalType::Float16);
        column
    };
    let chunk = chunk_of(halves(&[0x3c00, 0xc000, 0, 0xbc00, 0x8000, 0x4000]), FileOptions::default());
    assert_eq!(bounds(&chunk), Some((vec![0, 0xc0], vec![0, 0x40])));
    let chunk = chunk_of(halves(&[0, 0]), FileOptions::default());
    assert_eq!(bounds(&chunk), Some((vec![0, 0x80], vec![0, 0])));
    let chunk = chunk_of(halves(&[0x3c00, 0x7e00]), FileOptions::default());
    assert_eq!((bounds(&chunk), chunk.meta.structure(12).int(9)), (None, 1));
}

#[test]
fn hc_104_the_new_fields_and_an_order_for_each_leaf() {
    let columns = [ints([1, 2], BARE).named("i"), texts(["a", "é"], BARE).named("s")];
    let file = round_trip(&columns, FileOptions::default(), 2);
    for chunk in &file.row_groups[0] {
        let statistics = chunk.meta.structure(12);
        assert_eq!([1, 2, 5, 6].map(|id| statistics.has(id)), [false, false, true, true]);
    }
    let orders = file.footer.structures(7);
    assert!(orders.len() == 2 && orders.iter().all(|order| order.0.keys().copied().eq([1])));
}
