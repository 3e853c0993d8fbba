//! Random columns of every physical type through the whole writer and back, with every encoding, codec, page version,
//! page size, dictionary setting and Bloom filter.

mod common;

use common::column::{BARE, Column, round_trip, writer};
use common::file::File;
use common::tables::{file_options, table};
use common::testing::{Random, rounds};
use parquill::{FileOptions, LogicalType, MemorySink, PhysicalType};

#[test]
fn random_tables_come_back() {
    rounds(120, |random| {
        let (columns, group_rows) = table(random);
        let options = file_options(random);
        round_trip(&columns, options, group_rows);
    });
}

/// All chunks of a row group open at once, rows in batches, and nobody says beforehand how many.
fn in_batches(random: &mut Random, columns: &[Column], options: FileOptions, group_rows: usize) -> File {
    let mut writer = writer(columns, options, MemorySink::default()).unwrap();
    let rows = columns[0].rows.len();
    for start in (0..rows).step_by(group_rows) {
        let last = rows.min(start + group_rows);
        writer.begin_open_row_group().unwrap();
        (0..columns.len()).rev().for_each(|column| writer.begin_chunk(column).unwrap());
        let mut taken = vec![start; columns.len()];
        let mut end = start;
        while end < last {
            end = last.min(end + 1 + random.below(group_rows));
            for (index, (column, taken)) in columns.iter().zip(&mut taken).enumerate() {
                writer.select(index).unwrap();
                let flush = end == last || random.once_in(5);
                let rows = column.laid_out(*taken..end);
                *taken += writer.write(rows.view(column.element.physical), flush).unwrap();
            }
        }
        for column in 0..columns.len() {
            writer.select(column).unwrap();
            writer.end_chunk().unwrap();
        }
        writer.end_row_group().unwrap();
    }
    writer.finish().unwrap();
    File::parse(&writer.into_sink().to_vec())
}

#[test]
fn chunks_side_by_side_come_back() {
    rounds(60, |random| {
        let (columns, group_rows) = table(random);
        let options = file_options(random);
        let file = in_batches(random, &columns, options, group_rows);
        for (index, column) in columns.iter().enumerate() {
            let found: Vec<_> = file.row_groups.iter().flat_map(|group| group[index].values()).collect();
            assert!(found == column.rows, "column {index}");
        }
    });
}

/// Whole numbers as text, decimals, dates: what they mean does not change how they lie.
#[test]
fn logical_types_do_not_change_the_bytes() {
    let values = || (0..100i32).map(|row| (row * 37 % 50).to_le_bytes());
    let plain = round_trip(&[Column::required(PhysicalType::Int32, BARE, values())], FileOptions::default(), 100);
    let logical = [
        LogicalType::Date,
        LogicalType::Integer { bit_width: 8, signed: true },
        LogicalType::Integer { bit_width: 32, signed: false },
        LogicalType::Decimal { precision: 9, scale: 2 },
    ];
    for logical in logical {
        let mut column = Column::required(PhysicalType::Int32, BARE, values());
        column.element.logical = logical;
        let file = round_trip(&[column], FileOptions::default(), 100);
        assert_eq!(file.row_groups[0][0].pages[0].body, plain.row_groups[0][0].pages[0].body, "{logical:?}");
    }
}
