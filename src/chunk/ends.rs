//! Where pages end that are not cut by rows and PLAIN bytes alone.
//!
//! By content: equal stretches of a column then give equal pages, in any file and whatever stands before them. A rolling
//! hash goes over levels and values; behind the least bytes of a page, it ends with the first row in which the hash falls
//! below a threshold. What the hash is depends on the last 64 bytes only, so behind a changed row the ends are soon those
//! from before. They are the ends of the column: that a row group ends, or a batch, moves none of them.
//!
//! Front-coded strings: by what the encoding makes of them. Cut by their plain size, values that are all but the same
//! would each begin a page and be written in full.

use crate::column::{Dense, Page, Presence, bit};
use crate::encoding::delta_byte_array::common;
use crate::encoding::dictionary::Dictionary;
use crate::error::{Error, reserve};
use crate::options::FileOptions;
use crate::schema::{Leaf, PhysicalType};

/// Bytes that the hash remembers: each shifts it by one bit.
const WINDOW: usize = u64::BITS as usize;
/// A page is on average this part of the room between least and most bytes longer than the least: then all but one of
/// e^4 = 55 pages end by their content.
const SHARE: u64 = 4;
/// Of a front-coded page: bytes that the lengths of a value take, about; how many times more it may be in PLAIN form, and
/// up to how many bytes: readers unpack it as a whole.
const LENGTH_BYTES: usize = 2;
const MOST_TIMES: usize = 64;
const MOST_BYTES: usize = 8 << 20;

/// Where the pages of a file's columns end.
#[derive(Debug)]
pub(crate) struct Ends {
    /// For each byte the number that the hash takes up; empty where content says nothing.
    gear: Vec<u64>,
    /// By column, where it stands behind the rows taken so far.
    states: Vec<State>,
    least: usize,
    threshold: u64,
}

/// What has gone by since the last end.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    hash: u64,
    bytes: usize,
    rows: usize,
    /// The page ends with the row under way.
    due: bool,
    /// Of front-coded pages, PLAIN bytes.
    plain_bytes: usize,
}

impl State {
    fn fresh(self) -> Self {
        Self { hash: self.hash, ..Self::default() }
    }
}

/// Rows that make a page.
pub(crate) struct Fit {
    pub rows: usize,
    /// Whether the page ends behind them. Otherwise rows to come may join it.
    pub full: bool,
    state: State,
}

impl Ends {
    pub fn new(options: &FileOptions, leaves: usize) -> Result<Self, Error> {
        let (mut gear, mut states) = (Vec::new(), Vec::new());
        if options.content_defined.is_some() {
            reserve(&mut gear, 256)?;
            // Any table of well spread numbers will do, but it must stay: a counter, its bits mixed.
            let mut mixed = 0u64;
            gear.resize_with(256, || {
                mixed = (mixed ^ mixed >> 32).wrapping_add(0xa076_1d64_78bd_642f).wrapping_mul(0xe703_7ed1_a0b4_28db);
                mixed ^ mixed >> 29
            });
            reserve(&mut states, leaves)?;
            states.resize(leaves, State::default());
        }
        let least = options.content_defined.unwrap_or(0);
        let room = options.page_bytes.saturating_sub(least) as u64;
        Ok(Self { gear, states, least, threshold: u64::MAX / (room / SHARE).max(1) })
    }

    /// Whether content says where pages end.
    pub fn by_content(&self) -> bool {
        !self.gear.is_empty()
    }

    /// How many of the rows `ahead` make the next page of a column. Nothing is settled before [`take`](Self::take).
    pub fn fit(&self, column: usize, leaf: &Leaf, ahead: Page<'_>, known: &Dictionary, file: &FileOptions) -> Fit {
        let state = self.states.get(column).copied().unwrap_or_default();
        match self.scan(state, leaf, ahead, known, file) {
            Fit { rows: 0, state, .. } => self.scan(state, leaf, ahead, known, file),
            fit => fit,
        }
    }

    /// The rows of `fit` have become a page.
    pub fn take(&mut self, column: usize, fit: &Fit) {
        if let Some(state) = self.states.get_mut(column) {
            *state = fit.state;
        }
    }

    /// No rows: what there is of the page lies in the row group before, and the first row is too large for it.
    #[inline(never)]
    fn scan(&self, mut state: State, leaf: &Leaf, ahead: Page<'_>, known: &Dictionary, file: &FileOptions) -> Fit {
        let entry_bytes = entry_bytes(leaf);
        let cold = self.least.saturating_sub(WINDOW * entry_bytes.max(4));
        let mut rows = 0;
        // Where all values have one size, those that need not be hashed are passed over at once.
        if matches!(ahead.presence, Presence::All) && leaf.width > 0 && !state.due {
            rows = (cold.saturating_sub(state.bytes + 1) / entry_bytes).min(file.page_rows.saturating_sub(state.rows));
            rows = rows.min(ahead.rows);
            state.bytes += rows * entry_bytes;
            state.rows += rows;
        }
        // Of a required leaf of fixed width only the values are told apart.
        let head_bytes = if leaf.max_definition > 0 || leaf.width == 0 { 3 } else { 0 };
        let mut before = state.hash;
        let mut previous: Option<&[u8]> = None;
        let passed = rows;
        let mut slot = passed;
        for entry in passed..ahead.entries {
            let [definition, repetition] = levels(ahead.presence, entry, leaf);
            if repetition == 0 {
                if state.due || state.rows == file.page_rows {
                    state = state.fresh();
                    if rows > 0 {
                        return Fit { rows, full: true, state };
                    }
                }
                before = state.hash;
                state.rows += 1;
                rows += 1;
            }
            let mut value: &[u8] = &[];
            let present = u16::from(definition) == leaf.max_definition;
            if present {
                value = value_at(ahead.values, slot, leaf.width, known);
                slot += 1;
            }
            // A byte array counts its length, and so does an empty one.
            let length = (present && leaf.physical == PhysicalType::ByteArray).then_some(value.len());
            let plain_bytes = entry_bytes + length.unwrap_or(0);
            if self.by_content() {
                state.bytes += plain_bytes;
                if state.bytes >= cold {
                    // The length makes empty values count.
                    let head = [definition, repetition, length.unwrap_or(0).to_le_bytes()[0]];
                    let least = self.roll(&mut state.hash, [head.get(..head_bytes).unwrap_or_default(), value]);
                    state.due |= state.bytes >= self.least && least < self.threshold;
                }
            } else if present {
                state.plain_bytes += plain_bytes;
                state.bytes += previous.map_or(0, |previous| LENGTH_BYTES + value.len() - common(previous, value));
                previous = Some(value);
            }
            if state.rows > 1 && self.is_over(state, 0, file) {
                state.hash = before;
                return Fit { rows: rows - 1, full: true, state: state.fresh() };
            }
        }
        let next = if self.by_content() { entry_bytes } else { 0 };
        let full = state.due || state.rows == file.page_rows || self.is_over(state, next, file);
        Fit { rows, full, state: if full { state.fresh() } else { state } }
    }

    /// Whether a page is too large with `more` bytes.
    fn is_over(&self, state: State, more: usize, file: &FileOptions) -> bool {
        state.bytes + more > file.page_bytes || state.plain_bytes > most_plain(file.page_bytes)
    }

    /// Takes up an entry; gives the smallest hash on the way.
    fn roll(&self, hash: &mut u64, parts: [&[u8]; 2]) -> u64 {
        let mut least = u64::MAX;
        for &byte in parts.into_iter().flatten() {
            let number = self.gear.get(usize::from(byte)).copied().unwrap_or(0);
            *hash = (*hash << 1).wrapping_add(number);
            least = least.min(*hash);
        }
        least
    }
}

fn levels(presence: Presence<'_>, entry: usize, leaf: &Leaf) -> [u8; 2] {
    let present = leaf.max_definition.to_le_bytes()[0];
    match presence {
        Presence::All => [present, 0],
        Presence::Bits(bits) => [present * u8::from(bit(bits, entry)), 0],
        Presence::Levels { definition, repetition } => {
            [definition, repetition].map(|levels| levels.get(entry).copied().unwrap_or(0))
        }
    }
}

/// A value as PLAIN has it, without a length; a boolean is a byte.
fn value_at<'v>(values: Dense<'v>, slot: usize, width: usize, known: &'v Dictionary) -> &'v [u8] {
    let value = match values {
        Dense::Fixed(bytes) => bytes.get(slot * width..(slot + 1) * width),
        Dense::Bits(bits) => Some(if bit(bits, slot) { &[1][..] } else { &[0][..] }),
        Dense::Bytes { offsets, bytes } => {
            let base = offsets.first().copied().unwrap_or(0);
            let ends = offsets.get(slot).zip(offsets.get(slot + 1));
            ends.and_then(|(start, end)| bytes.get((start - base) as usize..(end - base) as usize))
        }
        Dense::Codes(codes) => codes.get(slot).and_then(|&code| known.handed_entry(code)),
    };
    value.unwrap_or_default()
}

/// What an entry counts by content, value or null; a byte array its bytes besides.
pub(super) fn entry_bytes(leaf: &Leaf) -> usize {
    match (leaf.physical, leaf.width) {
        (PhysicalType::Boolean, _) => 1,
        (_, 0) => 4,
        (_, width) => width,
    }
}

/// Most bytes of a front-coded page in PLAIN form.
pub(super) fn most_plain(bytes: usize) -> usize {
    bytes.saturating_mul(MOST_TIMES).min(MOST_BYTES).max(bytes)
}
