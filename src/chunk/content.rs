//! Pages that end where their content says so: equal stretches of a column then give equal pages, in any file and
//! whatever stands before them.
//!
//! A rolling hash goes over levels and values. Behind the least bytes of a page, a page ends with the first row in which
//! the hash falls below a threshold. What it is depends on the last 64 bytes only, so the ends behind a changed row are
//! soon those from before. Ends are those of the column: that a row group ends, or a batch, moves none of them.

use crate::column::{Cursor, Entry, Piece};
use crate::encoding::dictionary::Dictionary;
use crate::error::{Error, reserve};
use crate::options::FileOptions;
use crate::schema::{Leaf, PhysicalType};

/// Bytes that the hash remembers: each shifts it by one bit.
const WINDOW: usize = u64::BITS as usize;
/// How much shorter than the room between least and most bytes a page is on average beyond the least: all but one of
/// e^4 = 55 pages end before the most.
const SHARE: u64 = 4;

/// Where the pages of a file's columns end.
#[derive(Debug)]
pub(crate) struct Cuts {
    /// For each byte the number that the hash takes up.
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

/// What pages of one column are measured by.
struct Rule {
    /// Bytes of an entry without a value, and of one of fixed width.
    entry_bytes: usize,
    levels: [bool; 2],
    most_bytes: usize,
    most_rows: usize,
    /// Bytes before which no page can end, and the hash need not know anything.
    cold: usize,
}

impl Cuts {
    /// `None` where pages are cut by their size alone.
    pub fn new(options: &FileOptions, leaves: usize) -> Result<Option<Self>, Error> {
        let Some(least) = options.content_defined else { return Ok(None) };
        let (mut gear, mut states) = (Vec::new(), Vec::new());
        reserve(&mut gear, 256)?;
        // A counter in steps of an odd number, its bits mixed: any table of well spread numbers will do, but it must stay.
        gear.extend((1..=256u64).map(|step| {
            let mixed = step.wrapping_mul(0xa076_1d64_78bd_642f);
            let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xe703_7ed1_a0b4_28db);
            (mixed ^ mixed >> 29).wrapping_mul(0x8ebc_6af0_9c88_c6e3) ^ mixed >> 32
        }));
        reserve(&mut states, leaves)?;
        states.resize(leaves, State::default());
        let room = options.page_bytes.saturating_sub(least) as u64;
        Ok(Some(Self { gear, states, least, threshold: u64::MAX / (room / SHARE).max(1) }))
    }

    /// How many of the rows ahead make the next page. Nothing is settled before [`take`](Self::take).
    pub fn fit(&self, column: usize, leaf: &Leaf, cursor: &Cursor<'_>, known: &Dictionary, file: &FileOptions) -> Fit {
        let entry_bytes = entry_bytes(leaf);
        let rule = Rule {
            entry_bytes,
            levels: [leaf.max_definition > 0, leaf.max_repetition > 0],
            most_bytes: file.page_bytes,
            most_rows: file.page_rows,
            cold: self.least.saturating_sub(WINDOW * entry_bytes.max(4)),
        };
        let state = self.states.get(column).copied().unwrap_or_default();
        match self.scan(state, &rule, cursor, known) {
            Some(fit) => fit,
            // What was there of the page lies in the row group before, and the row is too large for it.
            None => self.scan(state.fresh(), &rule, cursor, known).unwrap_or(Fit { rows: 1, full: true, state }),
        }
    }

    /// The rows of `fit` have become a page.
    pub fn take(&mut self, column: usize, fit: &Fit) {
        if let Some(state) = self.states.get_mut(column) {
            *state = fit.state;
        }
    }

    /// `None` where a page must end before the first of the rows.
    fn scan(&self, mut state: State, rule: &Rule, cursor: &Cursor<'_>, known: &Dictionary) -> Option<Fit> {
        let mut entries = cursor.entries();
        let mut rows = 0;
        if !cursor.is_nested() && !cursor.varies() && !state.due {
            let cold = rule.cold.saturating_sub(state.bytes + 1) / rule.entry_bytes;
            rows = cold.min(cursor.remaining()).min(rule.most_rows.saturating_sub(state.rows));
            entries.skip_rows(rows);
            state.bytes += rows * rule.entry_bytes;
            state.rows += rows;
        }
        let mut before = state;
        for entry in entries {
            if entry.starts_row {
                if state.due || state.rows == rule.most_rows {
                    state = state.fresh();
                    if rows > 0 {
                        return Some(Fit { rows, full: true, state });
                    }
                }
                before = state;
                state.rows += 1;
                rows += 1;
            }
            self.enter(entry, &mut state, rule, cursor, known);
            if state.bytes > rule.most_bytes && before.bytes > 0 {
                return (rows > 1).then(|| Fit { rows: rows - 1, full: true, state: before.fresh() });
            }
        }
        let full =
            state.due || state.rows == rule.most_rows || state.bytes.saturating_add(rule.entry_bytes) > rule.most_bytes;
        Some(Fit { rows, full, state: if full { state.fresh() } else { state } })
    }

    fn enter(&self, entry: Entry, state: &mut State, rule: &Rule, cursor: &Cursor<'_>, known: &Dictionary) {
        let mut word = [0; 4];
        let value = entry.slot.map(|slot| match cursor.piece(slot, &mut word) {
            Piece::Bytes(bytes) => bytes,
            Piece::Code(code) => known.handed_entry(code).unwrap_or_default(),
        });
        let length = value.filter(|_| cursor.varies()).map(<[u8]>::len);
        state.bytes = state.bytes.saturating_add(rule.entry_bytes).saturating_add(length.unwrap_or(0));
        if state.bytes < rule.cold {
            return;
        }
        let mut least = u64::MAX;
        let levels = [entry.definition, entry.repetition].into_iter().zip(rule.levels);
        let levels = levels.filter_map(|(level, there)| there.then_some(level));
        // Empty values count too.
        let head = levels.chain(length.map(|length| length.to_le_bytes()[0]));
        for byte in head.chain(value.unwrap_or_default().iter().copied()) {
            let number = self.gear.get(usize::from(byte)).copied().unwrap_or(0);
            state.hash = (state.hash << 1).wrapping_add(number);
            least = least.min(state.hash);
        }
        state.due |= state.bytes >= self.least && least < self.threshold;
    }
}

/// What an entry counts, value or null; a byte array its bytes besides.
pub(super) fn entry_bytes(leaf: &Leaf) -> usize {
    match (leaf.physical, leaf.width) {
        (PhysicalType::Boolean, _) => 1,
        (_, 0) => 4,
        (_, width) => width,
    }
}
