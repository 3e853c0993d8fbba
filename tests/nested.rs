//! Leaves below groups and lists: levels of the caller come back, pages end between rows.

mod common;

use common::column::{BARE, DICTIONARY};
use common::decode::Entry;
use common::nested::{schema, write};
use common::testing::{Random, rounds};
use parquill::{BloomOptions, Codec, ColumnOptions, Encoding, FileOptions, PageVersion, PhysicalType};

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

#[test]
fn random_levels_come_back() {
    rounds(150, |random| {
        let depth = random.below(4);
        let text = random.once_in(2);
        let count = 1 + random.below(300);
        let rows = rows(random, depth, count, text);
        let physical = if text { PhysicalType::ByteArray } else { PhysicalType::Int64 };
        let fitting: Vec<Encoding> = Encoding::ALL.into_iter().filter(|encoding| encoding.fits(physical)).collect();
        let options = ColumnOptions {
            codec: [Codec::None, Codec::Lz4, Codec::Zstd { level: 1 }][random.below(3)],
            encoding: (!random.once_in(3)).then(|| fitting[random.below(fitting.len())]),
            bloom: random.once_in(3).then(BloomOptions::default),
            ..[BARE, DICTIONARY][random.below(2)]
        };
        let file = FileOptions {
            page_version: [PageVersion::V1, PageVersion::V2][random.below(2)],
            page_bytes: [50, 500, 1 << 20][random.below(3)],
            page_rows: [3, 20, 20_000][random.below(3)],
            ..FileOptions::default()
        };
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
