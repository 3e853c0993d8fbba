//! Zstandard, one frame a page with its content size (parquet-format, Compression: ZSTD; RFC 8878).

use crate::error::{Error, reserve};
use zrip_encode::strategy::{LevelParams, Strategy};

/// What the encoder may allocate for one page beside its input: tables and output. It aborts where memory ends, so
/// the room is asked for first.
const TABLE_BYTES: usize = 4 << 20;

#[derive(Default)]
pub(super) struct Zstd;

impl Zstd {
    pub fn compress(&mut self, page: &[u8], level: i8, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut headroom: Vec<u8> = Vec::new();
        reserve(&mut headroom, TABLE_BYTES.saturating_add(page.len().saturating_mul(3)))?;
        drop(headroom);
        let frame =
            zrip_encode::compress_with_params(page, &parameters(level)).map_err(|_| Error::Codec { codec: 6 })?;
        out.clear();
        reserve(out, frame.len())?;
        out.extend_from_slice(&frame);
        Ok(())
    }
}

/// Numbers of fixed width share 5 or 6 bytes with a neighbour: matches from 5 bytes on find them, longer ones do not.
fn parameters(level: i8) -> LevelParams {
    let fast = LevelParams {
        strategy: Strategy::Fast,
        window_log: 20,
        hash_log: 13,
        chain_log: 13,
        search_log: 0,
        min_match: 5,
        target_length: 1,
        search_strength: 7,
        force_raw_literals: false,
    };
    match level {
        ..=0 => LevelParams { hash_log: 12, chain_log: 12, search_strength: 6, ..fast },
        1..=2 => fast,
        _ => LevelParams { strategy: Strategy::DFast, hash_log: 16, chain_log: 15, search_strength: 8, ..fast },
    }
}
