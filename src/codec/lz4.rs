//! LZ4, bare blocks (parquet-format, Compression: LZ4_RAW).

use crate::error::{Error, reserve};
use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};

/// What the encoder allocates once, and some more.
const TABLE_BYTES: usize = 40 << 10;

#[derive(Default)]
pub(super) struct Lz4 {
    table: Option<CompressTable>,
}

impl Lz4 {
    pub fn compress(&mut self, page: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        let most = get_maximum_output_size(page.len());
        let missing = most.saturating_sub(out.len());
        if missing > 0 {
            reserve(out, missing)?;
            out.resize(most, 0);
        }
        let table = match &mut self.table {
            Some(table) => table,
            empty => {
                super::headroom(TABLE_BYTES)?;
                empty.insert(CompressTable::large())
            }
        };
        compress_into_with_table(page, out, table).map_err(|_| Error::Codec { codec: 7 })
    }
}
