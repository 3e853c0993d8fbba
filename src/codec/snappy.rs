//! Snappy, raw blocks (parquet-format, Compression: SNAPPY).

use crate::error::{Error, reserve};

/// What the encoder allocates with the first page that is not small, and some more.
const TABLE_BYTES: usize = 40 << 10;
const SMALL_PAGE: usize = 512;

#[derive(Default)]
pub(super) struct Snappy {
    encoder: Option<snap::raw::Encoder>,
    has_table: bool,
}

impl Snappy {
    pub fn compress(&mut self, page: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        let failed = Error::Codec { codec: 1 };
        let most = snap::raw::max_compress_len(page.len());
        // 0 is the crate's word for "too long for this format".
        if most == 0 {
            return Err(failed);
        }
        let missing = most.saturating_sub(out.len());
        if missing > 0 {
            reserve(out, missing)?;
            out.resize(most, 0);
        }
        if page.len() > SMALL_PAGE && !self.has_table {
            super::headroom(TABLE_BYTES)?;
            self.has_table = true;
        }
        let encoder = self.encoder.get_or_insert_with(snap::raw::Encoder::new);
        encoder.compress(page, out).map_err(|_| failed)
    }
}
