//! Zstandard, one frame a page (parquet-format, Compression: ZSTD; RFC 8878), made for pages and for reuse.
//!
//! All state lives in one struct: allocated by the first page, then only counted on. A page needs no clearing,
//! because its positions lie above those of all pages before it. The content size is in the frame's header, there is
//! no checksum (the page has its own), and the window spans the page up to 8 MiB.

mod bits;
mod block;
mod double;
mod fast;
mod fse;
mod huffman;
mod lazy;
mod matches;
mod rows;
mod sequences;

use self::block::{BlockWriter, MAX_BLOCK};
use self::double::Double;
use self::fast::Fast;
use self::lazy::Lazy;
use self::matches::{Input, Output, Positions, Repeats};
use self::rows::Rows;
use crate::error::{Error, reserve};

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Decoders need not take a larger window.
const MAX_WINDOW_LOG: u32 = 23;

/// Shortest block in which matches are looked for.
const MIN_BLOCK: usize = 16;

/// How matches are found.
#[derive(Clone, Copy)]
enum Finder {
    Fast(Fast),
    Double(Double),
    Lazy(Lazy),
}

/// What a level stands for.
fn finder(level: i8) -> Finder {
    let fast = |hash_log, hash_bytes, skip_log, step| Finder::Fast(Fast { hash_log, hash_bytes, skip_log, step });
    let double = |long_log, short_log| Finder::Double(Double { long_log, short_log });
    let lazy =
        |depth, ahead, enough, head_log, chain_log| Finder::Lazy(Lazy { depth, ahead, enough, head_log, chain_log });
    match level {
        ..=-4 => fast(12, 7, 5, 4),
        -3..=-2 => fast(13, 7, 6, 3),
        -1..=0 => fast(13, 7, 7, 2),
        1 => fast(14, 7, 8, 2),
        2 => double(15, 14),
        3 => double(16, 15),
        4 => double(17, 16),
        5 => lazy(4, 1, 32, 16, 17),
        6 => lazy(8, 1, 64, 16, 17),
        7 => lazy(16, 2, 96, 17, 18),
        8 => lazy(32, 2, 128, 17, 18),
        _ => lazy(64, 2, 256, 17, 18),
    }
}

/// The encoder.
#[derive(Default)]
pub(super) struct Zstd {
    /// The fast finder's table, the long one of the double finder, the heads of chains.
    first: Positions,
    /// The short table of the double finder, the chains.
    second: Positions,
    block: BlockWriter,
    /// Position of the next page's first byte; 0 before the first page.
    base: u32,
}

impl Zstd {
    /// Compresses `page` into the start of `out`, which only grows; gives the frame's bytes.
    pub fn compress(&mut self, page: &[u8], level: i8, out: &mut Vec<u8>) -> Result<usize, Error> {
        let finder = finder(level);
        self.open(page.len(), finder)?;
        // A stored block has 3 bytes before it, the frame 14 at most.
        let most = page.len() + (page.len() / MAX_BLOCK + 1) * 3 + 16;
        let missing = most.saturating_sub(out.len());
        if missing > 0 {
            reserve(out, missing)?;
            out.resize(most, 0);
        }
        self.frame(page, finder, out).ok_or(Error::Codec { codec: 6 })
    }

    fn open(&mut self, size: usize, finder: Finder) -> Result<(), Error> {
        let block = size.min(MAX_BLOCK);
        let (first, second) = match finder {
            Finder::Fast(_) => (fast::TABLE, 0),
            Finder::Double(_) => (double::TABLE, double::TABLE),
            Finder::Lazy(_) => (lazy::HEADS, lazy::CHAIN),
        };
        self.first.open(first)?;
        self.second.open(second)?;
        self.block.literals.open(block)?;
        // A match is at least 4 bytes long.
        self.block.sequences.reserve(block / 4 + 1)?;
        // Positions go up from page to page; once they no longer fit, everything is forgotten.
        let fits = u32::try_from(size)
            .ok()
            .and_then(|size| self.base.checked_add(size))
            .is_some_and(|end| end < u32::MAX - 16);
        if self.base == 0 || !fits {
            self.first.clear();
            self.second.clear();
            self.base = 1;
        }
        self.block.open();
        Ok(())
    }

    fn frame(&mut self, page: &[u8], finder: Finder, out: &mut [u8]) -> Option<usize> {
        let mut at = header(page.len(), out)?;
        let window = 1usize << MAX_WINDOW_LOG;
        let mut repeats = Repeats::default();
        let mut filled = self.base + 1;
        let mut start = 0;
        loop {
            let end = (start + MAX_BLOCK).min(page.len());
            let last = end == page.len();
            let content = page.get(start..end)?;
            let body = at + 3;
            let before = repeats;
            let (kind, size, bytes) = if let Some(byte) = single_byte(content) {
                *out.get_mut(body)? = byte;
                (1, content.len(), 1)
            } else {
                let low = end.saturating_sub(window);
                let base = self.base.checked_add(u32::try_from(low).ok()?)?;
                let input = Input { data: page.get(low..end)?, start: start - low, base };
                // Only a body that is smaller than the content is taken.
                let room = out.get_mut(body..body + content.len().saturating_sub(1))?;
                match self.compress_block(input, finder, &mut filled, &mut repeats, room) {
                    Some(bytes) => (2, bytes, bytes),
                    None => {
                        // The decoder sees neither these offsets nor these tables.
                        repeats = before;
                        self.block.open();
                        out.get_mut(body..body + content.len())?.copy_from_slice(content);
                        (0, content.len(), content.len())
                    }
                }
            };
            let [a, b, c, _] = (u32::from(last) | kind << 1 | u32::try_from(size).ok()? << 3).to_le_bytes();
            *out.get_mut(at..)?.first_chunk_mut()? = [a, b, c];
            at = body + bytes;
            start = end;
            if last {
                break;
            }
        }
        self.base += u32::try_from(page.len()).ok()? + 1;
        Some(at)
    }

    fn compress_block(
        &mut self,
        input: Input<'_>,
        finder: Finder,
        filled: &mut u32,
        repeats: &mut Repeats,
        out: &mut [u8],
    ) -> Option<usize> {
        if input.data.len() - input.start < MIN_BLOCK {
            return None;
        }
        let BlockWriter { literals, sequences, .. } = &mut self.block;
        literals.clear();
        let found = &mut Output { sequences: &mut sequences.list, count: 0, literals };
        match finder {
            // Levels above the default are for small files: timestamps take a tenth more by the finder for numbers.
            Finder::Fast(_) if let Some(rows) = Rows::of(&input) => {
                rows::find(rows, input, &mut self.first, repeats, found);
            }
            Finder::Fast(settings) => fast::find(settings, input, &mut self.first, repeats, found),
            Finder::Double(settings) => {
                double::find(settings, input, &mut self.first, &mut self.second, repeats, found);
            }
            Finder::Lazy(settings) => {
                lazy::find(settings, input, &mut self.first, &mut self.second, filled, repeats, found);
            }
        }
        sequences.count = found.count;
        self.block.write(out)
    }
}

/// Writes the frame's header; gives its bytes.
fn header(size: usize, out: &mut [u8]) -> Option<usize> {
    out.get_mut(..4)?.copy_from_slice(&MAGIC);
    let (descriptor, head) = out.get_mut(4..)?.split_first_mut()?;
    let single_segment = 1 << 5;
    let length = match size {
        0..256 => {
            *descriptor = single_segment;
            *head.first_mut()? = size as u8;
            1
        }
        256..65_792 => {
            *descriptor = single_segment | 1 << 6;
            *head.first_chunk_mut()? = u16::try_from(size - 256).ok()?.to_le_bytes();
            2
        }
        65_792..=0x80_0000 => {
            *descriptor = single_segment | 2 << 6;
            *head.first_chunk_mut()? = u32::try_from(size).ok()?.to_le_bytes();
            4
        }
        _ => {
            // A window of its own: decoders may refuse more than 8 MiB.
            *descriptor = 3 << 6;
            let (window, head) = head.split_first_mut()?;
            *window = ((MAX_WINDOW_LOG - 10) << 3) as u8;
            *head.first_chunk_mut()? = (size as u64).to_le_bytes();
            9
        }
    };
    Some(5 + length)
}

/// The byte that all of `content` consists of.
fn single_byte(content: &[u8]) -> Option<u8> {
    let (&first, rest) = content.split_first()?;
    (rest.len() >= 3 && rest.iter().all(|&byte| byte == first)).then_some(first)
}

#[cfg(test)]
mod tests;
