//! A column's values as they lie in memory, borrowed, and the walk over them page by page.

pub(crate) mod bits;
mod compact;
mod cursor;
#[cfg(test)]
mod tests;

pub(crate) use self::bits::bit;
pub(crate) use self::cursor::{Cursor, Scratch};
use crate::schema::Leaf;

/// Values of a column. Fixed widths are little-endian.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// Values of the leaf's own width.
    Fixed(&'a [u8]),
    /// Narrow integers for an INT32 leaf, widened on the way.
    Int8(&'a [u8]),
    UInt8(&'a [u8]),
    Int16(&'a [u8]),
    UInt16(&'a [u8]),
    /// Booleans, LSB-first; the first one at bit `first`.
    Bits {
        bits: &'a [u8],
        first: usize,
    },
    /// Strings or binary: n + 1 offsets; `bytes` starts at the byte of the first offset.
    Bytes {
        offsets: &'a [u32],
        bytes: &'a [u8],
    },
    /// Codes of entries that were handed to the chunk's dictionary before.
    Codes(&'a [u32]),
}

/// Which rows hold a value. Bits are LSB-first, 1 = present, row 0 at bit `first`.
#[derive(Debug, Clone, Copy)]
pub enum Validity<'a> {
    /// Every row does.
    All,
    /// Values are there for the present rows only.
    Dense { bits: &'a [u8], first: usize },
    /// Every row has a slot; slots of nulls are skipped, whatever lies in them.
    Spaced { bits: &'a [u8], first: usize },
    /// Dremel levels, one pair an entry, for leaves below groups; values are dense. `repetition` is empty where no
    /// element on the path repeats. A new row begins at each repetition level 0.
    Levels { definition: &'a [u8], repetition: &'a [u8] },
}

/// Rows of one leaf column.
#[derive(Debug, Clone, Copy)]
pub struct ColumnView<'a> {
    pub rows: usize,
    pub values: Values<'a>,
    pub validity: Validity<'a>,
}

impl<'a> ColumnView<'a> {
    /// A column without nulls.
    pub fn required(rows: usize, values: Values<'a>) -> Self {
        Self { rows, values, validity: Validity::All }
    }
}

/// Values of present rows only, in the form in which encodings take them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dense<'a> {
    Fixed(&'a [u8]),
    /// LSB-first from bit 0; bits past the last value are 0.
    Bits(&'a [u8]),
    Bytes {
        offsets: &'a [u32],
        bytes: &'a [u8],
    },
    Codes(&'a [u32]),
}

/// The rows of one page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    pub rows: usize,
    /// Values, nulls and empty lists: what levels are written for.
    pub entries: usize,
    /// Entries that hold a value.
    pub present: usize,
    pub presence: Presence<'a>,
    pub values: Dense<'a>,
}

/// Which entries of a page hold a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Presence<'a> {
    All,
    /// From bit 0, bits past the last row 0.
    Bits(&'a [u8]),
    Levels {
        definition: &'a [u8],
        repetition: &'a [u8],
    },
}

impl Page<'_> {
    /// The row of the present value `index`, for error messages.
    pub fn row_of(&self, index: usize, max_definition: u16) -> usize {
        match self.presence {
            Presence::All => index,
            Presence::Bits(bits) => (0..self.rows).filter(|&row| bit(bits, row)).nth(index).unwrap_or(self.rows),
            Presence::Levels { definition, repetition } => {
                let mut values =
                    definition.iter().enumerate().filter(|(_, level)| u16::from(**level) == max_definition);
                let entry = values.nth(index).map_or(self.entries, |(entry, _)| entry);
                match repetition.get(..=entry) {
                    Some(levels) => levels.iter().filter(|&&level| level == 0).count().saturating_sub(1),
                    None => entry,
                }
            }
        }
    }
}

/// The leaf's facts that a view is measured by.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shape {
    /// Bytes of one value, 0 for bits and byte arrays.
    pub width: usize,
    pub max_definition: u16,
    pub max_repetition: u16,
}

impl From<&Leaf> for Shape {
    fn from(leaf: &Leaf) -> Self {
        Self { width: leaf.width, max_definition: leaf.max_definition, max_repetition: leaf.max_repetition }
    }
}

/// Entries with this level.
pub(crate) fn count_level(levels: &[u8], level: u16) -> usize {
    levels.iter().filter(|&&other| u16::from(other) == level).count()
}

/// Bytes of `count` byte arrays in PLAIN form, with `bytes` bytes in all: each has a u32 length before it.
pub(crate) fn byte_array_bytes(count: usize, bytes: usize) -> usize {
    count.saturating_mul(4).saturating_add(bytes)
}

/// The values that `offsets` (one more than values) delimit in `bytes`, which start at the first.
pub(crate) fn byte_arrays<'v>(offsets: &'v [u32], bytes: &'v [u8]) -> impl ExactSizeIterator<Item = &'v [u8]> + Clone {
    let base = offsets.first().copied().unwrap_or(0);
    offsets.windows(2).map(move |pair| match *pair {
        [start, end] => bytes.get((start - base) as usize..(end - base) as usize).unwrap_or_default(),
        _ => &[],
    })
}
