//! What cannot be written is an error with the fact in it, and after any error there is never a footer.

mod common;

use common::column::{BARE, Column, DICTIONARY, writer};
use common::file::File;
use parquill::{
    ColumnView, Error, FileOptions, FileWriter, Limit, LogicalType, MemorySink, PhysicalType, Validity, Values,
};

fn ints(rows: i32) -> Column {
    Column::required(PhysicalType::Int32, BARE, (0..rows).map(i32::to_le_bytes))
}

fn texts(rows: &[Option<&str>]) -> Column {
    Column::nullable(PhysicalType::ByteArray, BARE, rows.iter().map(|row| row.map(str::as_bytes))).text()
}

/// A writer in the middle of the only chunk of `column`, `rows` rows announced.
fn in_chunk(column: &Column, rows: u64) -> FileWriter<MemorySink> {
    let mut writer = writer(std::slice::from_ref(column), FileOptions::default(), MemorySink::default()).unwrap();
    writer.begin_row_group(rows).unwrap();
    writer.begin_chunk(0).unwrap();
    writer
}

/// Nothing works any more, and nothing that was written looks like a file.
fn assert_poisoned(mut writer: FileWriter<MemorySink>) {
    let view = ColumnView::required(0, Values::Fixed(&[]));
    assert_eq!(writer.begin_row_group(1), Err(Error::State));
    assert_eq!(writer.begin_chunk(0), Err(Error::State));
    assert_eq!(writer.sample(view, 0), Err(Error::State));
    assert_eq!(writer.hand_over(&[0], &[]), Err(Error::State));
    assert_eq!(writer.write(view, true), Err(Error::State));
    assert_eq!(writer.write_checked(view, true), Err(Error::State));
    assert_eq!(writer.end_chunk(), Err(Error::State));
    assert_eq!(writer.end_row_group(), Err(Error::State));
    assert_eq!(writer.finish(), Err(Error::State));
    assert!(!writer.dictionary_open());
    let bytes = writer.into_sink().to_vec();
    assert!(bytes.len() < 8 || !bytes.ends_with(b"PAR1"), "a footer after an error");
}

/// The error of writing `view` as all of a chunk of `column`, after which the writer is of no use.
fn refused(column: &Column, view: ColumnView<'_>, checked: bool) -> Error {
    let mut writer = in_chunk(column, view.rows as u64);
    let result = if checked { writer.write_checked(view, true) } else { writer.write(view, true) };
    let error = result.unwrap_err();
    assert_poisoned(writer);
    error
}

#[test]
fn a_null_in_a_required_column_has_its_row() {
    let values = [0; 40];
    for first in [0, 3] {
        for row in [0, 5, 7, 8, 9] {
            let mut bits = [0xff; 3];
            bits[(first + row) / 8] &= !(1 << ((first + row) % 8));
            for validity in [Validity::Dense { bits: &bits, first }, Validity::Spaced { bits: &bits, first }] {
                let view = ColumnView { rows: 10, values: Values::Fixed(&values), validity };
                assert_eq!(refused(&ints(0), view, false), Error::NullInRequired { row });
            }
        }
    }
    // In a later page the row still counts from the start of the view.
    let options = FileOptions { page_rows: 4, ..FileOptions::default() };
    let mut writer = writer(&[ints(0)], options, MemorySink::default()).unwrap();
    writer.begin_row_group(10).unwrap();
    writer.begin_chunk(0).unwrap();
    let validity = Validity::Spaced { bits: &[0xff, 0b01], first: 0 };
    let result = writer.write(ColumnView { rows: 10, values: Values::Fixed(&values), validity }, true);
    assert_eq!(result, Err(Error::NullInRequired { row: 9 }));
    assert_poisoned(writer);
}

#[test]
fn text_that_is_not_utf8_has_its_row() {
    let column = texts(&[]);
    let check = |offsets: &[u32], bytes: &[u8]| {
        refused(&column, ColumnView::required(offsets.len() - 1, Values::Bytes { offsets, bytes }), true)
    };
    assert_eq!(check(&[0, 1, 2], b"a\xff"), Error::InvalidUtf8 { row: 1 });
    // A surrogate, an overlong form, a character above the last.
    assert_eq!(check(&[0, 3], b"\xed\xa0\x80"), Error::InvalidUtf8 { row: 0 });
    assert_eq!(check(&[0, 2], b"\xc0\x80"), Error::InvalidUtf8 { row: 0 });
    assert_eq!(check(&[0, 4], b"\xf4\x90\x80\x80"), Error::InvalidUtf8 { row: 0 });
    // All bytes together are UTF-8, but a value ends inside a character.
    assert_eq!(check(&[10, 11, 12, 13], "aé".as_bytes()), Error::InvalidUtf8 { row: 1 });
    // Nulls count as rows.
    let view = ColumnView {
        rows: 4,
        values: Values::Bytes { offsets: &[0, 1, 2], bytes: b"a\xff" },
        validity: Validity::Dense { bits: &[0b1010], first: 0 },
    };
    assert_eq!(refused(&column, view, true), Error::InvalidUtf8 { row: 3 });
    // In a later page too.
    let options = FileOptions { page_rows: 2, ..FileOptions::default() };
    let mut writer = self::writer(&[column], options, MemorySink::default()).unwrap();
    writer.begin_row_group(4).unwrap();
    writer.begin_chunk(0).unwrap();
    assert_eq!(writer.write_checked(view, true), Err(Error::InvalidUtf8 { row: 3 }));
    assert_poisoned(writer);
}

#[test]
fn what_lies_under_a_null_need_not_be_text() {
    let column = texts(&[None, Some("a")]);
    let mut writer = in_chunk(&column, 2);
    let view = ColumnView {
        rows: 2,
        values: Values::Bytes { offsets: &[0, 2, 3], bytes: b"\xff\xffa" },
        validity: Validity::Spaced { bits: &[0b10], first: 0 },
    };
    assert_eq!(writer.write_checked(view, true), Ok(2));
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    let file = File::parse(&writer.into_sink().to_vec());
    assert!(file.row_groups[0][0].values() == column.rows);
}

#[test]
fn bytes_are_not_held_to_be_text() {
    let binary = Column::required(PhysicalType::ByteArray, BARE, [b"\xff"]);
    let view = ColumnView::required(1, Values::Bytes { offsets: &[0, 1], bytes: b"\xff" });
    assert_eq!(in_chunk(&binary, 1).write_checked(view, true), Ok(1));
    // Nor is text that the caller vouches for.
    assert_eq!(in_chunk(&texts(&[]), 1).write(view, true), Ok(1));
    for logical in [LogicalType::Enum, LogicalType::Json] {
        let mut column = texts(&[]);
        column.element.logical = logical;
        assert_eq!(refused(&column, view, true), Error::InvalidUtf8 { row: 0 });
    }
}

#[test]
fn offsets_that_descend_or_point_outside() {
    let column = texts(&[]);
    let check = |offsets: &[u32]| {
        refused(&column, ColumnView::required(offsets.len() - 1, Values::Bytes { offsets, bytes: b"abc" }), false)
    };
    assert_eq!(check(&[0, 2, 1, 3]), Error::Offsets { row: 1 });
    assert_eq!(check(&[0, 1, 4]), Error::Offsets { row: 1 });
    assert_eq!(check(&[7, 8, 11]), Error::Offsets { row: 1 });
    assert_eq!(check(&[u32::MAX, 0]), Error::Offsets { row: 0 });
    assert_eq!(check(&[0, u32::MAX]), Error::Offsets { row: 0 });
}

#[test]
fn views_that_do_not_fit_their_column() {
    let text = texts(&[]);
    let boolean = Column::required(PhysicalType::Boolean, BARE, Vec::<[u8; 1]>::new());
    let long = Column::required(PhysicalType::Int64, BARE, Vec::<[u8; 8]>::new());
    let offsets = Values::Bytes { offsets: &[0, 0], bytes: &[] };
    let wrong = [
        (&text, Values::Fixed(&[0; 8])),
        (&text, Values::Bits { bits: &[0], first: 0 }),
        (&text, Values::Int8(&[0])),
        (&boolean, Values::Fixed(&[0; 8])),
        (&boolean, offsets),
        (&long, Values::Int8(&[0; 8])),
        (&long, Values::UInt16(&[0; 8])),
        (&long, offsets),
        (&long, Values::Codes(&[0])),
        (&long, Values::Fixed(&[0; 7])),
        (&text, Values::Bytes { offsets: &[0], bytes: &[] }),
        (&boolean, Values::Bits { bits: &[0], first: 8 }),
    ];
    for (column, values) in wrong {
        assert_eq!(refused(column, ColumnView::required(1, values), false), Error::View, "{values:?}");
    }
    let short =
        ColumnView { rows: 9, values: Values::Fixed(&[0; 72]), validity: Validity::Spaced { bits: &[0xff], first: 0 } };
    assert_eq!(refused(&long, short, false), Error::View);
}

#[test]
fn hostile_numbers_are_errors_and_no_panics() {
    let nullable = Column::nullable(PhysicalType::Int32, DICTIONARY, Vec::<Option<[u8; 4]>>::new());
    let text = Column { options: DICTIONARY, ..texts(&[]) };
    for rows in [1, 8, usize::MAX / 8, usize::MAX - 1, usize::MAX] {
        for first in [0, 1, usize::MAX - 8, usize::MAX] {
            let bits = &[0xff];
            for validity in [Validity::All, Validity::Dense { bits, first }, Validity::Spaced { bits, first }] {
                let views = [
                    (&nullable, Values::Fixed(&[])),
                    (&nullable, Values::Int8(&[])),
                    (&nullable, Values::UInt16(&[])),
                    (&text, Values::Codes(&[])),
                    (&text, Values::Bytes { offsets: &[u32::MAX], bytes: &[] }),
                    (&text, Values::Bytes { offsets: &[], bytes: &[] }),
                ];
                for (column, values) in views {
                    let view = ColumnView { rows, values, validity };
                    let mut writer = in_chunk(column, u64::MAX);
                    assert_eq!(writer.sample(view, 0), Err(Error::View), "{view:?}");
                    assert_poisoned(writer);
                    assert_eq!(refused(column, view, true), Error::View, "{view:?}");
                }
            }
            let bits = Values::Bits { bits: &[0xff], first };
            let boolean = Column::required(PhysicalType::Boolean, BARE, Vec::<[u8; 1]>::new());
            if rows > 8 || first > 0 && rows == 8 || first > 7 {
                assert_eq!(refused(&boolean, ColumnView::required(rows, bits), false), Error::View);
            }
        }
    }
}

#[test]
fn rows_must_be_those_announced() {
    let column = ints(5);
    let whole = column.laid_out(0..5);
    let view = whole.view(column.element.physical);
    let mut writer = in_chunk(&column, 4);
    assert_eq!(writer.write(view, true), Err(Error::RowCount { expected: 4, found: 5 }));
    assert_poisoned(writer);
    let mut writer = in_chunk(&column, 6);
    writer.write(view, true).unwrap();
    assert_eq!(writer.end_chunk(), Err(Error::RowCount { expected: 6, found: 5 }));
    assert_poisoned(writer);
    // Rows that were not taken are rows that are missing.
    let mut writer = in_chunk(&column, 5);
    assert_eq!(writer.write(view, false), Ok(0));
    assert_eq!(writer.end_chunk(), Err(Error::RowCount { expected: 5, found: 0 }));
    assert_poisoned(writer);
    let mut writer = in_chunk(&column, 9);
    writer.write(view, true).unwrap();
    assert_eq!(writer.write(view, true), Err(Error::RowCount { expected: 9, found: 10 }));
    assert_poisoned(writer);
}

#[test]
fn codes_without_entries() {
    let column = Column { options: DICTIONARY, ..texts(&[]) };
    let mut writer = in_chunk(&column, 3);
    writer.hand_over(&[0, 1], b"a").unwrap();
    let view = ColumnView::required(3, Values::Codes(&[0, 0, 1]));
    assert_eq!(writer.write(view, true), Err(Error::Code { row: 2 }));
    assert_poisoned(writer);
    // Nulls count as rows, and so do the pages before.
    let options = FileOptions { page_rows: 2, ..FileOptions::default() };
    let mut writer = self::writer(std::slice::from_ref(&column), options, MemorySink::default()).unwrap();
    writer.begin_row_group(6).unwrap();
    writer.begin_chunk(0).unwrap();
    writer.hand_over(&[0, 1], b"a").unwrap();
    let validity = Validity::Dense { bits: &[0b10_1001], first: 0 };
    let view = ColumnView { rows: 6, values: Values::Codes(&[0, 0, 9]), validity };
    assert_eq!(writer.write(view, true), Err(Error::Code { row: 5 }));
    assert_poisoned(writer);
    // Without an open dictionary there is nobody to hand entries to.
    let mut writer = in_chunk(&texts(&[]), 3);
    assert_eq!(writer.hand_over(&[0, 1], b"a"), Err(Error::State));
    assert_poisoned(writer);
    let mut writer = in_chunk(&column, 3);
    assert_eq!(writer.hand_over(&[0, 2], b"a"), Err(Error::Offsets { row: 0 }));
    assert_poisoned(writer);
    let numbers = Column::required(PhysicalType::Int32, DICTIONARY, Vec::<[u8; 4]>::new());
    let mut writer = in_chunk(&numbers, 3);
    assert_eq!(writer.hand_over(&[0, 1], b"a"), Err(Error::View));
    assert_poisoned(writer);
}

#[test]
fn a_value_that_no_page_can_hold() {
    // Empty bytes behind huge offsets would not pass; so the bytes are really there, as zeros never touched.
    let bytes = vec![0; (1usize << 31) - 4];
    let binary = Column::required(PhysicalType::ByteArray, BARE, Vec::<[u8; 1]>::new());
    let offsets = [0, bytes.len() as u32];
    let view = ColumnView::required(1, Values::Bytes { offsets: &offsets, bytes: &bytes });
    let mut writer = in_chunk(&binary, 1);
    assert_eq!(writer.write(view, true), Err(Error::Limit { what: Limit::PageBytes, size: 1 << 31 }));
    assert_poisoned(writer);
}

type Call = fn(&mut FileWriter<MemorySink>) -> Result<(), Error>;

/// Calls by name; the column has three rows.
fn calls() -> [(&'static str, Call); 7] {
    const THREE: ColumnView<'static> = ColumnView { rows: 3, values: Values::Fixed(&[0; 12]), validity: Validity::All };
    [
        ("begin_row_group", |writer| writer.begin_row_group(3)),
        ("begin_chunk", |writer| writer.begin_chunk(0)),
        ("sample", |writer| writer.sample(THREE, 0)),
        ("write", |writer| writer.write(THREE, true).map(drop)),
        ("end_chunk", FileWriter::end_chunk),
        ("end_row_group", FileWriter::end_row_group),
        ("finish", FileWriter::finish),
    ]
}

#[test]
fn calls_out_of_order() {
    // What may follow what; everything else is an error of state, or of rows where the chunk is open.
    let script = ["begin_row_group", "begin_chunk", "sample", "write", "end_chunk", "end_row_group", "finish"];
    for done in 0..=script.len() {
        for (name, call) in calls() {
            let mut writer = writer(&[ints(0)], FileOptions::default(), MemorySink::default()).unwrap();
            for step in &script[..done] {
                let (_, call) = calls().into_iter().find(|(name, _)| name == step).unwrap();
                call(&mut writer).unwrap();
            }
            let allowed: &[&str] = match done {
                0 | 6 => &["begin_row_group", "finish"],
                1 => &["begin_chunk"],
                2 | 3 => &["sample", "write"],
                4 => &["end_chunk"],
                5 => &["end_row_group"],
                _ => &[],
            };
            let result = call(&mut writer);
            if allowed.contains(&name) {
                assert_eq!(result, Ok(()), "{name} after {done} steps");
                continue;
            }
            let rows = matches!((done, name), (2 | 3, "end_chunk") | (4, "write"));
            let found = match result {
                Err(Error::State) => false,
                Err(Error::RowCount { .. }) => true,
                other => panic!("{name} after {done} steps: {other:?}"),
            };
            assert_eq!(found, rows, "{name} after {done} steps");
            // A file that was finished stays one.
            if done < script.len() {
                assert_poisoned(writer);
            }
        }
    }
}

#[test]
fn chunks_come_once_and_end_in_schema_order() {
    let columns = [ints(1).named("a"), ints(1).named("b")];
    let open = || {
        let mut writer = writer(&columns, FileOptions::default(), MemorySink::default()).unwrap();
        writer.begin_row_group(1).unwrap();
        writer
    };
    for column in [2, usize::MAX] {
        let mut writer = open();
        assert_eq!(writer.begin_chunk(column), Err(Error::State), "{column}");
        assert_poisoned(writer);
    }
    // Any number may be open, but they end in order.
    let mut writer = open();
    writer.begin_chunk(1).unwrap();
    writer.write(columns[1].laid_out(0..1).view(columns[1].element.physical), true).unwrap();
    assert_eq!(writer.end_chunk(), Err(Error::State));
    assert_poisoned(writer);
    // Not twice at once, and nothing is selected that is not open.
    let mut writer = open();
    writer.begin_chunk(1).unwrap();
    assert_eq!(writer.begin_chunk(1), Err(Error::State));
    assert_poisoned(writer);
    let mut writer = open();
    writer.begin_chunk(1).unwrap();
    assert_eq!(writer.select(0), Err(Error::State));
    assert_poisoned(writer);
    let first = |writer: &mut FileWriter<MemorySink>| {
        writer.begin_chunk(0).unwrap();
        writer.write(columns[0].laid_out(0..1).view(columns[0].element.physical), true).unwrap();
        writer.end_chunk().unwrap();
    };
    let mut writer = open();
    first(&mut writer);
    assert_eq!(writer.begin_chunk(0), Err(Error::State));
    assert_poisoned(writer);
    // A row group without its second chunk.
    let mut writer = open();
    first(&mut writer);
    assert_eq!(writer.end_row_group(), Err(Error::State));
    assert_poisoned(writer);
    // A row group of no rows.
    let mut writer = opened(&columns);
    assert_eq!(writer.begin_row_group(0), Err(Error::State));
    assert_poisoned(writer);
    assert_eq!(opened(&columns).page_rows(2), None);
}

fn opened(columns: &[Column]) -> FileWriter<MemorySink> {
    writer(columns, FileOptions::default(), MemorySink::default()).unwrap()
}

#[test]
fn errors_print_their_facts() {
    assert_eq!(Error::NullInRequired { row: 7 }.to_string(), "NullInRequired { row: 7 }");
    let error: &dyn std::error::Error = &Error::State;
    assert!(error.source().is_none());
}
