//! The double finder: long matches by 8 bytes first, short ones by 5.

use super::matches::{Input, Output, Positions, Repeats, again, agree, le, multiplier};

/// Settings of the double finder.
#[derive(Clone, Copy)]
pub(super) struct Double {
    pub long_log: u32,
    pub short_log: u32,
}

/// The largest tables.
const LOG: u32 = 17;
pub(super) const TABLE: usize = 1 << LOG;

const AHEAD: usize = 12;

/// Finds the block's sequences, see [`fast::find`](super::fast::find).
#[inline(never)]
#[expect(clippy::indexing_slicing, reason = "slots are LOG bits of a hash")]
pub(super) fn find(
    settings: Double,
    input: Input<'_>,
    long: &mut Positions,
    short: &mut Positions,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    /// Every 2^8 bytes without a match steps grow by one.
    const SKIP_LOG: u32 = 8;
    let (Some(long), Some(short)) = (long.table::<TABLE>(), short.table::<TABLE>()) else { return };
    let (long_mask, short_mask) = ((1 << settings.long_log) - 1, (1 << settings.short_log) - 1);
    let long_slot = |word: u64| (word.wrapping_mul(multiplier(8)) >> (64 - LOG)) as usize & long_mask;
    let short_slot = |word: u64| (word.wrapping_mul(multiplier(5)) >> (64 - LOG)) as usize & short_mask;
    let mut known = *repeats;
    let mut anchor = input.start;
    let mut at = input.start.max(1);
    while let Some(ahead) = input.chunk::<AHEAD>(at) {
        let word = le(ahead, 0);
        let next = le(ahead, 1);
        let position = input.base + at as u32;
        let found_long = core::mem::replace(&mut long[long_slot(word)], position);
        let found_short = core::mem::replace(&mut short[short_slot(word)], position);
        let offset = known.0[0];
        let behind = input.chunk::<8>(at.wrapping_sub(offset).wrapping_add(1));
        let repeat = behind.map_or(u64::MAX, |bytes| u64::from_le_bytes(*bytes) ^ next);
        let (start, length, name);
        if repeat as u32 == 0 {
            start = at + 1;
            length = if repeat == 0 { 8 + input.common(start + 8 - offset, start + 8) } else { agree(repeat) };
            name = 1;
        } else {
            let (mut place, mut from) = (at, input.found(found_long, word));
            if from.1 != 0 {
                from = input.found(found_short, word);
                if from.1 as u32 != 0 {
                    at += 1 + ((at - anchor) >> SKIP_LOG);
                    continue;
                }
                // A long match one byte on beats a short one here.
                let found_next = core::mem::replace(&mut long[long_slot(next)], position + 1);
                let long_next = input.found(found_next, next);
                if long_next.1 == 0 {
                    (place, from) = (at + 1, long_next);
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
        let inside = le(ahead, 2);
        long[long_slot(inside)] = position + 2;
        short[short_slot(inside)] = position + 2;
        if let Some(bytes) = input.chunk::<9>(end - 2) {
            long[long_slot(le(bytes, 0))] = input.base + (end - 2) as u32;
            short[short_slot(le(bytes, 1))] = input.base + (end - 1) as u32;
        }
        while let Some((word, length)) = again(&input, anchor, &mut known) {
            let position = input.base + anchor as u32;
            short[short_slot(word)] = position;
            long[long_slot(word)] = position;
            out.push(&input, anchor, anchor, length, 1);
            anchor += length;
        }
        at = anchor;
    }
    *repeats = known;
    out.finish(&input, anchor);
}
