//! Codecs: one encoder each, opened once and used for every page of the file.

#[cfg(feature = "lz4")]
mod lz4;
mod snappy;
#[cfg(feature = "zstd")]
mod zstd;

use crate::error::Error;
use crate::options::Codec;

/// The encoders of a writer. Each is made when the first page asks for it and stays until the writer is dropped.
#[derive(Default)]
pub(crate) struct Encoders {
    #[cfg(feature = "lz4")]
    lz4: lz4::Lz4,
    snappy: snappy::Snappy,
    #[cfg(feature = "zstd")]
    zstd: zstd::Zstd,
}

impl Encoders {
    /// Compresses `page` into the start of `out` and gives the bytes written. `out` grows to the worst case and stays
    /// there, so that it is not filled with zeros for every page. Not for [`Codec::None`], whose pages stay where
    /// they are.
    #[inline(never)]
    pub fn compress(&mut self, codec: Codec, page: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        match codec {
            #[cfg(feature = "lz4")]
            Codec::Lz4 => self.lz4.compress(page, out),
            Codec::Snappy => self.snappy.compress(page, out),
            #[cfg(feature = "zstd")]
            Codec::Zstd { level } => self.zstd.compress(page, level, out),
            codec => Err(Error::Codec { codec: codec.id() }),
        }
        .map_err(|error| match error {
            Error::Memory { .. } => error,
            _ => Error::Codec { codec: codec.id() },
        })
    }
}

/// Makes sure that `bytes` can be had: encoders of other crates abort where memory ends. There are no threads, so what
/// is given back here is there right after.
#[cfg(feature = "lz4")]
fn headroom(bytes: usize) -> Result<(), Error> {
    crate::error::reserve(&mut Vec::<u8>::new(), bytes)
}
