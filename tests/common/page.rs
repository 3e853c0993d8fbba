//! A page of a finished file: its header checked against its bytes.

use super::decode::{self, decompress};
use super::file::Chunk;
use super::thrift::{Struct, read};
use parquill::Encoding;

const RLE: i64 = 3;

/// A page as it lies in the file.
#[derive(Debug, Clone)]
pub struct Page {
    pub offset: usize,
    pub header_bytes: usize,
    pub header: Struct,
    pub body: Vec<u8>,
    /// The body before compression, levels of version 2 included.
    pub plain: Vec<u8>,
}

/// Parts of a data page before compression, without the lengths between them.
#[derive(Debug, Clone, Copy)]
pub struct Sections<'a> {
    pub repetition: &'a [u8],
    pub definition: &'a [u8],
    pub values: &'a [u8],
}

impl Page {
    pub const DATA: i64 = 0;
    pub const DICTIONARY: i64 = 2;
    pub const DATA_V2: i64 = 3;

    /// The page at `offset`; `codec` as in the footer.
    pub fn read(bytes: &[u8], offset: usize, codec: i64) -> Self {
        let (header, header_bytes) = read(&bytes[offset..]);
        let body = &bytes[offset + header_bytes..][..header.int(3) as usize];
        Self::new(offset, header, header_bytes, body, codec)
    }

    /// A page whose header has been read already.
    pub fn new(offset: usize, header: Struct, header_bytes: usize, body: &[u8], codec: i64) -> Self {
        let plain = match header.int(1) {
            Self::DATA_V2 => decompress_v2(&header, codec, body),
            _ => decompress(codec, body),
        };
        assert_eq!(header.int(2) as usize, plain.len(), "uncompressed_page_size");
        if header.has(4) {
            assert_eq!(header.int(4) as i32 as u32, decode::crc(body), "crc");
        }
        let page = Self { offset, header_bytes, body: body.to_vec(), plain, header };
        let inners: Vec<i64> = page.header.0.keys().copied().filter(|id| *id > 4).collect();
        assert_eq!(inners, [page.inner_id()], "the header of the kind that the page is of");
        match page.kind() {
            Self::DATA => {
                assert_eq!((page.inner().int(3), page.inner().int(4)), (RLE, RLE), "encodings of levels");
                assert!(!page.inner().has(5), "statistics in a page header");
            }
            Self::DATA_V2 => assert!(!page.inner().has(8), "statistics in a page header"),
            _ => assert_eq!(page.encoding(), Encoding::Plain, "a dictionary is PLAIN"),
        }
        assert!(page.num_values() > 0, "a page without values");
        page
    }

    pub fn kind(&self) -> i64 {
        self.header.int(1)
    }

    pub fn is_dictionary(&self) -> bool {
        self.kind() == Self::DICTIONARY
    }

    fn inner_id(&self) -> i64 {
        match self.kind() {
            Self::DATA => 5,
            Self::DICTIONARY => 7,
            Self::DATA_V2 => 8,
            other => panic!("a page of type {other}"),
        }
    }

    /// The part of the header that the kind of page has of its own.
    pub fn inner(&self) -> &Struct {
        self.header.structure(self.inner_id())
    }

    pub fn num_values(&self) -> usize {
        self.inner().int(1) as usize
    }

    pub fn encoding(&self) -> Encoding {
        let id = self.inner().int(if self.kind() == Self::DATA_V2 { 4 } else { 2 });
        Encoding::from_id(id as i32).unwrap()
    }

    /// Takes a data page of `chunk` apart.
    pub fn sections(&self, chunk: &Chunk) -> Sections<'_> {
        let mut rest = self.plain.as_slice();
        let mut take = |size: usize| {
            let (taken, after) = rest.split_at(size);
            rest = after;
            taken
        };
        let mut levels = |most: u32, field: i64| {
            if self.kind() == Self::DATA_V2 {
                let size = self.inner().int(field) as usize;
                assert_eq!(size > 0, most > 0, "levels where there can be none, or none where there are some");
                take(size)
            } else if most > 0 {
                let size = u32::from_le_bytes(take(4).try_into().unwrap());
                take(size as usize)
            } else {
                &[]
            }
        };
        // Definition has the smaller number in the header, but repetition lies first.
        let (repetition, definition) = (levels(chunk.max_repetition, 6), levels(chunk.max_definition, 5));
        Sections { repetition, definition, values: rest }
    }
}

/// Levels as they are, and values as the header says; never compressed without gain.
fn decompress_v2(header: &Struct, codec: i64, body: &[u8]) -> Vec<u8> {
    let inner = header.structure(8);
    let (levels, values) = body.split_at((inner.int(5) + inner.int(6)) as usize);
    if !inner.bool(7) {
        return body.to_vec();
    }
    assert_ne!(codec, 0, "compressed without a codec");
    let plain = decompress(codec, values);
    assert!(values.len() < plain.len(), "{} bytes compressed to {}", plain.len(), values.len());
    [levels, &plain].concat()
}
