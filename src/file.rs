//! A Parquet file from magic to magic: row groups, their chunks, indexes, footer.

use crate::chunk::{self, ChunkWriter, Ends, Shared};
use crate::column::ColumnView;
use crate::error::{Error, Setting, reserve};
use crate::footer::{self, ChunkEntry, RowGroup};
use crate::options::{ColumnOptions, FileOptions, SortingColumn};
use crate::order::Order;
use crate::page::Press;
use crate::schema::{Leaf, PhysicalType, Schema};
use crate::sink::{Counted, Sink};
use crate::sorting::{self, Steps};

const MAGIC: &[u8] = b"PAR1";

/// What of the file is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    BetweenRowGroups,
    /// `rows` as declared, or as the first chunk to end had them.
    RowGroup {
        rows: Option<u64>,
    },
    Finished,
    /// An error came up: nothing more may be written, least of all a footer.
    Poisoned,
}

/// Writes one file into a sink. Chunks of a row group end in schema order; until then any number of them may be open,
/// so that a table can come column by column or batch by batch.
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
    /// Open chunks by column.
    chunks: Vec<Option<ChunkWriter>>,
    /// Chunk writers that wait for the next chunk: their buffers stay.
    idle: Vec<ChunkWriter>,
    /// The column that calls are about.
    selected: usize,
    /// Notes of the sorting columns about the open row group.
    steps: Vec<Steps>,
    ends: Ends,
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
        // Lookups in float16 and in decimals of fixed bytes lose rows in readers of today.
        let hazard = |leaf: &Leaf| {
            leaf.physical == PhysicalType::Boolean || matches!(leaf.order, Order::Float16 | Order::Decimal)
        };
        let bloom_fits = |(leaf, column): (&Leaf, &ColumnOptions)| {
            column.bloom.is_none_or(|bloom| bloom.false_positives > 0.0 && bloom.false_positives < 1.0 && !hazard(leaf))
        };
        if !schema.leaves().iter().zip(&columns).all(bloom_fits) {
            return Err(Error::Setting(Setting::Bloom));
        }
        if !schema.leaves().iter().zip(&columns).all(fits) {
            return Err(Error::Setting(Setting::Encoding));
        }
        let sorts = |index: usize, sorting: &SortingColumn| {
            let earlier = options.sorting.iter().take(index);
            let leaf = schema.leaves().get(sorting.column);
            leaf.is_some_and(|leaf| leaf.max_repetition == 0 && leaf.order != Order::Undefined)
                && earlier.into_iter().all(|other| other.column != sorting.column)
        };
        if !options.sorting.iter().enumerate().all(|(index, sorting)| sorts(index, sorting)) {
            return Err(Error::Setting(Setting::Sorting));
        }
        let mut steps = Vec::new();
        reserve(&mut steps, options.sorting.len())?;
        steps.resize_with(options.sorting.len(), Steps::default);
        Ok(Self {
            ends: Ends::new(&options, columns.len())?,
            press: Press::new(options.page_checksum),
            schema,
            columns,
            options,
            state: State::BetweenRowGroups,
            page: Vec::new(),
            chunks: Vec::new(),
            idle: Vec::new(),
            selected: 0,
            steps,
            sink: Counted::new(sink),
            row_groups: Vec::new(),
        })
    }

    /// Begins a row group of `rows` rows, at least one.
    pub fn begin_row_group(&mut self, rows: u64) -> Result<(), Error> {
        if rows == 0 { self.guard(|_| Err(Error::State)) } else { self.open_row_group(Some(rows)) }
    }

    /// Begins a row group that has as many rows as will be written to each of its chunks.
    pub fn begin_open_row_group(&mut self) -> Result<(), Error> {
        self.open_row_group(None)
    }

    fn open_row_group(&mut self, rows: Option<u64>) -> Result<(), Error> {
        self.guard(|file| {
            if file.state != State::BetweenRowGroups {
                return Err(Error::State);
            }
            file.begin()?;
            reserve(&mut file.row_groups, 1)?;
            file.row_groups.push(RowGroup { rows: rows.unwrap_or(0), chunks: Vec::new() });
            file.state = State::RowGroup { rows };
            Ok(())
        })
    }

    /// Begins the chunk of leaf `column` and selects it.
    pub fn begin_chunk(&mut self, column: usize) -> Result<(), Error> {
        self.guard(|file| {
            let State::RowGroup { rows } = file.state else { return Err(Error::State) };
            let ended = file.row_groups.last().map_or(0, |group| group.chunks.len());
            let (Some(leaf), Some(&options)) = (file.schema.leaves().get(column), file.columns.get(column)) else {
                return Err(Error::State);
            };
            if column < ended || file.chunks.get(column).is_some_and(Option::is_some) {
                return Err(Error::State);
            }
            let missing = (column + 1).saturating_sub(file.chunks.len());
            reserve(&mut file.chunks, missing)?;
            file.chunks.resize_with(file.chunks.len() + missing, || None);
            let mut chunk = file.idle.pop().unwrap_or_else(|| ChunkWriter::new(column, leaf, options));
            chunk.open(column, leaf, options, rows.unwrap_or(0), &file.options)?;
            if let Some(place) = file.chunks.get_mut(column) {
                *place = Some(chunk);
            }
            file.selected = column;
            Ok(())
        })
    }

    /// Selects an open chunk for the calls that follow.
    pub fn select(&mut self, column: usize) -> Result<(), Error> {
        self.guard(|file| {
            if file.chunks.get(column).is_none_or(Option::is_none) {
                return Err(Error::State);
            }
            file.selected = column;
            Ok(())
        })
    }

    /// Most rows of one page of leaf `column`; byte arrays may end a page earlier, by their bytes.
    pub fn page_rows(&self, column: usize) -> Option<usize> {
        self.schema.leaves().get(column).map(|leaf| chunk::page_rows(leaf, &self.options))
    }

    /// Most bytes that the next page of the selected chunk may take in PLAIN form; a single larger value stands alone.
    pub fn page_bytes(&self) -> usize {
        let selected = self.chunks.get(self.selected).and_then(Option::as_ref);
        selected.map_or(self.options.page_bytes, |chunk| chunk.page_bytes(&self.options))
    }

    /// Looks at rows picked from all over the selected chunk and settles its encoding, where that is left to the writer:
    /// the first `scattered` of them in groups of 8, which show how many distinct values there are, the others in 8
    /// stretches, which show what an encoding makes of neighbours. Before `write`; without it the first rows written are
    /// the sample.
    pub fn sample(&mut self, view: ColumnView<'_>, scattered: usize) -> Result<(), Error> {
        self.with_chunk(|chunk, rows, shared| {
            if chunk.rows() > 0 {
                return Err(Error::State);
            }
            chunk.sample(view, scattered, rows.unwrap_or(view.rows as u64), shared)
        })
    }

    /// Whether the next page of the selected chunk will try a dictionary.
    pub fn dictionary_open(&self) -> bool {
        let selected = self.chunks.get(self.selected).and_then(Option::as_ref);
        matches!(self.state, State::RowGroup { .. }) && selected.is_some_and(ChunkWriter::dictionary_open)
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

    /// Ends the selected chunk, the next in schema order. Its rows must be those of the row group.
    pub fn end_chunk(&mut self) -> Result<(), Error> {
        let column = self.selected;
        let ended = self.row_groups.last().map_or(0, |group| group.chunks.len());
        let (rows, facts) = self.with_chunk(|chunk, declared, shared| match (declared, chunk.rows()) {
            _ if column != ended => Err(Error::State),
            (Some(expected), found) if found != expected => Err(Error::RowCount { expected, found }),
            (None, 0) => Err(Error::RowCount { expected: 1, found: 0 }),
            (_, rows) => Ok((rows, chunk.finish(shared)?)),
        })?;
        self.guard(|file| {
            let group = file.row_groups.last_mut().ok_or(Error::State)?;
            reserve(&mut group.chunks, 1)?;
            group.rows = rows;
            let places = ChunkEntry { facts, offset_index: (0, 0), column_index: None, bloom: None };
            group.chunks.push(places);
            file.state = State::RowGroup { rows: Some(rows) };
            reserve(&mut file.idle, 1)?;
            file.idle.extend(file.chunks.get_mut(column).and_then(Option::take));
            Ok(())
        })
    }

    /// Bytes that the pages of the open row group take, those that wait for the rest of their chunk included.
    pub fn row_group_bytes(&self) -> u64 {
        let State::RowGroup { .. } = self.state else { return 0 };
        let ended = self
            .row_groups
            .last()
            .map_or(0, |group| group.chunks.iter().map(|chunk| chunk.facts.compressed_bytes).sum());
        ended + self.chunks.iter().flatten().map(ChunkWriter::compressed_bytes).sum::<u64>()
    }

    /// Ends the row group. Every leaf must have its chunk.
    pub fn end_row_group(&mut self) -> Result<(), Error> {
        self.guard(|file| {
            let ended = file.row_groups.last().map_or(0, |group| group.chunks.len());
            match file.state {
                State::RowGroup { .. } if ended == file.schema.leaves().len() => {}
                _ => return Err(Error::State),
            }
            if let Some(row) = sorting::first_out_of_order(&file.steps) {
                return Err(Error::Unsorted { row });
            }
            file.steps.iter_mut().for_each(Steps::open);
            // SPEC: Bloom filters lie behind the pages of their row group.
            for chunk in file.row_groups.last_mut().into_iter().flat_map(|group| &mut group.chunks) {
                if let Some(bloom) = chunk.facts.bloom.take() {
                    chunk.bloom = Some((file.sink.position(), bloom.len()));
                    file.sink.bytes(&bloom)?;
                }
            }
            file.state = State::BetweenRowGroups;
            Ok(())
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
        step: impl FnOnce(&mut ChunkWriter, Option<u64>, &mut Shared<'_, S>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.guard(|file| {
            let State::RowGroup { rows } = file.state else { return Err(Error::State) };
            let Some(Some(chunk)) = file.chunks.get_mut(file.selected) else { return Err(Error::State) };
            let shared = &mut Shared {
                options: &file.options,
                page: &mut file.page,
                press: &mut file.press,
                sink: &mut file.sink,
                steps: &mut file.steps,
                ends: &mut file.ends,
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
    declared: Option<u64>,
    shared: &mut Shared<'_, S>,
) -> Result<usize, Error> {
    let found = chunk.rows().saturating_add(view.rows as u64);
    match declared {
        Some(expected) if found > expected => return Err(Error::RowCount { expected, found }),
        _ => {}
    }
    chunk.write(view, check_text, flush, shared)
}
