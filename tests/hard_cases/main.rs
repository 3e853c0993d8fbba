//! Reported bugs of other writers as tests of this one: each has the number of its case in its name. Here are those
//! that the core can show; what concerns JavaScript values, Arrow or the package has its tests there.

#[path = "../common/mod.rs"]
mod common;

mod encoding;
mod index;
mod list;
mod page;
mod statistics;

use common::column::{BARE, Column, round_trip};
use common::file::{Chunk, File};
use parquill::{Codec, ColumnOptions, Encoding, FileOptions, PageVersion, PhysicalType};

const VERSIONS: [PageVersion; 2] = [PageVersion::V1, PageVersion::V2];

const CODECS: [Codec; 4] = [Codec::None, Codec::Snappy, Codec::Lz4, Codec::Zstd { level: 1 }];

fn encoded(encoding: Encoding) -> ColumnOptions {
    ColumnOptions { encoding: Some(encoding), ..BARE }
}

fn compressed(codec: Codec) -> ColumnOptions {
    ColumnOptions { codec, ..BARE }
}

fn page_rows(page_rows: usize) -> FileOptions {
    FileOptions { page_rows, ..FileOptions::default() }
}

fn version(page_version: PageVersion) -> FileOptions {
    FileOptions { page_version, ..FileOptions::default() }
}

/// The one chunk of a file of `column`, all of it compared.
fn chunk_of(column: Column, options: FileOptions) -> Chunk {
    let rows = column.rows.len();
    only_chunk(round_trip(&[column], options, rows))
}

fn only_chunk(mut file: File) -> Chunk {
    assert_eq!((file.row_groups.len(), file.row_groups[0].len()), (1, 1));
    file.row_groups.remove(0).remove(0)
}

fn ints(values: impl IntoIterator<Item = i32>, options: ColumnOptions) -> Column {
    Column::required(PhysicalType::Int32, options, values.into_iter().map(i32::to_le_bytes))
}

fn nullable_ints(values: impl IntoIterator<Item = Option<i32>>, options: ColumnOptions) -> Column {
    Column::nullable(PhysicalType::Int32, options, values.into_iter().map(|value| value.map(i32::to_le_bytes)))
}

fn doubles(values: impl IntoIterator<Item = f64>, options: ColumnOptions) -> Column {
    Column::required(PhysicalType::Double, options, values.into_iter().map(f64::to_le_bytes))
}

fn texts<V: Into<String>>(values: impl IntoIterator<Item = V>, options: ColumnOptions) -> Column {
    Column::required(PhysicalType::ByteArray, options, values.into_iter().map(|value| value.into().into_bytes())).text()
}

fn nullable_texts(values: impl IntoIterator<Item = Option<&'static str>>, options: ColumnOptions) -> Column {
    Column::nullable(PhysicalType::ByteArray, options, values).text()
}

/// The value section of a chunk's data page.
fn body(chunk: &Chunk, page: usize) -> &[u8] {
    chunk.data_pages().nth(page).unwrap().sections(chunk).values
}

/// Entries of each data page.
fn pages(chunk: &Chunk) -> Vec<usize> {
    chunk.data_pages().map(|page| page.num_values()).collect()
}

/// Encodings of the data pages.
fn encodings(chunk: &Chunk) -> Vec<Encoding> {
    chunk.data_pages().map(|page| page.encoding()).collect()
}
