//! Layouts with all that headers, both indexes and the footer say of them, a line a page and one for the chunk.

use super::column::{BARE, Column, round_trip};
use super::decode::{Entry, crc};
use super::file::{Chunk, File};
use super::nested;
use parquill::{ColumnOptions, Encoding, FileOptions, PageVersion, PhysicalType};

/// A bound or value in the way its type is read.
fn shown(chunk: &Chunk, value: &[u8]) -> String {
    match chunk.kind.physical {
        2 => i64::from_le_bytes(value.try_into().unwrap()).to_string(),
        5 => format!("{:?}", f64::from_le_bytes(value.try_into().unwrap())),
        6 => match std::str::from_utf8(value) {
            Ok(text) => format!("{text:?}"),
            Err(_) => value.iter().map(|byte| format!("{byte:02x}")).collect(),
        },
        0 => (value == [1]).to_string(),
        _ => value.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Kind, encoding, entries; bytes of repetition levels, definition levels and values; then what the indexes say: first
/// row, nulls, bounds.
fn page_lines(chunk: &Chunk) -> Vec<String> {
    let mut lines = Vec::new();
    for page in chunk.pages.iter().filter(|page| page.is_dictionary()) {
        lines.push(format!("dictionary {} {}", page.num_values(), page.plain.len()));
    }
    for (at, page) in chunk.data_pages().enumerate() {
        let sections = page.sections(chunk);
        let prefixes = if page.kind() == 3 { 0 } else { 4 };
        let levels: usize = [sections.repetition, sections.definition]
            .iter()
            .filter(|levels| !levels.is_empty())
            .map(|levels| levels.len() + prefixes)
            .sum();
        assert_eq!(page.header.int(2) as usize, levels + sections.values.len());
        let version = if page.kind() == 3 { 2 } else { 1 };
        let compressed = match version {
            2 if page.inner().bool(7) => " compressed",
            _ => "",
        };
        let counts = match version {
            2 => format!(" nulls {} rows {}", page.inner().int(2), page.inner().int(3)),
            _ => String::new(),
        };
        let location = chunk.offset_index.structures(1)[at].clone();
        assert_eq!(location.int(1) as usize, page.offset);
        assert_eq!(location.int(2) as usize, page.header_bytes + page.body.len());
        let index = chunk.column_index.as_ref().map_or(" | no index".to_string(), |index| {
            let bounds = match index.bools(1)[at] {
                true => {
                    assert!(index.binaries(2)[at].is_empty() && index.binaries(3)[at].is_empty());
                    "all null".to_string()
                }
                false => [2, 3].map(|id| shown(chunk, index.binaries(id)[at])).join(" to "),
            };
            format!(" | nulls {}, {bounds}", index.ints(5)[at])
        });
        lines.push(format!(
            "v{version} {:?} {}{counts} bytes {}+{}+{}{compressed} | row {}{index}",
            page.encoding(),
            page.num_values(),
            sections.repetition.len(),
            sections.definition.len(),
            sections.values.len(),
            location.int(3),
        ));
    }
    lines
}

/// Entries, nulls and bounds of the chunk, order of its pages, checksums, filter, sizes.
fn chunk_line(chunk: &Chunk) -> String {
    let mut line = format!("chunk {}", chunk.meta.int(5));
    if chunk.meta.has(12) {
        let statistics = chunk.meta.structure(12);
        line += &format!(" | nulls {}", statistics.int(3));
        let bound = |id: i64, exact: i64| {
            let cut = if statistics.bool(exact) { "" } else { "~" };
            format!("{}{cut}", shown(chunk, statistics.binary(id)))
        };
        if statistics.has(6) {
            line += &format!(", {}", bound(6, 8));
        }
        if statistics.has(5) {
            line += &format!(" to {}", bound(5, 7));
        }
        if statistics.has(9) {
            line += &format!(", nan {}", statistics.int(9));
        }
    } else {
        line += " | no statistics";
    }
    if let Some(index) = &chunk.column_index {
        line += ["", " | ascending", " | descending"][index.int(4) as usize];
        if index.int(4) == 0 {
            line += " | unordered";
        }
    }
    let checked = chunk.pages.iter().filter(|page| page.header.has(4));
    assert!(checked.clone().all(|page| page.header.int(4) as i32 as u32 == crc(&page.body)));
    if checked.count() < chunk.pages.len() {
        line += " | unchecked";
    }
    if let Some(filter) = &chunk.bloom {
        let ones: u32 = filter.0.iter().flatten().map(|word| word.count_ones()).sum();
        line += &format!(" | filter of {} with {ones} bits", filter.0.len() * 32);
    }
    if chunk.meta.has(16) {
        let sizes = chunk.meta.structure(16);
        let lists = |id: i64| if sizes.has(id) { format!("{:?}", sizes.ints(id)) } else { String::new() };
        let bytes = if sizes.has(1) { format!("{} bytes ", sizes.int(1)) } else { String::new() };
        line += format!(" | {bytes}{}{}", lists(2), lists(3)).trim_end();
    }
    line
}

fn check(name: &str, file: &File, expected: &str) {
    assert_eq!((file.row_groups.len(), file.row_groups[0].len()), (1, 1));
    let chunk = &file.row_groups[0][0];
    let mut lines = page_lines(chunk);
    lines.push(chunk_line(chunk));
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, expected, "{name}:\n{}", lines.join("\n"));
    assert_eq!(chunk.offset_index.structures(1).len(), chunk.data_pages().count(), "{name}");
}

/// A flat column.
pub fn flat(name: &str, column: Column, options: FileOptions, expected: &str) {
    let rows = column.rows.len();
    check(name, &round_trip(&[column], options, rows), expected);
}

/// A leaf below groups.
pub fn below(
    name: &str,
    elements: Vec<parquill::Element>,
    options: ColumnOptions,
    file: FileOptions,
    rows: &[Vec<Entry>],
    expected: &str,
) {
    let file = nested::write(elements, options, file, rows, rows.len());
    assert!(file.row_groups[0][0].entries() == rows.concat(), "{name}");
    check(name, &file, expected);
}

pub fn v1(page_rows: usize) -> FileOptions {
    FileOptions { page_rows, ..FileOptions::default() }
}

pub fn v2(page_rows: usize) -> FileOptions {
    FileOptions { page_version: PageVersion::V2, ..v1(page_rows) }
}

pub fn with(encoding: Encoding) -> ColumnOptions {
    ColumnOptions { encoding: Some(encoding), ..BARE }
}

pub fn longs(options: ColumnOptions, values: impl IntoIterator<Item = i64>) -> Column {
    Column::required(PhysicalType::Int64, options, values.into_iter().map(i64::to_le_bytes))
}

pub fn nullable(options: ColumnOptions, values: impl IntoIterator<Item = Option<i64>>) -> Column {
    Column::nullable(PhysicalType::Int64, options, values.into_iter().map(|value| value.map(i64::to_le_bytes)))
}

pub fn texts(options: ColumnOptions, values: impl IntoIterator<Item = String>) -> Column {
    Column::required(PhysicalType::ByteArray, options, values).text()
}

pub fn doubles(options: ColumnOptions, values: impl IntoIterator<Item = f64>) -> Column {
    Column::required(PhysicalType::Double, options, values.into_iter().map(f64::to_le_bytes))
}

/// `(repetition, definition)`, with the value where there is one.
pub fn row(entries: &[(u32, u32, Option<i64>)]) -> Vec<Entry> {
    let entry = |&(repetition, definition, value): &(u32, u32, Option<i64>)| Entry {
        repetition,
        definition,
        value: value.map(|value| value.to_le_bytes().to_vec()),
    };
    entries.iter().map(entry).collect()
}
