//! A finished file taken apart, and everything it says of itself checked against its bytes.

use super::decode::{self, decompress};
use super::thrift::{Struct, read};

pub const PLAIN: i64 = 0;
pub const RLE: i64 = 3;
pub const RLE_DICTIONARY: i64 = 8;
const DATA_PAGE: i64 = 0;
const DICTIONARY_PAGE: i64 = 2;

/// A page as it lies in the file.
#[derive(Debug, Clone)]
pub struct Page {
    pub offset: usize,
    pub header_bytes: usize,
    pub header: Struct,
    pub body: Vec<u8>,
    /// The body before compression.
    pub plain: Vec<u8>,
}

impl Page {
    pub fn is_dictionary(&self) -> bool {
        self.header.int(1) == DICTIONARY_PAGE
    }

    fn inner(&self) -> &Struct {
        self.header.structure(if self.is_dictionary() { 7 } else { 5 })
    }

    pub fn num_values(&self) -> usize {
        self.inner().int(1) as usize
    }

    pub fn encoding(&self) -> i64 {
        self.inner().int(2)
    }
}

/// A column chunk with its pages.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub physical: i64,
    pub type_length: usize,
    pub nullable: bool,
    pub chunk: Struct,
    pub meta: Struct,
    pub pages: Vec<Page>,
    pub offset_index: Struct,
    pub column_index: Option<Struct>,
}

impl Chunk {
    pub fn data_pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| !page.is_dictionary())
    }

    /// All values in order, `None` for nulls.
    pub fn values(&self) -> Vec<Option<Vec<u8>>> {
        decode::values(self)
    }
}

/// A file with its footer.
#[derive(Debug)]
pub struct File {
    pub footer: Struct,
    /// Chunks by row group, then column.
    pub row_groups: Vec<Vec<Chunk>>,
}

impl File {
    /// Takes `bytes` apart; panics where the file contradicts itself.
    pub fn parse(bytes: &[u8]) -> Self {
        let end = bytes.len() - 8;
        assert_eq!((&bytes[..4], &bytes[end + 4..]), (b"PAR1".as_slice(), b"PAR1".as_slice()));
        let length = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap()) as usize;
        let (footer, taken) = read(&bytes[end - length..end]);
        assert_eq!(taken, length, "bytes behind FileMetaData");
        // Each byte of the file belongs to something: this is where the next thing must begin.
        let mut next = 4;
        let leaves: Vec<&Struct> = footer.structures(2).into_iter().filter(|element| element.has(1)).collect();
        let groups = footer.structures(4);
        let row_groups: Vec<Vec<Chunk>> =
            groups.iter().map(|group| row_group(bytes, group, &leaves, &mut next)).collect();
        let chunks = || row_groups.iter().flatten();
        for (offset, length) in chunks().filter(|chunk| chunk.column_index.is_some()).map(|chunk| index_at(chunk, 6)) {
            assert_eq!(offset, next, "column index");
            next += length;
        }
        for (offset, length) in chunks().map(|chunk| index_at(chunk, 4)) {
            assert_eq!(offset, next, "offset index");
            next += length;
        }
        assert_eq!(next, end - length, "footer");
        let rows: i64 = groups.iter().map(|group| group.int(3)).sum();
        assert_eq!((footer.int(1), footer.int(3)), (1, rows));
        assert_eq!(footer.list(7).len(), leaves.len(), "column orders");
        Self { footer, row_groups }
    }
}

fn index_at(chunk: &Chunk, field: i64) -> (usize, usize) {
    (chunk.chunk.int(field) as usize, chunk.chunk.int(field + 1) as usize)
}

fn row_group(bytes: &[u8], group: &Struct, leaves: &[&Struct], next: &mut usize) -> Vec<Chunk> {
    assert_eq!(group.int(5) as usize, *next, "file_offset of the row group");
    let chunks: Vec<Chunk> = group
        .structures(1)
        .into_iter()
        .zip(leaves)
        .map(|(chunk, leaf)| column_chunk(bytes, chunk, leaf, group.int(3), next))
        .collect();
    assert_eq!(chunks.len(), leaves.len());
    for (field, of_chunk) in [(2, 6), (6, 7)] {
        assert_eq!(group.int(field), chunks.iter().map(|chunk| chunk.meta.int(of_chunk)).sum::<i64>());
    }
    chunks
}

fn column_chunk(bytes: &[u8], chunk: &Struct, leaf: &Struct, rows: i64, next: &mut usize) -> Chunk {
    let meta = chunk.structure(3).clone();
    assert_eq!((chunk.int(2), meta.int(1)), (0, leaf.int(1)), "file_offset and type");
    let start = if meta.has(11) { meta.int(11) } else { meta.int(9) } as usize;
    assert_eq!(start, *next, "first page");
    *next += meta.int(7) as usize;
    let mut pages = Vec::new();
    let mut at = start;
    while at < *next {
        let page = page(bytes, at, meta.int(4));
        at += page.header_bytes + page.body.len();
        pages.push(page);
    }
    assert_eq!(at, *next, "total_compressed_size");
    let index = |field: i64| {
        let (offset, length) = (chunk.int(field) as usize, chunk.int(field + 1) as usize);
        let (index, taken) = read(&bytes[offset..offset + length]);
        assert_eq!(taken, length);
        index
    };
    let column_index = chunk.has(6).then(|| index(6));
    let found = Chunk {
        physical: leaf.int(1),
        type_length: if leaf.has(2) { leaf.int(2) as usize } else { 0 },
        nullable: leaf.int(3) == 1,
        chunk: chunk.clone(),
        pages,
        offset_index: index(4),
        column_index,
        meta,
    };
    check_chunk(&found, rows);
    check_indexes(&found);
    found
}

fn page(bytes: &[u8], offset: usize, codec: i64) -> Page {
    let (header, header_bytes) = read(&bytes[offset..]);
    let body = &bytes[offset + header_bytes..][..header.int(3) as usize];
    let plain = decompress(codec, body);
    assert_eq!(header.int(2) as usize, plain.len(), "uncompressed_page_size");
    if header.has(4) {
        assert_eq!(header.int(4) as i32 as u32, decode::crc(body), "crc");
    }
    if header.int(1) == DATA_PAGE {
        let levels = header.structure(5);
        assert_eq!((levels.int(3), levels.int(4)), (RLE, RLE), "encodings of levels");
        assert!(levels.int(1) > 0, "a page without rows");
    }
    Page { offset, header_bytes, body: body.to_vec(), plain, header }
}

fn check_chunk(chunk: &Chunk, rows: i64) {
    let Chunk { meta, pages, .. } = chunk;
    let uncompressed: usize = pages.iter().map(|page| page.header_bytes + page.plain.len()).sum();
    assert_eq!(meta.int(6) as usize, uncompressed, "total_uncompressed_size");
    let dictionaries = pages.iter().filter(|page| page.is_dictionary()).count();
    assert_eq!(dictionaries, usize::from(meta.has(11)), "dictionary pages");
    assert!(dictionaries == 0 || pages[0].is_dictionary(), "the dictionary comes first");
    assert_eq!(meta.int(9) as usize, pages[dictionaries].offset, "data_page_offset");
    assert_eq!(meta.int(5), rows, "num_values");
    assert_eq!(chunk.data_pages().map(Page::num_values).sum::<usize>() as i64, rows);

    let count = |dictionary: bool, encoding: i64| {
        pages.iter().filter(|page| page.is_dictionary() == dictionary && page.encoding() == encoding).count() as i64
    };
    let expected: Vec<[i64; 3]> = [(true, PLAIN), (false, PLAIN), (false, RLE_DICTIONARY)]
        .into_iter()
        .map(|(dictionary, encoding)| [if dictionary { 2 } else { 0 }, encoding, count(dictionary, encoding)])
        .filter(|[_, _, count]| *count > 0)
        .collect();
    let stats: Vec<[i64; 3]> = meta.structures(13).iter().map(|stat| [1, 2, 3].map(|id| stat.int(id))).collect();
    assert_eq!(stats, expected, "encoding_stats");
    let mut encodings: Vec<i64> = expected.iter().map(|[_, encoding, _]| *encoding).collect();
    encodings.extend(chunk.nullable.then_some(RLE));
    encodings.sort_unstable();
    encodings.dedup();
    assert_eq!(meta.ints(2), encodings, "encodings");
}

fn check_indexes(chunk: &Chunk) {
    let mut row = 0;
    let locations = chunk.offset_index.structures(1);
    assert_eq!(locations.len(), chunk.data_pages().count());
    for (location, page) in locations.iter().zip(chunk.data_pages()) {
        let expected = [page.offset, page.header_bytes + page.body.len(), row].map(|number| number as i64);
        assert_eq!([1, 2, 3].map(|id| location.int(id)), expected, "page location");
        row += page.num_values();
    }
    let Some(index) = &chunk.column_index else { return };
    let values = chunk.values();
    let mut rest = values.as_slice();
    for (at, page) in chunk.data_pages().enumerate() {
        let (rows, after) = rest.split_at(page.num_values());
        rest = after;
        let nulls = rows.iter().filter(|value| value.is_none()).count();
        assert_eq!(index.bools(1)[at], nulls == rows.len(), "null page");
        assert_eq!(index.ints(5)[at] as usize, nulls, "null count");
        assert!(nulls < rows.len() || (index.binaries(2)[at].is_empty() && index.binaries(3)[at].is_empty()));
    }
    assert_eq!([1, 2, 3, 5].map(|id| index.list(id).len()), [locations.len(); 4]);
}
