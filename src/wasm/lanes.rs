//! Memory that JavaScript copies a page's rows into.

use crate::column::bits::{align, count_ones};
use crate::column::{ColumnView, Shape, Validity, Values, count_level};
use crate::error::{Error, reserve};

/// Forms of the values lane.
const PLAIN: u32 = 0;
const I8: u32 = 1;
const U8: u32 = 2;
const I16: u32 = 3;
const U16: u32 = 4;
const BITS: u32 = 5;
const BYTES: u32 = 6;
const BYTES_CHECKED: u32 = 7;
const CODES: u32 = 8;

/// Memory that JavaScript copies a page's rows into. Lanes only grow.
#[derive(Default)]
pub(super) struct Lanes {
    values: Vec<u8>,
    offsets: Vec<u32>,
    validity: Vec<u8>,
    codes: Vec<u32>,
    definition: Vec<u8>,
    repetition: Vec<u8>,
    /// For bits that have to move within a byte.
    moved: Vec<u8>,
}

fn grow<T: Default + Clone>(lane: &mut Vec<T>, bytes: usize) -> Result<u32, Error> {
    let length = bytes.div_ceil(size_of::<T>());
    let missing = length.saturating_sub(lane.len());
    if missing > 0 {
        reserve(lane, missing)?;
        // All of what was allocated: the next larger page then needs no new memory.
        lane.resize(lane.capacity(), T::default());
    }
    Ok(lane.as_ptr().addr() as u32)
}

/// Where the rows of a call lie in the lanes.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub rows: usize,
    pub form: u32,
    pub nulls: u32,
    pub validity_bit: usize,
    pub values_bit: usize,
    /// Levels in the level lanes.
    pub entries: usize,
}

/// How nulls are told.
const NO_NULLS: u32 = 0;
const DENSE: u32 = 1;
const SPACED: u32 = 2;
/// Definition levels only: nothing on the path repeats.
const DEFINITION: u32 = 3;
/// Definition and repetition levels.
const LEVELS: u32 = 4;

impl Rows {
    /// Whether strings come from outside and must be looked at.
    pub fn is_checked(self) -> bool {
        self.form == BYTES_CHECKED
    }
}

impl Lanes {
    /// Makes a lane at least `bytes` long; gives its address.
    pub fn grow(&mut self, lane: u32, bytes: usize) -> Result<u32, Error> {
        match lane {
            0 => grow(&mut self.values, bytes),
            1 => grow(&mut self.offsets, bytes),
            2 => grow(&mut self.validity, bytes),
            3 => grow(&mut self.codes, bytes),
            4 => grow(&mut self.definition, bytes),
            5 => grow(&mut self.repetition, bytes),
            _ => Err(Error::State),
        }
    }

    /// Dictionary entries: `count` + 1 offsets and their bytes.
    pub fn entries(&self, count: usize) -> Result<(&[u32], &[u8]), Error> {
        Ok((self.offsets.get(..=count).ok_or(Error::View)?, &self.values))
    }

    pub fn view(&self, at: Rows, shape: Shape) -> Result<ColumnView<'_>, Error> {
        let bits = self.validity.as_slice();
        let definition = self.definition.get(..at.entries).ok_or(Error::View)?;
        let repetition = self.repetition.get(..at.entries);
        let validity = match at.nulls {
            NO_NULLS => Validity::All,
            DENSE => Validity::Dense { bits, first: at.validity_bit },
            SPACED => Validity::Spaced { bits, first: at.validity_bit },
            DEFINITION => Validity::Levels { definition, repetition: &[] },
            LEVELS => Validity::Levels { definition, repetition: repetition.ok_or(Error::View)? },
            _ => return Err(Error::View),
        };
        let slots = match validity {
            Validity::Dense { bits, first } => count_ones(bits, first, at.rows),
            Validity::Levels { definition, .. } => count_level(definition, shape.max_definition),
            Validity::All | Validity::Spaced { .. } => at.rows,
        };
        let values = match at.form {
            PLAIN => Values::Fixed(&self.values),
            I8 => Values::Int8(&self.values),
            U8 => Values::UInt8(&self.values),
            I16 => Values::Int16(&self.values),
            U16 => Values::UInt16(&self.values),
            BITS => Values::Bits { bits: &self.values, first: at.values_bit },
            BYTES | BYTES_CHECKED => Values::Bytes {
                // Beyond the end lies what an earlier page left.
                offsets: self.offsets.get(..=slots).ok_or(Error::View)?,
                bytes: &self.values,
            },
            CODES => Values::Codes(&self.codes),
            _ => return Err(Error::View),
        };
        Ok(ColumnView { rows: at.rows, values, validity })
    }

    /// Moves the rows behind the first `taken` to the start.
    pub fn carry(&mut self, at: Rows, taken: usize, shape: Shape) -> Result<Carried, Error> {
        let rows = at.rows - taken;
        let mut entries = 0;
        let (from, slots) = match at.nulls {
            DENSE => {
                let passed = count_ones(&self.validity, at.validity_bit, taken);
                (passed, count_ones(&self.validity, at.validity_bit + taken, rows))
            }
            DEFINITION | LEVELS => {
                let repetition = self.repetition.get(..at.entries).filter(|_| at.nulls == LEVELS);
                let starts = repetition.map(|levels| levels.iter().enumerate().filter(|(_, level)| **level == 0));
                let first = starts.map_or(taken, |mut starts| starts.nth(taken).map_or(at.entries, |(entry, _)| entry));
                let (before, after) = self.definition.get(..at.entries).ok_or(Error::View)?.split_at(first);
                let count = |levels: &[u8]| count_level(levels, shape.max_definition);
                let counts = (count(before), count(after));
                entries = after.len();
                self.definition.copy_within(first..at.entries, 0);
                if at.nulls == LEVELS {
                    self.repetition.copy_within(first..at.entries, 0);
                }
                counts
            }
            _ => (taken, rows),
        };
        if matches!(at.nulls, DENSE | SPACED) {
            align(&self.validity, at.validity_bit + taken, rows, &mut self.moved)?;
            copy_to_start(&mut self.validity, &self.moved);
        }
        let bytes = self.carry_values(at, from, slots, shape.width)?;
        Ok(Carried { bytes, entries })
    }

    /// Moves `slots` values from value `from` on to the start; gives their bytes in the values lane.
    fn carry_values(&mut self, at: Rows, from: usize, slots: usize, width: usize) -> Result<usize, Error> {
        let stride = match at.form {
            I8 | U8 => 1,
            I16 | U16 => 2,
            _ => width,
        };
        match at.form {
            BITS => {
                align(&self.values, at.values_bit + from, slots, &mut self.moved)?;
                copy_to_start(&mut self.values, &self.moved);
                Ok(self.moved.len())
            }
            BYTES | BYTES_CHECKED => {
                let first = self.offsets.first().copied().unwrap_or(0);
                let ends = self.offsets.get(from..=from + slots).ok_or(Error::View)?;
                let (start, end) = ends.first().copied().zip(ends.last().copied()).ok_or(Error::View)?;
                let bytes = (start - first) as usize..(end - first) as usize;
                let size = bytes.len();
                self.values.copy_within(bytes, 0);
                self.offsets.copy_within(from..=from + slots, 0);
                self.offsets.iter_mut().take(slots + 1).for_each(|offset| *offset -= start);
                Ok(size)
            }
            CODES => {
                self.codes.copy_within(from..from + slots, 0);
                Ok(0)
            }
            _ => {
                self.values.copy_within(from * stride..(from + slots) * stride, 0);
                Ok(slots * stride)
            }
        }
    }
}

fn copy_to_start(lane: &mut [u8], bytes: &[u8]) {
    for (to, from) in lane.iter_mut().zip(bytes) {
        *to = *from;
    }
}

/// What the carried rows take up.
#[derive(Default)]
pub(super) struct Carried {
    pub bytes: usize,
    pub entries: usize,
}
