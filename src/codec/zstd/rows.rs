//! The finder for plain numbers of 4 or 8 bytes, whose high bytes change little from one to the next.
//!
//! Such numbers match where their neighbour does, and at the same byte as others: one look at each of these places per
//! number finds more than a look at every byte, since the table is not filled with what nobody asks for.

use super::fast::{LOG, TABLE};
use super::matches::{Input, Output, Positions, Repeats, again, agree, le, multiplier};

/// Where numbers lie.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Bytes of a number: 4 or 8.
    width: usize,
    /// The place of some number's highest byte.
    last: usize,
}

/// Positions of the table that are used.
const MASK: usize = (1 << 13) - 1;

/// Every 2^8 bytes without a match a number more is skipped.
const SKIP_LOG: u32 = 8;

impl Rows {
    /// Looks at some of the block: numbers where a byte is nearly always that of the neighbour, and the next is not.
    pub fn of(input: &Input<'_>) -> Option<Self> {
        const SAMPLES: usize = 64;
        const NEARLY_ALWAYS: u8 = 56;
        let step = ((input.data.len() - input.start).saturating_sub(128) / SAMPLES) & !7;
        if step < 16 {
            return None;
        }
        let mut equal = [0u8; 8];
        for sample in 0..SAMPLES {
            // Not always the same distance: records of some other width would look like numbers.
            let at = input.start + sample * step + 8 * (sample * 5 % 13);
            let differ = input.word(at) ^ input.word(at + 8);
            for (count, byte) in equal.iter_mut().zip(differ.to_le_bytes()) {
                *count += u8::from(byte == 0);
            }
        }
        let ends = |lane: usize| {
            let count = |lane: usize| equal.get(lane & 7).copied().unwrap_or(0);
            count(lane) >= NEARLY_ALWAYS && count(lane + 1) < NEARLY_ALWAYS
        };
        let lane = (0..8).find(|&lane| ends(lane))?;
        Some(Self { width: if ends(lane + 4) { 4 } else { 8 }, last: input.start + lane })
    }
}

/// Finds the block's sequences, see [`fast::find`](super::fast::find).
#[inline(never)]
#[expect(clippy::indexing_slicing, reason = "slots are masked by less than the table")]
pub(super) fn find(
    rows: Rows,
    input: Input<'_>,
    positions: &mut Positions,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    let Some(table) = positions.table::<TABLE>() else { return };
    let slot = |word: u64| (word.wrapping_mul(multiplier(5)) >> (64 - LOG)) as usize & MASK;
    let width = rows.width;
    let mut known = *repeats;
    let mut anchor = input.start;
    // The last byte before the next number.
    let mut at = rows.last;
    while let Some(ahead) = input.chunk::<9>(at) {
        let word = le(ahead, 0);
        let next = le(ahead, 1);
        let position = input.base + at as u32;
        let repeat = input.repeats(at + 1, next, width);
        if repeat.is_none() && at.wrapping_sub(rows.last) & (width - 1) > width / 8 {
            at += rows.last.wrapping_sub(at) & (width - 1);
            continue;
        }
        let found = core::mem::replace(&mut table[slot(word)], position);
        let (mut place, mut from) = (at, input.found(found, word));
        let (start, length, name);
        // Two numbers from further back are worth the longer name.
        let longer = from.1 == 0 && input.word(from.0 + 8) == input.word(at + 8);
        if let Some((first, count)) = repeat.filter(|_| !longer) {
            (start, length) = (first, count);
            name = known.name(width, start - anchor);
        } else {
            if from.1 as u32 != 0 {
                let found_next = core::mem::replace(&mut table[slot(next)], position + 1);
                (place, from) = (at + 1, input.found(found_next, next));
                if from.1 as u32 != 0 {
                    at += 2 + (rows.last.wrapping_sub(at + 2) & (width - 1)) + width * ((at - anchor) >> SKIP_LOG);
                    continue;
                }
            }
            let (candidate, differ) = from;
            let forward = if differ == 0 { 8 + input.common(candidate + 8, place + 8) } else { agree(differ) };
            let back = input.common_before(candidate, place, anchor);
            start = place - back;
            length = back + forward;
            name = known.name(place - candidate, start - anchor);
        }
        out.push(&input, anchor, start, length, name);
        anchor = start + length;
        while let Some((_, length)) = again(&input, anchor, &mut known) {
            out.push(&input, anchor, anchor, length, 1);
            anchor += length;
        }
        at = anchor;
    }
    *repeats = known;
    out.finish(&input, anchor);
}

#[cfg(test)]
mod tests;
