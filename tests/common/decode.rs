//! Pages back to values, with independent decompressors and without haste.

use std::io::Read;

use super::file::{Chunk, PLAIN, Page};
use super::testing::hybrid_values;

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
    let dictionary = dictionary.map_or(Vec::new(), |page| plain(chunk, &page.plain, page.num_values()));
    chunk.data_pages().map(|page| page_entries(chunk, page, &dictionary)).collect()
}

fn page_entries(chunk: &Chunk, page: &Page, dictionary: &[Vec<u8>]) -> Vec<Entry> {
    let count = page.num_values();
    let mut body = page.plain.as_slice();
    let mut levels = |most: u32| {
        if most == 0 {
            return vec![0; count];
        }
        let (size, rest) = body.split_at(4);
        let (levels, rest) = rest.split_at(u32::from_le_bytes(size.try_into().unwrap()) as usize);
        body = rest;
        hybrid_values(levels, most.ilog2() as usize + 1, count)
    };
    let repetition = levels(chunk.max_repetition);
    let definition = levels(chunk.max_definition);
    let present = definition.iter().filter(|level| **level == chunk.max_definition).count();
    let values = match page.encoding() {
        PLAIN => plain(chunk, body, present),
        _ => {
            let codes = hybrid_values(&body[1..], usize::from(body[0]), present);
            codes.into_iter().map(|code| dictionary[code as usize].clone()).collect()
        }
    };
    let mut values = values.into_iter();
    let entry = |(repetition, definition)| {
        let value = if definition == chunk.max_definition { values.next() } else { None };
        Entry { repetition, definition, value }
    };
    repetition.into_iter().zip(definition).map(entry).collect()
}

/// `count` values in PLAIN form, which must be all there is. Booleans become one byte each.
fn plain(chunk: &Chunk, body: &[u8], count: usize) -> Vec<Vec<u8>> {
    let width = match chunk.physical {
        0 => {
            assert_eq!(body.len(), count.div_ceil(8));
            let bit = |index: usize| body[index / 8] >> (index % 8) & 1;
            assert!((count..body.len() * 8).all(|past| bit(past) == 0), "padding");
            return (0..count).map(|index| vec![bit(index)]).collect();
        }
        6 => {
            let mut rest = body;
            let values = (0..count).map(|_| {
                let (size, after) = rest.split_at(4);
                let (value, after) = after.split_at(u32::from_le_bytes(size.try_into().unwrap()) as usize);
                rest = after;
                value.to_vec()
            });
            let values = values.collect();
            assert!(rest.is_empty(), "bytes behind the last value");
            return values;
        }
        1 | 4 => 4,
        2 | 5 => 8,
        3 => 12,
        _ => chunk.type_length,
    };
    assert_eq!(body.len(), count * width);
    body.chunks_exact(width).map(<[u8]>::to_vec).collect()
}
