//! Leaves below groups and lists: levels of the caller come back, pages end between rows.

mod common;

use common::column::{BARE, DICTIONARY, leaf};
use common::decode::Entry;
use common::file::File;
use common::testing::{Random, rounds};
use parquill::{
    Codec, ColumnOptions, ColumnView, Element, FileOptions, FileWriter, LogicalType, MemorySink, PhysicalType,
    Repetition, Schema, Validity, Values,
};

fn group(name: &str, repetition: Repetition, logical: LogicalType) -> Element {
    Element { children: 1, physical: None, repetition, ..leaf(name, PhysicalType::Int32, repetition, logical) }
}

/// A nullable list of nullable lists, or of nullable values, or a value in a nullable struct; the leaf last.
fn schema(depth: usize, physical: PhysicalType) -> Vec<Element> {
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
fn rows(random: &mut Random, depth: usize, count: usize, text: bool) -> Vec<Vec<Entry>> {
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

fn write(elements: Vec<Element>, options: ColumnOptions, file: FileOptions, rows: &[Vec<Entry>], step: usize) -> File {
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
    File::parse(&writer.into_sink().to_vec())
}

#[test]
fn random_levels_come_back() {
    rounds(60, |random| {
        let depth = random.below(4);
        let text = random.once_in(2);
        let count = 1 + random.below(300);
        let rows = rows(random, depth, count, text);
        let options = ColumnOptions {
            codec: [Codec::None, Codec::Zstd { level: 1 }][random.below(2)],
            ..[BARE, DICTIONARY][random.below(2)]
        };
        let file = FileOptions {
            page_bytes: [50, 500, 1 << 20][random.below(3)],
            page_rows: [3, 20, 20_000][random.below(3)],
            ..FileOptions::default()
        };
        let physical = if text { PhysicalType::ByteArray } else { PhysicalType::Int64 };
        let step = [count, 1 + count / 2, 30][random.below(3)];
        let file = write(schema(depth, physical), options, file, &rows, step);
        let chunk = &file.row_groups[0][0];
        assert!(chunk.entries() == rows.concat(), "depth {depth}");
    });
}

#[test]
fn pages_hold_whole_rows_within_their_bytes() {
    let mut random = Random::new(11);
    let rows = rows(&mut random, 2, 500, false);
    let options = FileOptions { page_bytes: 200, page_rows: 1000, ..FileOptions::default() };
    let file = write(schema(2, PhysicalType::Int64), BARE, options, &rows, 500);
    let chunk = &file.row_groups[0][0];
    let starts: Vec<usize> = chunk.offset_index.structures(1).iter().map(|page| page.int(3) as usize).collect();
    let ends = starts[1..].iter().copied().chain([500]);
    for (start, end) in starts.iter().copied().zip(ends) {
        let bytes = |rows: &[Vec<Entry>]| rows.iter().flatten().filter(|entry| entry.value.is_some()).count() * 8;
        assert!(bytes(&rows[start..end]) <= 200 || end - start == 1, "rows {start} to {end}");
        // One row more would not have fitted.
        assert!(end == 500 || bytes(&rows[start..=end]) > 200, "rows {start} to {end}");
    }
}
