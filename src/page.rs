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
    /// Of a data page of version 2, else `None`.
    pub v2: Option<V2Facts>,
}

/// What the header of a data page of version 2 says in addition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct V2Facts {
    pub num_nulls: usize,
    pub num_rows: usize,
    /// Bytes of the levels, which lie in front of the values and are never compressed.
    pub repetition_bytes: usize,
    pub definition_bytes: usize,
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

    /// Bytes that `values` would take in a page. For a codec of the caller's, which is not called for it, one of ours
    /// stands in.
    #[inline(never)]
    pub fn measure(&mut self, codec: Codec, values: &[u8]) -> Result<f64, Error> {
        #[cfg(feature = "zstd")]
        const STAND_IN: Codec = Codec::Zstd { level: 1 };
        #[cfg(not(feature = "zstd"))]
        const STAND_IN: Codec = Codec::Snappy;
        let size = match codec {
            Codec::None => values.len(),
            Codec::External { .. } => self.encoders.compress(STAND_IN, values, &mut self.body)?,
            codec => self.encoders.compress(codec, values, &mut self.body)?,
        };
        Ok(size as f64)
    }

    /// Compresses `page` (levels and values) and hands header and body to the sink.
    pub fn emit(&mut self, page: &[u8], facts: PageFacts, sink: &mut impl Sink) -> Result<PageSizes, Error> {
        let levels_bytes = facts.v2.map_or(0, |v2| v2.repetition_bytes + v2.definition_bytes);
        let (levels, plain) = page.split_at_checked(levels_bytes).ok_or(Error::View)?;
        // SPEC: version 2 can say of each page that it is not compressed. Nothing at all must not be: some decoders
        // fail on an empty input.
        let optional = facts.v2.is_some();
        let mut body = plain;
        if facts.codec != Codec::None && !(optional && plain.is_empty()) {
            let size = match facts.codec {
                codec @ Codec::External { .. } => sink.compress(facts.column, codec, plain, &mut self.body)?,
                codec => self.encoders.compress(codec, plain, &mut self.body)?,
            };
            if !(optional && size >= plain.len()) {
                body = self.body.get(..size).ok_or(Error::Codec { codec: facts.codec.id() })?;
            }
        }
        let compressed = !core::ptr::eq(body, plain);
        let sizes = (size(page.len())?, size(levels.len() + body.len())?);
        let crc = self.crc.as_ref().map(|crc| crc.of([levels, body]).cast_signed());
        self.header.clear();
        reserve(&mut self.header, 80 + levels.len())?;
        write_header(&mut self.header, facts, sizes, crc, compressed)?;
        let head = self.header.len();
        self.header.extend_from_slice(levels);
        let sizes = PageSizes {
            compressed_bytes: size(self.header.len() + body.len())?,
            uncompressed_bytes: head as u64 + page.len() as u64,
        };
        sink.page(facts.column, facts.kind, &self.header, body)?;
        Ok(sizes)
    }
}

fn write_header(
    out: &mut Vec<u8>,
    facts: PageFacts,
    (uncompressed, compressed): (i32, i32),
    crc: Option<i32>,
    is_compressed: bool,
) -> Result<(), Error> {
    let num_values = count(facts.num_values)?;
    let v2 = match facts.v2 {
        Some(v2) => {
            Some([count(v2.num_nulls)?, count(v2.num_rows)?, count(v2.definition_bytes)?, count(v2.repetition_bytes)?])
        }
        None => None,
    };
    thrift::structure(out, |header| {
        header.i32(1, page_type(facts.kind, facts.v2.is_some()));
        header.i32(2, uncompressed);
        header.i32(3, compressed);
        if let Some(crc) = crc {
            header.i32(4, crc);
        }
        match (facts.kind, v2) {
            (PageKind::Dictionary, _) => header.structure(7, |dictionary| {
                dictionary.i32(1, num_values);
                dictionary.i32(2, facts.encoding.id());
            }),
            (PageKind::Data, None) => header.structure(5, |data| {
                data.i32(1, num_values);
                data.i32(2, facts.encoding.id());
                // SPEC: both level encodings are named also where a level is absent.
                data.i32(3, Encoding::Rle.id());
                data.i32(4, Encoding::Rle.id());
            }),
            (PageKind::Data, Some([nulls, rows, definition, repetition])) => header.structure(8, |data| {
                data.i32(1, num_values);
                data.i32(2, nulls);
                data.i32(3, rows);
                data.i32(4, facts.encoding.id());
                // SPEC: here definition comes first, in the page repetition does.
                data.i32(5, definition);
                data.i32(6, repetition);
                data.bool(7, is_compressed);
            }),
        }
    });
    Ok(())
}

/// The format's `PageType` id.
pub(crate) fn page_type(kind: PageKind, v2: bool) -> i32 {
    match kind {
        PageKind::Data if v2 => 3,
        PageKind::Data => 0,
        PageKind::Dictionary => 2,
    }
}

/// Counts of a page are `i32` in the format.
fn count(number: usize) -> Result<i32, Error> {
    i32::try_from(number).map_err(|_| Error::Limit { what: Limit::PageValues, size: number as u64 })
}

/// Page sizes are `i32` in the format.
fn size(bytes: usize) -> Result<i32, Error> {
    i32::try_from(bytes).map_err(|_| Error::Limit { what: Limit::PageBytes, size: bytes as u64 })
}
