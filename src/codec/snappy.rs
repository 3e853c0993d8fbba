//! Snappy, raw blocks (parquet-format, Compression: SNAPPY).
//!
//! Other encoders hurry on after 32 bytes without a match. In numbers of full precision matches lie farther apart, 4
//! bytes of every second or third value; this one gives them time, for files of floats that are 5 % smaller.

use crate::error::{Error, reserve};

/// Positions of the table as a power of two, the most and the least.
const MOST_LOG: u32 = 14;
const LEAST_LOG: u32 = 8;
/// Every so many bytes without a match, as a power of two, steps grow by one.
const SKIP_LOG: usize = 6;
/// Farthest that a copy of 3 bytes reaches, and one of 2 bytes.
const FAR: usize = u16::MAX as usize;
const NEAR: usize = (1 << 11) - 1;
/// Literals are copied so many bytes at a time, so the output has room for as many more.
const STRIDE: usize = 16;

#[derive(Default)]
pub(super) struct Snappy {
    table: Vec<u32>,
}

impl Snappy {
    pub fn compress(&mut self, page: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        let length = u32::try_from(page.len()).map_err(|_| Error::Codec { codec: 1 })?;
        // Literals take a byte of 60 more, or fewer; what is copied takes less than it was.
        let most = 32 + page.len() + page.len() / 6 + STRIDE;
        let missing = most.saturating_sub(out.len());
        if missing > 0 {
            reserve(out, missing)?;
            out.resize(most, 0);
        }
        let missing = (1usize << MOST_LOG).saturating_sub(self.table.len());
        if missing > 0 {
            reserve(&mut self.table, missing)?;
            self.table.resize(1 << MOST_LOG, 0);
        }
        let mut output = Output { out, at: 0 };
        let mut rest = length;
        while rest >= 0x80 {
            output.push(&[rest as u8 | 0x80]);
            rest >>= 7;
        }
        output.push(&[rest as u8]);
        let log = (u32::BITS - length.leading_zeros()).clamp(LEAST_LOG, MOST_LOG);
        self.find(page, log, &mut output);
        Ok(output.at)
    }

    fn find(&mut self, page: &[u8], log: u32, out: &mut Output<'_>) {
        let table = self.table.get_mut(..1 << log).unwrap_or_default();
        table.fill(0);
        let word = |at: usize| page.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| u64::from_le_bytes(*bytes));
        let slot = |word: u64| ((word as u32).wrapping_mul(0x9e37_79b1) >> (u32::BITS - log)) as usize;
        let mut anchor = 0;
        // The first byte has nothing before it.
        let mut at = 1;
        loop {
            let (end, found) = loop {
                let Some(ahead) = word(at) else { break (page.len(), None) };
                let before =
                    table.get_mut(slot(ahead)).map_or(0, |place| core::mem::replace(place, at as u32)) as usize;
                let differ = word(before).unwrap_or(!ahead) ^ ahead;
                if differ as u32 == 0 && at - before <= FAR {
                    break (at, Some((before, differ)));
                }
                at += 1 + ((at - anchor) >> SKIP_LOG);
            };
            out.literal(page, anchor..end);
            let Some((before, differ)) = found else { return };
            let agree = differ.trailing_zeros() as usize / 8;
            let length = if differ == 0 { 8 + common(page, before + 8, at + 8) } else { agree };
            out.copy(at - before, length);
            at += length;
            anchor = at;
            // A position inside the match keeps the table fresh.
            if let Some(place) = word(at - 1).and_then(|last| table.get_mut(slot(last))) {
                *place = at as u32 - 1;
            }
        }
    }
}

/// Bytes from which on `a` < `b` agree.
fn common(page: &[u8], a: usize, b: usize) -> usize {
    let (behind, ahead) = (page.get(a..).unwrap_or_default(), page.get(b..).unwrap_or_default());
    let words = behind.as_chunks::<8>().0.iter().zip(ahead.as_chunks::<8>().0);
    let mut length = 0;
    for (one, other) in words {
        let differ = u64::from_le_bytes(*one) ^ u64::from_le_bytes(*other);
        if differ != 0 {
            return length + differ.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let tails = behind.iter().skip(length).zip(ahead.iter().skip(length));
    length + tails.take_while(|(one, other)| one == other).count()
}

/// The compressed page, as far as it goes.
struct Output<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Output<'_> {
    #[inline(always)]
    fn push(&mut self, bytes: &[u8]) {
        if let Some(place) = self.out.get_mut(self.at..self.at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }

    #[inline(always)]
    fn literal(&mut self, page: &[u8], range: core::ops::Range<usize>) {
        let length = range.len();
        match length {
            0 => return,
            1..=60 => self.push(&[(length as u8 - 1) << 2]),
            _ => self.long_literal(length as u32 - 1),
        }
        // A call to copy costs more than a few strides too many.
        let sources = page.get(range.start..).unwrap_or_default().as_chunks::<STRIDE>().0;
        let strides = length.div_ceil(STRIDE);
        if length <= 4 * STRIDE && sources.len() >= strides {
            let places = self.out.get_mut(self.at..).unwrap_or_default().as_chunks_mut::<STRIDE>().0;
            places.iter_mut().zip(sources).take(strides).for_each(|(to, from)| *to = *from);
            self.at += length;
        } else {
            self.push(page.get(range).unwrap_or_default());
        }
    }

    #[cold]
    fn long_literal(&mut self, less_one: u32) {
        let bytes = (u32::BITS - less_one.leading_zeros()).div_ceil(8);
        self.push(&[(59 + bytes as u8) << 2]);
        self.push(less_one.to_le_bytes().get(..bytes as usize).unwrap_or_default());
    }

    #[inline(always)]
    fn copy(&mut self, offset: usize, mut length: usize) {
        let [low, high, ..] = offset.to_le_bytes();
        while length > 64 {
            // What is left must be 4 at least, which the shortest form takes.
            let part = if length < 68 { 60 } else { 64 };
            self.push(&[(part as u8 - 1) << 2 | 2, low, high]);
            length -= part;
        }
        if length <= 11 && offset <= NEAR {
            self.push(&[high << 5 | (length as u8 - 4) << 2 | 1, low]);
        } else {
            self.push(&[(length as u8 - 1) << 2 | 2, low, high]);
        }
    }
}

#[cfg(test)]
mod tests;
