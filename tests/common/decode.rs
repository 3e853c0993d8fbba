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

/// All values of a flat chunk, `None` for nulls.
pub fn values(chunk: &Chunk) -> Vec<Option<Vec<u8>>> {
    let dictionary = chunk.pages.iter().find(|page| page.is_dictionary());
    let entries = dictionary.map_or(Vec::new(), |page| plain(chunk, &page.plain, page.num_values()));
    chunk.data_pages().flat_map(|page| page_values(chunk, page, &entries)).collect()
}

fn page_values(chunk: &Chunk, page: &Page, entries: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let rows = page.num_values();
    let mut body = page.plain.as_slice();
    let mut present = vec![1; rows];
    if chunk.nullable {
        let (size, rest) = body.split_at(4);
        let (levels, rest) = rest.split_at(u32::from_le_bytes(size.try_into().unwrap()) as usize);
        present = hybrid_values(levels, 1, rows);
        body = rest;
    }
    let count = present.iter().filter(|level| **level == 1).count();
    let values = match page.encoding() {
        PLAIN => plain(chunk, body, count),
        _ => {
            let codes = hybrid_values(&body[1..], usize::from(body[0]), count);
            codes.into_iter().map(|code| entries[code as usize].clone()).collect()
        }
    };
    let mut values = values.into_iter();
    present.into_iter().map(|level| if level == 1 { values.next() } else { None }).collect()
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
