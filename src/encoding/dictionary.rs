//! The dictionary of one column chunk (parquet-format, Encodings: RLE_DICTIONARY = 8).
//!
//! Values are compared by their bits, never by `==`: −0.0 and +0.0 are two entries, and so is every NaN pattern.

use super::plain;
use crate::column::{Dense, byte_array_bytes};
use crate::error::{Error, Limit, reserve};
use crate::hash;

/// Slots of an empty table; a power of two.
const FIRST_SLOTS: usize = 256;
/// Most slots that are looked at for one value. Values that were not picked for it come nowhere near: in a table that is
/// at most half full the longest run of slots in use grows with the logarithm of its size.
const MOST_PROBES: usize = 512;

/// One place of the table. Key and code lie side by side: a look-up touches one line of memory.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The value itself where it has 4 or 8 bytes, else its hash.
    key: u64,
    /// Code + 1, or 0.
    code: u32,
}

/// A point to go back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    count: usize,
    bytes: usize,
}

/// Entries in order of first appearance, and an open-addressing table that finds them.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    /// Bytes of one entry; 0 for byte arrays.
    width: usize,
    count: usize,
    slots: Vec<Slot>,
    /// Whether any slot was filled since the last `open`.
    placed: bool,
    /// Whether some value found no slot within reach: values were picked so that they all begin at the same one.
    crowded: bool,
    bytes: Vec<u8>,
    /// Byte arrays: where each entry ends; begins with 0.
    offsets: Vec<u32>,
    /// Code of each entry that the caller handed over for `Codes`.
    handed: Vec<u32>,
}

impl Dictionary {
    /// Empties it for a chunk whose values have `width` bytes, 0 for byte arrays. Buffers stay.
    pub fn open(&mut self, width: usize) -> Result<(), Error> {
        self.width = width;
        // Not only where there are entries: those that were truncated have left their slots behind.
        if core::mem::take(&mut self.placed) {
            self.slots.fill(Slot::default());
        }
        self.count = 0;
        self.crowded = false;
        self.bytes.clear();
        self.handed.clear();
        self.offsets.clear();
        reserve(&mut self.offsets, 1)?;
        self.offsets.push(0);
        Ok(())
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Bytes of the entries in PLAIN form.
    pub fn plain_bytes(&self) -> usize {
        if self.width == 0 { byte_array_bytes(self.len(), self.bytes.len()) } else { self.bytes.len() }
    }

    pub fn mark(&self) -> Mark {
        Mark { count: self.len(), bytes: self.bytes.len() }
    }

    /// Forgets entries added since `mark`. The table still points to them, so nothing may be looked up until
    /// `open`.
    pub fn truncate(&mut self, mark: Mark) {
        self.count = mark.count;
        self.bytes.truncate(mark.bytes);
        self.offsets.truncate(mark.count + 1);
    }

    /// Entry `code`, without length prefix.
    pub fn entry(&self, code: u32) -> Option<&[u8]> {
        let code = code as usize;
        if self.width > 0 {
            return self.bytes.get(code * self.width..(code + 1) * self.width);
        }
        let (start, end) = (*self.offsets.get(code)? as usize, *self.offsets.get(code + 1)? as usize);
        self.bytes.get(start..end)
    }

    /// The entry that the caller knows as `code`.
    pub fn handed_entry(&self, code: u32) -> Option<&[u8]> {
        self.entry(*self.handed.get(code as usize)?)
    }

    /// Appends the dictionary page's body.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.width > 0 {
            plain::fixed(&self.bytes, out)
        } else {
            plain::byte_arrays(&self.offsets, &self.bytes, out)
        }
    }

    /// Appends the code of every value to `codes`, adding entries. False, with entries and codes half done, as soon
    /// as the entries pass `limit` bytes, or looking them up would take too long. Handed codes are always all done.
    #[inline(never)]
    pub fn encode_codes(&mut self, values: Dense<'_>, limit: usize, codes: &mut Vec<u32>) -> Result<bool, Error> {
        match (values, self.width) {
            (Dense::Fixed(bytes), 4) => {
                self.fixed(bytes, limit, codes, |value: [u8; 4]| u64::from(u32::from_le_bytes(value)))
            }
            (Dense::Fixed(bytes), 8) => self.fixed(bytes, limit, codes, u64::from_le_bytes),
            (Dense::Fixed(bytes), width @ 1..) => {
                reserve(codes, bytes.len() / width)?;
                for value in bytes.chunks_exact(width) {
                    codes.push(self.insert(value)?);
                }
                Ok(self.plain_bytes() <= limit && !self.crowded)
            }
            (Dense::Bytes { offsets, bytes }, 0) => {
                let base = offsets.first().copied().unwrap_or(0);
                reserve(codes, offsets.len())?;
                for (row, pair) in offsets.windows(2).enumerate() {
                    let [start, end] = *pair else { continue };
                    let value =
                        bytes.get((start - base) as usize..(end - base) as usize).ok_or(Error::Offsets { row })?;
                    let before = self.len();
                    codes.push(self.insert(value)?);
                    if self.len() > before && (self.plain_bytes() > limit || self.crowded) {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Dense::Codes(handed), 0) => {
                reserve(codes, handed.len())?;
                let code =
                    |(row, &code): (usize, &u32)| self.handed.get(code as usize).copied().ok_or(Error::Code { row });
                for pair in handed.iter().enumerate() {
                    codes.push(code(pair)?);
                }
                Ok(self.plain_bytes() <= limit)
            }
            _ => Err(Error::View),
        }
    }

    /// Takes entries that later `Codes` refer to, in order. Equal ones share a code.
    pub fn hand_over(&mut self, offsets: &[u32], bytes: &[u8]) -> Result<(), Error> {
        if self.width != 0 {
            return Err(Error::View);
        }
        let base = offsets.first().copied().unwrap_or(0);
        reserve(&mut self.handed, offsets.len())?;
        for (row, pair) in offsets.windows(2).enumerate() {
            if let [start, end] = *pair {
                let range = start.checked_sub(base).zip(end.checked_sub(base)).map(|(a, b)| a as usize..b as usize);
                let value = range.and_then(|range| bytes.get(range)).ok_or(Error::Offsets { row })?;
                let code = self.insert(value)?;
                self.handed.push(code);
            }
        }
        Ok(())
    }

    /// Values that are their own keys.
    fn fixed<const N: usize>(
        &mut self,
        bytes: &[u8],
        limit: usize,
        codes: &mut Vec<u32>,
        key: impl Fn([u8; N]) -> u64,
    ) -> Result<bool, Error> {
        let values = bytes.as_chunks::<N>().0;
        reserve(codes, values.len())?;
        for value in values {
            let key = key(*value);
            if let Some(code) = self.find(key, |_, _| true) {
                codes.push(code);
                continue;
            }
            codes.push(self.add(value, key)?);
            if self.bytes.len() > limit || self.crowded {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn insert(&mut self, value: &[u8]) -> Result<u32, Error> {
        let key = hash::bytes(value);
        match self.find(key, |dictionary, code| dictionary.entry(code) == Some(value)) {
            Some(code) => Ok(code),
            None => self.add(value, key),
        }
    }

    fn find(&self, key: u64, equal: impl Fn(&Self, u32) -> bool) -> Option<u32> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = home(key, mask);
        for _ in 0..MOST_PROBES {
            let slot = self.slots.get(at)?;
            let code = slot.code.checked_sub(1)?;
            if slot.key == key && equal(self, code) {
                return Some(code);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Adds an entry that was not found. One that has no slot within reach may come a second time: a reader does not
    /// mind.
    fn add(&mut self, value: &[u8], key: u64) -> Result<u32, Error> {
        // At most half full: probes stay short, and there is always an empty slot to end them.
        if self.count * 2 >= self.slots.len() {
            self.grow()?;
        }
        let code = u32::try_from(self.count).map_err(|_| Error::Limit { what: Limit::PageValues, size: u64::MAX })?;
        reserve(&mut self.bytes, value.len())?;
        self.bytes.extend_from_slice(value);
        if self.width == 0 {
            let size = self.bytes.len();
            let end = u32::try_from(size).map_err(|_| Error::Limit { what: Limit::PageBytes, size: size as u64 })?;
            reserve(&mut self.offsets, 1)?;
            self.offsets.push(end);
        }
        self.count += 1;
        self.placed = true;
        self.crowded |= !place(&mut self.slots, Slot { key, code: code + 1 });
        Ok(code)
    }

    fn grow(&mut self) -> Result<(), Error> {
        let size = (self.slots.len() * 2).max(FIRST_SLOTS);
        let mut slots = Vec::new();
        reserve(&mut slots, size)?;
        slots.resize(size, Slot::default());
        for slot in self.slots.iter().filter(|slot| slot.code > 0) {
            self.crowded |= !place(&mut slots, *slot);
        }
        self.slots = slots;
        Ok(())
    }
}

/// Whether there was a free slot within reach.
fn place(slots: &mut [Slot], slot: Slot) -> bool {
    let mask = slots.len().wrapping_sub(1);
    let mut at = home(slot.key, mask);
    for _ in 0..MOST_PROBES {
        match slots.get_mut(at) {
            Some(entry) if entry.code == 0 => {
                *entry = slot;
                return true;
            }
            _ => at = (at + 1) & mask,
        }
    }
    false
}

/// Where a look-up begins.
fn home(key: u64, mask: usize) -> usize {
    hash::word(key) as usize & mask
}

#[cfg(test)]
mod tests;
