//! A finished file taken apart, and everything it says of itself checked against its bytes.

use super::bloom::Filter;
use super::check;
use super::decode::{self, Entry};
pub use super::page::Page;
use super::thrift::{Struct, read};
use super::values::Kind;

/// A column chunk with its pages.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub kind: Kind,
    /// The leaf's element of the schema.
    pub element: Struct,
    pub max_definition: u32,
    pub max_repetition: u32,
    pub chunk: Struct,
    pub meta: Struct,
    pub pages: Vec<Page>,
    pub offset_index: Struct,
    pub column_index: Option<Struct>,
    pub bloom: Option<Filter>,
    /// Entries of each data page.
    pub entries: Vec<Vec<Entry>>,
}

impl Chunk {
    pub fn data_pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| !page.is_dictionary())
    }

    /// All values of a flat column in order, `None` for nulls.
    pub fn values(&self) -> Vec<Option<Vec<u8>>> {
        self.entries.iter().flatten().map(|entry| entry.value.clone()).collect()
    }

    /// The same with levels.
    pub fn entries(&self) -> Vec<Entry> {
        self.entries.concat()
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
    let mut chunks: Vec<Chunk> = group
        .structures(1)
        .into_iter()
        .zip(leaves)
        .map(|(chunk, leaf)| column_chunk(bytes, chunk, *leaf, group.int(3), next))
        .collect();
    assert_eq!(chunks.len(), leaves.len());
    // Filters lie behind the pages of their row group.
    for chunk in &mut chunks {
        assert_eq!(chunk.meta.has(14), chunk.meta.has(15), "offset and length of the Bloom filter");
        if chunk.meta.has(14) {
            assert_eq!(chunk.meta.int(14) as usize, *next, "Bloom filter");
            *next += chunk.meta.int(15) as usize;
            chunk.bloom = Some(Filter::read(&bytes[chunk.meta.int(14) as usize..*next]));
        }
        check::bloom(chunk);
    }
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
    let mut found = Chunk {
        element: leaf.clone(),
        kind: Kind { physical: leaf.int(1), type_length: if leaf.has(2) { leaf.int(2) as usize } else { 0 } },
        max_definition,
        max_repetition,
        chunk: chunk.clone(),
        pages,
        offset_index: index(4),
        column_index,
        bloom: None,
        entries: Vec::new(),
        meta,
    };
    found.entries = decode::entries(&found);
    check::chunk(&found, rows);
    check::indexes(&found);
    found
}
