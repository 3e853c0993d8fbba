//! The lazy finder: chains of positions with equal hash, and a look at the next bytes before a match is taken.

use super::matches::{Input, Output, Positions, Repeats, hash};

/// Settings of the lazy finder.
#[derive(Clone, Copy)]
pub(super) struct Lazy {
    /// Positions of one chain that are looked at.
    pub depth: u32,
    /// Bytes ahead that may still give a better match.
    pub ahead: usize,
    /// A match of this length is taken at once.
    pub enough: usize,
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

/// Chains: the head by hash, and for each position the one before it in its chain.
pub(super) struct Chains<'a> {
    pub heads: &'a mut Positions,
    pub before: &'a mut Positions,
    /// First position that is not in its chain yet.
    pub next: usize,
}

impl Chains<'_> {
    /// Bytes that are hashed.
    const BYTES: u32 = 5;

    fn mask(&self) -> usize {
        (1 << self.before.log()) - 1
    }

    /// Puts all positions before `end` into their chains.
    fn fill(&mut self, input: &Input<'_>, base: u32, end: usize) {
        let (log, mask) = (self.heads.log(), self.mask());
        for at in self.next..end {
            let position = base + at as u32;
            let head = self.heads.replace(hash(input.word(at), Self::BYTES, log), position);
            self.before.replace(position as usize & mask, head);
        }
        self.next = self.next.max(end);
    }

    /// The best match at `at`, the last offset among the candidates.
    fn best(&mut self, input: &Input<'_>, base: u32, at: usize, repeat: usize, settings: Lazy) -> Option<Match> {
        self.fill(input, base, at);
        let word = input.word(at);
        let mut best: Option<Match> = None;
        let take = |best: &mut Option<Match>, candidate: usize| {
            // A candidate that differs where the best one ends cannot be longer.
            let tail = best.map_or(0, |best| best.length - 3);
            if input.half(candidate) != word as u32 || input.half(candidate + tail) != input.half(at + tail) {
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
        let mask = self.mask();
        let mut position = self.heads.get(hash(word, Self::BYTES, self.heads.log()));
        let mut newest = base + at as u32;
        for _ in 0..settings.depth {
            // Chains run from new to old; an entry that was overwritten would run back up.
            if position < base || position >= newest {
                break;
            }
            newest = position;
            let candidate = (position - base) as usize;
            if at - candidate > input.window || at - candidate > mask {
                break;
            }
            take(&mut best, candidate);
            if best.is_some_and(|best| best.length >= settings.enough) {
                break;
            }
            position = self.before.get(position as usize & mask);
        }
        best
    }
}

/// Finds the block's sequences, see [`fast::find`](super::fast::find).
pub(super) fn find(
    settings: Lazy,
    input: Input<'_>,
    base: u32,
    chains: &mut Chains<'_>,
    repeats: &mut Repeats,
    out: &mut Output<'_>,
) {
    /// Every 2^8 bytes without a match steps grow by one.
    const SKIP_LOG: u32 = 8;
    let data = input.data;
    let mut anchor = input.start;
    let mut at = input.start.max(1);
    while at + 9 <= data.len() {
        let repeat = repeats.0[0];
        let Some(mut best) = chains.best(&input, base, at, repeat, settings) else {
            at += 1 + ((at - anchor) >> SKIP_LOG);
            continue;
        };
        // A better match a byte or two ahead pays for the literals before it.
        let mut ahead = 1;
        while ahead <= settings.ahead && best.length < settings.enough && best.at + ahead + 9 <= data.len() {
            match chains.best(&input, base, best.at + ahead, repeat, settings) {
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
    out.finish(&input, anchor);
}
