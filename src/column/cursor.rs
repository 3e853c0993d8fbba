//! The walk over a view, page by page.

use super::bits::{align, bit, count_ones, holds};
use super::{ColumnView, Dense, Page, Presence, Shape, Validity, Values, byte_array_bytes, compact, count_level};
use crate::error::{Error, reserve};

/// Buffers for rows that cannot be used where they lie. Kept for the life of the writer.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    validity: Vec<u8>,
    values: Vec<u8>,
    wide: Vec<u8>,
    offsets: Vec<u32>,
}

/// A position in a view: pages are taken from it one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    view: ColumnView<'a>,
    /// Bytes of one value as it lies in the view (0 for bits and byte arrays).
    stride: usize,
    max_definition: u8,
    row: usize,
    /// Levels passed so far.
    entry: usize,
    /// Values passed so far: rows, or present rows where values are dense.
    value: usize,
}

impl<'a> Cursor<'a> {
    /// Errors: [`Error::View`] when values, bits or levels are not those of `view.rows` rows, [`Error::Offsets`].
    pub fn new(view: ColumnView<'a>, shape: Shape) -> Result<Self, Error> {
        let width = shape.width;
        let slots = match view.validity {
            Validity::All => view.rows,
            Validity::Spaced { bits, first } | Validity::Dense { bits, first } => {
                if shape.max_definition > 1 || shape.max_repetition > 0 || !holds(bits, first, view.rows) {
                    return Err(Error::View);
                }
                match view.validity {
                    Validity::Dense { .. } => count_ones(bits, first, view.rows),
                    _ => view.rows,
                }
            }
            Validity::Levels { definition, repetition } => {
                check_levels(definition, repetition, view.rows, shape)?;
                count_level(definition, shape.max_definition)
            }
        };
        // Of a nested leaf only levels say on which floor something is missing.
        if (shape.max_repetition > 0 || shape.max_definition > 1) && !matches!(view.validity, Validity::Levels { .. }) {
            return Err(Error::View);
        }
        let (stride, enough) = match view.values {
            Values::Fixed(bytes) => (width, width > 0 && bytes.len() / width >= slots),
            Values::Int8(bytes) | Values::UInt8(bytes) => (1, width == 4 && bytes.len() >= slots),
            Values::Int16(bytes) | Values::UInt16(bytes) => (2, width == 4 && bytes.len() / 2 >= slots),
            Values::Bits { bits, first } => (0, holds(bits, first, slots)),
            Values::Bytes { offsets, bytes } => {
                check_offsets(offsets, bytes.len())?;
                (0, offsets.len() > slots)
            }
            Values::Codes(codes) => (4, codes.len() >= slots),
        };
        let max_definition = u8::try_from(shape.max_definition).map_err(|_| Error::View)?;
        if enough { Ok(Self { view, stride, max_definition, row: 0, entry: 0, value: 0 }) } else { Err(Error::View) }
    }

    /// Rows not yet taken.
    pub fn remaining(&self) -> usize {
        self.view.rows - self.row
    }

    /// How many of the next rows make a page: at most `most`, with at most `bytes` of values in PLAIN form, at least
    /// one. The flag says whether the page is full, so that no further row could join it.
    ///
    /// For fixed widths of flat columns `most` alone decides.
    pub fn fit(&self, most: usize, bytes: usize) -> (usize, bool) {
        let rows = self.remaining().min(most);
        let all = (rows, rows == most);
        let fits = |values: usize| self.plain_bytes(values) <= bytes;
        match (self.view.validity, self.view.values) {
            (Validity::Levels { definition, repetition }, _) => {
                let definition = definition.get(self.entry..).unwrap_or_default();
                // Most often all that is left is one page.
                if rows == self.remaining() && fits(count_level(definition, u16::from(self.max_definition))) {
                    return all;
                }
                let mut repetition = repetition.get(self.entry..).unwrap_or_default().iter();
                let (mut passed, mut values, mut good) = (0, 0, 0);
                for &level in definition {
                    if repetition.next().is_none_or(|&repeated| repeated == 0) {
                        if !fits(values) {
                            return (good.max(1), true);
                        }
                        good = passed;
                        if passed == most {
                            return (most, true);
                        }
                        passed += 1;
                    }
                    values += usize::from(level == self.max_definition);
                }
                if fits(values) { all } else { (good.max(1), true) }
            }
            (Validity::Dense { bits, first }, Values::Bytes { .. }) => {
                let mut values = 0;
                for row in 0..rows {
                    values += usize::from(bit(bits, first + self.row + row));
                    if !fits(values) {
                        return (row.max(1), true);
                    }
                }
                all
            }
            (_, Values::Bytes { .. }) => {
                // Offsets ascend, so PLAIN sizes do: a binary search over the row count.
                let (mut low, mut high) = (0, rows);
                while low < high {
                    let middle = low + (high - low).div_ceil(2);
                    if fits(middle) {
                        low = middle;
                    } else {
                        high = middle - 1;
                    }
                }
                if low == rows { all } else { (low.max(1), true) }
            }
            _ => all,
        }
    }

    /// Bytes of the next `values` values in PLAIN form.
    fn plain_bytes(&self, values: usize) -> usize {
        match self.view.values {
            Values::Bytes { offsets, .. } => {
                let ends = offsets.get(self.value).zip(offsets.get(self.value + values));
                byte_array_bytes(values, ends.map_or(0, |(start, end)| (end - start) as usize))
            }
            Values::Bits { .. } => values / 8,
            Values::Fixed(_) => values * self.stride,
            Values::Int8(_) | Values::UInt8(_) | Values::Int16(_) | Values::UInt16(_) | Values::Codes(_) => values * 4,
        }
    }

    /// Entries of the next `rows` rows.
    fn entries_of(&self, rows: usize) -> usize {
        let Validity::Levels { definition, repetition } = self.view.validity else { return rows };
        if repetition.is_empty() {
            return rows;
        }
        let ahead = repetition.get(self.entry..).unwrap_or_default();
        let starts = ahead.iter().enumerate().filter(|(_, level)| **level == 0);
        let next = starts.map(|(entry, _)| entry).nth(rows);
        next.unwrap_or(definition.len().saturating_sub(self.entry))
    }

    /// The next `rows` rows as a page.
    #[inline(never)]
    pub fn take<'s>(&mut self, rows: usize, scratch: &'s mut Scratch) -> Result<Page<'s>, Error>
    where
        'a: 's,
    {
        let Scratch { validity: aligned, values, wide, offsets: dense_offsets } = scratch;
        let from = self.value;
        let entries = self.entries_of(rows);
        let mut present = entries;
        let mut presence = Presence::All;
        let mut spaced = None;
        match self.view.validity {
            Validity::All => {}
            Validity::Dense { bits, first } | Validity::Spaced { bits, first } => {
                align(bits, first + self.row, rows, aligned)?;
                present = aligned.iter().map(|byte| byte.count_ones() as usize).sum();
                if present < rows {
                    presence = Presence::Bits(aligned);
                    if matches!(self.view.validity, Validity::Spaced { .. }) {
                        spaced = Some(aligned.as_slice());
                    }
                }
            }
            Validity::Levels { definition, repetition } => {
                let range = self.entry..self.entry + entries;
                let definition = definition.get(range.clone()).ok_or(Error::View)?;
                present = count_level(definition, u16::from(self.max_definition));
                presence = Presence::Levels { definition, repetition: repetition.get(range).unwrap_or_default() };
            }
        }
        let slots = if spaced.is_some() { rows } else { present };
        self.row += rows;
        self.entry += entries;
        self.value += slots;
        let range = from * self.stride..(from + slots) * self.stride;
        let values = match self.view.values {
            Values::Fixed(bytes) => {
                let bytes = bytes.get(range).ok_or(Error::View)?;
                Dense::Fixed(compact::values(bytes, self.stride, spaced, values)?)
            }
            Values::Int8(bytes) | Values::UInt8(bytes) | Values::Int16(bytes) | Values::UInt16(bytes) => {
                let bytes = bytes.get(range).ok_or(Error::View)?;
                let narrow = compact::values(bytes, self.stride, spaced, values)?;
                wide.clear();
                reserve(wide, present * 4)?;
                match self.view.values {
                    Values::Int8(_) => compact::widen(narrow, wide, |[b]: [u8; 1]| i32::from(b.cast_signed())),
                    Values::UInt8(_) => compact::widen(narrow, wide, |[b]: [u8; 1]| i32::from(b)),
                    Values::Int16(_) => compact::widen(narrow, wide, |b: [u8; 2]| i32::from(i16::from_le_bytes(b))),
                    _ => compact::widen(narrow, wide, |b: [u8; 2]| i32::from(u16::from_le_bytes(b))),
                }
                Dense::Fixed(wide)
            }
            Values::Bits { bits, first } => {
                align(bits, first + from, slots, values)?;
                if let Some(validity) = spaced {
                    compact::bits(values, validity, slots, wide)?;
                    Dense::Bits(wide)
                } else {
                    Dense::Bits(values)
                }
            }
            Values::Bytes { offsets, bytes } => {
                let base = offsets.first().copied().unwrap_or(0);
                let offsets = offsets.get(from..=from + slots).ok_or(Error::View)?;
                match spaced {
                    None => {
                        let start = offsets.first().copied().unwrap_or(base);
                        Dense::Bytes { offsets, bytes: bytes.get((start - base) as usize..).ok_or(Error::View)? }
                    }
                    Some(validity) => {
                        compact::byte_arrays(offsets, base, bytes, validity, values, dense_offsets)?;
                        Dense::Bytes { offsets: dense_offsets, bytes: values }
                    }
                }
            }
            Values::Codes(codes) => {
                let codes = codes.get(from..from + slots).ok_or(Error::View)?;
                match spaced {
                    None => Dense::Codes(codes),
                    Some(validity) => {
                        dense_offsets.clear();
                        reserve(dense_offsets, present)?;
                        let kept = codes.iter().enumerate().filter(|(row, _)| bit(validity, *row));
                        dense_offsets.extend(kept.map(|(_, code)| *code));
                        Dense::Codes(dense_offsets)
                    }
                }
            }
        };
        Ok(Page { rows, entries, present, presence, values })
    }
}

fn check_levels(definition: &[u8], repetition: &[u8], rows: usize, shape: Shape) -> Result<(), Error> {
    let within = |levels: &[u8], most: u16| u16::from(levels.iter().copied().max().unwrap_or(0)) <= most;
    let counted = match repetition {
        [] => shape.max_repetition == 0 && definition.len() == rows,
        [first, ..] => *first == 0 && definition.len() == repetition.len() && count_level(repetition, 0) == rows,
    };
    // No entries at all is a view of no rows.
    let right = counted || (definition.is_empty() && repetition.is_empty() && rows == 0);
    if right && within(definition, shape.max_definition) && within(repetition, shape.max_repetition) {
        Ok(())
    } else {
        Err(Error::View)
    }
}

/// Offsets must ascend and end within `bytes` (which start at the first offset).
fn check_offsets(offsets: &[u32], bytes: usize) -> Result<(), Error> {
    let base = offsets.first().copied().unwrap_or(0);
    let ascending = offsets.iter().zip(offsets.iter().skip(1)).fold(true, |ok, (a, b)| ok & (a <= b));
    if !ascending {
        let row = offsets.windows(2).position(|pair| matches!(pair, [a, b] if a > b)).unwrap_or(0);
        return Err(Error::Offsets { row });
    }
    if offsets.last().is_some_and(|&last| (last - base) as usize > bytes) {
        let row = offsets.iter().position(|&end| (end - base) as usize > bytes).unwrap_or(0);
        return Err(Error::Offsets { row: row.saturating_sub(1) });
    }
    Ok(())
}
