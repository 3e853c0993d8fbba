//! The native build writes the bytes that are expected of every build; `web.rs` asks the same of WebAssembly.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::file::File;
use common::golden::{EXPECTED, check, file, table};

#[test]
fn files_are_the_expected_bytes() {
    check();
}

#[test]
fn files_say_what_the_table_says() {
    for (codec, ..) in EXPECTED {
        let columns = table(codec);
        let file = File::parse(&file(&columns));
        for (index, column) in columns.iter().enumerate() {
            let found: Vec<_> = file.row_groups.iter().flat_map(|group| group[index].values()).collect();
            assert!(found == column.rows, "{} with {codec:?}", column.element.name);
        }
    }
}
