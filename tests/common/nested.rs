//! One leaf below groups and lists, and the way of its entries into a file.

use super::column::leaf;
use super::decode::Entry;
use super::file::File;
use super::testing::Random;
use parquill::{
    ColumnOptions, ColumnView, Element, FileOptions, FileWriter, LogicalType, MemorySink, PhysicalType, Repetition,
    Schema, Validity, Values,
};

pub fn group(name: &str, repetition: Repetition, logical: LogicalType) -> Element {
    Element { children: 1, physical: None, repetition, ..leaf(name, PhysicalType::Int32, repetition, logical) }
}

/// A nullable list of nullable lists, or of nullable values, or a value in a nullable struct; the leaf last.
pub fn schema(depth: usize, physical: PhysicalType) -> Vec<Element> {
    let mut elements = Vec::new();
    for level in 0..depth {
        let name = if level == 0 { "column" } else { "element" };
        elements.push(group(name, Repetition::Optional, LogicalType::List));
        elements.push(group("list", Repetition::Repeated, LogicalType::None));
    }
    if depth == 0 {
        elements.push(group("column", Repetition::Optional, LogicalType::None));
    }
    elements.push(leaf("element", physical, Repetition::Optional, LogicalType::None));
    elements
}

/// A required list of nullable values.
pub fn list(physical: PhysicalType, logical: LogicalType) -> Vec<Element> {
    vec![
        group("column", Repetition::Required, LogicalType::List),
        group("list", Repetition::Repeated, LogicalType::None),
        leaf("element", physical, Repetition::Optional, logical),
    ]
}

/// Entries of the rows of such a list.
pub fn list_entries<V: Into<Vec<u8>>>(rows: impl IntoIterator<Item = Vec<Option<V>>>) -> Vec<Vec<Entry>> {
    let entry = |(at, value): (usize, Option<V>)| Entry {
        repetition: u32::from(at > 0),
        definition: 1 + u32::from(value.is_some()),
        value: value.map(Into::into),
    };
    let row = |values: Vec<Option<V>>| match values.len() {
        0 => vec![Entry { repetition: 0, definition: 0, value: None }],
        _ => values.into_iter().enumerate().map(entry).collect(),
    };
    rows.into_iter().map(row).collect()
}

/// Entries of one row: lists within lists, at each level null, empty or filled.
fn row(random: &mut Random, depth: usize, floor: u32, repetition: u32, level: u32, out: &mut Vec<Entry>) {
    let missing = |definition| Entry { repetition, definition, value: None };
    if depth == 0 {
        let value = (!random.once_in(4)).then(|| (random.below(40) as u64).to_le_bytes().to_vec());
        out.push(Entry { repetition, definition: floor + u32::from(value.is_some()), value });
        return;
    }
    match random.below(5) {
        0 => out.push(missing(floor)),
        1 => out.push(missing(floor + 1)),
        _ => {
            for at in 0..1 + random.below(5) {
                let repetition = if at == 0 { repetition } else { level + 1 };
                row(random, depth - 1, floor + 2, repetition, level + 1, out);
            }
        }
    }
}

/// Entries with values of at most 8 bytes: all of them for fixed widths, the first few for text.
pub fn rows(random: &mut Random, depth: usize, count: usize, text: bool) -> Vec<Vec<Entry>> {
    let mut rows: Vec<Vec<Entry>> = (0..count)
        .map(|_| {
            let mut out = Vec::new();
            if depth > 0 {
                row(random, depth, 0, 0, 0, &mut out);
            } else if random.once_in(4) {
                out.push(Entry { repetition: 0, definition: 0, value: None });
            } else {
                row(random, 0, 1, 0, 0, &mut out);
            }
            out
        })
        .collect();
    for value in rows.iter_mut().flatten().filter_map(|entry| entry.value.as_mut()).filter(|_| text) {
        value.truncate(usize::from(value[0]) % 8);
    }
    rows
}

/// A file of one leaf, written in pieces of `step` rows.
pub fn write_bytes(
    elements: Vec<Element>,
    options: ColumnOptions,
    file: FileOptions,
    rows: &[Vec<Entry>],
    step: usize,
) -> Vec<u8> {
    let text = elements[elements.len() - 1].physical == Some(PhysicalType::ByteArray);
    let schema = Schema::new(elements).unwrap();
    let repeats = schema.leaves()[0].max_repetition > 0;
    let mut writer = FileWriter::new(schema, vec![options], file, MemorySink::default()).unwrap();
    writer.begin_row_group(rows.len() as u64).unwrap();
    writer.begin_chunk(0).unwrap();
    let mut start = 0;
    while start < rows.len() {
        let end = rows.len().min(start + step);
        let entries: Vec<&Entry> = rows[start..end].iter().flatten().collect();
        let definition: Vec<u8> = entries.iter().map(|entry| entry.definition as u8).collect();
        let repetition: Vec<u8> = entries.iter().filter(|_| repeats).map(|entry| entry.repetition as u8).collect();
        let values: Vec<&[u8]> = entries.iter().filter_map(|entry| entry.value.as_deref()).collect();
        let bytes = values.concat();
        let ends = values.iter().scan(0, |end, value| {
            *end += value.len() as u32;
            Some(*end)
        });
        let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let view = ColumnView {
            rows: end - start,
            values: if text { Values::Bytes { offsets: &offsets, bytes: &bytes } } else { Values::Fixed(&bytes) },
            validity: Validity::Levels { definition: &definition, repetition: &repetition },
        };
        // Fewer rows than a page takes are left to the next piece, which then must be larger.
        let taken = writer.write(view, end == rows.len()).unwrap();
        start += if taken == 0 { writer.write(view, true).unwrap() } else { taken };
    }
    writer.end_chunk().unwrap();
    writer.end_row_group().unwrap();
    writer.finish().unwrap();
    writer.into_sink().to_vec()
}

/// The same, taken apart.
pub fn write(
    elements: Vec<Element>,
    options: ColumnOptions,
    file: FileOptions,
    rows: &[Vec<Entry>],
    step: usize,
) -> File {
    File::parse(&write_bytes(elements, options, file, rows, step))
}
