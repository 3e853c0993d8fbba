//! Finding matches: positions by hash, and what all finders share.

use super::sequences::Sequence;
use crate::error::{Error, reserve};

/// The page, and how far the block that is being searched reaches into it.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    /// The page up to the block's end.
    pub data: &'a [u8],
    pub start: usize,
    /// Farthest offset.
    pub window: usize,
}

impl Input<'_> {
    #[inline(always)]
    pub fn word(&self, at: usize) -> u64 {
        self.data.get(at..).and_then(<[u8]>::first_chunk::<8>).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    #[inline(always)]
    pub fn half(&self, at: usize) -> u32 {
        self.data.get(at..).and_then(<[u8]>::first_chunk::<4>).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Bytes from which on `a` < `b` agree.
    #[inline(always)]
    pub fn common(&self, a: usize, b: usize) -> usize {
        let ahead = self.data.get(b..).unwrap_or_default();
        let behind = self.data.get(a..a + ahead.len()).unwrap_or_default();
        let (words, rest) = ahead.as_chunks::<8>();
        let (behind_words, behind_rest) = behind.as_chunks::<8>();
        let mut length = 0;
        for (one, other) in words.iter().zip(behind_words) {
            let differ = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
            if differ != 0 {
                return length + (differ.trailing_zeros() / 8) as usize;
            }
            length += 8;
        }
        length + rest.iter().zip(behind_rest).take_while(|(one, other)| one == other).count()
    }

    /// Bytes before `a` < `b` that agree, not further than to `least` before `b`.
    #[inline(always)]
    pub fn common_before(&self, a: usize, b: usize, least: usize) -> usize {
        let most = a.min(b - least);
        if most == 0 {
            return 0;
        }
        // Seldom more than a few: one comparison of the 8 bytes before settles it.
        if a >= 8 {
            let differ = self.word(a - 8) ^ self.word(b - 8);
            if differ != 0 {
                return most.min((differ.leading_zeros() / 8) as usize);
            }
        }
        let (before_a, before_b) = (self.data.get(a - most..a), self.data.get(b - most..b));
        let pairs = before_a.unwrap_or_default().iter().rev().zip(before_b.unwrap_or_default().iter().rev());
        pairs.take_while(|(one, other)| one == other).count()
    }
}

/// Hash of the low `bytes` bytes of `word`, with `log` bits.
#[inline(always)]
pub(super) fn hash(word: u64, bytes: u32, log: u32) -> usize {
    const PRIME: u64 = 0xcf1b_bcdc_b7a5_6463;
    ((word << (64 - 8 * bytes)).wrapping_mul(PRIME) >> (64 - log)) as usize
}

/// Positions by hash. A page's positions are kept above those of all pages before, so that nothing is cleared.
#[derive(Default)]
pub(super) struct Positions {
    table: Vec<u32>,
    log: u32,
}

impl Positions {
    /// Makes room for 2^`log` positions.
    pub fn open(&mut self, log: u32) -> Result<(), Error> {
        let size = 1usize << log;
        if self.table.len() < size {
            let missing = size - self.table.len();
            reserve(&mut self.table, missing)?;
            self.table.resize(size, 0);
        }
        self.log = log;
        Ok(())
    }

    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.table.fill(0);
    }

    #[inline(always)]
    pub fn log(&self) -> u32 {
        self.log
    }

    /// What was last put at `hash`; puts `position` there.
    #[inline(always)]
    pub fn replace(&mut self, hash: usize, position: u32) -> u32 {
        match self.table.get_mut(hash) {
            Some(entry) => core::mem::replace(entry, position),
            None => 0,
        }
    }

    #[inline(always)]
    pub fn get(&self, hash: usize) -> u32 {
        self.table.get(hash).copied().unwrap_or(0)
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
    pub sequences: &'a mut Vec<Sequence>,
    pub literals: &'a mut Literals,
}

impl Output<'_> {
    /// A match of `length` bytes at `at`, behind literals from `anchor` on.
    #[inline(always)]
    pub fn push(&mut self, input: &Input<'_>, anchor: usize, at: usize, length: usize, name: u32) {
        self.literals.push(input.data, anchor, at);
        self.sequences.push(Sequence::new((at - anchor) as u32, length as u32, name));
    }

    /// The literals behind the last match.
    pub fn finish(&mut self, input: &Input<'_>, anchor: usize) {
        self.literals.push(input.data, anchor, input.data.len());
    }
}
