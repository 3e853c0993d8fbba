//! Writes Apache Parquet. A core without threads that knows nothing of where it runs; the npm package is built
//! around its WebAssembly build.
//!
//! ```text
//!  ColumnView      column      borrowed values and validity, row ranges
//!      │   rows of one page
//!  levels          level       definition levels, RLE hybrid
//!      │                       ┐ both append to
//!  encoding        encoding    ┘ the one page buffer
//!  page            page        compressed, checksummed, header in front
//!      │   header and body
//!  sink            sink        bytes leave here, once; offsets are counted here only
//!      │   sizes, statistics
//!  footer          footer      page index, FileMetaData, length, PAR1
//! ```
//!
//! `chunk` drives one column chunk from view to sink, `file` drives chunks through row groups to the footer.
//! Start at [`FileWriter`].

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![deny(unsafe_code)]

mod error;
mod options;
mod order;
mod schema;

mod column;

mod bloom;
mod encoding;
mod hash;
mod histogram;
mod level;
mod sorting;
mod statistics;
mod thrift;

mod codec;
mod sink;

mod page;
mod page_index;

mod chunk;

mod footer;

mod file;

#[cfg(target_arch = "wasm32")]
mod wasm;

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests may panic")]
mod testing;

pub use column::{ColumnView, Validity, Values};
pub use error::{Error, Limit, Setting};
pub use file::FileWriter;
pub use options::{
    BloomOptions, Codec, ColumnOptions, Compatibility, Encoding, FileOptions, PageVersion, SortingColumn,
    StatisticsLevel,
};
pub use order::Order;
pub use schema::{Element, Leaf, LogicalType, PhysicalType, Repetition, Schema, TimeUnit};
pub use sink::{MemorySink, PageKind, Sink};
