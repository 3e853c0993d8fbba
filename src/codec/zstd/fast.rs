//! The fast finder: one table, the first match is taken.

use super::matches::{Input, Output, Positions, Repeats, again, agree, le, multiplier};

/// Settings of the fast finder.
#[derive(Clone, Copy)]
pub(super) struct Fast {
    /// Positions of the table that are used, as a power of two.
    pub hash_log: u32,
    /// Bytes that are hashed.
    pub hash_bytes: u32,
    /// Every so many bytes without a match, as a power of two, steps grow by one.
    pub skip_log: u32,
    /// First step, at least 2.
    pub step: usize,
}

/// The largest table.
pub(super) const LOG: u32 = 15;
pub(super) const TABLE: usize = 1 << LOG;

/// Bytes that the search looks ahead.
const AHEAD: usize = 12;

/// Finds the block's sequences; literals after the last match go to the output too.
#[inline(never)]
#[expect(clippy::indexing_slicing, reason = "slots are LOG bits of a hash")]
pub(super) fn find(
    settings: Fast,
    input: Input<'_>,
    positions: &mut Positions,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    let Some(table) = positions.table::<TABLE>() else { return };
    let multiplier = multiplier(settings.hash_bytes);
    let mask = (1 << settings.hash_log) - 1;
    let slot = |word: u64| (word.wrapping_mul(multiplier) >> (64 - LOG)) as usize & mask;
    let mut known = *repeats;
    let mut anchor = input.start;
    // The page's first byte has nothing before it.
    let mut at = input.start.max(1);
    while let Some(ahead) = input.chunk::<AHEAD>(at) {
        let word = le(ahead, 0);
        let next = le(ahead, 1);
        let position = input.base + at as u32;
        let offset = known.0[0];
        let found = core::mem::replace(&mut table[slot(word)], position);
        let repeat = input.repeats_at(at + 1, next, offset);
        let (start, length, name);
        if let Some((first, count)) = repeat {
            start = first;
            length = count;
            name = 1;
        } else {
            let found_next = core::mem::replace(&mut table[slot(next)], position + 1);
            let (mut place, mut from) = (at, input.found(found, word));
            if from.1 as u32 != 0 {
                (place, from) = (at + 1, input.found(found_next, next));
                if from.1 as u32 != 0 {
                    at += settings.step + ((at - anchor) >> settings.skip_log);
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
        let end = start + length;
        anchor = end;
        // Two positions inside the match keep the table fresh.
        table[slot(le(ahead, 2))] = position + 2;
        if let Some(bytes) = input.chunk::<8>(end - 2) {
            table[slot(u64::from_le_bytes(*bytes))] = input.base + (end - 2) as u32;
        }
        while let Some((word, length)) = again(&input, anchor, &mut known) {
            table[slot(word)] = input.base + anchor as u32;
            out.push(&input, anchor, anchor, length, 1);
            anchor += length;
        }
        at = anchor;
    }
    *repeats = known;
    out.finish(&input, anchor);
}
