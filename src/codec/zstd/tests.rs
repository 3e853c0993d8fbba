//! Pages of every nature through one encoder, read by the C library and by `ruzstd`.
//!
//! `PARQUILL_PAGES=100000 cargo test --release zstd` looks at so many per level; without it, at a few.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::io::Read;

use super::Zstd;
use crate::testing::{Random, rounds};

pub const LEVELS: std::ops::RangeInclusive<i8> = -5..=9;

/// What `ruzstd` reads.
fn by_ruzstd(mut frame: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(&mut frame).unwrap().read_to_end(&mut out).unwrap();
    assert!(frame.is_empty(), "bytes behind the frame");
    out
}

/// What the C library reads.
#[cfg(not(target_arch = "wasm32"))]
fn by_library(frame: &[u8], size: usize) -> Vec<u8> {
    assert_eq!(zstd_safe::find_frame_compressed_size(frame), Ok(frame.len()));
    assert_eq!(zstd_safe::get_frame_content_size(frame).unwrap(), Some(size as u64));
    let mut out = vec![0; size];
    assert_eq!(zstd_safe::decompress(&mut out[..], frame), Ok(size));
    out
}

/// Compresses `page` after whatever the encoder had before; the frame, once others have read it.
pub fn frame(encoder: &mut Zstd, page: &[u8], level: i8) -> Vec<u8> {
    let mut out = Vec::new();
    let size = encoder.compress(page, level, &mut out).unwrap();
    out.truncate(size);
    let shown = &page[..page.len().min(48)];
    assert!(by_ruzstd(&out) == page, "ruzstd, level {level}, {} bytes: {shown:02x?}", page.len());
    #[cfg(not(target_arch = "wasm32"))]
    assert!(by_library(&out, page.len()) == page, "C library, level {level}, {} bytes: {shown:02x?}", page.len());
    out
}

/// A number below 2^`bits`, small as often as large.
pub fn logarithmic(random: &mut Random, bits: usize) -> usize {
    let bits = random.below(bits);
    random.below(1 << bits)
}

/// Few sizes matter: nothing, headers, blocks of 128 KiB, a page of 1 MiB. Most others are small.
fn size(random: &mut Random) -> usize {
    const EDGES: [usize; 10] = [0, 1, 15, 255, 1023, 16_383, 65_791, 1 << 17, 1 << 18, 1 << 20];
    match random.below(1000) {
        0..80 => EDGES[random.below(7)] + random.below(3),
        80..84 => EDGES[7 + random.below(2)] - 1 + random.below(3),
        84 => EDGES[9] - random.below(2) * random.below(1 << 19),
        _ => 4 * logarithmic(random, 11),
    }
}

/// A page of one nature, or of several.
pub fn page(random: &mut Random) -> Vec<u8> {
    let size = size(random);
    let mut page = Vec::with_capacity(size);
    let whole = random.once_in(2);
    while page.len() < size {
        let left = size - page.len();
        let count = if whole { left } else { 1 + random.below(left) };
        append(random, &mut page, count);
    }
    page
}

fn append(random: &mut Random, page: &mut Vec<u8>, count: usize) {
    let end = page.len() + count;
    match random.below(9) {
        0 => page.extend(random.bytes(count)),
        1 => page.extend(std::iter::repeat_n(random.word() as u8, count)),
        // Few symbols, evenly or not.
        2 => {
            let symbols = 2 + random.below(30);
            let first = random.word() as u8;
            page.extend((0..count).map(|_| first.wrapping_add(random.below(symbols) as u8)));
        }
        3 => {
            let skew = 1 + random.below(8) as u32;
            page.extend((0..count).map(|_| (random.word().leading_zeros() * skew) as u8));
        }
        // A short unit again and again.
        4 => {
            let width = 1 + random.below(40);
            let unit = random.bytes(width);
            page.extend(unit.iter().cycle().take(count));
        }
        // Copies of what came before, near and far, with noise between.
        5 | 6 => {
            let farthest = [64, 5000, 1 << 20][random.below(3)];
            while page.len() < end {
                let noise = random.below(12);
                page.extend(random.bytes(noise));
                let offset = (1 + random.below(farthest)).min(page.len());
                for _ in 0..4 + logarithmic(random, 12) {
                    if let Some(at) = page.len().checked_sub(offset.max(1)) {
                        page.push(page[at]);
                    }
                }
                page.push(random.word() as u8);
            }
        }
        // Numbers: steps, noise, few values; whole ones and others.
        7 => {
            let width = [1, 2, 4, 8, 8, 12][random.below(6)];
            let (step, noise) = (random.below(1000) as u64, 1 + logarithmic(random, 20) as u64);
            let fraction = random.once_in(2);
            let start = random.word() >> random.below(60);
            for row in 0.. {
                if page.len() >= end {
                    break;
                }
                let value = start.wrapping_add(row * step).wrapping_add(random.word() % noise);
                let bits = if fraction { (value as f64 / 100.0).to_bits() } else { value };
                page.extend_from_slice(&u128::from(bits).to_le_bytes()[..width]);
            }
        }
        // Words, each behind its length.
        _ => {
            let words: Vec<Vec<u8>> = (0..2 + random.below(60))
                .map(|_| {
                    let letters = 1 + random.below(12);
                    (0..letters).map(|_| b'a' + random.below(26) as u8).collect()
                })
                .collect();
            while page.len() < end {
                let word = &words[random.below(words.len())];
                page.extend_from_slice(&(word.len() as u32).to_le_bytes());
                page.extend_from_slice(word);
            }
        }
    }
    page.truncate(end);
}

#[test]
fn pages_of_every_nature_come_back() {
    let pages: u64 = std::env::var("PARQUILL_PAGES").map_or(1000, |pages| pages.parse().unwrap());
    // One encoder for all levels: what one leaves behind must not mislead the next.
    let mut encoder = Zstd::default();
    let mut bytes = 0;
    rounds(pages, |random| {
        let page = page(random);
        bytes += page.len();
        for level in LEVELS {
            frame(&mut encoder, &page, level);
        }
    });
    println!("{pages} pages of {bytes} bytes, each at {} levels", LEVELS.count());
}

#[test]
fn pages_of_one_level_follow_each_other() {
    for level in LEVELS {
        let mut encoder = Zstd::default();
        rounds(60, |random| {
            let page = page(random);
            frame(&mut encoder, &page, level);
        });
    }
}

#[test]
fn positions_that_no_longer_fit_start_again() {
    let mut random = Random::new(7);
    let page = random.bytes(5000).repeat(3);
    for level in LEVELS {
        let mut encoder = Zstd::default();
        let first = frame(&mut encoder, &page, level);
        encoder.base = u32::MAX - 16 - page.len() as u32;
        let last = frame(&mut encoder, &page, level);
        assert!(encoder.base < 20_000, "not started again");
        assert!(first == last, "another start, another frame");
    }
}

#[test]
fn equal_pages_make_equal_frames() {
    // Whatever the encoder saw before: files do not depend on it.
    rounds(40, |random| {
        let (page, other) = (page(random), page(random));
        for level in LEVELS {
            let mut encoder = Zstd::default();
            let alone = frame(&mut encoder, &page, level);
            frame(&mut encoder, &other, level);
            assert!(frame(&mut encoder, &page, level) == alone, "level {level}");
        }
    });
}
