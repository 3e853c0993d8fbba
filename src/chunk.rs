//! One column chunk, from the view to the sink: levels and values into the page buffer, pages out, totals kept.

mod check;
mod choice;
mod ends;
mod pages;

use self::check::{accepts, check_page};
pub(crate) use self::ends::Ends;
use self::pages::Pages;
use crate::column::{ColumnView, Cursor, Scratch, Shape};
use crate::error::Error;
use crate::histogram::Histograms;
use crate::options::{ColumnOptions, Encoding, FileOptions, PageVersion, StatisticsLevel};
use crate::page::Press;
use crate::page_index::{SerializedIndex, Truncation};
use crate::schema::{Leaf, LogicalType, PhysicalType};
use crate::sink::{Counted, Sink};
use crate::sorting::Steps;

/// What all chunks of a file share: the one page buffer, the press behind it and the sink.
pub(crate) struct Shared<'a, S> {
    pub options: &'a FileOptions,
    pub page: &'a mut Vec<u8>,
    pub press: &'a mut Press,
    pub sink: &'a mut Counted<S>,
    /// Notes of the sorting columns, in the order of the sort.
    pub steps: &'a mut [Steps],
    pub ends: &'a mut Ends,
}

/// A bound as the footer says it.
#[derive(Debug)]
pub(crate) struct Bound {
    pub value: Vec<u8>,
    pub exact: bool,
}

/// What the footer says of a finished chunk.
#[derive(Debug)]
pub(crate) struct ChunkFacts {
    pub column: usize,
    pub num_values: u64,
    pub null_count: u64,
    pub nan_count: u64,
    pub value_bytes: u64,
    pub uncompressed_bytes: u64,
    pub compressed_bytes: u64,
    pub start: u64,
    /// Bytes of the dictionary page with its header, 0 without one.
    pub dictionary_page_bytes: u64,
    /// Data pages by encoding, in the order of [`Encoding::ALL`].
    pub pages: [i32; Encoding::ALL.len()],
    pub page_version: PageVersion,
    /// Minimum and maximum, where they are known.
    pub bounds: [Option<Bound>; 2],
    pub histograms: Histograms,
    /// Header and bits.
    pub bloom: Option<Vec<u8>>,
    pub index: SerializedIndex,
}

/// How many times the rows of its first page a chunk is taken to have, when nobody says how many it will have.
const MORE_TO_COME: u64 = 8;

/// Writes chunks, one after the other; its buffers stay from chunk to chunk.
pub(crate) struct ChunkWriter {
    column: usize,
    leaf: Leaf,
    options: ColumnOptions,
    scratch: Scratch,
    pages: Pages,
}

impl ChunkWriter {
    /// A writer that has no chunk open yet; `leaf` and `options` are those of the first.
    pub fn new(column: usize, leaf: &Leaf, options: ColumnOptions) -> Self {
        Self { column, leaf: leaf.clone(), options, scratch: Scratch::default(), pages: Pages::default() }
    }

    /// Opens a chunk of `rows` rows.
    pub fn open(
        &mut self,
        column: usize,
        leaf: &Leaf,
        options: ColumnOptions,
        rows: u64,
        file: &FileOptions,
    ) -> Result<(), Error> {
        self.column = column;
        self.leaf.clone_from(leaf);
        self.options = options;
        let shorter = file.page_bytes / file.content_defined.unwrap_or(file.page_bytes);
        let pages = usize::try_from(rows).unwrap_or(usize::MAX).div_ceil(page_rows(leaf, file)).saturating_mul(shorter);
        self.pages.open(leaf, options, rows, pages, file)
    }

    /// Whether the next page will try the dictionary.
    pub fn dictionary_open(&self) -> bool {
        self.pages.dictionary_open
    }

    /// Looks at rows picked from all over the chunk (`rows` in all) and settles its encoding: `scattered` rows in groups
    /// of 8, then 8 longer stretches.
    pub fn sample<S: Sink>(
        &mut self,
        view: ColumnView<'_>,
        scattered: usize,
        rows: u64,
        shared: &mut Shared<'_, S>,
    ) -> Result<(), Error> {
        let mut cursor = self.cursor(view)?;
        let scattered = scattered.min(view.rows);
        if scattered > 0 {
            let page = cursor.take(scattered, &mut self.scratch)?;
            self.pages.scattered(page, self.leaf.width)?;
        }
        let sampled = cursor.remaining();
        if sampled > 0 { self.settle(&cursor, sampled, rows, shared) } else { Ok(()) }
    }

    /// Settles the encoding by the next page of `rows` rows, the same however the rows come in pieces. `only`: there is no
    /// other.
    #[inline(never)]
    fn settle_by_page<S: Sink>(
        &mut self,
        cursor: &Cursor<'_>,
        rows: usize,
        only: bool,
        shared: &mut Shared<'_, S>,
    ) -> Result<(), Error> {
        let expected = match self.pages.rows {
            0 if only => rows as u64,
            0 => rows as u64 * MORE_TO_COME,
            declared => declared,
        };
        self.settle(cursor, rows.min(choice::sample_rows(expected)), expected, shared)
    }

    /// Settles the encoding by the next `sampled` rows, where that is left to the writer.
    fn settle<S: Sink>(
        &mut self,
        cursor: &Cursor<'_>,
        sampled: usize,
        rows: u64,
        shared: &mut Shared<'_, S>,
    ) -> Result<(), Error> {
        if !self.pages.may_choose(self.options, shared.options.compatibility) {
            return Ok(());
        }
        let page = cursor.clone().take(sampled, &mut self.scratch)?;
        self.pages.settle(page, rows, &self.leaf, self.options, shared)
    }

    /// Takes dictionary entries that the next `Codes` refer to.
    pub fn hand_over(&mut self, offsets: &[u32], bytes: &[u8]) -> Result<(), Error> {
        if !self.pages.dictionary_open {
            return Err(Error::State);
        }
        self.pages.dictionary.hand_over(offsets, bytes)
    }

    /// Writes whole pages out of `view`, with `flush` the last one too; gives the rows taken.
    /// `check_text`: strings must be looked at for valid UTF-8.
    pub fn write<S: Sink>(
        &mut self,
        view: ColumnView<'_>,
        check_text: bool,
        flush: bool,
        shared: &mut Shared<'_, S>,
    ) -> Result<usize, Error> {
        let mut cursor = self.cursor(view)?;
        let most = page_rows(&self.leaf, shared.options);
        let mut taken = 0;
        while cursor.remaining() > 0 {
            let mut special = None;
            let (mut rows, mut full) = cursor.fit(most, shared.options.page_bytes);
            let all = (cursor.remaining(), false);
            let whole = (rows, full) == all;
            if !shared.ends.by_content() && (full || flush) {
                self.settle_by_page(&cursor, rows, taken == 0 && flush && whole, shared)?;
            }
            if shared.ends.by_content() || (self.is_front_coded() && !whole && rows < most) {
                let ahead = cursor.clone().take(cursor.remaining().min(most), &mut self.scratch)?;
                let fit = shared.ends.fit(self.column, &self.leaf, ahead, &self.pages.dictionary, shared.options);
                (rows, full) = (fit.rows, fit.full);
                special = Some(fit);
            }
            if shared.ends.by_content() && (full || flush) {
                self.settle_by_page(&cursor, rows, taken == 0 && flush && (rows, full) == all, shared)?;
            }
            if !full && !flush {
                break;
            }
            let page = cursor.take(rows, &mut self.scratch)?;
            check_page(page, &self.leaf, check_text).map_err(|error| shift_row(error, taken))?;
            self.pages
                .write(page, self.column, &self.leaf, self.options, shared)
                .map_err(|error| match error {
                    Error::Code { row } => Error::Code { row: page.row_of(row, self.leaf.max_definition) },
                    other => other,
                })
                .map_err(|error| shift_row(error, taken))?;
            if let Some(fit) = special {
                shared.ends.take(self.column, &fit);
            }
            taken += rows;
        }
        Ok(taken)
    }

    /// Whether the next page holds strings that are written as what they do not share with the one before.
    fn is_front_coded(&self) -> bool {
        self.leaf.width == 0 && !self.pages.dictionary_open && self.pages.encoding == Encoding::DeltaByteArray
    }

    /// Most bytes that the next page may take in PLAIN form.
    pub fn page_bytes(&self, file: &FileOptions) -> usize {
        match self.is_front_coded() && file.content_defined.is_none() {
            true => ends::most_plain(file.page_bytes),
            false => file.page_bytes,
        }
    }

    /// Ends the chunk: dictionary page, then everything to the file.
    pub fn finish<S: Sink>(&mut self, shared: &mut Shared<'_, S>) -> Result<ChunkFacts, Error> {
        let dictionary_page_bytes = self.pages.write_dictionary(self.column, self.options, shared)?;
        let bloom = self.pages.finish_bloom(self.options, self.leaf.order)?;
        let totals = &self.pages.totals;
        let start = shared.sink.end_chunk(self.column, totals.compressed_bytes)?;
        let column_index = self.options.statistics == StatisticsLevel::Page;
        let bounds = match self.options.statistics {
            StatisticsLevel::None => [None, None],
            _ => self.pages.chunk_bounds(truncation(&self.leaf, shared.options))?,
        };
        Ok(ChunkFacts {
            column: self.column,
            num_values: totals.entries,
            null_count: totals.null_count,
            nan_count: totals.nan_count,
            value_bytes: totals.value_bytes,
            uncompressed_bytes: totals.uncompressed_bytes,
            compressed_bytes: totals.compressed_bytes,
            start,
            dictionary_page_bytes,
            pages: totals.pages,
            page_version: shared.options.page_version,
            bounds,
            index: self.pages.index.serialize(
                start + dictionary_page_bytes,
                self.leaf.order,
                column_index,
                column_index && self.leaf.physical == PhysicalType::ByteArray,
                &self.pages.histograms,
            )?,
            bloom,
            histograms: core::mem::take(&mut self.pages.histograms),
        })
    }

    fn cursor<'v>(&self, view: ColumnView<'v>) -> Result<Cursor<'v>, Error> {
        if !accepts(&self.leaf, view.values) {
            return Err(Error::View);
        }
        Cursor::new(view, Shape::from(&self.leaf))
    }

    /// Bytes of the pages that have left.
    pub fn compressed_bytes(&self) -> u64 {
        self.pages.totals.compressed_bytes
    }

    /// Rows written to the open chunk.
    pub fn rows(&self) -> u64 {
        self.pages.totals.rows
    }
}

/// Most rows of a page: as many as `page_bytes` holds, were none of them null. So many rows always make one, or more.
pub(crate) fn page_rows(leaf: &Leaf, file: &FileOptions) -> usize {
    let by_bytes = match (leaf.physical, leaf.width) {
        _ if file.content_defined.is_some() => file.page_bytes / ends::entry_bytes(leaf),
        (PhysicalType::Boolean, _) => file.page_bytes.saturating_mul(8),
        (_, 0) => usize::MAX,
        (_, width) => file.page_bytes / width,
    };
    by_bytes.clamp(1, file.page_rows)
}

fn truncation(leaf: &Leaf, file: &FileOptions) -> Truncation {
    Truncation {
        bytes: file.statistics_truncate_bytes,
        text: matches!(leaf.logical, LogicalType::String | LogicalType::Enum | LogicalType::Json),
        applies: leaf.physical == PhysicalType::ByteArray,
    }
}

/// Rows of errors count from the start of the view, not of the page.
fn shift_row(error: Error, by: usize) -> Error {
    match error {
        Error::NullInRequired { row } => Error::NullInRequired { row: row + by },
        Error::InvalidUtf8 { row } => Error::InvalidUtf8 { row: row + by },
        Error::Code { row } => Error::Code { row: row + by },
        other => other,
    }
}
