//! What can go wrong, as facts: numbers only, no text. Whoever calls the core knows the names.

use core::fmt;

/// A limit of the format that a size ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of one page: `i32` in the page header.
    PageBytes,
    /// Values of one page: `i32` in the page header.
    PageValues,
    /// Bytes of one column chunk.
    ChunkBytes,
    /// Bytes of one value: `u32` before it, and it must fit into a page.
    ValueBytes,
}

/// A setting that the core refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// One `ColumnOptions` for every leaf is needed.
    ColumnCount,
    /// `page_bytes`, `page_rows`, `dictionary_bytes` or `statistics_truncate_bytes` is zero or beyond 2^30, or
    /// `content_defined` is zero or not below `page_bytes`.
    Size,
    /// The codec level is outside of the codec's range.
    Level,
    /// The encoding does not fit the leaf's type.
    Encoding,
    /// A Bloom filter for booleans, float16 or decimals of fixed bytes, or with a share of false positives that is not
    /// between 0 and 1.
    Bloom,
    /// A sorting column that is no leaf, is repeated, has no order, or is named twice.
    Sorting,
    /// A number that stands for a codec, type, repetition or encoding is unknown.
    Code,
}

/// Why a file could not be written. The writer is unusable after any of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A null in a required column; `row` counts from the start of the view.
    NullInRequired { row: usize },
    /// A string value that is not UTF-8; `row` counts from the start of the view.
    InvalidUtf8 { row: usize },
    /// A size the format cannot express.
    Limit { what: Limit, size: u64 },
    /// The allocator gave no memory.
    Memory { bytes: usize },
    /// Rows pushed and rows declared differ.
    RowCount { expected: u64, found: u64 },
    /// The compressor failed; the number is the format's codec id.
    Codec { codec: i32 },
    /// Offsets descend, or point outside of their bytes; `row` counts the values that they delimit.
    Offsets { row: usize },
    /// An option out of range.
    Setting(Setting),
    /// A schema element that the format or this writer cannot hold.
    Schema { element: usize },
    /// A call out of order.
    State,
    /// A row that sorts before its predecessor, against what was declared; `row` counts from the start of the row group.
    Unsorted { row: usize },
    /// A dictionary code without an entry.
    Code { row: usize },
    /// The view does not fit the leaf: wrong kind of values, or fewer than declared.
    View,
    /// The sink failed; it keeps the cause.
    Sink,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, out)
    }
}

impl core::error::Error for Error {}

/// Room for `additional` more items, or [`Error::Memory`] instead of an abort.
pub(crate) fn reserve<T>(buffer: &mut Vec<T>, additional: usize) -> Result<(), Error> {
    buffer.try_reserve(additional).map_err(|_| Error::Memory { bytes: additional.saturating_mul(size_of::<T>()) })
}
