//! A sink that fails: its error comes through, and what it holds never looks like a file.

mod common;

use std::cell::RefCell;
use std::rc::Rc;

use common::column::{BARE, Column, DICTIONARY, write, write_to};
use parquill::{BloomOptions, ColumnOptions, Error, FileOptions, MemorySink, PageKind, PhysicalType, Sink};

/// Fails at one of its calls, keeps the cause, and all bytes that came before.
#[derive(Clone, Default)]
struct Failing {
    left: Rc<RefCell<usize>>,
    cause: Rc<RefCell<Option<String>>>,
    memory: Rc<RefCell<MemorySink>>,
    calls: Rc<RefCell<usize>>,
}

impl Failing {
    fn at(call: usize) -> Self {
        Self { left: Rc::new(RefCell::new(call)), ..Self::default() }
    }

    fn call(&mut self) -> Result<(), Error> {
        assert!(self.cause.borrow().is_none(), "a call after the one that failed");
        let call = self.calls.replace_with(|calls| *calls + 1);
        match self.left.replace_with(|left| left.saturating_sub(1)) {
            0 => {
                *self.cause.borrow_mut() = Some(format!("disk full at call {call}"));
                Err(Error::Sink)
            }
            _ => Ok(()),
        }
    }
}

impl Sink for Failing {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.call()?;
        self.memory.borrow_mut().bytes(bytes)
    }

    fn page(&mut self, column: usize, kind: PageKind, header: &[u8], body: &[u8]) -> Result<(), Error> {
        self.call()?;
        self.memory.borrow_mut().page(column, kind, header, body)
    }

    fn end_chunk(&mut self, column: usize) -> Result<(), Error> {
        self.call()?;
        self.memory.borrow_mut().end_chunk(column)
    }
}

#[test]
fn a_sink_that_fails_at_any_call_never_holds_a_footer() {
    let with_filter = ColumnOptions { bloom: Some(BloomOptions::default()), ..ColumnOptions::default() };
    let columns = [
        Column::required(PhysicalType::Int32, DICTIONARY, (0..60i32).map(|row| (row % 3).to_le_bytes())).named("a"),
        Column::required(PhysicalType::ByteArray, with_filter, ["x"; 60]).text().named("b"),
    ];
    let options = FileOptions { page_rows: 10, ..FileOptions::default() };
    let whole = write(&columns, options.clone(), 30);
    let mut call = 0;
    loop {
        let sink = Failing::at(call);
        match write_to(&columns, options.clone(), 30, sink.clone()) {
            Ok(_) => break,
            Err(error) => {
                assert_eq!(error, Error::Sink, "call {call}");
                assert_eq!(*sink.cause.borrow(), Some(format!("disk full at call {call}")));
                let bytes = sink.memory.borrow().to_vec();
                assert!(whole.starts_with(&bytes) && bytes.len() < whole.len(), "call {call}");
                assert!(bytes.len() <= 4 || !bytes.ends_with(b"PAR1"), "call {call}");
            }
        }
        call += 1;
    }
    // Magic, 2 × (3 pages and a dictionary, end) × 2 chunks, 2 filters, 4 column and 4 offset indexes, metadata, tail.
    assert_eq!(call, 1 + 2 * 2 * 5 + 2 + 8 + 2);
}

#[test]
fn errors_of_the_sink_come_through_as_they_are() {
    struct Odd;
    impl Sink for Odd {
        fn bytes(&mut self, _: &[u8]) -> Result<(), Error> {
            Err(Error::Memory { bytes: 77 })
        }
        fn page(&mut self, _: usize, _: PageKind, _: &[u8], _: &[u8]) -> Result<(), Error> {
            Ok(())
        }
        fn end_chunk(&mut self, _: usize) -> Result<(), Error> {
            Ok(())
        }
    }
    let column = Column::required(PhysicalType::Int32, BARE, [[0; 4]; 5]);
    let result = write_to(&[column], FileOptions::default(), 5, Odd);
    assert_eq!(result.err(), Some(Error::Memory { bytes: 77 }));
}
