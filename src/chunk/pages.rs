//! The part of a chunk that sees whole pages.

use super::choice::MOST_ENTRIES;
use super::{Bound, Shared, truncation};
use crate::bloom::Bloom;
use crate::column::{Dense, Page, Presence, byte_arrays};
use crate::encoding::delta_byte_array::{self, Lengths};
use crate::encoding::dictionary::Dictionary;
use crate::encoding::{bit_pack, byte_stream_split, delta_binary_packed, plain, rle};
use crate::error::{Error, reserve};
use crate::histogram::Histograms;
use crate::level;
use crate::options::{ColumnOptions, Encoding, FileOptions, PageVersion, StatisticsLevel};
use crate::order::Order;
use crate::page::{PageFacts, PageSizes, V2Facts};
use crate::page_index::{PageCounts, PageIndex, Truncation};
use crate::schema::{Leaf, PhysicalType};
use crate::sink::{PageKind, Sink};
use crate::statistics::{Bounds, PageStatistics, truncate_max, truncate_min};

/// Sums over the pages of the open chunk.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) rows: u64,
    pub(super) entries: u64,
    pub(super) null_count: u64,
    pub(super) nan_count: u64,
    pub(super) value_bytes: u64,
    pub(super) uncompressed_bytes: u64,
    pub(super) compressed_bytes: u64,
    /// Data pages by encoding, in the order of [`Encoding::ALL`].
    pub(super) pages: [i32; Encoding::ALL.len()],
    pub(super) dictionary_pages: i32,
}

/// The part of a chunk that sees whole pages.
#[derive(Default)]
pub(super) struct Pages {
    /// Whether the next page tries the dictionary.
    pub(super) dictionary_open: bool,
    /// Encoding of pages that are not dictionary-encoded.
    pub(super) encoding: Encoding,
    pub(super) lengths: Lengths,
    /// Whether `dictionary_open` and `encoding` are settled, or as good as that.
    pub(super) settled: bool,
    /// Whether codes take whole bytes, because that suits the codec.
    pub(super) whole_bytes: bool,
    /// Rows of the chunk.
    pub(super) rows: u64,
    pub(super) dictionary: Dictionary,
    pub(super) codes: Vec<u32>,
    /// Of each entry of a sample, in how many parts of the sample it occurs, and the number of the last, plus 1.
    pub(super) occurs: Vec<(u32, usize)>,
    /// Distinct values of the chunk as scattered rows tell it, or 0.
    pub(super) distinct: f64,
    pub(super) statistics: PageStatistics,
    pub(super) bounds: Bounds,
    pub(super) bounded: bool,
    pub(super) index: PageIndex,
    pub(super) histograms: Histograms,
    pub(super) bloom: Bloom,
    pub(super) totals: Totals,
}

impl Pages {
    /// Empties everything for a chunk of `rows` rows on `pages` pages, or some more where byte arrays are long.
    pub(super) fn open(
        &mut self,
        leaf: &Leaf,
        options: ColumnOptions,
        rows: u64,
        pages: usize,
        file: &FileOptions,
    ) -> Result<(), Error> {
        /// Pages that room is made for at once; the guess may be far off.
        const MOST_PAGES: usize = 1 << 16;
        self.dictionary_open = match options.encoding {
            None => options.dictionary && leaf.physical != PhysicalType::Boolean,
            Some(encoding) => encoding == Encoding::RleDictionary,
        };
        self.encoding = match options.encoding {
            None | Some(Encoding::RleDictionary) => Encoding::Plain,
            Some(encoding) => encoding,
        };
        self.settled = false;
        self.whole_bytes = false;
        self.distinct = 0.0;
        self.rows = rows;
        self.dictionary.open(leaf.width)?;
        self.statistics.open();
        self.bounds.clear();
        self.bounded = true;
        self.totals = Totals::default();
        let pages = pages.min(MOST_PAGES);
        let bound_bytes = if leaf.width == 0 { file.statistics_truncate_bytes } else { leaf.width };
        if let Some(bloom) = options.bloom {
            // A row may hold any number of values where they repeat.
            self.bloom.open(bloom, if leaf.max_repetition > 0 { 0 } else { rows })?;
        }
        self.histograms.open(leaf, pages)?;
        self.index.open(pages, 2 * bound_bytes.min(64))
    }

    pub(super) fn write<S: Sink>(
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
        let sorting = shared.options.sorting.iter().zip(shared.steps.iter_mut());
        for (sorting, steps) in sorting.filter(|(sorting, _)| sorting.column == column) {
            steps.add(page, leaf, *sorting, &self.codes, &self.dictionary)?;
        }
        // Of pages with codes the dictionary knows all values.
        if options.bloom.is_some() && !coded {
            self.add_to_bloom(page.values, leaf);
        }
        let value_bytes = match (leaf.physical, page.values) {
            (PhysicalType::ByteArray, Dense::Codes(_)) => self.coded_byte_length()?,
            (PhysicalType::ByteArray, values) => byte_length(values) as u64,
            _ => 0,
        };
        shared.page.clear();
        let version = shared.options.page_version;
        let (repetition_bytes, definition_bytes) =
            level::levels(page, leaf.max_definition, leaf.max_repetition, version, shared.page)?;
        let levels_bytes = shared.page.len();
        let encoding = if coded { Encoding::RleDictionary } else { self.encoding };
        let in_place = match (encoding, page.values) {
            // Without levels the values are the page already.
            (Encoding::Plain, Dense::Fixed(bytes) | Dense::Bits(bytes)) if levels_bytes == 0 => Some(bytes),
            _ => {
                self.encode(encoding, page.values, page.present, leaf, shared.page)?;
                None
            }
        };
        let facts = PageFacts {
            column,
            kind: PageKind::Data,
            codec: options.codec,
            num_values: page.entries,
            encoding,
            v2: (version == PageVersion::V2).then_some(V2Facts {
                num_nulls: page.entries - page.present,
                num_rows: page.rows,
                repetition_bytes,
                definition_bytes,
            }),
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
        self.count(sizes, counts, encoding);
        Ok(())
    }

    /// Appends `count` values.
    #[inline(never)]
    pub(super) fn encode(
        &mut self,
        encoding: Encoding,
        values: Dense<'_>,
        count: usize,
        leaf: &Leaf,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let wide = leaf.width == 8;
        match (encoding, values) {
            (Encoding::RleDictionary, _) => {
                reserve(out, 1)?;
                // SPEC: width 0 is legal for a single entry, but some readers want a bit.
                let least = bit_pack::width_of(self.codes.iter().copied().max().unwrap_or(0)).max(1);
                let width = if self.whole_bytes { least.next_multiple_of(8) } else { least };
                out.push(width.to_le_bytes()[0]);
                rle::hybrid(&self.codes, width, out)
            }
            // A page of nulls that came before any entry.
            (_, Dense::Codes([])) => Ok(()),
            (Encoding::Plain, Dense::Fixed(bytes) | Dense::Bits(bytes)) => plain::fixed(bytes, out),
            (Encoding::Plain, Dense::Bytes { offsets, bytes }) => plain::byte_arrays(offsets, bytes, out),
            (Encoding::Rle, Dense::Bits(bits)) => level::booleans(bits, count, out),
            (Encoding::DeltaBinaryPacked, Dense::Fixed(bytes)) if wide => delta_binary_packed::int64(bytes, out),
            (Encoding::DeltaBinaryPacked, Dense::Fixed(bytes)) => delta_binary_packed::int32(bytes, out),
            (Encoding::DeltaLengthByteArray, Dense::Bytes { offsets, bytes }) => {
                delta_byte_array::lengths_then_bytes(offsets, bytes, out)
            }
            (Encoding::DeltaByteArray, Dense::Bytes { offsets, bytes }) => {
                delta_byte_array::front_coded(byte_arrays(offsets, bytes), &mut self.lengths, out)
            }
            (Encoding::DeltaByteArray, Dense::Fixed(bytes)) => {
                delta_byte_array::front_coded(bytes.chunks_exact(leaf.width.max(1)), &mut self.lengths, out)
            }
            (Encoding::ByteStreamSplit, Dense::Fixed(bytes)) => byte_stream_split::split(bytes, leaf.width, out),
            _ => Err(Error::State),
        }
    }

    /// Puts the page's codes into `codes`, if the dictionary is to be used for it and holds out.
    fn encode_codes(&mut self, page: Page<'_>, options: ColumnOptions, file: &FileOptions) -> Result<bool, Error> {
        self.codes.clear();
        // A page of nulls has nothing to look up: with none before it, it must not bring a dictionary page about.
        if !self.dictionary_open || (page.present == 0 && self.totals.dictionary_pages == 0) {
            return Ok(false);
        }
        let mark = self.dictionary.mark();
        let fits = self.dictionary.encode_codes(page.values, file.dictionary_bytes, &mut self.codes)?
            && (options.encoding.is_some() || self.dictionary.len() <= MOST_ENTRIES);
        if matches!(page.values, Dense::Codes(_)) {
            // These values are nowhere but in the dictionary, so this page stays with it.
            self.dictionary_open = fits;
            return Ok(true);
        }
        if fits {
            return Ok(true);
        }
        self.dictionary_open = false;
        self.dictionary.truncate(mark);
        Ok(false)
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

    fn add_to_bloom(&mut self, values: Dense<'_>, leaf: &Leaf) {
        match values {
            Dense::Fixed(bytes) => {
                bytes.chunks_exact(leaf.width.max(1)).for_each(|value| self.bloom.add(value, leaf.order));
            }
            Dense::Bytes { offsets, bytes } => {
                byte_arrays(offsets, bytes).for_each(|value| self.bloom.add(value, leaf.order));
            }
            Dense::Bits(_) | Dense::Codes(_) => {}
        }
    }

    /// The chunk's filter: what its plain pages held, and the entries of its dictionary.
    pub(super) fn finish_bloom(&mut self, options: ColumnOptions, order: Order) -> Result<Option<Vec<u8>>, Error> {
        if options.bloom.is_none() {
            return Ok(None);
        }
        for code in 0..u32::try_from(self.dictionary.len()).unwrap_or(u32::MAX) {
            if let Some(entry) = self.dictionary.entry(code) {
                self.bloom.add(entry, order);
            }
        }
        let mut out = Vec::new();
        self.bloom.finish(&mut out)?;
        Ok(Some(out))
    }

    /// Bytes of the values that `codes` stand for.
    fn coded_byte_length(&self) -> Result<u64, Error> {
        self.codes.iter().enumerate().try_fold(0, |sum, (row, &code)| {
            let entry = self.dictionary.entry(code).ok_or(Error::Code { row })?;
            Ok(sum + entry.len() as u64)
        })
    }

    fn count(&mut self, sizes: PageSizes, counts: PageCounts, encoding: Encoding) {
        let totals = &mut self.totals;
        totals.rows += counts.rows;
        totals.entries += counts.entries;
        totals.null_count += counts.null_count;
        totals.nan_count += counts.nan_count;
        totals.value_bytes += counts.value_bytes;
        totals.uncompressed_bytes += sizes.uncompressed_bytes;
        totals.compressed_bytes += u64::from(sizes.compressed_bytes.unsigned_abs());
        let kinds = totals.pages.iter_mut().zip(Encoding::ALL);
        kinds.filter(|(_, other)| *other == encoding).for_each(|(pages, _)| *pages += 1);
        if encoding == Encoding::RleDictionary {
            totals.dictionary_pages += 1;
        }
    }

    /// Emits the dictionary page, if data pages use it; gives its bytes with the header.
    pub(super) fn write_dictionary<S: Sink>(
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
            v2: None,
        };
        let sizes = shared.press.emit(shared.page, facts, &mut shared.sink.sink)?;
        let compressed_bytes = u64::from(sizes.compressed_bytes.unsigned_abs());
        self.totals.uncompressed_bytes += sizes.uncompressed_bytes;
        self.totals.compressed_bytes += compressed_bytes;
        Ok(compressed_bytes)
    }

    pub(super) fn chunk_bounds(&self, cut: Truncation) -> Result<[Option<Bound>; 2], Error> {
        if !self.bounded || !self.bounds.known {
            return Ok([None, None]);
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
                // Above it there is no bound, below it there is.
                None => return Ok([Some(min), None]),
            }
        }
        Ok([Some(min), Some(max)])
    }
}

pub(super) fn byte_length(values: Dense<'_>) -> usize {
    match values {
        Dense::Bytes { offsets, .. } => {
            offsets.last().zip(offsets.first()).map_or(0, |(last, first)| (last - first) as usize)
        }
        _ => 0,
    }
}
