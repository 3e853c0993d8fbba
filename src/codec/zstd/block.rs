//! One block: literals section, sequences section, or whatever is smaller (RFC 8878, 3.1.1.2).

use super::fse;
use super::huffman::{Codes, Scratch};
use super::matches::Literals;
use super::sequences::Sequences;

/// Most bytes of a block's content. Fuzzers see many blocks in a short page.
pub(super) const MAX_BLOCK: usize = if cfg!(fuzzing) { 1 << 11 } else { 1 << 17 };

/// Literals from this size on come in four streams.
const FOUR_STREAMS: usize = 1024;

/// Everything a block needs beside matches; kept from block to block.
#[derive(Default)]
pub(super) struct BlockWriter {
    pub literals: Literals,
    pub sequences: Sequences,
    /// The code that the decoder knows from the block before.
    known: Codes,
    fresh: Codes,
    scratch: Scratch,
    weights: fse::Table,
}

impl BlockWriter {
    /// A new frame: the decoder knows nothing.
    pub fn open(&mut self) {
        self.known.clear();
        self.sequences.open();
    }

    /// Writes literals and sequences; gives the bytes, `None` where they take more than `out` has.
    pub fn write(&mut self, out: &mut [u8]) -> Option<usize> {
        let literals = self.write_literals(out)?;
        let written = self.sequences.write(out.get_mut(literals..)?)?;
        Some(literals + written)
    }

    #[inline(never)]
    fn write_literals(&mut self, out: &mut [u8]) -> Option<usize> {
        let literals = self.literals.as_slice();
        if let [first, rest @ ..] = literals
            && rest.len() >= 3
            && rest.iter().all(|byte| byte == first)
        {
            let head = plain_header(1, literals.len(), out)?;
            *out.get_mut(head)? = *first;
            return Some(head + 1);
        }
        match self.compress_literals(out) {
            Some(size) => Some(size),
            None => {
                let literals = self.literals.as_slice();
                let head = plain_header(0, literals.len(), out)?;
                out.get_mut(head..head + literals.len())?.copy_from_slice(literals);
                Some(head + literals.len())
            }
        }
    }

    /// Literals as Huffman codes; `None` where that does not pay.
    fn compress_literals(&mut self, out: &mut [u8]) -> Option<usize> {
        let literals = self.literals.as_slice();
        let size = literals.len();
        // Even with a code that is known already, a handful of bytes gains nothing.
        if size < 32 {
            return None;
        }
        let histogram = histogram(literals);
        let largest = histogram.iter().copied().max().unwrap_or(0) as usize;
        // Nearly flat: no code can win what its description costs.
        if largest <= (size >> 7) + 4 {
            return None;
        }
        self.fresh.build(&histogram, &mut self.scratch);
        let four = size >= FOUR_STREAMS;
        // Sizes of 10, 14 or 18 bits.
        let (format, size_bits) = match size {
            0..1024 => (u64::from(four), 10),
            1024..16384 => (2, 14),
            _ => (3, 18),
        };
        let head = (4 + 2 * size_bits as usize).div_ceil(8);
        let body = out.get_mut(head..)?;
        let description = self.fresh.describe(body, &mut self.weights);
        let fresh = description.zip(self.fresh.cost(&histogram)).map(|(bytes, bits)| bytes + bits / 8);
        let known = self.known.cost(&histogram).map(|bits| bits / 8);
        let repeat = known.is_some_and(|known| fresh.is_none_or(|fresh| known <= fresh));
        let expected = if repeat { known? } else { fresh? };
        // What does not save 1/64 is not worth a decoder's time.
        if expected + (size >> 6) + 10 >= size {
            return None;
        }
        let (codes, start) = if repeat { (&self.known, 0) } else { (&self.fresh, description?) };
        let body = body.get_mut(start..)?;
        let encoded = if four { four_streams(codes, literals, body)? } else { codes.encode(literals, body)? };
        let total = start + encoded;
        let kind = if repeat { 3 } else { 2 };
        let header = kind | format << 2 | (size as u64) << 4 | (total as u64) << (4 + size_bits);
        out.get_mut(..head)?.iter_mut().zip(header.to_le_bytes()).for_each(|(to, from)| *to = from);
        if !repeat {
            core::mem::swap(&mut self.known, &mut self.fresh);
        }
        Some(head + total)
    }
}

/// Header of raw (0) or RLE (1) literals: a size of 5, 12 or 20 bits.
fn plain_header(kind: u32, size: usize, out: &mut [u8]) -> Option<usize> {
    let size = u32::try_from(size).ok()?;
    let (header, bytes) = match size {
        0..32 => (kind | size << 3, 1),
        32..4096 => (kind | 1 << 2 | size << 4, 2),
        _ => (kind | 3 << 2 | size << 4, 3),
    };
    out.get_mut(..bytes)?.iter_mut().zip(header.to_le_bytes()).for_each(|(to, from)| *to = from);
    Some(bytes)
}

/// Four streams of a quarter each, behind the sizes of the first three.
fn four_streams(codes: &Codes, literals: &[u8], out: &mut [u8]) -> Option<usize> {
    const SIZES: usize = 6;
    let mut at = SIZES;
    let quarter = literals.len().div_ceil(4);
    for (stream, part) in literals.chunks(quarter).enumerate() {
        let size = codes.encode(part, out.get_mut(at..)?)?;
        if stream < 3 {
            let size = u16::try_from(size).ok()?.to_le_bytes();
            out.get_mut(stream * 2..stream * 2 + 2)?.copy_from_slice(&size);
        }
        at += size;
    }
    Some(at)
}

/// How often each byte occurs. Four tables: equal neighbours would wait for each other's count.
#[inline(never)]
fn histogram(bytes: &[u8]) -> [u32; 256] {
    let mut tables = [[0u32; 256]; 4];
    let (quads, rest) = bytes.as_chunks::<4>();
    for quad in quads {
        for (table, byte) in tables.iter_mut().zip(quad) {
            count(table, *byte);
        }
    }
    let [mut sum, others @ ..] = tables;
    rest.iter().for_each(|byte| count(&mut sum, *byte));
    for other in others {
        sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
    }
    sum
}

#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "a byte cannot leave a table of 256")]
fn count(table: &mut [u32; 256], byte: u8) {
    table[usize::from(byte)] += 1;
}

#[cfg(test)]
mod tests;
