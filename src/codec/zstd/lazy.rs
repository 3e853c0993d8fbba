//! The lazy finder: chains of positions with equal hash, and a look at the next bytes before a match is taken.

use super::matches::{Input, Output, Positions, Repeats, multiplier};

/// Settings of the lazy finder.
#[derive(Clone, Copy)]
pub(super) struct Lazy {
    /// Positions of one chain that are looked at.
    pub depth: u32,
    /// Bytes ahead that may still give a better match.
    pub ahead: usize,
    /// A match of this length is taken at once.
    pub enough: usize,
    /// Heads that are used, as a power of two.
    pub head_log: u32,
    /// Positions that chains reach back, as a power of two.
    pub chain_log: u32,
}

/// A match at some place.
#[derive(Clone, Copy)]
struct Match {
    at: usize,
    length: usize,
    offset: usize,
}

impl Match {
    /// What it saves, in quarter bytes: far offsets cost more bits.
    fn gain(&self, repeat: usize) -> i64 {
        let offset_bits = if self.offset == repeat { 0 } else { i64::from((self.offset as u32 + 3).ilog2()) };
        self.length as i64 * 4 - offset_bits
    }
}

/// Most heads, and most positions that a chain reaches back.
const HEAD_LOG: u32 = 17;
pub(super) const HEADS: usize = 1 << HEAD_LOG;
pub(super) const CHAIN: usize = 1 << 18;

/// Chains: the head by hash, and for each position the one before it in its chain.
struct Chains<'a> {
    heads: &'a mut [u32; HEADS],
    before: &'a mut [u32; CHAIN],
    head_mask: usize,
    mask: usize,
    /// First position that is not in its chain yet.
    next: usize,
}

#[expect(clippy::indexing_slicing, reason = "slots are HEAD_LOG bits of a hash, positions are masked")]
impl Chains<'_> {
    #[inline(always)]
    fn slot(&self, word: u64) -> usize {
        // 5 bytes are hashed.
        (word.wrapping_mul(multiplier(5)) >> (64 - HEAD_LOG)) as usize & self.head_mask
    }

    #[inline(always)]
    fn place(&self, position: u32) -> usize {
        position as usize & self.mask & (CHAIN - 1)
    }

    /// Puts all positions before `end` into their chains.
    fn fill(&mut self, input: &Input<'_>, end: usize) {
        for at in self.next..end {
            let position = input.base + at as u32;
            let slot = self.slot(input.word(at));
            let head = core::mem::replace(&mut self.heads[slot], position);
            self.before[self.place(position)] = head;
        }
        self.next = self.next.max(end);
    }

    /// The best match at `at`, the last offset among the candidates.
    fn best(&mut self, input: &Input<'_>, at: usize, repeat: usize, settings: Lazy) -> Option<Match> {
        self.fill(input, at);
        let base = input.base;
        let word = input.word(at);
        let mut best: Option<Match> = None;
        let take = |best: &mut Option<Match>, candidate: usize| {
            // A candidate that differs where the best one ends cannot be longer.
            let tail = best.map_or(0, |best| best.length - 3);
            let differs = |tail: usize| input.chunk::<4>(candidate + tail) != input.chunk::<4>(at + tail);
            if differs(0) || differs(tail) {
                return;
            }
            let found = Match { at, length: input.common(candidate, at), offset: at - candidate };
            if best.is_none_or(|best| found.gain(repeat) > best.gain(repeat)) {
                *best = Some(found);
            }
        };
        if repeat <= at {
            take(&mut best, at - repeat);
        }
        let mut position = self.heads[self.slot(word)];
        let mut newest = base + at as u32;
        for _ in 0..settings.depth {
            // Chains run from new to old; an entry that was overwritten would run back up.
            if position < base || position >= newest {
                break;
            }
            newest = position;
            let candidate = (position - base) as usize;
            if at - candidate > self.mask {
                break;
            }
            take(&mut best, candidate);
            if best.is_some_and(|best| best.length >= settings.enough) {
                break;
            }
            position = self.before[self.place(position)];
        }
        best
    }
}

/// Finds the block's sequences, see [`fast::find`](super::fast::find).
pub(super) fn find(
    settings: Lazy,
    input: Input<'_>,
    heads: &mut Positions,
    before: &mut Positions,
    next: &mut u32,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    /// Every 2^8 bytes without a match steps grow by one.
    const SKIP_LOG: u32 = 8;
    let data = input.data;
    let (Some(heads), Some(before)) = (heads.table(), before.table()) else { return };
    let (head_mask, mask) = ((1 << settings.head_log) - 1, (1 << settings.chain_log) - 1);
    let next_at = next.saturating_sub(input.base) as usize;
    let mut chains = Chains { heads, before, head_mask, mask, next: next_at };
    let mut anchor = input.start;
    let mut at = input.start.max(1);
    while at + 9 <= data.len() {
        let repeat = repeats.0[0];
        let Some(mut best) = chains.best(&input, at, repeat, settings) else {
            at += 1 + ((at - anchor) >> SKIP_LOG);
            continue;
        };
        // A better match a byte or two ahead pays for the literals before it.
        let mut ahead = 1;
        while ahead <= settings.ahead && best.length < settings.enough && best.at + ahead + 9 <= data.len() {
            match chains.best(&input, best.at + ahead, repeat, settings) {
                Some(next) if next.gain(repeat) > best.gain(repeat) + 3 * ahead as i64 + 1 => {
                    best = next;
                    ahead = 1;
                }
                _ => ahead += 1,
            }
        }
        let back = input.common_before(best.at - best.offset, best.at, anchor);
        let start = best.at - back;
        let name = repeats.name(best.offset, start - anchor);
        out.push(&input, anchor, start, best.length + back, name);
        anchor = best.at + best.length;
        at = anchor;
    }
    *next = input.base + chains.next as u32;
    out.finish(&input, anchor);
}
