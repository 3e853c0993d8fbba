//! One column chunk, from the view to the sink: levels and values into the page buffer, pages out, totals kept.

use crate::column::{ColumnView, Cursor, Dense, Page, Presence, Scratch, Shape, Values, bit, byte_array_bytes};
use crate::encoding::dictionary::Dictionary;
use crate::encoding::{bit_pack, plain, rle};
use crate::error::{Error, reserve};
use crate::histogram::Histograms;
use crate::level;
use crate::options::{ColumnOptions, Encoding, FileOptions, StatisticsLevel};
use crate::page::{PageFacts, PageSizes, Press};
use crate::page_index::{PageCounts, PageIndex, SerializedIndex, Truncation};
use crate::schema::{Leaf, LogicalType, PhysicalType};
use crate::sink::{Counted, PageKind, Sink};
use crate::statistics::{Bounds, PageStatistics, truncate_max, truncate_min};

/// Dictionary pages after which a dictionary that does not pay is given up, whatever the sample said.
const TRIAL_PAGES: usize = 4;

/// What all chunks of a file share: the one page buffer, the press behind it and the sink.
pub(crate) struct Shared<'a, S> {
    pub options: &'a FileOptions,
    pub page: &'a mut Vec<u8>,
    pub press: &'a mut Press,
    pub sink: &'a mut Counted<S>,
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
    pub plain_pages: i32,
    pub dictionary_pages: i32,
    pub bounds: Option<(Bound, Bound)>,
    pub histograms: Histograms,
    pub index: SerializedIndex,
}

/// Sums over the pages of the open chunk.
#[derive(Debug, Default)]
struct Totals {
    rows: u64,
    entries: u64,
    null_count: u64,
    nan_count: u64,
    value_bytes: u64,
    uncompressed_bytes: u64,
    compressed_bytes: u64,
    plain_pages: i32,
    dictionary_pages: i32,
    /// Bytes of index streams, and what PLAIN would have taken for the same pages.
    coded_bytes: usize,
    coded_plain_bytes: usize,
}

/// Writes chunks, one after the other; its buffers stay from chunk to chunk.
pub(crate) struct ChunkWriter {
    column: usize,
    leaf: Leaf,
    options: ColumnOptions,
    scratch: Scratch,
    pages: Pages,
}

/// The part of a chunk that sees whole pages.
struct Pages {
    /// Whether the next page tries the dictionary.
    dictionary_open: bool,
    /// Whether a sample spoke for the dictionary, so that a single bad page does not count.
    sampled: bool,
    /// Rows of the chunk.
    rows: u64,
    dictionary: Dictionary,
    codes: Vec<u32>,
    statistics: PageStatistics,
    bounds: Bounds,
    bounded: bool,
    index: PageIndex,
    histograms: Histograms,
    totals: Totals,
}

impl ChunkWriter {
    /// A writer that has no chunk open yet; `leaf` and `options` are those of the first.
    pub fn new(column: usize, leaf: &Leaf, options: ColumnOptions) -> Self {
        Self {
            column,
            leaf: leaf.clone(),
            options,
            scratch: Scratch::default(),
            pages: Pages {
                dictionary_open: false,
                sampled: false,
                rows: 0,
                dictionary: Dictionary::default(),
                codes: Vec::new(),
                statistics: PageStatistics::default(),
                bounds: Bounds::default(),
                bounded: true,
                index: PageIndex::default(),
                histograms: Histograms::default(),
                totals: Totals::default(),
            },
        }
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
        let pages = &mut self.pages;
        pages.dictionary_open = match options.encoding {
            None => options.dictionary && leaf.physical != PhysicalType::Boolean,
            Some(encoding) => encoding == Encoding::RleDictionary,
        };
        pages.sampled = false;
        pages.rows = rows;
        pages.dictionary.open(leaf.width)?;
        pages.statistics.open();
        pages.bounds.clear();
        pages.bounded = true;
        pages.totals = Totals::default();
        let count = usize::try_from(rows).unwrap_or(usize::MAX).div_ceil(page_rows(leaf, file));
        let bound_bytes = if leaf.width == 0 { file.statistics_truncate_bytes } else { leaf.width };
        // A guess for byte arrays, capped so that a wrong one costs nothing to speak of.
        let count = count.min(1 << 16);
        pages.histograms.open(leaf, count)?;
        pages.index.open(count, 2 * bound_bytes.min(64))
    }

    /// Whether the next page will try the dictionary.
    pub fn dictionary_open(&self) -> bool {
        self.pages.dictionary_open
    }

    /// Looks at rows picked from all over the chunk (`rows` in all) and settles whether a dictionary is tried.
    pub fn sample(&mut self, view: ColumnView<'_>, rows: u64, file: &FileOptions) -> Result<(), Error> {
        if !self.pages.dictionary_open || self.options.encoding.is_some() {
            return Ok(());
        }
        let mut cursor = self.cursor(view)?;
        let page = cursor.take(view.rows, &mut self.scratch)?;
        self.pages.sample(page, rows, self.leaf.width, file.dictionary_bytes)
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
            let (rows, full) = cursor.fit(most, shared.options.page_bytes);
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
            taken += rows;
        }
        Ok(taken)
    }

    /// Ends the chunk: dictionary page, then everything to the file.
    pub fn finish<S: Sink>(&mut self, shared: &mut Shared<'_, S>) -> Result<ChunkFacts, Error> {
        let dictionary_page_bytes = self.pages.write_dictionary(self.column, self.options, shared)?;
        let totals = &self.pages.totals;
        let start = shared.sink.end_chunk(self.column, totals.compressed_bytes)?;
        let column_index = self.options.statistics == StatisticsLevel::Page;
        let bounds = match self.options.statistics {
            StatisticsLevel::None => None,
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
            plain_pages: totals.plain_pages,
            dictionary_pages: totals.dictionary_pages,
            bounds,
            index: self.pages.index.serialize(
                start + dictionary_page_bytes,
                self.leaf.order,
                column_index,
                column_index && self.leaf.physical == PhysicalType::ByteArray,
                &self.pages.histograms,
            )?,
            histograms: core::mem::take(&mut self.pages.histograms),
        })
    }

    fn cursor<'v>(&self, view: ColumnView<'v>) -> Result<Cursor<'v>, Error> {
        if !accepts(&self.leaf, view.values) {
            return Err(Error::View);
        }
        Cursor::new(view, Shape::from(&self.leaf))
    }

    /// Rows written to the open chunk.
    pub fn rows(&self) -> u64 {
        self.pages.totals.rows
    }
}

impl Pages {
    fn sample(&mut self, page: Page<'_>, chunk_rows: u64, width: usize, limit: usize) -> Result<(), Error> {
        if page.present == 0 {
            return Ok(());
        }
        self.codes.clear();
        self.dictionary.encode_codes(page.values, usize::MAX, &mut self.codes)?;
        let distinct = self.dictionary.len();
        let entry_bytes = self.dictionary.plain_bytes() as f64 / distinct as f64;
        let mut uses: Vec<u8> = Vec::new();
        reserve(&mut uses, distinct)?;
        uses.resize(distinct, 0);
        for &code in &self.codes {
            if let Some(count) = uses.get_mut(code as usize) {
                *count = count.saturating_add(1);
            }
        }
        let used = |times: u8| uses.iter().filter(|&&count| count == times).count() as f64;
        let (once, twice) = (used(1), used(2));
        let values = chunk_rows as f64 * page.present as f64 / page.rows as f64;
        // Chao's estimate of all distinct values from those seen once and twice in a sample.
        let entries = (distinct as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))).min(values);
        let dictionary_bytes = entries * entry_bytes;
        let coded_bytes = dictionary_bytes + values * entries.log2().ceil().max(1.0) / 8.0;
        let value_bytes = match width {
            0 => byte_array_bytes(page.present, byte_length(page.values)) as f64 / page.present as f64,
            width => width as f64,
        };
        self.dictionary_open = dictionary_bytes <= limit as f64 && coded_bytes < 0.8 * values * value_bytes;
        self.sampled = true;
        self.dictionary.open(width)
    }

    fn write<S: Sink>(
        &mut self,
        page: Page<'_>,
        column: usize,
        leaf: &Leaf,
        options: ColumnOptions,
        shared: &mut Shared<'_, S>,
    ) -> Result<(), Error> {
        let coded = self.encode_codes(page, options, shared.options)?;
        if options.statistics != StatisticsLevel::None {
            self.collect(page, coded, leaf, shared.options.statistics_truncate_bytes)?;
        }
        let value_bytes = match (leaf.physical, page.values) {
            (PhysicalType::ByteArray, Dense::Codes(_)) => self.coded_byte_length()?,
            (PhysicalType::ByteArray, values) => byte_length(values) as u64,
            _ => 0,
        };
        shared.page.clear();
        level::levels_v1(page, leaf.max_definition, leaf.max_repetition, shared.page)?;
        let levels_bytes = shared.page.len();
        let mut in_place = None;
        match page.values {
            _ if coded => {
                reserve(shared.page, 1)?;
                // SPEC: width 0 is legal for a single entry, but some readers want a bit.
                let largest = u32::try_from(self.dictionary.len().saturating_sub(1)).unwrap_or(u32::MAX);
                let width = bit_pack::width_of(largest).max(1);
                shared.page.push(width.to_le_bytes()[0]);
                rle::hybrid(&self.codes, width, shared.page)?;
            }
            // Without levels the values are the page already.
            Dense::Fixed(bytes) | Dense::Bits(bytes) if leaf.max_definition == 0 => in_place = Some(bytes),
            Dense::Fixed(bytes) | Dense::Bits(bytes) => plain::fixed(bytes, shared.page)?,
            Dense::Bytes { offsets, bytes } => plain::byte_arrays(offsets, bytes, shared.page)?,
            // A page of nulls that came before any entry.
            Dense::Codes([]) => {}
            Dense::Codes(_) => return Err(Error::State),
        }
        let facts = PageFacts {
            column,
            kind: PageKind::Data,
            codec: options.codec,
            num_values: page.entries,
            encoding: if coded { Encoding::RleDictionary } else { Encoding::Plain },
        };
        let body = in_place.unwrap_or(shared.page);
        let sizes = shared.press.emit(body, facts, &mut shared.sink.sink)?;
        if let Presence::Levels { definition, repetition } = page.presence {
            self.histograms.add(definition, repetition)?;
        }
        let counts = PageCounts {
            rows: page.rows as u64,
            entries: page.entries as u64,
            null_count: (page.entries - page.present) as u64,
            nan_count: self.statistics.nan_count,
            value_bytes,
        };
        self.index.add(sizes, counts, &self.statistics.bounds, truncation(leaf, shared.options))?;
        self.count(sizes, counts, coded, body.len() - levels_bytes, page, leaf);
        Ok(())
    }

    /// Puts the page's codes into `codes`, if the dictionary is to be used for it and holds out.
    fn encode_codes(&mut self, page: Page<'_>, options: ColumnOptions, file: &FileOptions) -> Result<bool, Error> {
        self.codes.clear();
        // A page of nulls has nothing to look up: with no entries yet it must not bring a dictionary page about.
        if !self.dictionary_open || (page.present == 0 && self.dictionary.len() == 0) {
            return Ok(false);
        }
        let mark = self.dictionary.mark();
        let fits = self.dictionary.encode_codes(page.values, file.dictionary_bytes, &mut self.codes)?;
        if matches!(page.values, Dense::Codes(_)) {
            // These values are nowhere but in the dictionary, so this page stays with it.
            self.dictionary_open = fits;
            return Ok(true);
        }
        if fits && (options.encoding.is_some() || self.pays(page)) {
            return Ok(true);
        }
        self.dictionary_open = false;
        self.dictionary.truncate(mark);
        Ok(false)
    }

    /// Whether dictionary and codes so far, this page's with them, are smaller than PLAIN.
    fn pays(&self, page: Page<'_>) -> bool {
        let pages = self.totals.dictionary_pages.unsigned_abs() as usize;
        let trial = if self.sampled { TRIAL_PAGES } else { 0 };
        if pages < trial {
            return true;
        }
        let largest = u32::try_from(self.dictionary.len()).unwrap_or(u32::MAX);
        let coded = page.present * bit_pack::width_of(largest) as usize / 8;
        let plain = match page.values {
            Dense::Fixed(bytes) => bytes.len(),
            Dense::Bytes { .. } => byte_array_bytes(page.present, byte_length(page.values)),
            // The caller's table of codes has its own judgement.
            _ => return true,
        };
        if self.totals.coded_bytes + coded + self.dictionary.plain_bytes() < self.totals.coded_plain_bytes + plain {
            return true;
        }
        // A handful of values says nothing about pages to come.
        page.present < 64 && self.totals.rows + (page.rows as u64) < self.rows
    }

    fn collect(&mut self, page: Page<'_>, by_codes: bool, leaf: &Leaf, truncate: usize) -> Result<(), Error> {
        match page.values {
            Dense::Bits(bits) => self.statistics.collect_bits(bits, page.present)?,
            Dense::Bytes { .. } | Dense::Codes(_) if by_codes => {
                self.statistics.collect_codes(&self.codes, &self.dictionary, truncate)?;
            }
            values => self.statistics.collect(values, leaf.width, leaf.order, truncate)?,
        }
        if page.present > 0 {
            self.bounded &= self.statistics.bounds.known;
        }
        self.bounds.merge(&self.statistics.bounds, leaf.order)
    }

    /// Bytes of the values that `codes` stand for.
    fn coded_byte_length(&self) -> Result<u64, Error> {
        self.codes.iter().enumerate().try_fold(0, |sum, (row, &code)| {
            let entry = self.dictionary.entry(code).ok_or(Error::Code { row })?;
            Ok(sum + entry.len() as u64)
        })
    }

    fn count(
        &mut self,
        sizes: PageSizes,
        counts: PageCounts,
        coded: bool,
        value_section: usize,
        page: Page<'_>,
        leaf: &Leaf,
    ) {
        let totals = &mut self.totals;
        totals.rows += counts.rows;
        totals.entries += counts.entries;
        totals.null_count += counts.null_count;
        totals.nan_count += counts.nan_count;
        totals.value_bytes += counts.value_bytes;
        totals.uncompressed_bytes += sizes.uncompressed_bytes;
        totals.compressed_bytes += u64::from(sizes.compressed_bytes.unsigned_abs());
        if coded {
            totals.dictionary_pages += 1;
            totals.coded_bytes += value_section;
            totals.coded_plain_bytes += match leaf.width {
                0 => page.present * 4 + usize::try_from(counts.value_bytes).unwrap_or(usize::MAX),
                width => page.present * width,
            };
        } else {
            totals.plain_pages += 1;
        }
    }

    /// Emits the dictionary page, if data pages use it; gives its bytes with the header.
    fn write_dictionary<S: Sink>(
        &mut self,
        column: usize,
        options: ColumnOptions,
        shared: &mut Shared<'_, S>,
    ) -> Result<u64, Error> {
        if self.totals.dictionary_pages == 0 {
            return Ok(0);
        }
        shared.page.clear();
        self.dictionary.encode(shared.page)?;
        let facts = PageFacts {
            column,
            kind: PageKind::Dictionary,
            codec: options.codec,
            num_values: self.dictionary.len(),
            encoding: Encoding::Plain,
        };
        let sizes = shared.press.emit(shared.page, facts, &mut shared.sink.sink)?;
        let compressed_bytes = u64::from(sizes.compressed_bytes.unsigned_abs());
        self.totals.uncompressed_bytes += sizes.uncompressed_bytes;
        self.totals.compressed_bytes += compressed_bytes;
        Ok(compressed_bytes)
    }

    fn chunk_bounds(&self, cut: Truncation) -> Result<Option<(Bound, Bound)>, Error> {
        if !self.bounded || !self.bounds.known {
            return Ok(None);
        }
        let copy = |from: &[u8]| {
            let mut value = Vec::new();
            reserve(&mut value, from.len())?;
            value.extend_from_slice(from);
            Ok(Bound { value, exact: true })
        };
        let (mut min, mut max) = (copy(&self.bounds.min)?, copy(&self.bounds.max)?);
        if cut.applies {
            min.exact = truncate_min(&mut min.value, cut.bytes, cut.text);
            match truncate_max(&mut max.value, cut.bytes, cut.text) {
                Some(exact) => max.exact = exact,
                None => return Ok(None),
            }
        }
        Ok(Some((min, max)))
    }
}

/// Most rows of a page: as many as `page_bytes` holds, were none of them null.
pub(crate) fn page_rows(leaf: &Leaf, file: &FileOptions) -> usize {
    let by_bytes = match (leaf.physical, leaf.width) {
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

fn byte_length(values: Dense<'_>) -> usize {
    match values {
        Dense::Bytes { offsets, .. } => {
            offsets.last().zip(offsets.first()).map_or(0, |(last, first)| (last - first) as usize)
        }
        _ => 0,
    }
}

fn check_page(page: Page<'_>, leaf: &Leaf, check_text: bool) -> Result<(), Error> {
    if let Presence::Bits(bits) = page.presence
        && leaf.max_definition == 0
    {
        let row = (0..page.rows).find(|&row| !bit(bits, row)).unwrap_or(0);
        return Err(Error::NullInRequired { row });
    }
    let text = matches!(leaf.logical, LogicalType::String | LogicalType::Enum | LogicalType::Json);
    match page.values {
        Dense::Bytes { offsets, bytes } if check_text && text => check_utf8(page, leaf, offsets, bytes),
        _ => Ok(()),
    }
}

/// All bytes at once first: only where they are wrong, or a value ends inside a character, value by value.
fn check_utf8(page: Page<'_>, leaf: &Leaf, offsets: &[u32], bytes: &[u8]) -> Result<(), Error> {
    let base = offsets.first().copied().unwrap_or(0);
    let end = (offsets.last().copied().unwrap_or(0) - base) as usize;
    let all = bytes.get(..end).unwrap_or_default();
    let whole = core::str::from_utf8(all)
        .is_ok_and(|text| offsets.iter().all(|&offset| text.is_char_boundary((offset - base) as usize)));
    if whole {
        return Ok(());
    }
    let wrong = offsets.windows(2).position(|pair| match *pair {
        [start, end] => {
            let value = bytes.get((start - base) as usize..(end - base) as usize).unwrap_or_default();
            core::str::from_utf8(value).is_err()
        }
        _ => false,
    });
    match wrong {
        Some(index) => Err(Error::InvalidUtf8 { row: page.row_of(index, leaf.max_definition) }),
        None => Ok(()),
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

/// Whether values of this kind belong into a leaf of this type.
fn accepts(leaf: &Leaf, values: Values<'_>) -> bool {
    match values {
        Values::Fixed(_) => leaf.width > 0,
        Values::Int8(_) | Values::UInt8(_) | Values::Int16(_) | Values::UInt16(_) => {
            leaf.physical == PhysicalType::Int32
        }
        Values::Bits { .. } => leaf.physical == PhysicalType::Boolean,
        Values::Bytes { .. } | Values::Codes(_) => leaf.physical == PhysicalType::ByteArray,
    }
}
