//! Finding matches: positions by hash, and what all finders share.

use super::sequences::Sequence;
use crate::error::{Error, reserve};

/// The page from the farthest byte that may be referred to, up to the end of the block that is being searched.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub data: &'a [u8],
    /// The block's first byte.
    pub start: usize,
    /// What the first byte of `data` is called in [`Positions`].
    pub base: u32,
}

impl Input<'_> {
    /// The bytes from `at` on; `None` where there are fewer than `N`, which includes what lies before `data`.
    #[inline(always)]
    pub fn chunk<const N: usize>(&self, at: usize) -> Option<&[u8; N]> {
        self.data.get(at..)?.first_chunk()
    }

    #[inline(always)]
    pub fn word(&self, at: usize) -> u64 {
        self.chunk(at).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Where the 8 bytes before `at` and before `at - offset` differ. All of them, were there fewer than 8.
    #[inline(always)]
    fn difference_before(&self, at: usize, offset: usize) -> u64 {
        match self.chunk(at.wrapping_sub(offset + 8)) {
            Some(bytes) => u64::from_le_bytes(*bytes) ^ self.word(at.wrapping_sub(8)),
            None => u64::MAX,
        }
    }

    /// What stands at a position from a table against `word`: where, and how it differs. The low 4 bytes always do if
    /// the position belongs to another page or lies too far back, which is not to be foreseen: hence no branch.
    #[inline(always)]
    pub fn found(&self, position: u32, word: u64) -> (usize, u64) {
        let at = position.wrapping_sub(self.base) as usize;
        let place = at.min(self.data.len().wrapping_sub(8));
        (at, (self.word(place) ^ word) | u64::from(place != at))
    }

    /// Four bytes or more that repeat at `offset` and begin at one of the 5 places from `at` on: the first and how many.
    /// `word` is what stands at `at`.
    #[inline(always)]
    pub fn repeats(&self, at: usize, word: u64, offset: usize) -> Option<(usize, usize)> {
        let differ = u64::from_le_bytes(*self.chunk(at.wrapping_sub(offset))?) ^ word;
        // Behind the first place, the fifth byte belongs to it wherever it begins.
        if differ as u32 != 0 && (differ >> 32) as u8 != 0 {
            return None;
        }
        self.around(at, differ, offset)
    }

    #[inline(always)]
    fn around(&self, at: usize, differ: u64, offset: usize) -> Option<(usize, usize)> {
        let before = ((differ as u32).leading_zeros() / 8) as usize;
        let rest = (differ >> 32) as u32;
        let behind = (rest.trailing_zeros() / 8) as usize;
        if behind == 4 {
            return Some((at + 4 - before, before + 4 + self.common(at + 8 - offset, at + 8)));
        }
        (before + behind >= 4).then_some((at + 4 - before, before + behind))
    }

    /// Four bytes or more that repeat at `offset` from `at` on, where `word` stands.
    #[inline(always)]
    pub fn repeats_at(&self, at: usize, word: u64, offset: usize) -> Option<(usize, usize)> {
        let differ = u64::from_le_bytes(*self.chunk(at.wrapping_sub(offset))?) ^ word;
        if differ as u32 != 0 {
            return None;
        }
        Some((at, if differ == 0 { 8 + self.common(at + 8 - offset, at + 8) } else { agree(differ) }))
    }

    /// Bytes from which on `a` < `b` agree.
    #[inline(always)]
    pub fn common(&self, a: usize, b: usize) -> usize {
        let mut length = 0;
        while let Some(ahead) = self.chunk(b + length) {
            let differ = u64::from_le_bytes(*ahead) ^ self.word(a + length);
            if differ != 0 {
                return length + agree(differ);
            }
            length += 8;
        }
        length + self.common_at_end(a + length, b + length)
    }

    #[cold]
    fn common_at_end(&self, a: usize, b: usize) -> usize {
        let ahead = self.data.get(b..).unwrap_or_default();
        let behind = self.data.get(a..).unwrap_or_default();
        ahead.iter().zip(behind).take_while(|(one, other)| one == other).count()
    }

    /// Bytes before `a` < `b` that agree, not further than to `least` before `b`.
    #[inline(always)]
    pub fn common_before(&self, a: usize, b: usize, least: usize) -> usize {
        let most = a.min(b - least);
        // Seldom more than a few: one comparison of the 8 bytes before settles it.
        let differ = self.difference_before(b, b - a);
        if differ != 0 && a >= 8 {
            most.min((differ.leading_zeros() / 8) as usize)
        } else {
            self.far_before(a, b, most)
        }
    }

    #[cold]
    fn far_before(&self, a: usize, b: usize, most: usize) -> usize {
        let (before_a, before_b) = (self.data.get(a - most..a), self.data.get(b - most..b));
        let pairs = before_a.unwrap_or_default().iter().rev().zip(before_b.unwrap_or_default().iter().rev());
        pairs.take_while(|(one, other)| one == other).count()
    }
}

/// The 8 bytes of a chunk from `from` on.
#[inline(always)]
pub(super) fn le<const N: usize>(bytes: &[u8; N], from: usize) -> u64 {
    bytes.get(from..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

/// Low bytes that agree, from how they differ.
#[inline(always)]
pub(super) fn agree(differ: u64) -> usize {
    (differ.trailing_zeros() / 8) as usize
}

/// Whether the offset before the last goes on at `at`, as it often does right behind a match: the word there and the
/// bytes that agree. Makes it the last offset.
#[inline(always)]
pub(super) fn again(input: &Input<'_>, at: usize, repeats: &mut Repeats) -> Option<(u64, usize)> {
    let [first, second, third] = repeats.0;
    let word = u64::from_le_bytes(*input.chunk(at)?);
    let differ = u64::from_le_bytes(*input.chunk(at.wrapping_sub(second))?) ^ word;
    if differ as u32 != 0 {
        return None;
    }
    repeats.0 = [second, first, third];
    Some((word, if differ == 0 { 8 + input.common(at + 8 - second, at + 8) } else { agree(differ) }))
}

/// A multiplier whose product has a hash of a word's low `bytes` bytes in its high bits.
pub(super) const fn multiplier(bytes: u32) -> u64 {
    const PRIME: u64 = 0xcf1b_bcdc_b7a5_6463;
    PRIME << (64 - 8 * bytes)
}

/// Positions by hash. A page's positions are kept above those of all pages before, so that nothing is cleared.
#[derive(Default)]
pub(super) struct Positions {
    table: Vec<u32>,
}

impl Positions {
    /// Makes room for `size` positions.
    pub fn open(&mut self, size: usize) -> Result<(), Error> {
        if self.table.len() < size {
            let missing = size - self.table.len();
            reserve(&mut self.table, missing)?;
            self.table.resize(size, 0);
        }
        Ok(())
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.table.fill(0);
    }

    /// The table as an array, so that a masked hash needs no check; `None` unless it was opened with `SIZE`.
    pub fn table<const SIZE: usize>(&mut self) -> Option<&mut [u32; SIZE]> {
        self.table.first_chunk_mut()
    }
}

/// The three repeat offsets (RFC 8878, 3.1.1.5).
#[derive(Clone, Copy)]
pub(super) struct Repeats(pub [usize; 3]);

impl Default for Repeats {
    fn default() -> Self {
        Self([1, 4, 8])
    }
}

impl Repeats {
    /// The offset's name after `literals` bytes: 1 to 3 where it is a repeat, else itself + 3; moves it to the front.
    #[inline(always)]
    pub fn name(&mut self, offset: usize, literals: usize) -> u32 {
        let [first, second, third] = self.0;
        if (offset == first) | (offset == second) | (offset == third) | (offset + 1 == first) {
            return self.repeat(offset, literals);
        }
        self.0 = [offset, first, second];
        offset as u32 + 3
    }

    #[cold]
    fn repeat(&mut self, offset: usize, literals: usize) -> u32 {
        let [first, second, third] = self.0;
        let name = match literals {
            // SPEC: right after a match the names shift by one, and 3 is the first less 1.
            0 if offset == second => 1,
            0 if offset == third => 2,
            0 if offset + 1 == first => 3,
            1.. if offset == first => return 1,
            1.. if offset == second => 2,
            1.. if offset == third => 3,
            _ => offset as u32 + 3,
        };
        self.0 = if offset == second { [second, first, third] } else { [offset, first, second] };
        name
    }
}

/// The block's literals, gathered. A buffer of its own length: a `Vec` would move a few bytes with a call each time.
#[derive(Default)]
pub(super) struct Literals {
    /// A block, and room for a whole step behind its last byte.
    buffer: Vec<u8>,
    count: usize,
}

impl Literals {
    /// Bytes that are copied at once.
    const STEP: usize = 16;

    /// Makes room for a block of `size` bytes.
    pub fn open(&mut self, size: usize) -> Result<(), Error> {
        let missing = (size + Self::STEP).saturating_sub(self.buffer.len());
        reserve(&mut self.buffer, missing)?;
        self.buffer.resize(self.buffer.len() + missing, 0);
        self.count = 0;
        Ok(())
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    pub fn as_slice(&self) -> &[u8] {
        self.buffer.get(..self.count).unwrap_or_default()
    }

    /// Appends `data[from..to]`.
    #[inline(always)]
    fn push(&mut self, data: &[u8], from: usize, to: usize) {
        let count = to - from;
        let target = self.buffer.get_mut(self.count..).unwrap_or_default();
        match (data.get(from..).and_then(<[u8]>::first_chunk), target.first_chunk_mut::<{ Self::STEP }>()) {
            (Some(source), Some(target)) if count <= Self::STEP => *target = *source,
            _ => copy(data.get(from..to).unwrap_or_default(), target),
        }
        self.count += count;
    }
}

#[cold]
fn copy(from: &[u8], to: &mut [u8]) {
    if let Some(to) = to.get_mut(..from.len()) {
        to.copy_from_slice(from);
    }
}

/// Where the finder writes to.
pub(super) struct Output<'a> {
    /// Room for a block's sequences; the first `count` are there.
    pub sequences: &'a mut [Sequence],
    pub count: usize,
    pub literals: &'a mut Literals,
}

impl Output<'_> {
    /// A match of `length` bytes at `at`, behind literals from `anchor` on.
    #[inline(always)]
    pub fn push(&mut self, input: &Input<'_>, anchor: usize, at: usize, length: usize, name: u32) {
        self.literals.push(input.data, anchor, at);
        if let Some(slot) = self.sequences.get_mut(self.count) {
            *slot = Sequence::new((at - anchor) as u32, length as u32, name);
        }
        self.count += 1;
    }

    /// The literals behind the last match.
    pub fn finish(&mut self, input: &Input<'_>, anchor: usize) {
        self.literals.push(input.data, anchor, input.data.len());
    }
}

#[cfg(test)]
mod tests;
