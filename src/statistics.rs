//! Bounds and counts of a page or chunk (parquet-format, Statistics).
//!
//! Rules beyond the format's, because readers lose rows otherwise: with any NaN there are no bounds, a zero minimum
//! is −0.0 and a zero maximum +0.0. Bounds of byte arrays keep only as many bytes as truncation looks at.

use core::cmp::Ordering;

use crate::column::{Dense, byte_arrays};
use crate::encoding::dictionary::Dictionary;
use crate::error::{Error, reserve};
use crate::order::{Order, float16_key};

/// Smallest and largest value in PLAIN form, without length prefix.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    pub min: Vec<u8>,
    pub max: Vec<u8>,
    /// False: no bounds are known or allowed.
    pub known: bool,
}

impl Bounds {
    pub fn clear(&mut self) {
        self.known = false;
    }

    fn set(&mut self, min: &[u8], max: &[u8], keep: usize) -> Result<(), Error> {
        for (to, from) in [(&mut self.min, min), (&mut self.max, max)] {
            let from = from.get(..keep).unwrap_or(from);
            to.clear();
            reserve(to, from.len())?;
            to.extend_from_slice(from);
        }
        self.known = true;
        Ok(())
    }

    /// Widens these bounds to hold the other ones.
    pub fn merge(&mut self, other: &Self, order: Order) -> Result<(), Error> {
        if !self.known {
            return if other.known { self.set(&other.min, &other.max, usize::MAX) } else { Ok(()) };
        }
        if other.known {
            for (mine, theirs, wider) in
                [(&mut self.min, &other.min, Ordering::Less), (&mut self.max, &other.max, Ordering::Greater)]
            {
                if order.compare(theirs, mine) == wider {
                    mine.clear();
                    reserve(mine, theirs.len())?;
                    mine.extend_from_slice(theirs);
                }
            }
        }
        Ok(())
    }
}

/// What one page says about its values.
#[derive(Debug, Default)]
pub(crate) struct PageStatistics {
    pub bounds: Bounds,
    pub nan_count: u64,
    /// For each dictionary entry the last page that used it, so that each is compared once a page.
    seen: Vec<u32>,
    page: u32,
}

/// Bytes beyond the truncation length that decide nothing any more; kept so that equal prefixes stay comparable.
const MARGIN: usize = 8;

impl PageStatistics {
    /// Forgets everything, for a new chunk.
    pub fn open(&mut self) {
        self.seen.clear();
        self.page = 0;
    }

    /// Bounds and NaNs of a page's values. `truncate` is the most bytes of a bound that will be written.
    pub fn collect(&mut self, values: Dense<'_>, width: usize, order: Order, truncate: usize) -> Result<(), Error> {
        self.bounds.clear();
        self.nan_count = 0;
        match (order, values) {
            (Order::Boolean, Dense::Bits(_)) | (Order::Undefined, _) => Ok(()),
            (Order::Int32, Dense::Fixed(bytes)) => self.integers(int32_bounds(bytes)),
            (Order::UInt32, Dense::Fixed(bytes)) => self.integers(uint32_bounds(bytes)),
            (Order::Int64, Dense::Fixed(bytes)) => self.integers(int64_bounds(bytes)),
            (Order::UInt64, Dense::Fixed(bytes)) => self.integers(uint64_bounds(bytes)),
            (Order::Float, Dense::Fixed(bytes)) => self.floats(float_bounds(bytes)),
            (Order::Double, Dense::Fixed(bytes)) => self.floats(double_bounds(bytes)),
            (Order::Float16, Dense::Fixed(bytes)) => self.floats(float16_bounds(bytes)),
            // Fixed bounds are never cut, readers take them to have the type's width; so a wide type has none.
            (Order::Bytes, Dense::Fixed(bytes)) if width > 0 && width <= truncate => {
                self.byte_arrays(bytes.chunks_exact(width), usize::MAX)
            }
            (Order::Decimal, Dense::Fixed(bytes)) if width > 0 => {
                let mut values = bytes.chunks_exact(width);
                let Some(first) = values.next() else { return Ok(()) };
                let (min, max) = values.fold((first, first), |(min, max), value| {
                    match (order.compare(value, min), order.compare(value, max)) {
                        (Ordering::Less, _) => (value, max),
                        (_, Ordering::Greater) => (min, value),
                        _ => (min, max),
                    }
                });
                self.bounds.set(min, max, usize::MAX)
            }
            (Order::Bytes, Dense::Bytes { offsets, bytes }) => {
                self.byte_arrays(byte_arrays(offsets, bytes), truncate + MARGIN)
            }
            _ => Ok(()),
        }
    }

    /// The same for booleans, `count` of them.
    pub fn collect_bits(&mut self, bits: &[u8], count: usize) -> Result<(), Error> {
        self.bounds.clear();
        self.nan_count = 0;
        let ones: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
        if count == 0 {
            return Ok(());
        }
        self.bounds.set(&[u8::from(ones == count)], &[u8::from(ones > 0)], usize::MAX)
    }

    /// The same for byte arrays given by their dictionary codes: each entry is compared once a page.
    pub fn collect_codes(&mut self, codes: &[u32], dictionary: &Dictionary, truncate: usize) -> Result<(), Error> {
        self.bounds.clear();
        self.nan_count = 0;
        self.page += 1;
        let additional = dictionary.len().saturating_sub(self.seen.len());
        reserve(&mut self.seen, additional)?;
        if additional > 0 {
            self.seen.resize(dictionary.len(), 0);
        }
        let mut range: Option<(&[u8], &[u8])> = None;
        for &code in codes {
            match self.seen.get_mut(code as usize) {
                Some(seen) if *seen != self.page => *seen = self.page,
                _ => continue,
            }
            let value = dictionary.entry(code).ok_or(Error::Code { row: 0 })?;
            range = Some(range.map_or((value, value), |(min, max)| (min.min(value), max.max(value))));
        }
        match range {
            Some((min, max)) => self.bounds.set(min, max, truncate + MARGIN),
            None => Ok(()),
        }
    }

    fn integers<const N: usize>(&mut self, range: Option<([u8; N], [u8; N])>) -> Result<(), Error> {
        range.map_or(Ok(()), |(min, max)| self.bounds.set(&min, &max, usize::MAX))
    }

    fn floats<const N: usize>(&mut self, found: Floats<N>) -> Result<(), Error> {
        self.nan_count = found.nans as u64;
        self.integers(found.range)
    }

    fn byte_arrays<'v>(&mut self, values: impl Iterator<Item = &'v [u8]>, keep: usize) -> Result<(), Error> {
        let mut values = values.map(|value| (key(value), value));
        let Some(first) = values.next() else { return Ok(()) };
        let (mut min, mut max) = (first, first);
        // The first 8 bytes as a number settle most comparisons without a call.
        for value in values {
            if value < min {
                min = value;
            } else if value > max {
                max = value;
            }
        }
        self.bounds.set(min.1, max.1, keep)
    }
}

/// The first 8 bytes, so that keys compare like the values do (equal keys decide nothing).
fn key(value: &[u8]) -> u64 {
    if let Some((head, _)) = value.split_first_chunk::<8>() {
        return u64::from_be_bytes(*head);
    }
    value.iter().zip([56, 48, 40, 32, 24, 16, 8]).fold(0, |key, (byte, shift)| key | u64::from(*byte) << shift)
}

struct Floats<const N: usize> {
    nans: usize,
    range: Option<([u8; N], [u8; N])>,
}

/// Bytes of the values that are compared side by side: independent of each other, so that they become vectors.
const STEP: usize = 32;

macro_rules! integer_bounds {
    ($name:ident, $type:ty, $width:literal) => {
        fn $name(bytes: &[u8]) -> Option<([u8; $width], [u8; $width])> {
            let values = bytes.as_chunks::<$width>().0;
            let (blocks, rest) = values.as_chunks::<{ STEP / $width }>();
            let (mut min, mut max) = ([<$type>::MAX; STEP / $width], [<$type>::MIN; STEP / $width]);
            for block in blocks {
                for ((min, max), value) in min.iter_mut().zip(&mut max).zip(block) {
                    let value = <$type>::from_le_bytes(*value);
                    *min = value.min(*min);
                    *max = value.max(*max);
                }
            }
            let rest = || rest.iter().map(|value| <$type>::from_le_bytes(*value));
            let min = min.into_iter().chain(rest()).min()?;
            let max = max.into_iter().chain(rest()).max()?;
            (!values.is_empty()).then(|| (min.to_le_bytes(), max.to_le_bytes()))
        }
    };
}
integer_bounds!(int32_bounds, i32, 4);
integer_bounds!(uint32_bounds, u32, 4);
integer_bounds!(int64_bounds, i64, 8);
integer_bounds!(uint64_bounds, u64, 8);

macro_rules! float_bounds {
    ($name:ident, $type:ty, $bits:ty, $width:literal) => {
        fn $name(bytes: &[u8]) -> Floats<$width> {
            let values = bytes.as_chunks::<$width>().0;
            let (blocks, rest) = values.as_chunks::<{ STEP / $width }>();
            let (mut min, mut max) = ([<$type>::INFINITY; STEP / $width], [<$type>::NEG_INFINITY; STEP / $width]);
            let mut unordered: [$bits; STEP / $width] = [0; STEP / $width];
            let mut take = |lane: usize, value: &[u8; $width]| {
                let value = <$type>::from_le_bytes(*value);
                if let (Some(min), Some(max), Some(nan)) =
                    (min.get_mut(lane), max.get_mut(lane), unordered.get_mut(lane))
                {
                    *min = if value < *min { value } else { *min };
                    *max = if value > *max { value } else { *max };
                    *nan |= <$bits>::from(value.is_nan());
                }
            };
            for block in blocks {
                for lane in 0..STEP / $width {
                    if let Some(value) = block.get(lane) {
                        take(lane, value);
                    }
                }
            }
            rest.iter().for_each(|value| take(0, value));
            let nans = match unordered.iter().any(|&nan| nan != 0) {
                true => values.iter().filter(|value| <$type>::from_le_bytes(**value).is_nan()).count(),
                false => 0,
            };
            let min = min.into_iter().fold(<$type>::INFINITY, |a, b| if b < a { b } else { a });
            let max = max.into_iter().fold(<$type>::NEG_INFINITY, |a, b| if b > a { b } else { a });
            let signed_zero = |bound: $type, zero: $type| if bound == 0.0 { zero } else { bound }.to_le_bytes();
            let known = nans == 0 && !values.is_empty();
            Floats { nans, range: known.then(|| (signed_zero(min, -0.0), signed_zero(max, 0.0))) }
        }
    };
}
float_bounds!(float_bounds, f32, u32, 4);
float_bounds!(double_bounds, f64, u64, 8);

fn float16_bounds(bytes: &[u8]) -> Floats<2> {
    let values = || bytes.as_chunks::<2>().0.iter().map(|value| u16::from_le_bytes(*value));
    let nans = values().filter(|bits| bits & 0x7fff > 0x7c00).count();
    let zero = |bits: u16, zero: u16| if bits & 0x7fff == 0 { zero } else { bits }.to_le_bytes();
    let range = (nans == 0)
        .then(|| values().min_by_key(|&bits| float16_key(bits)).zip(values().max_by_key(|&bits| float16_key(bits))))
        .flatten()
        .map(|(min, max)| (zero(min, 0x8000), zero(max, 0)));
    Floats { nans, range }
}

/// Cuts a lower bound to at most `limit` bytes, text at a character; says whether it is still the value itself.
pub(crate) fn truncate_min(bound: &mut Vec<u8>, limit: usize, text: bool) -> bool {
    if bound.len() <= limit {
        return true;
    }
    cut(bound, limit, text);
    false
}

/// Cuts an upper bound and raises it, so that it stays one. `None`: nothing can be raised, there is no bound.
pub(crate) fn truncate_max(bound: &mut Vec<u8>, limit: usize, text: bool) -> Option<bool> {
    if bound.len() <= limit {
        return Some(true);
    }
    cut(bound, limit, text);
    let raised = if text { raise_text(bound) } else { raise_bytes(bound) };
    raised.then_some(false)
}

fn cut(bound: &mut Vec<u8>, limit: usize, text: bool) {
    bound.truncate(limit);
    if text && let Err(error) = core::str::from_utf8(bound) {
        bound.truncate(error.valid_up_to());
    }
}

fn raise_bytes(bound: &mut Vec<u8>) -> bool {
    while let Some(last) = bound.pop() {
        if last < 0xff {
            bound.push(last + 1);
            return true;
        }
    }
    false
}

/// Raises the last character that has a successor of the same length in UTF-8, and drops what follows.
fn raise_text(bound: &mut Vec<u8>) -> bool {
    while let Some(last) = core::str::from_utf8(bound).ok().and_then(|text| text.chars().next_back()) {
        bound.truncate(bound.len() - last.len_utf8());
        let next = match last {
            '\u{d7ff}' => Some('\u{e000}'),
            _ => char::from_u32(last as u32 + 1),
        };
        if let Some(next) = next.filter(|next| next.len_utf8() == last.len_utf8()) {
            bound.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
