//! What a chunk says of itself, counted again from its entries.

use super::bloom::{self, Filter};
use super::bounds;
use super::decode::Entry;
use super::file::{Chunk, Page};
use parquill::Encoding;

fn nulls(entries: &[Entry]) -> i64 {
    entries.iter().filter(|entry| entry.value.is_none()).count() as i64
}

fn rows(entries: &[Entry]) -> i64 {
    entries.iter().filter(|entry| entry.repetition == 0).count() as i64
}

fn value_bytes(entries: &[Entry]) -> i64 {
    entries.iter().flat_map(|entry| &entry.value).map(|value| value.len() as i64).sum()
}

/// Pages and metadata of a chunk in a row group of `expected_rows` rows.
pub fn chunk(chunk: &Chunk, expected_rows: i64) {
    let Chunk { meta, pages, .. } = chunk;
    let uncompressed: usize = pages.iter().map(|page| page.header_bytes + page.plain.len()).sum();
    assert_eq!(meta.int(6) as usize, uncompressed, "total_uncompressed_size");
    let dictionaries = pages.iter().filter(|page| page.is_dictionary()).count();
    assert_eq!(dictionaries, usize::from(meta.has(11)), "dictionary pages");
    assert!(dictionaries == 0 || pages[0].is_dictionary(), "the dictionary comes first");
    assert_eq!(meta.int(9) as usize, pages[dictionaries].offset, "data_page_offset");
    assert_eq!(chunk.data_pages().map(Page::num_values).sum::<usize>() as i64, meta.int(5), "num_values");
    assert_eq!(chunk.entries.iter().map(|page| rows(page)).sum::<i64>(), expected_rows, "rows");
    assert!(!meta.has(10), "an index page");
    let version = pages[dictionaries].kind();
    for (page, entries) in chunk.data_pages().zip(&chunk.entries) {
        assert_eq!(page.kind(), version, "one version of data pages");
        if version == Page::DATA_V2 {
            let expected = [entries.len() as i64, nulls(entries), rows(entries)];
            assert_eq!([1, 2, 3].map(|id| page.inner().int(id)), expected, "num_values, num_nulls, num_rows");
        }
    }
    encodings(chunk, version);
    if meta.has(12) {
        let sum: i64 = chunk.entries.iter().map(|page| nulls(page)).sum();
        assert_eq!(meta.structure(12).int(3), sum, "null_count");
    }
    bounds::of_chunk(chunk);
}

/// `encoding_stats` and `encodings`: what the pages are, and what levels and dictionary need beside them.
fn encodings(chunk: &Chunk, version: i64) {
    let count = |kind: i64, encoding: Encoding| {
        chunk.pages.iter().filter(|page| page.kind() == kind && page.encoding() == encoding).count() as i64
    };
    let data = Encoding::ALL.map(|encoding| (version, encoding));
    let expected: Vec<[i64; 3]> = [(Page::DICTIONARY, Encoding::Plain)]
        .into_iter()
        .chain(data)
        .map(|(kind, encoding)| [kind, i64::from(encoding.id()), count(kind, encoding)])
        .filter(|[_, _, count]| *count > 0)
        .collect();
    let stats: Vec<[i64; 3]> = chunk.meta.structures(13).iter().map(|stat| [1, 2, 3].map(|id| stat.int(id))).collect();
    assert_eq!(stats, expected, "encoding_stats");
    let mut encodings: Vec<i64> = expected.iter().map(|[_, encoding, _]| *encoding).collect();
    encodings.extend((chunk.max_definition + chunk.max_repetition > 0).then_some(i64::from(Encoding::Rle.id())));
    encodings.sort_unstable();
    encodings.dedup();
    assert_eq!(chunk.meta.ints(2), encodings, "encodings");
}

/// Offset index, column index and size statistics.
pub fn indexes(chunk: &Chunk) {
    let pages = &chunk.entries;
    let mut row = 0;
    let locations = chunk.offset_index.structures(1);
    assert_eq!(locations.len(), pages.len());
    for ((location, page), entries) in locations.iter().zip(chunk.data_pages()).zip(pages) {
        assert_eq!(entries[0].repetition, 0, "a page in the middle of a row");
        let expected = [page.offset as i64, (page.header_bytes + page.body.len()) as i64, row];
        assert_eq!([1, 2, 3].map(|id| location.int(id)), expected, "page location");
        row += rows(entries);
    }
    if chunk.offset_index.has(2) {
        let expected: Vec<i64> = pages.iter().map(|page| value_bytes(page)).collect();
        assert_eq!(chunk.offset_index.ints(2), expected, "bytes of the values of each page");
        assert_eq!(chunk.meta.structure(16).int(1), expected.iter().sum::<i64>(), "bytes of all values");
    }
    let Some(index) = &chunk.column_index else { return };
    for (at, entries) in pages.iter().enumerate() {
        let null_page = nulls(entries) == entries.len() as i64;
        assert_eq!(index.bools(1)[at], null_page, "null page");
        assert_eq!(index.ints(5)[at], nulls(entries), "null count");
        assert!(!null_page || (index.binaries(2)[at].is_empty() && index.binaries(3)[at].is_empty()));
    }
    assert_eq!([1, 2, 3, 5].map(|id| index.list(id).len()), [pages.len(); 4]);
    bounds::of_pages(chunk, index);
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

/// Every value is in the filter, and nothing else.
pub fn bloom(chunk: &Chunk) {
    let Some(filter) = &chunk.bloom else { return };
    let values = chunk.entries.iter().flatten().flat_map(|entry| &entry.value);
    let values: Vec<Vec<u8>> = values.flat_map(|value| bloom::equals(chunk.kind.physical, value)).collect();
    assert!(values.iter().all(|value| filter.holds(value)), "a value that the Bloom filter does not know");
    let expected = Filter::of(filter.0.len(), values.iter().map(Vec::as_slice));
    assert!(*filter == expected, "bits of values that are not there");
}
