//! The sequences section of a block (RFC 8878, 3.1.1.3.2).

use super::bits::BitWriter;
use super::fse::{self, MAX_SYMBOLS, Normalized, Table};
use crate::error::{Error, reserve};

/// Copy `literals` bytes, then `length` bytes from the match.
#[derive(Clone, Copy, Default)]
pub(super) struct Sequence(u64);

impl Sequence {
    /// `offset_base`: 1 to 3 for the repeat offsets, else the offset + 3. Lengths are at most a block's, 2^17.
    #[inline(always)]
    pub fn new(literals: u32, length: u32, offset_base: u32) -> Self {
        Self(u64::from(offset_base) << 36 | u64::from(literals) << 18 | u64::from(length - MIN_MATCH))
    }

    #[inline(always)]
    fn literals(self) -> u32 {
        (self.0 >> 18) as u32 & 0x3_ffff
    }

    /// Match length less the shortest.
    #[inline(always)]
    fn length_base(self) -> u32 {
        self.0 as u32 & 0x3_ffff
    }

    #[inline(always)]
    fn offset_base(self) -> u32 {
        (self.0 >> 36) as u32
    }
}

/// The codes of literal length, offset and match length.
type Codes = [u8; 3];

impl Sequence {
    /// The codes, and the sequence as it is written: how many bits they leave open in the low 6, at most 16 + 16 + 23,
    /// and those bits above.
    #[inline(always)]
    fn coded(self) -> (Codes, Self) {
        let (literals, length, offset) = (self.literals(), self.length_base(), self.offset_base());
        let (literals_code, length_code) = (literals_code(literals), length_code(length));
        let offset_code = offset.max(1).ilog2();
        let mut bits = offset_code;
        let mut extra = u64::from(offset ^ 1 << offset_code);
        // Most lengths are codes of their own.
        if length >= 32 {
            let width = u32::from(entry(&LENGTH_EXTRA, length_code));
            extra = extra << width | u64::from(length & !(u32::MAX << width));
            bits += width;
        }
        if literals >= 16 {
            let width = u32::from(entry(&LITERALS_EXTRA, literals_code));
            extra = extra << width | u64::from(literals & !(u32::MAX << width));
            bits += width;
        }
        ([literals_code, offset_code as u8, length_code], Self(extra << 6 | u64::from(bits)))
    }
}

#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "codes are masked by the table's size")]
fn entry(table: &[u8; MAX_SYMBOLS], code: u8) -> u8 {
    table[usize::from(code) & (MAX_SYMBOLS - 1)]
}

/// Shortest match the format can name.
const MIN_MATCH: u32 = 3;

/// Extra bits of literal length codes (RFC 8878, table 16).
const LITERALS_EXTRA: [u8; MAX_SYMBOLS] = extra(&[
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);
/// Extra bits of match length codes (RFC 8878, table 17).
const LENGTH_EXTRA: [u8; MAX_SYMBOLS] = extra(&[
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2,
    3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
]);

/// Fills up with codes that do not occur.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn extra(codes: &[u8]) -> [u8; MAX_SYMBOLS] {
    let mut all = [0; MAX_SYMBOLS];
    let mut code = 0;
    while code < codes.len() {
        all[code] = codes[code];
        code += 1;
    }
    all
}
/// Distributions that need no description (RFC 8878, 3.1.1.3.2.2).
const LITERALS_DEFAULT: [i16; 36] =
    [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1];
const LENGTH_DEFAULT: [i16; 53] = [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];
const OFFSET_DEFAULT: [i16; 29] =
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1];

/// How a table is given in the section's header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Default = 0,
    Rle = 1,
    Described = 2,
    Repeat = 3,
}

/// One of the three kinds of codes, with its tables.
struct Kind {
    default: Table,
    /// The table of the block before, which may be repeated.
    current: Table,
    /// Whether the decoder has a table to repeat.
    known: bool,
    candidate: Table,
    most_log: u32,
    histogram: [u32; MAX_SYMBOLS],
}

impl Kind {
    fn new(distribution: &[i16], log: u32, most_log: u32) -> Self {
        let mut counts = [0; MAX_SYMBOLS];
        counts.iter_mut().zip(distribution).for_each(|(to, from)| *to = *from);
        let mut default = Table::default();
        default.build(&Normalized { counts, log });
        Self {
            default,
            current: Table::default(),
            known: false,
            candidate: Table::default(),
            most_log,
            histogram: [0; MAX_SYMBOLS],
        }
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "codes are masked by the table's size")]
    fn count(&mut self, code: u8) {
        self.histogram[usize::from(code) & (MAX_SYMBOLS - 1)] += 1;
    }

    /// Picks the cheapest way to give the table and writes its description; gives the mode and the bytes.
    fn choose(&mut self, total: usize, out: &mut [u8]) -> Option<(Mode, usize)> {
        let largest = self.histogram.iter().rposition(|&count| count > 0)?;
        let default = self.default.cost(&self.histogram);
        if self.histogram.get(largest).is_some_and(|&count| count as usize == total) {
            if default.is_some_and(|cost| cost <= 8 * 256) {
                return Some((Mode::Default, 0));
            }
            *out.first_mut()? = largest as u8;
            return Some((Mode::Rle, 1));
        }
        let repeat = if self.known { self.current.cost(&self.histogram) } else { None };
        let given = default.unwrap_or(u64::MAX).min(repeat.unwrap_or(u64::MAX));
        let log = fse::suitable_log(total, largest, self.most_log);
        let normalized: Normalized = fse::normalize(&self.histogram, total as u32, log);
        let size = normalized.describe(out)?;
        // Below this many codes a description cannot win.
        if total >= 16 || given == u64::MAX {
            self.candidate.build(&normalized);
            let described = self.candidate.cost(&self.histogram)? + size as u64 * 8 * 256;
            if described < given {
                core::mem::swap(&mut self.current, &mut self.candidate);
                return Some((Mode::Described, size));
            }
        }
        Some((
            if repeat.is_some_and(|cost| cost <= default.unwrap_or(u64::MAX)) { Mode::Repeat } else { Mode::Default },
            0,
        ))
    }

    fn table<'t>(&'t self, mode: Mode, single: &'t Table) -> &'t Table {
        match mode {
            Mode::Default => &self.default,
            Mode::Rle => single,
            Mode::Described | Mode::Repeat => &self.current,
        }
    }
}

/// Everything the section needs, kept from block to block.
pub(super) struct Sequences {
    /// Room for a block's sequences; the first `count` are there.
    pub list: Vec<Sequence>,
    pub count: usize,
    codes: Vec<Codes>,
    single: Table,
    literals: Kind,
    offsets: Kind,
    lengths: Kind,
}

impl Default for Sequences {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            count: 0,
            codes: Vec::new(),
            single: Table::single(),
            literals: Kind::new(&LITERALS_DEFAULT, 6, 9),
            offsets: Kind::new(&OFFSET_DEFAULT, 5, 8),
            lengths: Kind::new(&LENGTH_DEFAULT, 6, 9),
        }
    }
}

impl Sequences {
    /// Room for the sequences of a block.
    pub fn reserve(&mut self, most: usize) -> Result<(), Error> {
        let missing = most.saturating_sub(self.list.len());
        reserve(&mut self.list, missing)?;
        reserve(&mut self.codes, missing)?;
        if missing > 0 {
            self.list.resize(most, Sequence::default());
            self.codes.resize(most, Codes::default());
        }
        Ok(())
    }

    /// A new frame: there is nothing to repeat.
    pub fn open(&mut self) {
        for kind in [&mut self.literals, &mut self.offsets, &mut self.lengths] {
            kind.known = false;
        }
    }

    /// Writes the section. A caller that then drops the block must [`open`](Self::open) again: the decoder never saw
    /// these tables.
    pub fn write(&mut self, out: &mut [u8]) -> Option<usize> {
        let count = self.count;
        let mut at = match count {
            0..128 => {
                *out.first_mut()? = count as u8;
                1
            }
            128..0x7f00 => {
                *out.first_chunk_mut()? = [(count >> 8) as u8 + 128, count as u8];
                2
            }
            _ => {
                let [low, high, ..] = (count - 0x7f00).to_le_bytes();
                *out.first_chunk_mut()? = [255, low, high];
                3
            }
        };
        if count == 0 {
            return Some(at);
        }
        self.count_codes();
        let modes_at = at;
        at += 1;
        let (literals, size) = self.literals.choose(count, out.get_mut(at..)?)?;
        at += size;
        let (offsets, size) = self.offsets.choose(count, out.get_mut(at..)?)?;
        at += size;
        let (lengths, size) = self.lengths.choose(count, out.get_mut(at..)?)?;
        at += size;
        *out.get_mut(modes_at)? = (literals as u8) << 6 | (offsets as u8) << 4 | (lengths as u8) << 2;
        let bits = BitWriter::new(out.get_mut(at..)?);
        at += self.stream(literals, offsets, lengths, bits)?;
        for (kind, mode) in [(&mut self.literals, literals), (&mut self.offsets, offsets), (&mut self.lengths, lengths)]
        {
            // After RLE or the default a decoder would repeat those; this encoder does not.
            kind.known = matches!(mode, Mode::Described | Mode::Repeat);
        }
        Some(at)
    }

    #[inline(never)]
    fn count_codes(&mut self) {
        for kind in [&mut self.literals, &mut self.offsets, &mut self.lengths] {
            kind.histogram = [0; MAX_SYMBOLS];
        }
        for (to, sequence) in self.codes.iter_mut().zip(&mut self.list).take(self.count) {
            let (codes, written) = sequence.coded();
            let [literals, offset, length] = codes;
            *sequence = written;
            self.literals.count(literals);
            self.offsets.count(offset);
            self.lengths.count(length);
            *to = codes;
        }
    }

    #[inline(never)]
    fn stream(&self, literals: Mode, offsets: Mode, lengths: Mode, mut bits: BitWriter<'_>) -> Option<usize> {
        let ll_table = self.literals.table(literals, &self.single);
        let of_table = self.offsets.table(offsets, &self.single);
        let ml_table = self.lengths.table(lengths, &self.single);
        let mut sequences = self.codes.iter().zip(&self.list).take(self.count).rev();
        let (&[ll, of, ml], last) = sequences.next()?;
        let mut ml_state = ml_table.first_state(ml);
        let mut of_state = of_table.first_state(of);
        let mut ll_state = ll_table.first_state(ll);
        add_extra(*last, &mut bits);
        for (&[ll, of, ml], sequence) in sequences {
            of_state = of_table.encode(of_state, of, &mut bits);
            ml_state = ml_table.encode(ml_state, ml, &mut bits);
            ll_state = ll_table.encode(ll_state, ll, &mut bits);
            add_extra(*sequence, &mut bits);
        }
        ml_table.flush_state(ml_state, &mut bits);
        of_table.flush_state(of_state, &mut bits);
        ll_table.flush_state(ll_state, &mut bits);
        bits.close()
    }
}

/// Adds the bits that codes leave open, behind those of the states: 26 at most, and 7 from the flush before.
#[inline(always)]
fn add_extra(Sequence(extra): Sequence, bits: &mut BitWriter<'_>) {
    let width = extra as u32 & 63;
    // Seldom more than what the word has left.
    if width > 30 {
        bits.flush();
    }
    bits.add(extra >> 6, width);
    bits.flush();
}

/// RFC 8878, table 16: lengths up to 15 are their own codes, then ever larger ranges.
#[inline(always)]
fn literals_code(length: u32) -> u8 {
    const CODES: [u8; 64] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 20, 20, 21, 21,
        21, 21, 22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23, 23, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
        24, 24, 24, 24, 24, 24,
    ];
    CODES.get(length as usize).copied().unwrap_or_else(|| length.ilog2() as u8 + 19)
}

/// RFC 8878, table 17, for the length less 3.
#[inline(always)]
fn length_code(length: u32) -> u8 {
    const CODES: [u8; 128] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
        30, 31, 32, 32, 33, 33, 34, 34, 35, 35, 36, 36, 36, 36, 37, 37, 37, 37, 38, 38, 38, 38, 38, 38, 38, 38, 39, 39,
        39, 39, 39, 39, 39, 39, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 41, 41, 41, 41, 41, 41,
        41, 41, 41, 41, 41, 41, 41, 41, 41, 41, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
        42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
    ];
    CODES.get(length as usize).copied().unwrap_or_else(|| length.ilog2() as u8 + 36)
}
