//! The core inside WebAssembly, in Node and in a browser: the same bytes as the native build, and what readers see.

#![cfg(target_arch = "wasm32")]

mod common;

use common::column::{BARE, Column, round_trip};
use common::file::File;
use common::golden;
use parquill::{Codec, ColumnOptions, FileOptions, PhysicalType};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn files_are_the_expected_bytes() {
    golden::check();
}

#[wasm_bindgen_test]
fn compressed_pages_come_back() {
    for codec in [Codec::Snappy, Codec::Zstd { level: 1 }, Codec::Zstd { level: 9 }] {
        let columns = golden::table(codec);
        let file = File::parse(&golden::file(&columns));
        for (index, column) in columns.iter().enumerate() {
            let found: Vec<_> = file.row_groups.iter().flat_map(|group| group[index].values()).collect();
            assert!(found == column.rows, "{} with {codec:?}", column.element.name);
        }
    }
}

#[wasm_bindgen_test]
fn the_largest_sizes_fit_32_bits() {
    let most = FileOptions::MAX_SIZE;
    let options = FileOptions {
        page_bytes: most,
        page_rows: most,
        dictionary_bytes: most,
        statistics_truncate_bytes: most,
        ..FileOptions::default()
    };
    let with = |column: Column| Column { options: ColumnOptions { dictionary: true, ..BARE }, ..column };
    let columns = [
        with(Column::required(PhysicalType::Boolean, BARE, (0..5000).map(|row| [(row % 2) as u8]))).named("a"),
        with(Column::required(PhysicalType::Int64, BARE, (0..5000u64).map(u64::to_le_bytes))).named("b"),
        with(Column::required(PhysicalType::ByteArray, BARE, (0..5000).map(|row| format!("{row}")))).named("c"),
    ];
    let file = round_trip(&columns, options, 5000);
    for chunk in &file.row_groups[0] {
        assert_eq!(chunk.data_pages().count(), 1);
    }
}
