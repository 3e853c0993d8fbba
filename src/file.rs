//! A Parquet file from magic to magic: row groups, their chunks, indexes, footer.

use crate::chunk::{self, ChunkWriter, Shared};
use crate::column::ColumnView;
use crate::error::{Error, Setting};
use crate::footer::{self, ChunkEntry, RowGroup};
use crate::options::{ColumnOptions, FileOptions};
use crate::page::Press;
use crate::schema::{Leaf, Schema};
use crate::sink::{Counted, Sink};

const MAGIC: &[u8] = b"PAR1";

/// What of the file is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    BetweenRowGroups,
    RowGroup {
        rows: u64,
    },
    Chunk {
        column: usize,
        rows: u64,
    },
    Finished,
    /// An error came up: nothing more may be written, least of all a footer.
    Poisoned,
}

/// Writes one file into a sink. Columns of a row group are written one after the other, in schema order.
///
/// ```
/// use parquill::{
///     ColumnOptions, ColumnView, Element, FileOptions, FileWriter, LogicalType, MemorySink, PhysicalType, Repetition,
///     Schema, Values,
/// };
/// # fn main() -> Result<(), parquill::Error> {
/// let id = Element {
///     name: "id".into(),
///     repetition: Repetition::Required,
///     children: 0,
///     physical: Some(PhysicalType::Int64),
///     type_length: 0,
///     logical: LogicalType::None,
///     field_id: None,
/// };
/// let schema = Schema::new(vec![id])?;
/// let mut file =
///     FileWriter::new(schema, vec![ColumnOptions::default()], FileOptions::default(), MemorySink::default())?;
/// let values: Vec<u8> = (0i64..1000).flat_map(i64::to_le_bytes).collect();
/// file.begin_row_group(1000)?;
/// file.begin_chunk(0)?;
/// file.write(ColumnView::required(1000, Values::Fixed(&values)), true)?;
/// file.end_chunk()?;
/// file.end_row_group()?;
/// file.finish()?;
/// assert!(file.into_sink().to_vec().ends_with(b"PAR1"));
/// # Ok(())
/// # }
/// ```
pub struct FileWriter<S> {
    schema: Schema,
    columns: Vec<ColumnOptions>,
    options: FileOptions,
    state: State,
    /// The page buffer: levels, then values, of the page being made.
    page: Vec<u8>,
    press: Press,
    chunk: Option<ChunkWriter>,
    sink: Counted<S>,
    row_groups: Vec<RowGroup>,
}

impl<S: Sink> FileWriter<S> {
    /// Checks everything; nothing is written before the first row group or `finish`. `columns` has one entry a leaf.
    ///
    /// Errors: [`Error::Schema`], [`Error::Setting`].
    pub fn new(schema: Schema, columns: Vec<ColumnOptions>, options: FileOptions, sink: S) -> Result<Self, Error> {
        options.check()?;
        if columns.len() != schema.leaves().len() {
            return Err(Error::Setting(Setting::ColumnCount));
        }
        for column in &columns {
            column.codec.check()?;
        }
        let fits = |(leaf, column): (&Leaf, &ColumnOptions)| {
            column.encoding.is_none_or(|encoding| encoding.fits(leaf.physical))
        };
        if !schema.leaves().iter().zip(&columns).all(fits) {
            return Err(Error::Setting(Setting::Encoding));
        }
        Ok(Self {
            press: Press::new(options.page_checksum),
            schema,
            columns,
            options,
            state: State::BetweenRowGroups,
            page: Vec::new(),
            chunk: None,
            sink: Counted::new(sink),
            row_groups: Vec::new(),
        })
    }

    /// Begins a row group of `rows` rows, at least one.
    pub fn begin_row_group(&mut self, rows: u64) -> Result<(), Error> {
        self.guard(|file| match file.state {
            State::BetweenRowGroups if rows > 0 => {
                file.begin()?;
                file.row_groups.push(RowGroup { rows, chunks: Vec::new() });
                file.state = State::RowGroup { rows };
                Ok(())
            }
            _ => Err(Error::State),
        })
    }

    /// Begins the chunk of leaf `column`, the next in schema order.
    pub fn begin_chunk(&mut self, column: usize) -> Result<(), Error> {
        self.guard(|file| {
            let State::RowGroup { rows } = file.state else { return Err(Error::State) };
            let next = file.row_groups.last().map_or(0, |group| group.chunks.len());
            let (Some(leaf), Some(&options)) = (file.schema.leaves().get(column), file.columns.get(column)) else {
                return Err(Error::State);
            };
            if next != column {
                return Err(Error::State);
            }
            let chunk = file.chunk.get_or_insert_with(|| ChunkWriter::new(column, leaf, options));
            chunk.open(column, leaf, options, rows, &file.options)?;
            file.state = State::Chunk { column, rows };
            Ok(())
        })
    }

    /// Most rows of one page of leaf `column`; byte arrays may end a page earlier, by their bytes.
    pub fn page_rows(&self, column: usize) -> Option<usize> {
        self.schema.leaves().get(column).map(|leaf| chunk::page_rows(leaf, &self.options))
    }

    /// Looks at rows picked from all over the open chunk and settles whether a dictionary is tried. Before `write`.
    pub fn sample(&mut self, view: ColumnView<'_>) -> Result<(), Error> {
        self.with_chunk(|chunk, rows, shared| {
            if chunk.rows() > 0 {
                return Err(Error::State);
            }
            chunk.sample(view, rows, shared.options)
        })
    }

    /// Whether the next page of the open chunk will try a dictionary.
    pub fn dictionary_open(&self) -> bool {
        matches!(self.state, State::Chunk { .. }) && self.chunk.as_ref().is_some_and(ChunkWriter::dictionary_open)
    }

    /// Hands over dictionary entries that the next [`Values::Codes`](crate::Values::Codes) refer to: n + 1 offsets
    /// from the first byte of `bytes` on.
    pub fn hand_over(&mut self, offsets: &[u32], bytes: &[u8]) -> Result<(), Error> {
        self.with_chunk(|chunk, _, _| chunk.hand_over(offsets, bytes))
    }

    /// Writes whole pages out of `view` and gives the rows taken; with `flush` all of them. Strings are trusted to
    /// be UTF-8, see [`write_checked`](Self::write_checked).
    pub fn write(&mut self, view: ColumnView<'_>, flush: bool) -> Result<usize, Error> {
        self.with_chunk(|chunk, rows, shared| write(chunk, view, false, flush, rows, shared))
    }

    /// The same for strings from outside: a value that is not UTF-8 is [`Error::InvalidUtf8`]. Entries that were
    /// handed over are trusted all the same.
    pub fn write_checked(&mut self, view: ColumnView<'_>, flush: bool) -> Result<usize, Error> {
        self.with_chunk(|chunk, rows, shared| write(chunk, view, true, flush, rows, shared))
    }

    /// Ends the open chunk. Its rows must be those of the row group.
    pub fn end_chunk(&mut self) -> Result<(), Error> {
        let facts = self.with_chunk(|chunk, rows, shared| {
            if chunk.rows() != rows {
                return Err(Error::RowCount { expected: rows, found: chunk.rows() });
            }
            chunk.finish(shared)
        })?;
        self.guard(|file| {
            let State::Chunk { rows, .. } = file.state else { return Err(Error::State) };
            let group = file.row_groups.last_mut().ok_or(Error::State)?;
            group.chunks.push(ChunkEntry { facts, offset_index: (0, 0), column_index: None });
            file.state = State::RowGroup { rows };
            Ok(())
        })
    }

    /// Ends the row group. Every leaf must have its chunk.
    pub fn end_row_group(&mut self) -> Result<(), Error> {
        self.guard(|file| {
            let chunks = file.row_groups.last().map_or(0, |group| group.chunks.len());
            match file.state {
                State::RowGroup { .. } if chunks == file.schema.leaves().len() => {
                    file.state = State::BetweenRowGroups;
                    Ok(())
                }
                _ => Err(Error::State),
            }
        })
    }

    /// Writes page indexes and footer. The file is whole after this, and only then.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.guard(|file| {
            if file.state != State::BetweenRowGroups {
                return Err(Error::State);
            }
            file.begin()?;
            // SPEC: all column indexes, then all offset indexes, near the footer.
            for chunk in file.row_groups.iter_mut().flat_map(|group| &mut group.chunks) {
                if let Some(index) = chunk.facts.index.column_index.take() {
                    chunk.column_index = Some((file.sink.position(), index.len()));
                    file.sink.bytes(&index)?;
                }
            }
            for chunk in file.row_groups.iter_mut().flat_map(|group| &mut group.chunks) {
                let index = core::mem::take(&mut chunk.facts.index.offset_index);
                chunk.offset_index = (file.sink.position(), index.len());
                file.sink.bytes(&index)?;
            }
            file.page.clear();
            footer::file_metadata(&file.schema, &file.columns, &file.options, &file.row_groups, &mut file.page)?;
            let tail = footer::tail(file.page.len())?;
            file.sink.bytes(&file.page)?;
            file.sink.bytes(&tail)?;
            file.state = State::Finished;
            Ok(())
        })
    }

    /// Length of the file so far; pages of the open chunk are not counted yet.
    pub fn position(&self) -> u64 {
        self.sink.position()
    }

    /// Capacities in bytes of the buffers that live as long as the writer: page buffer, codec buffer, page header.
    pub fn buffer_capacities(&self) -> [usize; 3] {
        let [body, header] = self.press.capacities();
        [self.page.capacity(), body, header]
    }

    /// The schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The sink.
    pub fn sink_mut(&mut self) -> &mut S {
        &mut self.sink.sink
    }

    /// The sink, with all it has taken.
    pub fn into_sink(self) -> S {
        self.sink.sink
    }

    fn begin(&mut self) -> Result<(), Error> {
        if self.sink.position() == 0 { self.sink.bytes(MAGIC) } else { Ok(()) }
    }

    fn guard<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let result = match self.state {
            State::Poisoned => Err(Error::State),
            _ => step(self),
        };
        if result.is_err() {
            self.state = State::Poisoned;
        }
        result
    }

    fn with_chunk<T>(
        &mut self,
        step: impl FnOnce(&mut ChunkWriter, u64, &mut Shared<'_, S>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.guard(|file| {
            let (State::Chunk { rows, .. }, Some(chunk)) = (file.state, &mut file.chunk) else {
                return Err(Error::State);
            };
            let shared = &mut Shared {
                options: &file.options,
                page: &mut file.page,
                press: &mut file.press,
                sink: &mut file.sink,
            };
            step(chunk, rows, shared)
        })
    }
}

fn write<S: Sink>(
    chunk: &mut ChunkWriter,
    view: ColumnView<'_>,
    check_text: bool,
    flush: bool,
    rows: u64,
    shared: &mut Shared<'_, S>,
) -> Result<usize, Error> {
    if chunk.rows().saturating_add(view.rows as u64) > rows {
        return Err(Error::RowCount { expected: rows, found: chunk.rows().saturating_add(view.rows as u64) });
    }
    chunk.write(view, check_text, flush, shared)
}
