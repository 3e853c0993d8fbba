//! Whether rows are sorted as declared (parquet-format, SortingColumn).
//!
//! Columns come one after the other, and not in the order of the sort. So each column notes how every row compares
//! to the one before, and the row group's end puts the notes together.

use core::cmp::Ordering;

use crate::column::bits::bit;
use crate::column::{Dense, Page, Presence, byte_arrays};
use crate::encoding::dictionary::Dictionary;
use crate::error::{Error, reserve};
use crate::options::SortingColumn;
use crate::order::Order;
use crate::schema::Leaf;

/// How the rows of one column compare to those before them, one bit a row.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// Rows that sort before their predecessor, and rows that sort behind it.
    before: Vec<u8>,
    behind: Vec<u8>,
    rows: usize,
    previous: Option<Previous>,
}

#[derive(Debug, Default)]
struct Previous {
    null: bool,
    value: Vec<u8>,
}

impl Steps {
    /// Forgets everything, for a new row group.
    pub fn open(&mut self) {
        self.before.clear();
        self.behind.clear();
        self.rows = 0;
        self.previous = None;
    }

    /// Notes the rows of a page. `codes` are the page's, where its values are nowhere but in the dictionary.
    pub fn add(
        &mut self,
        page: Page<'_>,
        leaf: &Leaf,
        sorting: SortingColumn,
        codes: &[u32],
        dictionary: &Dictionary,
    ) -> Result<(), Error> {
        let bytes = (self.rows + page.rows).div_ceil(8);
        for bits in [&mut self.before, &mut self.behind] {
            let missing = bytes.saturating_sub(bits.len());
            reserve(bits, missing)?;
            bits.resize(bytes, 0);
        }
        match page.values {
            Dense::Fixed(bytes) => self.note(page, leaf, sorting, bytes.chunks_exact(leaf.width.max(1))),
            Dense::Bytes { offsets, bytes } => self.note(page, leaf, sorting, byte_arrays(offsets, bytes)),
            Dense::Codes(_) => {
                let values = codes.iter().map(|&code| dictionary.entry(code).unwrap_or_default());
                self.note(page, leaf, sorting, values)
            }
            Dense::Bits(bits) => {
                let values = (0..page.present).map(|index| if bit(bits, index) { &[1u8][..] } else { &[0] });
                self.note(page, leaf, sorting, values)
            }
        }
    }

    fn note<'v>(
        &mut self,
        page: Page<'_>,
        leaf: &Leaf,
        sorting: SortingColumn,
        mut values: impl Iterator<Item = &'v [u8]>,
    ) -> Result<(), Error> {
        for row in 0..page.rows {
            let present = match page.presence {
                Presence::All => true,
                Presence::Bits(bits) => bit(bits, row),
                Presence::Levels { definition, .. } => {
                    definition.get(row).is_some_and(|&level| u16::from(level) == leaf.max_definition)
                }
            };
            let value = if present { values.next() } else { None };
            if let Some(previous) = &self.previous {
                let nulls = if sorting.nulls_first { Ordering::Less } else { Ordering::Greater };
                let order = match (value, previous.null) {
                    (None, true) => Ordering::Equal,
                    (None, false) => nulls,
                    (Some(_), true) => nulls.reverse(),
                    (Some(value), false) => {
                        // Zeros are equal to whoever sorted the rows.
                        let zeros = is_zero(value, leaf.order) && is_zero(&previous.value, leaf.order);
                        let order = if zeros { Ordering::Equal } else { leaf.order.compare(value, &previous.value) };
                        if sorting.descending { order.reverse() } else { order }
                    }
                };
                let bits = match order {
                    Ordering::Less => Some(&mut self.before),
                    Ordering::Greater => Some(&mut self.behind),
                    Ordering::Equal => None,
                };
                if let Some(byte) = bits.and_then(|bits| bits.get_mut((self.rows + row) / 8)) {
                    *byte |= 1 << ((self.rows + row) % 8);
                }
            }
            let previous = self.previous.get_or_insert_default();
            previous.null = value.is_none();
            previous.value.clear();
            if let Some(value) = value {
                reserve(&mut previous.value, value.len())?;
                previous.value.extend_from_slice(value);
            }
        }
        self.rows += page.rows;
        Ok(())
    }
}

/// A float of either zero: all bits but the sign are 0.
fn is_zero(value: &[u8], order: Order) -> bool {
    let Some((sign, rest)) = value.split_last() else { return false };
    order.is_float() && sign & 0x7f == 0 && rest.iter().all(|&byte| byte == 0)
}

/// The first row that sorts before its predecessor: the first column in which they differ says so.
pub(crate) fn first_out_of_order(columns: &[Steps]) -> Option<usize> {
    let bytes = columns.iter().map(|column| column.before.len()).max().unwrap_or(0);
    (0..bytes).find_map(|at| {
        let mut undecided = 0xffu8;
        let mut wrong = 0u8;
        for column in columns {
            let byte = |bits: &[u8]| bits.get(at).copied().unwrap_or(0);
            let (before, behind) = (byte(&column.before), byte(&column.behind));
            wrong |= undecided & before;
            undecided &= !(before | behind);
        }
        (wrong != 0).then(|| at * 8 + wrong.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests;
