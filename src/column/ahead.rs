//! What lies ahead in a view, entry by entry, for those who look before they take.

use super::bits::{bit, count_ones};
use super::{Cursor, Validity, Values};

/// An entry that was not taken yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub starts_row: bool,
    pub definition: u8,
    pub repetition: u8,
    /// The slot of its value, if it has one.
    pub slot: Option<usize>,
}

/// A value as PLAIN has it, without a length before it; of a caller's dictionary only where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'v> {
    Bytes(&'v [u8]),
    Code(u32),
}

/// The entries that a cursor will come to.
#[derive(Debug, Clone)]
pub(crate) struct Entries<'v> {
    validity: Validity<'v>,
    max_definition: u8,
    row: usize,
    rows: usize,
    entry: usize,
    slot: usize,
}

impl Entries<'_> {
    /// Passes over rows of a flat column.
    pub fn skip_rows(&mut self, rows: usize) {
        self.slot += match self.validity {
            Validity::Dense { bits, first } => count_ones(bits, first + self.row, rows),
            _ => rows,
        };
        self.row += rows;
        self.entry += rows;
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let (definition, repetition) = match self.validity {
            Validity::Levels { definition, repetition } => {
                (*definition.get(self.entry)?, repetition.get(self.entry).copied().unwrap_or(0))
            }
            _ if self.row == self.rows => return None,
            Validity::All => (self.max_definition, 0),
            Validity::Dense { bits, first } | Validity::Spaced { bits, first } => {
                (self.max_definition * u8::from(bit(bits, first + self.row)), 0)
            }
        };
        let present = definition == self.max_definition;
        let slot = self.slot;
        self.slot += usize::from(present || matches!(self.validity, Validity::Spaced { .. }));
        self.entry += 1;
        self.row += usize::from(repetition == 0);
        Some(Entry { starts_row: repetition == 0, definition, repetition, slot: present.then_some(slot) })
    }
}

impl<'a> Cursor<'a> {
    /// What is ahead, from the next row on.
    pub fn entries(&self) -> Entries<'a> {
        let Self { view, max_definition, row, entry, value, .. } = *self;
        Entries { validity: view.validity, max_definition, row, rows: view.rows, entry, slot: value }
    }

    /// Whether rows are levels, so that one may have any number of entries.
    pub fn is_nested(&self) -> bool {
        matches!(self.view.validity, Validity::Levels { .. })
    }

    /// Whether values differ in size.
    pub fn varies(&self) -> bool {
        matches!(self.view.values, Values::Bytes { .. } | Values::Codes(_))
    }

    /// The byte array in a slot.
    pub fn byte_array(&self, slot: usize) -> &'a [u8] {
        let Values::Bytes { offsets, bytes } = self.view.values else { return &[] };
        let base = offsets.first().copied().unwrap_or(0);
        let ends = offsets.get(slot).zip(offsets.get(slot + 1));
        let range = ends.map_or(0..0, |(start, end)| (start - base) as usize..(end - base) as usize);
        bytes.get(range).unwrap_or_default()
    }

    /// The value in a slot. `word` is for those that do not lie in the view as they will in the file.
    pub fn piece<'v>(&self, slot: usize, word: &'v mut [u8; 4]) -> Piece<'v>
    where
        'a: 'v,
    {
        let narrow = |bytes: &[u8]| -> [u8; 2] {
            let at = slot * self.stride;
            [bytes.get(at).copied().unwrap_or(0), bytes.get(at + 1).copied().unwrap_or(0)]
        };
        match self.view.values {
            Values::Fixed(bytes) => {
                return Piece::Bytes(bytes.get(slot * self.stride..(slot + 1) * self.stride).unwrap_or_default());
            }
            Values::Bytes { .. } => return Piece::Bytes(self.byte_array(slot)),
            Values::Codes(codes) => return Piece::Code(codes.get(slot).copied().unwrap_or(0)),
            Values::Bits { bits, first } => {
                *word = u32::from(bit(bits, first + slot)).to_le_bytes();
                return Piece::Bytes(&word[..1]);
            }
            Values::Int8(bytes) => *word = i32::from(narrow(bytes)[0].cast_signed()).to_le_bytes(),
            Values::UInt8(bytes) => *word = u32::from(narrow(bytes)[0]).to_le_bytes(),
            Values::Int16(bytes) => *word = i32::from(i16::from_le_bytes(narrow(bytes))).to_le_bytes(),
            Values::UInt16(bytes) => *word = u32::from(u16::from_le_bytes(narrow(bytes))).to_le_bytes(),
        }
        Piece::Bytes(word)
    }
}
