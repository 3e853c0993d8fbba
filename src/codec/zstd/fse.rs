//! Finite state entropy: tables and states (RFC 8878, 4.1).

use super::bits::BitWriter;

/// Largest table: 2^9 states.
pub(super) const MAX_LOG: u32 = 9;
const MAX_STATES: usize = 1 << MAX_LOG;

/// Room for any alphabet, the largest being 53 match length codes: a power of two, so that a symbol is masked, not
/// checked.
pub(super) const MAX_SYMBOLS: usize = 64;

/// Counts scaled so that they sum up to 2^log; every symbol that occurs has at least 1.
#[derive(Clone, Copy)]
pub(super) struct Normalized {
    /// −1 in the format's own tables: less than one state, which then gets a state at the end of the table.
    pub counts: [i16; MAX_SYMBOLS],
    pub log: u32,
}

/// What encoding one symbol does to a state.
#[derive(Clone, Copy, Default)]
struct Transform {
    /// (bits << 16) minus the smallest state for which those many bits leave.
    delta_bits: u32,
    delta_state: i32,
}

/// An encoding table.
#[derive(Clone)]
pub(super) struct Table {
    log: u32,
    states: [u16; MAX_STATES],
    symbols: [Transform; MAX_SYMBOLS],
    /// Bits that a symbol costs, in 1/256; `u16::MAX` where the table has no place for it.
    costs: [u16; MAX_SYMBOLS],
}

impl Default for Table {
    fn default() -> Self {
        Self {
            log: 0,
            states: [0; MAX_STATES],
            symbols: [Transform::default(); MAX_SYMBOLS],
            costs: [u16::MAX; MAX_SYMBOLS],
        }
    }
}

/// Scales `histogram` (its sum is `total`, at least two symbols occur) to a table of 2^`log`.
pub(super) fn normalize(histogram: &[u32], total: u32, log: u32) -> Normalized {
    let size = 1u32 << log;
    let mut counts = [0i16; MAX_SYMBOLS];
    let mut left = size.cast_signed();
    for (to, &count) in counts.iter_mut().zip(histogram) {
        if count > 0 {
            let exact = u64::from(count) << log;
            // Half up, but never 0: a symbol that occurs must have a state.
            let share = ((exact + u64::from(total) / 2) / u64::from(total)).max(1) as i16;
            *to = share;
            left -= i32::from(share);
        }
    }
    // Rounding leaves a few states over or takes a few too many: the most frequent symbol feels that least.
    while left != 0 {
        let Some(largest) = counts.iter_mut().max() else { break };
        let step = left.max(-i32::from((*largest / 4).max(1)));
        *largest += step as i16;
        left -= step;
    }
    Normalized { counts, log }
}

/// The table log that suits `total` symbols of an alphabet up to `largest`.
pub(super) fn suitable_log(total: usize, largest: usize, most: u32) -> u32 {
    let by_total = total.max(2).ilog2().saturating_sub(2);
    let least = (total.max(2).ilog2() + 1).min(largest.max(1).ilog2() + 2);
    by_total.max(least).clamp(5, most)
}

impl Normalized {
    /// Writes the table description; gives its bytes.
    pub fn describe(&self, out: &mut [u8]) -> Option<usize> {
        let mut bits = BitWriter::new(out);
        bits.add(u64::from(self.log) - 5, 4);
        let mut width = self.log + 1;
        let mut remaining = (1i32 << self.log) + 1;
        let mut threshold = 1i32 << self.log;
        let last = self.counts.iter().rposition(|&count| count > 0)?;
        let mut symbols = self.counts.iter().take(last + 1).peekable();
        while let Some(&count) = symbols.next() {
            let most = 2 * threshold - 1 - remaining;
            remaining -= i32::from(count);
            let mut value = i32::from(count) + 1;
            if value >= threshold {
                value += most;
            }
            bits.add(u64::from(value.unsigned_abs()), width - u32::from(value < most));
            bits.flush();
            while remaining < threshold && width > 1 {
                width -= 1;
                threshold >>= 1;
            }
            // After a zero, two bits a time say how many more follow.
            if count == 0 {
                let mut more = 0u32;
                while symbols.next_if(|next| **next == 0).is_some() {
                    more += 1;
                }
                while more >= 3 {
                    bits.add(3, 2);
                    bits.flush();
                    more -= 3;
                }
                bits.add(u64::from(more), 2);
                bits.flush();
            }
        }
        bits.finish()
    }
}

/// Logarithm of `count` in 1/256, between powers of two by a parabola: off by less than 1/100.
fn log2_in_256(count: u32) -> u32 {
    let whole = count.ilog2();
    let part = (count << 8 >> whole) & 255;
    (whole << 8) + part + ((part * (256 - part) * 86) >> 16)
}

#[expect(clippy::indexing_slicing, reason = "positions are masked by the table size, symbols come from its own counts")]
impl Table {
    /// Builds the table in place.
    pub fn build(&mut self, from: &Normalized) {
        let log = from.log.min(MAX_LOG);
        let size = 1usize << log;
        let mask = size - 1;
        self.log = log;
        let step = (size >> 1) + (size >> 3) + 3;
        let mut spread = [0u8; MAX_STATES];
        let mut free = size;
        for (symbol, _) in from.counts.iter().enumerate().filter(|(_, count)| **count < 0) {
            free -= 1;
            spread[free] = symbol as u8;
        }
        let mut at = 0;
        let mut total = 0u32;
        let mut starts = [0u16; MAX_SYMBOLS];
        for (symbol, &count) in from.counts.iter().enumerate() {
            starts[symbol] = total as u16;
            let transform = &mut self.symbols[symbol];
            if count == 0 {
                self.costs[symbol] = u16::MAX;
                continue;
            }
            for _ in 0..count {
                spread[at] = symbol as u8;
                at = (at + step) & mask;
                while at >= free {
                    at = (at + step) & mask;
                }
            }
            let count = u32::from(count.unsigned_abs());
            let most_bits = if count == 1 { log } else { log - (count - 1).ilog2() };
            // For a count of 1 every state leaves `log` bits.
            let least = if count == 1 { size as u32 } else { count << most_bits };
            transform.delta_bits = (most_bits << 16).wrapping_sub(least);
            transform.delta_state = total.cast_signed() - count.cast_signed();
            total += count;
            self.costs[symbol] = ((log << 8) - log2_in_256(count)) as u16;
        }
        for (state, &symbol) in spread.iter().take(size).enumerate() {
            let start = &mut starts[usize::from(symbol)];
            self.states[usize::from(*start) & (MAX_STATES - 1)] = (size + state) as u16;
            *start += 1;
        }
    }

    /// A table for a single symbol, whose code takes no bits: neither states nor a description.
    pub fn single() -> Self {
        Self::default()
    }

    /// Bits in 1/256 that `histogram` costs with this table; `None` if it lacks a symbol.
    pub fn cost(&self, histogram: &[u32]) -> Option<u64> {
        histogram
            .iter()
            .zip(&self.costs)
            .filter(|(count, _)| **count > 0)
            .try_fold(0, |sum, (&count, &cost)| (cost != u16::MAX).then(|| sum + u64::from(count) * u64::from(cost)))
    }

    /// The state that stands for the last symbol, which costs nothing.
    #[inline(always)]
    pub fn first_state(&self, symbol: u8) -> u32 {
        let transform = self.symbols[usize::from(symbol) & (MAX_SYMBOLS - 1)];
        let bits = transform.delta_bits.wrapping_add(1 << 15) >> 16;
        let value = (bits << 16).wrapping_sub(transform.delta_bits);
        self.next(value >> bits, transform.delta_state)
    }

    /// Encodes a symbol: some low bits of the state leave, a new state comes back.
    #[inline(always)]
    pub fn encode(&self, state: u32, symbol: u8, bits: &mut BitWriter<'_>) -> u32 {
        let transform = self.symbols[usize::from(symbol) & (MAX_SYMBOLS - 1)];
        let width = state.wrapping_add(transform.delta_bits) >> 16;
        let rest = state >> (width & 31);
        bits.add(u64::from(state ^ rest << (width & 31)), width);
        self.next(rest, transform.delta_state)
    }

    #[inline(always)]
    fn next(&self, index: u32, delta: i32) -> u32 {
        u32::from(self.states[index.wrapping_add_signed(delta) as usize & (MAX_STATES - 1)])
    }

    /// What remains of a state at the end of the stream.
    #[inline(always)]
    pub fn flush_state(&self, state: u32, bits: &mut BitWriter<'_>) {
        bits.add(u64::from(state & !(u32::MAX << self.log)), self.log);
    }
}

#[cfg(test)]
mod tests;
