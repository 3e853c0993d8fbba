//! Which encoding a chunk has: each candidate encodes a sample of it, the codec compresses that, and the one that
//! promises the fewest bytes for the whole chunk is taken, once.

use super::Shared;
use super::pages::Pages;
use crate::column::{Dense, Page};
use crate::encoding::{bit_pack, rle};
use crate::error::{Error, reserve};
use crate::options::{Codec, ColumnOptions, Compatibility, Encoding};
use crate::schema::{Leaf, PhysicalType};

/// Rows of a sample: one in so many, but not fewer and not more.
const SHARE: u64 = 32;
const LEAST_ROWS: usize = 1 << 10;
const MOST_ROWS: usize = 1 << 14;
/// Values of a sample that say something about a chunk that has more.
const LEAST_VALUES: usize = 64;
/// Stretches that the rows of a sample come in.
const PARTS: usize = 8;
/// Rows of a group of scattered rows.
const GROUP: usize = 8;
/// What another encoding than PLAIN must save before it is worth its while.
const MARGIN: f64 = 0.99;
/// Most entries of a dictionary that is chosen: what its table takes is bounded by this, not by the bytes of entries.
pub(super) const MOST_ENTRIES: usize = 1 << 18;

/// Rows that a sample of a chunk of `rows` rows has.
pub(crate) fn sample_rows(rows: u64) -> usize {
    usize::try_from(rows / SHARE).unwrap_or(MOST_ROWS).clamp(LEAST_ROWS, MOST_ROWS)
}

/// Whether values of `physical` may be encoded so without being asked for, beside dictionaries.
///
/// `Broad` has PLAIN only: of 13 readers, releases from 2024 to 2026, fastparquet reads DELTA_BINARY_PACKED and booleans
/// in RLE as other values without an error and refuses the rest, and Spark 3.5 refuses BYTE_STREAM_SPLIT.
///
/// `Modern` has what the newest release of every engine reads. That leaves fixed-length byte arrays out: DuckDB
/// refuses BYTE_STREAM_SPLIT on them, and Polars that and DELTA_BYTE_ARRAY.
fn is_candidate(encoding: Encoding, physical: PhysicalType, compatibility: Compatibility) -> bool {
    let modern = compatibility == Compatibility::Modern && physical != PhysicalType::FixedLenByteArray;
    encoding == Encoding::Plain || (modern && encoding != Encoding::RleDictionary && encoding.fits(physical))
}

impl Pages {
    /// Whether a choice is left to make.
    pub(super) fn may_choose(&self, options: ColumnOptions, compatibility: Compatibility) -> bool {
        let others = self.dictionary_open || compatibility == Compatibility::Modern;
        !self.settled && options.encoding.is_none() && others
    }

    /// Notes how many distinct values the chunk seems to have, by groups of rows scattered over it.
    pub(super) fn scattered(&mut self, page: Page<'_>, width: usize) -> Result<(), Error> {
        if !self.dictionary_open || page.present == 0 || matches!(page.values, Dense::Codes(_)) {
            return Ok(());
        }
        self.codes.clear();
        self.dictionary.encode_codes(page.values, usize::MAX, &mut self.codes)?;
        self.distinct = self.estimate(page.present.div_ceil(GROUP))?;
        self.dictionary.open(width)
    }

    /// Settles the encoding by the values of `page`, a sample of a chunk of `rows` rows.
    pub(super) fn settle<S>(
        &mut self,
        page: Page<'_>,
        rows: u64,
        leaf: &Leaf,
        options: ColumnOptions,
        shared: &mut Shared<'_, S>,
    ) -> Result<(), Error> {
        // Nulls say nothing, so that pages of them may come before the choice.
        if page.present == 0 || self.settled {
            return Ok(());
        }
        self.settled = true;
        let values = rows as f64 * page.present as f64 / page.rows as f64;
        let few = page.present < LEAST_VALUES && values > page.present as f64;
        if few || matches!(page.values, Dense::Codes(_)) {
            return Ok(());
        }
        let dictionary = match self.dictionary_open {
            true => self.promise(page, values, options.codec, leaf, shared)?,
            false => f64::INFINITY,
        };
        let scale = values / page.present as f64;
        let mut least = f64::INFINITY;
        // One value over and over: nothing is shorter.
        if dictionary > 0.0 {
            for encoding in Encoding::ALL {
                if is_candidate(encoding, leaf.physical, shared.options.compatibility) {
                    shared.page.clear();
                    self.encode(encoding, page.values, page.present, leaf, shared.page)?;
                    let bytes = shared.press.measure(options.codec, shared.page)? * scale;
                    if bytes < MARGIN * least {
                        (least, self.encoding) = (bytes, encoding);
                    }
                }
            }
        }
        self.dictionary_open = dictionary <= MARGIN * least;
        Ok(())
    }

    /// What a dictionary and the codes of all `values` values would take; infinite where it cannot be had.
    fn promise<S>(
        &mut self,
        page: Page<'_>,
        values: f64,
        codec: Codec,
        leaf: &Leaf,
        shared: &mut Shared<'_, S>,
    ) -> Result<f64, Error> {
        self.codes.clear();
        let fits = self.dictionary.encode_codes(page.values, usize::MAX, &mut self.codes)?;
        let distinct = self.dictionary.len();
        let entries = self.entries(page.present, values)?;
        let entry_bytes = self.dictionary.plain_bytes() as f64 / distinct as f64;
        let limit = shared.options.dictionary_bytes as f64;
        let possible = fits && entries * entry_bytes <= limit;
        let mut best = f64::INFINITY;
        if entries <= 1.0 {
            best = 0.0;
        } else if possible && entries < 0.95 * values {
            // Where hardly a value comes twice, entries alone take as much as all values: no need to try.
            shared.page.clear();
            self.dictionary.encode(shared.page)?;
            let page_bytes = shared.press.measure(codec, shared.page)? * entries / distinct as f64;
            // Codes of the chunk fill all of its range, those of the sample are spread over it.
            let spread = entries / self.dictionary.len() as f64;
            self.codes.iter_mut().for_each(|code| *code = (f64::from(*code) * spread) as u32);
            let width = bit_pack::width_of(entries as u32 - 1).max(1);
            let scale = values / self.codes.len() as f64;
            // Without a codec nothing makes up for bits that are not needed.
            let widest = if codec == Codec::None { width } else { width.next_multiple_of(8) };
            for width in [width, widest] {
                shared.page.clear();
                rle::hybrid(&self.codes, width, shared.page)?;
                let bytes = shared.press.measure(codec, shared.page)? * scale + page_bytes;
                if bytes < best {
                    self.whole_bytes = best < f64::INFINITY;
                    best = bytes;
                }
            }
        }
        self.dictionary.open(leaf.width)?;
        Ok(best)
    }

    /// Distinct values that a chunk of `values` values has, going by the codes of a sample.
    fn entries(&mut self, sampled: usize, values: f64) -> Result<f64, Error> {
        let seen = self.dictionary.len() as f64;
        if self.distinct == 0.0 {
            self.distinct = self.estimate(PARTS)?;
        }
        // New ones keep coming as they did in the second halves of the parts, at most. Codes count first appearances.
        let (mut next, mut late) = (0, 0);
        for (index, &code) in self.codes.iter().enumerate() {
            if code == next {
                next += 1;
                late += index * 2 * PARTS / sampled % 2;
            }
        }
        let fresh = late as f64 * 2.0 * (values / sampled as f64 - 1.0);
        Ok(self.distinct.min(seen + fresh).max(seen))
    }

    /// Chao's estimate of all distinct values from how many turn up in one and in two of `parts` parts of the sample:
    /// unlike counts of values it is not taken in by values that come in clusters.
    fn estimate(&mut self, parts: usize) -> Result<f64, Error> {
        let distinct = self.dictionary.len();
        self.occurs.clear();
        reserve(&mut self.occurs, distinct)?;
        self.occurs.resize(distinct, (0, 0));
        for (index, &code) in self.codes.iter().enumerate() {
            let part = index * parts / self.codes.len();
            if let Some((count, end)) = self.occurs.get_mut(code as usize).filter(|(_, end)| *end <= part) {
                (*count, *end) = (*count + 1, part + 1);
            }
        }
        let in_parts = |parts: u32| self.occurs.iter().filter(|(count, _)| *count == parts).count() as f64;
        let (once, twice) = (in_parts(1), in_parts(2));
        let most = (parts - 1) as f64 / parts as f64;
        Ok(self.occurs.len() as f64 + most * once * (once - 1.0) / (2.0 * (twice + 1.0)))
    }
}
