//! A page on its way out: compressed, checksummed, with its header in front (parquet-format, PageHeader).

use crate::codec::Encoders;
use crate::error::{Error, Limit, reserve};
use crate::hash::Crc32;
use crate::options::{Codec, Encoding};
use crate::sink::{PageKind, Sink};
use crate::thrift;

/// What a page header says beside sizes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageFacts {
    pub column: usize,
    pub kind: PageKind,
    pub codec: Codec,
    /// Entries, with nulls.
    pub num_values: usize,
    pub encoding: Encoding,
}

/// Sizes of a page that has left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageSizes {
    /// Header and body as stored; the offset index counts them in an `i32`.
    pub compressed_bytes: i32,
    /// Header and body before compression.
    pub uncompressed_bytes: u64,
}

/// The last step of every page of a file: one codec buffer, one header buffer, one encoder for each codec.
pub(crate) struct Press {
    encoders: Encoders,
    body: Vec<u8>,
    header: Vec<u8>,
    crc: Option<Crc32>,
}

impl Press {
    pub fn new(checksum: bool) -> Self {
        Self { encoders: Encoders::default(), body: Vec::new(), header: Vec::new(), crc: checksum.then(Crc32::new) }
    }

    /// Capacities of the codec buffer and the header buffer.
    pub fn capacities(&self) -> [usize; 2] {
        [self.body.capacity(), self.header.capacity()]
    }

    /// Compresses `page` (levels and values) and hands header and body to the sink.
    pub fn emit(&mut self, page: &[u8], facts: PageFacts, sink: &mut impl Sink) -> Result<PageSizes, Error> {
        let uncompressed = size(page.len())?;
        let body = match facts.codec {
            Codec::None => page,
            codec => {
                let size = self.encoders.compress(codec, page, &mut self.body)?;
                self.body.get(..size).ok_or(Error::Codec { codec: codec.id() })?
            }
        };
        let compressed = size(body.len())?;
        let values = facts.num_values;
        let num_values =
            i32::try_from(values).map_err(|_| Error::Limit { what: Limit::PageValues, size: values as u64 })?;
        self.header.clear();
        reserve(&mut self.header, 64)?;
        thrift::structure(&mut self.header, |header| {
            header.i32(1, if facts.kind == PageKind::Data { 0 } else { 2 });
            header.i32(2, uncompressed);
            header.i32(3, compressed);
            if let Some(crc) = &self.crc {
                header.i32(4, crc.of(body).cast_signed());
            }
            match facts.kind {
                PageKind::Data => header.structure(5, |data| {
                    data.i32(1, num_values);
                    data.i32(2, facts.encoding.id());
                    // SPEC: both level encodings are named also where a level is absent.
                    data.i32(3, Encoding::Rle.id());
                    data.i32(4, Encoding::Rle.id());
                }),
                PageKind::Dictionary => header.structure(7, |dictionary| {
                    dictionary.i32(1, num_values);
                    dictionary.i32(2, facts.encoding.id());
                }),
            }
        });
        let sizes = PageSizes {
            compressed_bytes: size(self.header.len() + body.len())?,
            uncompressed_bytes: self.header.len() as u64 + page.len() as u64,
        };
        sink.page(facts.column, facts.kind, &self.header, body)?;
        Ok(sizes)
    }
}

/// Page sizes are `i32` in the format.
fn size(bytes: usize) -> Result<i32, Error> {
    i32::try_from(bytes).map_err(|_| Error::Limit { what: Limit::PageBytes, size: bytes as u64 })
}
