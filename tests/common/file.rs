//! A finished file taken apart, and everything it says of itself checked against its bytes.

use super::bloom::{self, Filter};
use super::bounds;
use super::decode::{self, Entry};
pub use super::page::Page;
use super::thrift::{Struct, read};
use super::values::Kind;
use parquill::Encoding;

/// A column chunk with its pages.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub kind: Kind,
    pub max_definition: u32,
    pub max_repetition: u32,
    pub chunk: Struct,
    pub meta: Struct,
    pub pages: Vec<Page>,
    pub offset_index: Struct,
    pub column_index: Option<Struct>,
    pub bloom: Option<Filter>,
}

impl Chunk {
    pub fn data_pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| !page.is_dictionary())
    }

    /// All values of a flat column in order, `None` for nulls.
    pub fn values(&self) -> Vec<Option<Vec<u8>>> {
        decode::entries(self).into_iter().flatten().map(|entry| entry.value).collect()
    }

    /// The same with levels.
    pub fn entries(&self) -> Vec<Entry> {
        decode::entries(self).concat()
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
        let mut leaves = Vec::new();
        let mut elements = footer.structures(2).into_iter();
        leaves_below(elements.next().unwrap(), [0, 0], &mut elements, &mut leaves);
        assert!(elements.next().is_none(), "elements outside of the tree");
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

/// A leaf's element, with its highest definition and repetition level.
type Leaf<'a> = (&'a Struct, [u32; 2]);

fn leaves_below<'a>(
    group: &'a Struct,
    levels: [u32; 2],
    elements: &mut impl Iterator<Item = &'a Struct>,
    leaves: &mut Vec<Leaf<'a>>,
) {
    for _ in 0..group.int(5) {
        let element = elements.next().unwrap();
        let [definition, repetition] = levels;
        let levels = match element.int(3) {
            0 => levels,
            1 => [definition + 1, repetition],
            _ => [definition + 1, repetition + 1],
        };
        if element.has(1) {
            leaves.push((element, levels));
        } else {
            leaves_below(element, levels, elements, leaves);
        }
    }
}

fn index_at(chunk: &Chunk, field: i64) -> (usize, usize) {
    (chunk.chunk.int(field) as usize, chunk.chunk.int(field + 1) as usize)
}

fn row_group(bytes: &[u8], group: &Struct, leaves: &[Leaf<'_>], next: &mut usize) -> Vec<Chunk> {
    assert_eq!(group.int(5) as usize, *next, "file_offset of the row group");
    let chunks: Vec<Chunk> = group
        .structures(1)
        .into_iter()
        .zip(leaves)
        .map(|(chunk, leaf)| column_chunk(bytes, chunk, *leaf, group.int(3), next))
        .collect();
    assert_eq!(chunks.len(), leaves.len());
    for (field, of_chunk) in [(2, 6), (6, 7)] {
        assert_eq!(group.int(field), chunks.iter().map(|chunk| chunk.meta.int(of_chunk)).sum::<i64>());
    }
    chunks
}

fn column_chunk(bytes: &[u8], chunk: &Struct, leaf: Leaf<'_>, rows: i64, next: &mut usize) -> Chunk {
    let (leaf, [max_definition, max_repetition]) = leaf;
    let meta = chunk.structure(3).clone();
    assert_eq!((chunk.int(2), meta.int(1)), (0, leaf.int(1)), "file_offset and type");
    let start = if meta.has(11) { meta.int(11) } else { meta.int(9) } as usize;
    assert_eq!(start, *next, "first page");
    *next += meta.int(7) as usize;
    let mut pages = Vec::new();
    let mut at = start;
    while at < *next {
        let page = Page::read(bytes, at, meta.int(4));
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
        kind: Kind { physical: leaf.int(1), type_length: if leaf.has(2) { leaf.int(2) as usize } else { 0 } },
        max_definition,
        max_repetition,
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

fn check_chunk(chunk: &Chunk, rows: i64) {
    let Chunk { meta, pages, .. } = chunk;
    let uncompressed: usize = pages.iter().map(|page| page.header_bytes + page.plain.len()).sum();
    assert_eq!(meta.int(6) as usize, uncompressed, "total_uncompressed_size");
    let dictionaries = pages.iter().filter(|page| page.is_dictionary()).count();
    assert_eq!(dictionaries, usize::from(meta.has(11)), "dictionary pages");
    assert!(dictionaries == 0 || pages[0].is_dictionary(), "the dictionary comes first");
    assert_eq!(meta.int(9) as usize, pages[dictionaries].offset, "data_page_offset");
    assert_eq!(chunk.data_pages().map(Page::num_values).sum::<usize>() as i64, meta.int(5), "num_values");
    let starts = chunk.entries().iter().filter(|entry| entry.repetition == 0).count();
    assert_eq!(starts as i64, rows, "rows");

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
    encodings.extend((chunk.max_definition + chunk.max_repetition > 0).then_some(RLE));
    encodings.sort_unstable();
    encodings.dedup();
    assert_eq!(meta.ints(2), encodings, "encodings");
}

fn check_indexes(chunk: &Chunk) {
    let pages = decode::entries(chunk);
    let mut row = 0;
    let locations = chunk.offset_index.structures(1);
    assert_eq!(locations.len(), pages.len());
    for ((location, page), entries) in locations.iter().zip(chunk.data_pages()).zip(&pages) {
        assert_eq!(entries[0].repetition, 0, "a page in the middle of a row");
        let expected = [page.offset, page.header_bytes + page.body.len(), row].map(|number| number as i64);
        assert_eq!([1, 2, 3].map(|id| location.int(id)), expected, "page location");
        row += entries.iter().filter(|entry| entry.repetition == 0).count();
    }
    let nulls = |entries: &[Entry]| entries.iter().filter(|entry| entry.value.is_none()).count() as i64;
    if chunk.meta.has(12) {
        assert_eq!(chunk.meta.structure(12).int(3), pages.iter().map(|page| nulls(page)).sum::<i64>(), "null_count");
    }
    let Some(index) = &chunk.column_index else { return };
    for (at, entries) in pages.iter().enumerate() {
        let null_page = nulls(entries) == entries.len() as i64;
        assert_eq!(index.bools(1)[at], null_page, "null page");
        assert_eq!(index.ints(5)[at], nulls(entries), "null count");
        assert!(!null_page || (index.binaries(2)[at].is_empty() && index.binaries(3)[at].is_empty()));
    }
    assert_eq!([1, 2, 3, 5].map(|id| index.list(id).len()), [pages.len(); 4]);
    let histograms = [
        (chunk.max_repetition, 1, 6, 2, (|entry| entry.repetition) as fn(&Entry) -> u32),
        (chunk.max_definition, 2, 7, 3, |entry| entry.definition),
    ];
    for (most, least, of_pages, of_chunk, level) in histograms {
        assert_eq!(index.has(of_pages), most >= least);
        if most < least {
            continue;
        }
        let count = |entries: &[Entry], wanted| entries.iter().filter(|entry| level(entry) == wanted).count() as i64;
        let expected: Vec<i64> = pages.iter().flat_map(|page| (0..=most).map(|wanted| count(page, wanted))).collect();
        assert_eq!(index.ints(of_pages), expected, "histograms of pages");
        let all = pages.concat();
        let expected: Vec<i64> = (0..=most).map(|wanted| count(&all, wanted)).collect();
        assert_eq!(chunk.meta.structure(16).ints(of_chunk), expected, "histogram of the chunk");
    }
}
