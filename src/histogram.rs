//! Level histograms: how many entries have each level (parquet-format, SizeStatistics and ColumnIndex).

use crate::column::count_level;
use crate::error::{Error, reserve};
use crate::schema::Leaf;
use crate::thrift::{self, ListOf, Struct};

/// Counts for every page of a chunk. Empty where levels say no more than the null count does: SPEC lets writers leave
/// out repetition levels up to 0 and definition levels up to 1.
#[derive(Debug, Default)]
pub(crate) struct Histograms {
    repetition: Counts,
    definition: Counts,
}

/// Levels up to which each is counted for itself.
const FEW: usize = 8;

#[derive(Debug, Default)]
struct Counts {
    /// Levels of the leaf, its highest + 1; 0 where nothing is counted.
    levels: usize,
    /// `levels` counts a page.
    pages: Vec<u64>,
}

impl Counts {
    fn open(&mut self, levels: usize, pages: usize) -> Result<(), Error> {
        self.levels = levels;
        self.pages.clear();
        reserve(&mut self.pages, pages.saturating_mul(levels))
    }

    fn add(&mut self, levels: &[u8]) -> Result<(), Error> {
        if self.levels == 0 {
            return Ok(());
        }
        let start = self.pages.len();
        reserve(&mut self.pages, self.levels)?;
        self.pages.resize(start + self.levels, 0);
        let page = self.pages.get_mut(start..).unwrap_or_default();
        if self.levels <= FEW {
            // A pass for each level, many entries at once, beats one pass whose counts wait for each other.
            for (count, level) in page.iter_mut().zip(0u16..) {
                *count = count_level(levels, level) as u64;
            }
            return Ok(());
        }
        for &level in levels {
            if let Some(count) = page.get_mut(usize::from(level)) {
                *count += 1;
            }
        }
        Ok(())
    }

    /// The counts of all pages, page after page.
    fn write_pages(&self, to: &mut Struct<'_>, id: i16) {
        if self.levels > 0 {
            to.list(id, ListOf::I64, self.pages.iter(), |count, out| thrift::zigzag(count.cast_signed(), out));
        }
    }

    /// Their sums.
    fn write_chunk(&self, to: &mut Struct<'_>, id: i16) {
        if self.levels > 0 {
            let sum = |level: usize| self.pages.iter().skip(level).step_by(self.levels).sum::<u64>();
            to.list(id, ListOf::I64, 0..self.levels, |level, out| thrift::zigzag(sum(level).cast_signed(), out));
        }
    }
}

impl Histograms {
    /// Empties it for a chunk of `leaf`, with `pages` pages or so.
    pub fn open(&mut self, leaf: &Leaf, pages: usize) -> Result<(), Error> {
        let levels = |max: u16, least: u16| if max >= least { usize::from(max) + 1 } else { 0 };
        self.repetition.open(levels(leaf.max_repetition, 1), pages)?;
        self.definition.open(levels(leaf.max_definition, 2), pages)
    }

    /// Counts the levels of the next page.
    pub fn add(&mut self, definition: &[u8], repetition: &[u8]) -> Result<(), Error> {
        self.repetition.add(repetition)?;
        self.definition.add(definition)
    }

    pub fn is_empty(&self) -> bool {
        self.repetition.levels == 0 && self.definition.levels == 0
    }

    /// The lists of all pages as fields `repetition` and `definition`.
    pub fn write_pages(&self, to: &mut Struct<'_>, repetition: i16, definition: i16) {
        self.repetition.write_pages(to, repetition);
        self.definition.write_pages(to, definition);
    }

    /// The sums over the chunk as fields `repetition` and `definition`.
    pub fn write_chunk(&self, to: &mut Struct<'_>, repetition: i16, definition: i16) {
        self.repetition.write_chunk(to, repetition);
        self.definition.write_chunk(to, definition);
    }
}

#[cfg(test)]
mod tests;
