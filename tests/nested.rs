//! Leaves below groups and lists: levels of the caller come back, pages end between rows.

mod common;

use common::column::BARE;
use common::decode::Entry;
use common::nested::{rows, schema, write};
use common::tables::options;
use common::testing::{Random, rounds};
use parquill::{FileOptions, LogicalType, PageVersion, PhysicalType};

#[test]
fn random_levels_come_back() {
    rounds(150, |random| {
        let depth = random.below(4);
        let text = random.once_in(2);
        let count = 1 + random.below(300);
        let rows = rows(random, depth, count, text);
        let physical = if text { PhysicalType::ByteArray } else { PhysicalType::Int64 };
        let options = options(random, physical, LogicalType::None);
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
