//! Offset index and column index of a chunk (parquet-format, PageIndex).

use core::cmp::Ordering;

use crate::error::{Error, reserve};
use crate::histogram::Histograms;
use crate::order::Order;
use crate::page::PageSizes;
use crate::statistics::{Bounds, truncate_max, truncate_min};
use crate::thrift::{self, ListOf};

/// What the indexes know of one page.
#[derive(Debug, Clone, Copy)]
struct Entry {
    compressed_bytes: i32,
    first_row: u64,
    null_count: u64,
    nan_count: u64,
    /// Bytes of byte-array values before encoding.
    value_bytes: u64,
    /// Where the bounds end in `bounds`: minimum, then maximum.
    min_end: usize,
    max_end: usize,
    null_page: bool,
}

/// How bounds of a chunk are cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Truncation {
    pub bytes: usize,
    /// Cut at characters.
    pub text: bool,
    /// Cut at all: only byte arrays are.
    pub applies: bool,
}

/// A page to be listed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageCounts {
    pub rows: u64,
    /// Values and nulls, empty lists among them.
    pub entries: u64,
    pub null_count: u64,
    pub nan_count: u64,
    pub value_bytes: u64,
}

/// Pages of the open chunk, in order.
#[derive(Debug, Default)]
pub(crate) struct PageIndex {
    entries: Vec<Entry>,
    bounds: Vec<u8>,
    rows: u64,
    /// False once a page has values but no bounds: then there is no column index.
    bounded: bool,
    scratch: Bounds,
}

/// Serialized indexes of a chunk.
#[derive(Debug)]
pub(crate) struct SerializedIndex {
    pub offset_index: Vec<u8>,
    /// `None` where the chunk has none.
    pub column_index: Option<Vec<u8>>,
}

impl PageIndex {
    /// Empties it for a chunk of about `pages` pages.
    pub fn open(&mut self, pages: usize, bound_bytes: usize) -> Result<(), Error> {
        self.entries.clear();
        self.bounds.clear();
        self.rows = 0;
        self.bounded = true;
        reserve(&mut self.entries, pages)?;
        reserve(&mut self.bounds, pages.saturating_mul(bound_bytes))
    }

    /// Lists a page. `bounds` are cut here.
    pub fn add(&mut self, sizes: PageSizes, counts: PageCounts, bounds: &Bounds, cut: Truncation) -> Result<(), Error> {
        let null_page = counts.null_count == counts.entries;
        let mut known = bounds.known;
        let mut min_end = self.bounds.len();
        if known {
            self.scratch.clear();
            self.scratch.merge(bounds, Order::Undefined)?;
            let Bounds { min, max, .. } = &mut self.scratch;
            if cut.applies {
                truncate_min(min, cut.bytes, cut.text);
                known = truncate_max(max, cut.bytes, cut.text).is_some();
            }
            if known {
                reserve(&mut self.bounds, min.len() + max.len())?;
                self.bounds.extend_from_slice(min);
                min_end = self.bounds.len();
                self.bounds.extend_from_slice(max);
            }
        }
        self.bounded &= known || null_page;
        reserve(&mut self.entries, 1)?;
        self.entries.push(Entry {
            compressed_bytes: sizes.compressed_bytes,
            first_row: self.rows,
            null_count: counts.null_count,
            nan_count: counts.nan_count,
            value_bytes: counts.value_bytes,
            min_end,
            max_end: self.bounds.len(),
            null_page,
        });
        self.rows += counts.rows;
        Ok(())
    }

    /// Both indexes, for a chunk whose first data page lies at `first_page`.
    pub fn serialize(
        &self,
        first_page: u64,
        order: Order,
        column_index: bool,
        value_bytes: bool,
        histograms: &Histograms,
    ) -> Result<SerializedIndex, Error> {
        let mut offset_index = Vec::new();
        reserve(&mut offset_index, 32 + self.entries.len() * 32)?;
        let mut offset = first_page;
        let offsets = self.entries.iter().map(|entry| {
            let start = offset;
            offset += u64::from(entry.compressed_bytes.unsigned_abs());
            (start, entry)
        });
        thrift::structure(&mut offset_index, |index| {
            index.list(1, ListOf::Struct, offsets, |(offset, entry), out| {
                thrift::structure(out, |location| {
                    location.i64(1, offset.cast_signed());
                    location.i32(2, entry.compressed_bytes);
                    location.i64(3, entry.first_row.cast_signed());
                });
            });
            if value_bytes {
                index.list(2, ListOf::I64, self.entries.iter(), |entry, out| {
                    thrift::zigzag(entry.value_bytes.cast_signed(), out);
                });
            }
        });
        let column_index = match column_index && self.bounded {
            true => Some(self.column_index(order, histograms)?),
            false => None,
        };
        Ok(SerializedIndex { offset_index, column_index })
    }

    fn column_index(&self, order: Order, histograms: &Histograms) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        reserve(&mut out, 32 + self.entries.len() * 24 + self.bounds.len())?;
        thrift::structure(&mut out, |index| {
            let entries = || self.entries.iter();
            index.list(1, ListOf::Bool, entries(), |entry, out| thrift::bool(entry.null_page, out));
            index.list(2, ListOf::Binary, self.ranges(), |(min, _), out| thrift::binary(min, out));
            index.list(3, ListOf::Binary, self.ranges(), |(_, max), out| thrift::binary(max, out));
            index.i32(4, self.boundary_order(order));
            index.list(5, ListOf::I64, entries(), |entry, out| thrift::zigzag(entry.null_count.cast_signed(), out));
            histograms.write_pages(index, 6, 7);
            if order.is_float() {
                index.list(8, ListOf::I64, entries(), |entry, out| thrift::zigzag(entry.nan_count.cast_signed(), out));
            }
        });
        Ok(out)
    }

    /// Minimum and maximum of every page; both empty for a page of nulls.
    fn ranges(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> {
        let mut start = 0;
        self.entries.iter().map(move |entry| {
            let min = self.bounds.get(start..entry.min_end).unwrap_or_default();
            let max = self.bounds.get(entry.min_end..entry.max_end).unwrap_or_default();
            start = entry.max_end;
            (min, max)
        })
    }

    /// 1 ascending, 2 descending, 0 neither; pages of nulls are passed over, one page or equal ones ascend.
    fn boundary_order(&self, order: Order) -> i32 {
        let (mut ascending, mut descending) = (true, true);
        let mut before: Option<(&[u8], &[u8])> = None;
        let pages = self.ranges().zip(&self.entries).filter(|(_, entry)| !entry.null_page);
        for ((min, max), _) in pages {
            if let Some((min_before, max_before)) = before {
                let steps = [order.compare(min_before, min), order.compare(max_before, max)];
                ascending &= !steps.contains(&Ordering::Greater);
                descending &= !steps.contains(&Ordering::Less);
            }
            before = Some((min, max));
        }
        if ascending {
            1
        } else if descending {
            2
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests;
