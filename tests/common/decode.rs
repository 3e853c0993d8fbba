//! Pages back to entries, with independent decompressors and without haste.

use std::io::Read;

use super::file::{Chunk, Page};
use super::lz4;
use super::testing::hybrid_values;
use super::values::{plain, values};

/// The bytes before compression; `codec` as in the footer.
pub fn decompress(codec: i64, body: &[u8]) -> Vec<u8> {
    match codec {
        0 => body.to_vec(),
        1 => snap::raw::Decoder::new().decompress_vec(body).unwrap(),
        6 => {
            let mut frame = body;
            let mut out = Vec::new();
            ruzstd::decoding::StreamingDecoder::new(&mut frame).unwrap().read_to_end(&mut out).unwrap();
            assert!(frame.is_empty(), "bytes behind the frame");
            out
        }
        7 => lz4::decompress(body),
        other => panic!("codec {other}"),
    }
}

/// CRC-32 bit by bit.
pub fn crc(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

/// A value, a null or an empty list, with its levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub repetition: u32,
    pub definition: u32,
    pub value: Option<Vec<u8>>,
}

/// Entries of each data page.
pub fn entries(chunk: &Chunk) -> Vec<Vec<Entry>> {
    let dictionary = chunk.pages.iter().find(|page| page.is_dictionary());
    let dictionary = dictionary.map_or(Vec::new(), |page| plain(chunk.kind, &page.plain, page.num_values()));
    chunk.data_pages().map(|page| page_entries(chunk, page, &dictionary)).collect()
}

fn page_entries(chunk: &Chunk, page: &Page, dictionary: &[Vec<u8>]) -> Vec<Entry> {
    let count = page.num_values();
    let sections = page.sections(chunk);
    let levels = |most: u32, runs: &[u8]| {
        if most == 0 { vec![0; count] } else { hybrid_values(runs, most.ilog2() as usize + 1, count) }
    };
    let repetition = levels(chunk.max_repetition, sections.repetition);
    let definition = levels(chunk.max_definition, sections.definition);
    let present = definition.iter().filter(|level| **level == chunk.max_definition).count();
    let mut values = values(chunk.kind, page.encoding(), sections.values, present, dictionary).into_iter();
    let entry = |(repetition, definition)| {
        let value = if definition == chunk.max_definition { values.next() } else { None };
        Entry { repetition, definition, value }
    };
    repetition.into_iter().zip(definition).map(entry).collect()
}
