//! The fast finder: one table, the first match is taken.

use super::matches::{Input, Output, Positions, Repeats, hash};

/// Settings of the fast finder.
#[derive(Clone, Copy)]
pub(super) struct Fast {
    pub hash_log: u32,
    /// Bytes that are hashed. Numbers of fixed width share 5 or 6 bytes with a neighbour; more would miss those.
    pub hash_bytes: u32,
    /// Every so many bytes without a match, as a power of two, steps grow by one.
    pub skip_log: u32,
    /// First step.
    pub step: usize,
}

/// Finds the block's sequences; literals after the last match go to the output too.
/// `base` is what the page's first byte is called in `positions`.
pub(super) fn find(
    settings: Fast,
    input: Input<'_>,
    base: u32,
    positions: &mut Positions,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    match settings.hash_bytes {
        5 => search::<5>(settings, input, base, positions, repeats, out),
        6 => search::<6>(settings, input, base, positions, repeats, out),
        _ => search::<7>(settings, input, base, positions, repeats, out),
    }
}

fn search<const BYTES: u32>(
    settings: Fast,
    input: Input<'_>,
    base: u32,
    positions: &mut Positions,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    let log = positions.log();
    let data = input.data;
    let mut anchor = input.start;
    // The page's first byte has nothing before it.
    let mut at = input.start.max(1);
    while at + 9 <= data.len() {
        let word = input.word(at);
        let slot = hash(word, BYTES, log);
        let found = positions.replace(slot, base + at as u32);
        let offset = repeats.0[0];
        // The next byte against the last offset: rows of fixed width repeat there.
        let (length, start) = if offset <= at && (word >> 8) as u32 == input.half(at + 1 - offset) {
            let start = at + 1;
            let length = 4 + input.common(start + 4 - offset, start + 4);
            out.push(&input, anchor, start, length, 1);
            (length, start)
        } else {
            let candidate = found.wrapping_sub(base) as usize;
            if found >= base && at - candidate <= input.window && input.half(candidate) == word as u32 {
                let back = input.common_before(candidate, at, anchor);
                let length = back + 4 + input.common(candidate + 4, at + 4);
                let (start, offset) = (at - back, at - candidate);
                let name = repeats.name(offset, start - anchor);
                out.push(&input, anchor, start, length, name);
                (length, start)
            } else {
                at += settings.step + ((at - anchor) >> settings.skip_log);
                continue;
            }
        };
        let end = start + length;
        anchor = end;
        if end + 9 <= data.len() {
            // Two positions inside the match keep the table fresh.
            let inside = at + 2;
            positions.replace(hash(input.word(inside), BYTES, log), base + inside as u32);
            positions.replace(hash(input.word(end - 2), BYTES, log), base + (end - 2) as u32);
            // The offset before the last often goes on right behind the match.
            while anchor + 9 <= data.len() {
                let [first, second, third] = repeats.0;
                let word = input.word(anchor);
                if second > anchor || word as u32 != input.half(anchor - second) {
                    break;
                }
                let length = 4 + input.common(anchor + 4 - second, anchor + 4);
                positions.replace(hash(word, BYTES, log), base + anchor as u32);
                repeats.0 = [second, first, third];
                out.push(&input, anchor, anchor, length, 1);
                anchor += length;
            }
        }
        at = anchor;
    }
    out.finish(&input, anchor);
}
