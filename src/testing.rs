//! What tests share: seeded random numbers, and readers of the RLE hybrid and of deltas that go bit by bit.

/// The seed of the first round. Any other: `PARQUILL_SEED=… cargo test`.
const SEED: u64 = 20_261_130;

/// SplitMix64: small, and every seed gives another sequence.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.word() as u8).collect()
    }
}

/// Says which seed was at work when a test panics.
struct Report(u64);

impl Drop for Report {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("failed with seed {0}; PARQUILL_SEED={0} runs it first", self.0);
        }
    }
}

/// Runs `test` with `count` seeds.
pub fn rounds(count: u64, mut test: impl FnMut(&mut Random)) {
    let first = std::env::var("PARQUILL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    for seed in first..first + count {
        let report = Report(seed);
        test(&mut Random::new(seed));
        drop(report);
    }
}

/// One run of the hybrid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    Rle { count: usize, value: u32 },
    Packed { values: Vec<u32> },
}

/// Splits `bytes` into runs; panics where they end inside one.
pub fn runs(bytes: &[u8], width: usize) -> Vec<Run> {
    let mut at = 0;
    let mut found = Vec::new();
    while at < bytes.len() {
        let mut header = 0u64;
        for shift in (0..).step_by(7) {
            let byte = bytes[at];
            at += 1;
            header |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        let count = (header >> 1) as usize;
        assert!(count > 0, "a run of nothing");
        if header & 1 == 1 {
            let bit = |index: usize| u32::from(bytes[at + index / 8] >> (index % 8) & 1);
            let value = |first: usize| (0..width).map(|index| bit(first + index) << index).sum();
            found.push(Run::Packed { values: (0..count * 8).map(|index| value(index * width)).collect() });
            at += count * width;
        } else {
            let size = width.div_ceil(8);
            let value = (0..size).map(|index| u32::from(bytes[at + index]) << (8 * index)).sum();
            found.push(Run::Rle { count, value });
            at += size;
        }
    }
    found
}

/// The first `count` values; panics where there are fewer, where a run is wholly beyond them, or where padding is
/// not zero.
pub fn hybrid_values(bytes: &[u8], width: usize, count: usize) -> Vec<u32> {
    let mut values = Vec::new();
    for run in runs(bytes, width) {
        assert!(values.len() < count, "a run behind the last value");
        match run {
            Run::Rle { count: run, value } => {
                values.extend(std::iter::repeat_n(value, run));
                assert!(values.len() <= count, "a run of {run} goes beyond the last value");
            }
            Run::Packed { values: packed } => values.extend(packed),
        }
    }
    assert!(values.len() >= count, "{} values instead of {count}", values.len());
    assert!(values.len() < count + 8 && values[count..].iter().all(|&padding| padding == 0), "padding");
    values.truncate(count);
    values
}

/// A reader of DELTA_BINARY_PACKED that goes bit by bit; what it has not read yet.
pub struct Deltas<'a>(pub &'a [u8]);

impl Deltas<'_> {
    fn varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    fn zigzag(&mut self) -> i64 {
        let value = self.varint();
        (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
    }

    /// All values of one stream, computed with `bits` bits.
    pub fn values(&mut self, bits: u32) -> Vec<i64> {
        let wrap = |value: i64| value << (64 - bits) >> (64 - bits);
        assert_eq!((self.varint(), self.varint()), (128, 4));
        let count = self.varint() as usize;
        let mut values = vec![self.zigzag()];
        while values.len() < count {
            let least = self.zigzag();
            let (widths, rest) = self.0.split_at(4);
            self.0 = rest;
            for &width in widths {
                if values.len() >= count {
                    assert_eq!(width, 0, "a miniblock that is not there has width 0");
                    continue;
                }
                assert!(u32::from(width) <= bits);
                let (body, rest) = self.0.split_at(usize::from(width) * 4);
                self.0 = rest;
                for index in 0..32 {
                    let from = index * usize::from(width);
                    let bit = |at: usize| u64::from(body[at / 8] >> (at % 8) & 1);
                    let above = (0..usize::from(width)).map(|at| bit(from + at) << at).fold(0, |sum, bit| sum | bit);
                    if values.len() < count {
                        let before = values[values.len() - 1];
                        values.push(wrap(before.wrapping_add(least).wrapping_add(above.cast_signed())));
                    } else {
                        assert_eq!(above, 0, "padding is zeros");
                    }
                }
            }
        }
        values.truncate(count);
        values
    }
}
