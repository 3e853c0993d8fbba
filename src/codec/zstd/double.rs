//! The double finder: long matches by 8 bytes first, short ones by 5.

use super::matches::{Input, Output, Positions, Repeats, hash};

/// Finds the block's sequences, see [`fast::find`](super::fast::find).
pub(super) fn find(
    input: Input<'_>,
    base: u32,
    long: &mut Positions,
    short: &mut Positions,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    /// Every 2^8 bytes without a match steps grow by one.
    const SKIP_LOG: u32 = 8;
    let (long_log, short_log) = (long.log(), short.log());
    let data = input.data;
    let mut anchor = input.start;
    let mut at = input.start.max(1);
    while at + 9 <= data.len() {
        let word = input.word(at);
        let position = base + at as u32;
        let found_long = long.replace(hash(word, 8, long_log), position);
        let found_short = short.replace(hash(word, 5, short_log), position);
        let usable = |found: u32, at: usize| {
            let candidate = found.wrapping_sub(base) as usize;
            (found >= base && at - candidate <= input.window).then_some(candidate)
        };
        let offset = repeats.0[0];
        let (at_match, candidate) = if offset <= at && (word >> 8) as u32 == input.half(at + 1 - offset) {
            (at + 1, at + 1 - offset)
        } else if let Some(candidate) = usable(found_long, at).filter(|&candidate| input.word(candidate) == word) {
            (at, candidate)
        } else if let Some(candidate) = usable(found_short, at).filter(|&c| input.half(c) == word as u32) {
            // A long match one byte on beats a short one here.
            let next = input.word(at + 1);
            let found = long.replace(hash(next, 8, long_log), position + 1);
            match usable(found, at + 1).filter(|&candidate| candidate <= at && input.word(candidate) == next) {
                Some(candidate) => (at + 1, candidate),
                None => (at, candidate),
            }
        } else {
            at += 1 + ((at - anchor) >> SKIP_LOG);
            continue;
        };
        let back = input.common_before(candidate, at_match, anchor);
        let start = at_match - back;
        let length = back + input.common(candidate, at_match);
        let name = repeats.name(at_match - candidate, start - anchor);
        out.push(&input, anchor, start, length, name);
        let end = start + length;
        anchor = end;
        if end + 9 <= data.len() {
            for inside in [at + 2, end - 2] {
                long.replace(hash(input.word(inside), 8, long_log), base + inside as u32);
            }
            for inside in [at + 2, end - 1] {
                short.replace(hash(input.word(inside), 5, short_log), base + inside as u32);
            }
            while anchor + 9 <= data.len() {
                let [first, second, third] = repeats.0;
                let word = input.word(anchor);
                if second > anchor || word as u32 != input.half(anchor - second) {
                    break;
                }
                let length = 4 + input.common(anchor + 4 - second, anchor + 4);
                let position = base + anchor as u32;
                short.replace(hash(word, 5, short_log), position);
                long.replace(hash(word, 8, long_log), position);
                repeats.0 = [second, first, third];
                out.push(&input, anchor, anchor, length, 1);
                anchor += length;
            }
        }
        at = anchor;
    }
    out.finish(&input, anchor);
}
