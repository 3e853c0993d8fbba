//! Where pages are cut, what they are, and in which order they lie: layouts declared as data, checked against page
//! headers, indexes and footer of finished files.

mod common;

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use common::column::{BARE, Column, DICTIONARY, round_trip, writer};
use common::file::{Chunk, File};
use parquill::{
    Codec, ColumnOptions, ColumnView, Encoding, FileOptions, MemorySink, PhysicalType, Repetition, Validity, Values,
};

/// A page: what it is and how many entries or rows it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Dictionary(usize),
    Plain(usize),
    Coded(usize),
}
use Page::{Coded, Dictionary, Plain};

fn layout(chunk: &Chunk) -> Vec<Page> {
    let kind = |page: &common::file::Page| match (page.is_dictionary(), page.encoding()) {
        (true, _) => Dictionary(page.num_values()),
        (false, Encoding::Plain) => Plain(page.num_values()),
        (false, _) => Coded(page.num_values()),
    };
    chunk.pages.iter().map(kind).collect()
}

/// Small pages, so that few rows show everything.
fn pages(page_rows: usize, page_bytes: usize) -> FileOptions {
    FileOptions { page_rows, page_bytes, ..FileOptions::default() }
}

fn check(name: &str, column: Column, options: FileOptions, expected: &[Page]) {
    let rows = column.rows.len();
    let file = round_trip(&[column], options, rows);
    assert_eq!(layout(&file.row_groups[0][0]), expected, "{name}");
}

fn longs(values: impl IntoIterator<Item = i64>) -> impl Iterator<Item = [u8; 8]> {
    values.into_iter().map(i64::to_le_bytes)
}

fn fixed(width: usize, mut column: Column) -> Column {
    column.element.type_length = width;
    column
}

const FORCED: ColumnOptions = ColumnOptions { encoding: Some(Encoding::RleDictionary), ..BARE };

#[test]
fn plain_pages_are_cut_by_rows_and_by_bytes() {
    let column = |rows| Column::required(PhysicalType::Int64, BARE, longs(0..rows));
    check("by rows", column(250), pages(100, 1 << 20), &[Plain(100), Plain(100), Plain(50)]);
    check("no empty page at the end", column(200), pages(100, 1 << 20), &[Plain(100), Plain(100)]);
    check("by bytes", column(20), pages(100, 64), &[Plain(8), Plain(8), Plain(4)]);
    check("never more bytes", column(20), pages(100, 71), &[Plain(8), Plain(8), Plain(4)]);
    check("a value larger than a page", column(2), pages(100, 7), &[Plain(1), Plain(1)]);
    check("one row", column(1), pages(100, 64), &[Plain(1)]);
}

#[test]
fn booleans_have_eight_rows_a_byte() {
    let column = Column::required(PhysicalType::Boolean, BARE, (0..20u8).map(|row| [u8::from(row % 3 == 0)]));
    check("one byte", column.clone(), pages(100, 1), &[Plain(8), Plain(8), Plain(4)]);
    check("by rows", column, pages(13, 1 << 20), &[Plain(13), Plain(7)]);
    let nulls = (0..20u8).map(|row| (row % 4 != 1).then_some([row & 1]));
    check(
        "with nulls",
        Column::nullable(PhysicalType::Boolean, BARE, nulls),
        pages(9, 64),
        &[Plain(9), Plain(9), Plain(2)],
    );
}

#[test]
fn fixed_byte_arrays_are_cut_by_their_width() {
    let column = |width: usize| {
        fixed(width, Column::required(PhysicalType::FixedLenByteArray, BARE, (0..5u8).map(|row| vec![row; width])))
    };
    check("16 bytes", column(16), pages(100, 40), &[Plain(2), Plain(2), Plain(1)]);
    check("1 byte", column(1), pages(3, 40), &[Plain(3), Plain(2)]);
    check("larger than a page", column(300), pages(100, 40), &[Plain(1); 5]);
}

#[test]
fn byte_arrays_are_cut_before_they_overflow() {
    // 14 bytes each with the length in front.
    let column = Column::required(PhysicalType::ByteArray, BARE, (0..10).map(|row| format!("{row:010}")));
    check("exactly three", column.clone(), pages(100, 42), &[Plain(3), Plain(3), Plain(3), Plain(1)]);
    check("one byte short", column.clone(), pages(100, 41), &[Plain(2); 5]);
    check("by rows first", column, pages(2, 1 << 20), &[Plain(2); 5]);

    let mut values = vec!["x".repeat(6); 9];
    values[4] = "y".repeat(1000);
    let column = Column::required(PhysicalType::ByteArray, BARE, values.clone()).text();
    check("a large value alone", column, pages(100, 30), &[Plain(3), Plain(1), Plain(1), Plain(3), Plain(1)]);
    values[0] = "z".repeat(1000);
    values[8] = "z".repeat(1000);
    let column = Column::required(PhysicalType::ByteArray, BARE, values);
    let expected = [Plain(1), Plain(3), Plain(1), Plain(3), Plain(1)];
    check("at both ends", column, pages(100, 30), &expected);
}

#[test]
fn nulls_take_a_row_but_no_bytes() {
    let values = (0..40).map(|row| (row % 4 == 0).then(|| format!("{row:06}")));
    let column = Column::nullable(PhysicalType::ByteArray, BARE, values).text();
    // Two values of ten bytes and the nulls behind them.
    check("by bytes", column.clone(), pages(100, 20), &[Plain(8); 5]);
    check("by rows", column, pages(16, 1 << 20), &[Plain(16), Plain(16), Plain(8)]);
    let nulls = Column::nullable(PhysicalType::Int64, BARE, (0..25).map(|_| None::<[u8; 8]>));
    check("all null", nulls, pages(10, 1 << 20), &[Plain(10), Plain(10), Plain(5)]);
}

#[test]
fn a_dictionary_page_comes_first() {
    let values = || longs((0..300).map(|row| row % 7));
    check(
        "integers",
        Column::required(PhysicalType::Int64, DICTIONARY, values()),
        pages(100, 1 << 20),
        &[Dictionary(7), Coded(100), Coded(100), Coded(100)],
    );
    let text = (0..300).map(|row| format!("value {}", row % 5));
    check(
        "text",
        Column::required(PhysicalType::ByteArray, DICTIONARY, text).text(),
        pages(150, 1 << 20),
        &[Dictionary(5), Coded(150), Coded(150)],
    );
    check(
        "one entry",
        Column::required(PhysicalType::Int64, DICTIONARY, longs([9; 100])),
        pages(100, 1 << 20),
        &[Dictionary(1), Coded(100)],
    );
    let uuids = (0..200u8).map(|row| vec![row % 3; 16]);
    let column = fixed(16, Column::required(PhysicalType::FixedLenByteArray, DICTIONARY, uuids));
    check("fixed bytes", column, pages(100, 1 << 20), &[Dictionary(3), Coded(100), Coded(100)]);
}

#[test]
fn index_width_is_that_of_the_largest_index_of_a_page() {
    for entries in [1, 2, 3, 4, 5, 8, 9, 16, 17, 255, 256, 257, 65_535, 65_536, 65_537] {
        let values = longs((0..entries).chain((0..10).map(|row| row % entries)));
        let column = Column::required(PhysicalType::Int64, FORCED, values);
        let options = FileOptions { page_rows: 1 << 20, ..FileOptions::default() };
        let file = round_trip(&[column], options, usize::MAX);
        let chunk = &file.row_groups[0][0];
        let width = (64 - (entries as u64 - 1).leading_zeros()).max(1);
        assert_eq!(u32::from(chunk.pages[1].plain[0]), width, "{entries} entries");
    }
    // However many entries there are: a page says no more of the others than it must.
    let values = longs((0..300).chain([0; 300]).chain([1; 300]).chain([255; 300]));
    let file = round_trip(&[Column::required(PhysicalType::Int64, FORCED, values)], pages(300, 1 << 20), usize::MAX);
    let widths: Vec<u8> = file.row_groups[0][0].data_pages().map(|page| page.plain[0]).collect();
    assert_eq!(widths, [9, 1, 1, 8]);
}

#[test]
fn what_does_not_pay_is_plain_from_the_start() {
    let column = Column::required(PhysicalType::Int64, DICTIONARY, longs(0..250));
    check("distinct", column, pages(100, 1 << 20), &[Plain(100), Plain(100), Plain(50)]);
    let text = (0..250).map(|row| format!("{row}"));
    let column = Column::required(PhysicalType::ByteArray, DICTIONARY, text).text();
    check("distinct text", column, pages(100, 1 << 20), &[Plain(100), Plain(100), Plain(50)]);
}

#[test]
fn a_dictionary_that_outgrows_its_limit_is_left_within_the_chunk() {
    // Two pages of four values, one of other values, and one of the first again.
    let values = (0..40).map(|row| match row / 10 {
        2 => 1000 + row,
        _ => row % 4,
    });
    let column = Column::required(PhysicalType::Int64, FORCED, longs(values));
    let options = |dictionary_bytes| FileOptions { dictionary_bytes, ..pages(10, 1 << 20) };
    check(
        "fits exactly",
        column.clone(),
        options(14 * 8),
        &[Dictionary(14), Coded(10), Coded(10), Coded(10), Coded(10)],
    );
    // Entries of the page that broke the limit are forgotten again.
    let expected = [Dictionary(4), Coded(10), Coded(10), Plain(10), Plain(10)];
    check("one byte short", column.clone(), options(14 * 8 - 1), &expected);
    check("at once", column.clone(), options(31), &[Plain(10); 4]);

    let text = (0..40).map(|row| format!("{:04}", if row < 20 { row % 4 } else { row }));
    let column = Column::required(PhysicalType::ByteArray, FORCED, text).text();
    check("text", column, options(5 * 8), &[Dictionary(4), Coded(10), Coded(10), Plain(10), Plain(10)]);
}

#[test]
fn nulls_alone_bring_no_dictionary() {
    let null = |count: usize| std::iter::repeat_n(None, count);
    let column = |values: Vec<Option<[u8; 8]>>| Column::nullable(PhysicalType::Int64, FORCED, values);
    check("all null", column(null(20).collect()), pages(10, 1 << 20), &[Plain(10), Plain(10)]);
    let value = |count: usize| std::iter::repeat_n(Some([5; 8]), count);
    let first = null(10).chain(value(10)).chain(null(10));
    check("null first", column(first.collect()), pages(10, 1 << 20), &[Dictionary(1), Plain(10), Coded(10), Coded(10)]);
}

#[test]
fn booleans_never_have_a_dictionary() {
    let column = Column::required(PhysicalType::Boolean, DICTIONARY, [[1u8]; 100]);
    check("booleans", column, pages(100, 1 << 20), &[Plain(100)]);
}

#[test]
fn row_groups_lie_one_behind_the_other() {
    const ALWAYS: ColumnOptions = ColumnOptions { encoding: Some(Encoding::RleDictionary), ..DICTIONARY };
    let columns = [
        Column::required(PhysicalType::Int64, ALWAYS, longs((0..250).map(|row| row % 3))).named("a"),
        Column::nullable(PhysicalType::ByteArray, BARE, (0..250).map(|row| (row % 2 > 0).then(|| format!("{row}"))))
            .text()
            .named("b"),
        Column::required(PhysicalType::Boolean, BARE, (0..250u8).map(|row| [row & 1])).named("c"),
    ];
    for codec in [Codec::None, Codec::Snappy, Codec::Zstd { level: 1 }] {
        let mut columns = columns.clone();
        columns.iter_mut().for_each(|column| column.options.codec = codec);
        let file = round_trip(&columns, pages(64, 1 << 20), 100);
        let rows: Vec<i64> = file.footer.structures(4).iter().map(|group| group.int(3)).collect();
        assert_eq!(rows, [100, 100, 50]);
        let ordinals: Vec<i64> = file.footer.structures(4).iter().map(|group| group.int(7)).collect();
        assert_eq!(ordinals, [0, 1, 2]);
        let [a, b, c] = file.row_groups[2].as_slice() else { panic!("three columns") };
        assert_eq!(layout(a), [Dictionary(3), Coded(50)]);
        assert_eq!(layout(b), [Plain(50)]);
        assert_eq!(layout(c), [Plain(50)]);
    }
}

#[test]
fn no_rows_are_no_row_groups() {
    let column = Column::required(PhysicalType::Int64, BARE, longs(0..0));
    let mut writer = writer(&[column], FileOptions::default(), MemorySink::default()).unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    assert!(file.row_groups.is_empty());
    assert_eq!(file.footer.int(3), 0);
}

/// Writes a column in pieces of `step` rows; what was not taken comes again with the next piece.
fn stream(column: &Column, options: FileOptions, step: usize) -> File {
    let mut writer = writer(std::slice::from_ref(column), options, MemorySink::default()).unwrap();
    let rows = column.rows.len();
    writer.begin_row_group(rows as u64).unwrap();
    writer.begin_chunk(0).unwrap();
    let (mut start, mut end) = (0, 0);
    while end < rows {
        end = rows.min(end + step);
        let piece = column.laid_out(start..end);
        start += writer.write(piece.view(column.element.physical), end == rows).unwrap();
    }
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    File::parse(&writer.into_sink().to_vec())
}

#[test]
fn pages_do_not_depend_on_the_pieces_that_rows_come_in() {
    let text = (0..200).map(|row| (row % 5 != 2).then(|| "t".repeat(row * 7 % 23)));
    let columns = [
        Column::required(PhysicalType::Int64, BARE, longs(0..200)),
        Column::nullable(PhysicalType::ByteArray, BARE, text).text(),
        Column::nullable(PhysicalType::Boolean, BARE, (0..200u8).map(|row| (row % 3 > 0).then_some([row & 1]))),
        Column::required(PhysicalType::Int64, DICTIONARY, longs((0..200).map(|row| row % 9))),
    ];
    for column in columns {
        let whole = round_trip(std::slice::from_ref(&column), pages(40, 120), 200);
        let expected = &whole.row_groups[0][0];
        for step in [1, 7, 40, 63, 199] {
            let file = stream(&column, pages(40, 120), step);
            let chunk = &file.row_groups[0][0];
            assert_eq!(layout(chunk), layout(expected), "{step} rows at a time");
            assert!(chunk.values() == column.rows, "{step} rows at a time");
        }
    }
}

/// A nullable text column whose writer hands over its own dictionary.
fn coded_column(rows: &[Option<&str>]) -> Column {
    Column::nullable(PhysicalType::ByteArray, DICTIONARY, rows.iter().map(|row| row.map(str::as_bytes))).text()
}

#[test]
fn codes_of_the_caller_make_dictionary_pages() {
    let rows = [Some("b"), None, Some("a"), Some("b"), None, Some("c"), Some("a")];
    let column = coded_column(&rows);
    let mut writer = writer(std::slice::from_ref(&column), pages(4, 1 << 20), MemorySink::default()).unwrap();
    writer.begin_row_group(7).unwrap();
    writer.begin_chunk(0).unwrap();
    // "b" twice among the entries, and one that no row uses.
    writer.hand_over(&[0, 1, 2, 3, 7], b"babzzzz").unwrap();
    let view = |rows, codes, bits| ColumnView {
        rows,
        values: Values::Codes(codes),
        validity: Validity::Dense { bits, first: 0 },
    };
    assert_eq!(writer.write(view(4, &[2, 1, 0], &[0b1101]), false).unwrap(), 4);
    writer.hand_over(&[0, 1], b"c").unwrap();
    assert_eq!(writer.write(view(3, &[4, 1], &[0b110]), true).unwrap(), 3);
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    let chunk = &file.row_groups[0][0];
    assert_eq!(layout(chunk), [Dictionary(4), Coded(4), Coded(3)]);
    assert!(chunk.values() == column.rows);
    // Bounds are of rows, not of entries.
    let statistics = chunk.meta.structure(12);
    assert_eq!((statistics.binary(6), statistics.binary(5)), (b"a".as_slice(), b"c".as_slice()));
}

#[test]
fn codes_give_way_to_bytes_when_the_dictionary_is_full() {
    let rows = [Some("aaaa"), Some("bbbb"), Some("cccc"), None, Some("dddd"), Some("aaaa")];
    let column = coded_column(&rows);
    let options = FileOptions { dictionary_bytes: 20, ..pages(3, 1 << 20) };
    let mut writer = writer(std::slice::from_ref(&column), options, MemorySink::default()).unwrap();
    writer.begin_row_group(6).unwrap();
    writer.begin_chunk(0).unwrap();
    writer.hand_over(&[0, 4, 8, 12], b"aaaabbbbcccc").unwrap();
    assert!(writer.dictionary_open());
    // 24 bytes: this page still, none after it.
    writer.write(ColumnView::required(3, Values::Codes(&[0, 1, 2])), false).unwrap();
    assert!(!writer.dictionary_open());
    let rest = column.laid_out(3..6);
    writer.write(rest.view(column.element.physical), true).unwrap();
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    assert_eq!(layout(&file.row_groups[0][0]), [Dictionary(3), Coded(3), Plain(3)]);
    assert!(file.row_groups[0][0].values() == column.rows);
}

#[test]
fn codes_may_begin_with_pages_of_nulls() {
    let rows = [None, None, None, None, Some("a"), None];
    let column = coded_column(&rows);
    let mut writer = writer(std::slice::from_ref(&column), pages(2, 1 << 20), MemorySink::default()).unwrap();
    writer.begin_row_group(6).unwrap();
    writer.begin_chunk(0).unwrap();
    let view = |rows, codes, bits| ColumnView {
        rows,
        values: Values::Codes(codes),
        validity: Validity::Dense { bits, first: 0 },
    };
    writer.write(view(4, &[], &[0]), false).unwrap();
    writer.hand_over(&[0, 1], b"a").unwrap();
    writer.write(view(2, &[0], &[1]), true).unwrap();
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    assert_eq!(layout(&file.row_groups[0][0]), [Dictionary(1), Plain(2), Plain(2), Coded(2)]);
    assert!(file.row_groups[0][0].values() == column.rows);
}

#[test]
fn a_sample_settles_whether_a_dictionary_is_tried() {
    let values = |distinct: i64| longs((0..2000).map(move |row| row % distinct * 0x0123_4567));
    for (distinct, tried) in [(20, true), (2000, false)] {
        let column = Column::required(PhysicalType::Int64, DICTIONARY, values(distinct));
        let mut writer = writer(std::slice::from_ref(&column), pages(500, 1 << 20), MemorySink::default()).unwrap();
        writer.begin_row_group(2000).unwrap();
        writer.begin_chunk(0).unwrap();
        assert!(writer.dictionary_open());
        writer.sample(column.laid_out(500..1000).view(column.element.physical), 0).unwrap();
        assert_eq!(writer.dictionary_open(), tried, "{distinct} distinct values");
        writer.write(column.laid_out(0..2000).view(column.element.physical), true).unwrap();
        writer.end_chunk().unwrap();
        writer.end_row_group().unwrap();
        writer.finish().unwrap();
        let file = File::parse(&writer.into_sink().to_vec());
        let chunk = &file.row_groups[0][0];
        let expected = if tried { vec![Dictionary(20), Coded(500)] } else { vec![Plain(500), Plain(500)] };
        assert_eq!(layout(chunk)[..2], expected);
        assert!(chunk.values() == column.rows);
    }
}

#[test]
fn a_sample_of_nulls_settles_nothing() {
    let values = (0..100).map(|row| (row >= 50).then_some([1; 8]));
    let column = Column::nullable(PhysicalType::Int64, DICTIONARY, values);
    let mut writer = writer(std::slice::from_ref(&column), pages(50, 1 << 20), MemorySink::default()).unwrap();
    writer.begin_row_group(100).unwrap();
    writer.begin_chunk(0).unwrap();
    writer.sample(column.laid_out(0..50).view(column.element.physical), 0).unwrap();
    assert!(writer.dictionary_open());
}

#[test]
fn dictionaries_given_up_leave_nothing_to_later_chunks() {
    let (done, finished) = mpsc::channel();
    thread::spawn(move || {
        let column = |index: i64| {
            let values =
                longs((0..20_000).map(move |row| (row << 3 | index).wrapping_mul(0x9e37_79b9_7f4a_7c15u64 as i64)));
            Column::required(PhysicalType::Int64, DICTIONARY, values).named(&format!("{index}"))
        };
        let columns: Vec<Column> = (0..8).map(column).collect();
        round_trip(&columns, FileOptions::default(), 20_000);
        done.send(()).unwrap();
    });
    finished.recv_timeout(Duration::from_secs(120)).expect("eight columns of distinct numbers");
}

#[test]
fn statistics_that_are_off_are_not_there() {
    use parquill::StatisticsLevel::{Chunk as OfChunk, None as Off, Page as OfPage};
    let text = || (0..100).map(|row| (row % 2 > 0).then(|| format!("{row}")));
    for (level, of_chunk, of_pages) in [(Off, false, false), (OfChunk, true, false), (OfPage, true, true)] {
        let options = ColumnOptions { statistics: level, ..BARE };
        let file = round_trip(&[Column::nullable(PhysicalType::ByteArray, options, text())], pages(30, 1 << 20), 100);
        let chunk = &file.row_groups[0][0];
        assert_eq!(chunk.meta.has(12), of_chunk, "{level:?}");
        assert_eq!((chunk.meta.has(16), chunk.column_index.is_some()), (of_pages, of_pages), "{level:?}");
        if of_chunk {
            assert_eq!(chunk.meta.structure(12).int(3), 50);
        }
    }
}

#[test]
fn checksums_can_be_left_out() {
    let column = Column::required(PhysicalType::Int64, BARE, longs(0..100));
    for page_checksum in [true, false] {
        let options = FileOptions { page_checksum, ..FileOptions::default() };
        let file = round_trip(std::slice::from_ref(&column), options, 100);
        assert_eq!(file.row_groups[0][0].pages[0].header.has(4), page_checksum);
    }
}

#[test]
fn repetition_is_of_the_schema_not_of_the_data() {
    // A nullable column without nulls has levels all the same.
    let column = Column::nullable(PhysicalType::Int64, BARE, longs(0..10).map(Some));
    assert_eq!(column.element.repetition, Repetition::Optional);
    let file = round_trip(&[column], FileOptions::default(), 10);
    assert_eq!(file.row_groups[0][0].pages[0].plain[..6], [2, 0, 0, 0, 20, 1]);
}

#[test]
fn batches_of_all_columns_make_the_same_file_as_column_after_column() {
    let longs = |step: i64| Column::required(PhysicalType::Int64, BARE, longs((0..1000).map(move |row| row * step)));
    let columns = [longs(1).named("a"), longs(7).named("b")];
    let options = pages(64, 1 << 20);
    let whole = common::column::write(&columns, options.clone(), 1000);
    let mut writer = writer(&columns, options, MemorySink::default()).unwrap();
    writer.begin_open_row_group().unwrap();
    for column in 0..2 {
        writer.begin_chunk(column).unwrap();
    }
    // What a batch leaves over is handed in again with the next one.
    let mut taken = [0; 2];
    for end in [1, 63, 64, 200, 1000] {
        for (column, taken) in taken.iter_mut().enumerate() {
            writer.select(column).unwrap();
            let laid_out = columns[column].laid_out(*taken..end);
            *taken += writer.write(laid_out.view(columns[column].element.physical), end == 1000).unwrap();
        }
    }
    assert!(writer.row_group_bytes() > 16_000);
    for column in 0..2 {
        writer.select(column).unwrap();
        writer.end_chunk().unwrap();
    }
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    assert_eq!(writer.into_sink().to_vec(), whole);
}
