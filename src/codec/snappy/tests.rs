#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::Snappy;
use crate::testing::{Random, rounds};

/// What `bytes` stand for, by the text of the format.
fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut at = 0;
    let mut byte = || {
        at += 1;
        usize::from(bytes[at - 1])
    };
    let (mut length, mut shift) = (0, 0);
    loop {
        let next = byte();
        length |= (next & 0x7f) << shift;
        shift += 7;
        if next < 0x80 {
            break;
        }
    }
    let mut out = Vec::new();
    while out.len() < length {
        let tag = byte();
        let number =
            |count: usize, byte: &mut dyn FnMut() -> usize| (0..count).map(|at| byte() << (8 * at)).sum::<usize>();
        let (offset, count) = match tag & 3 {
            0 => {
                let count = if tag >> 2 < 60 { tag >> 2 } else { number((tag >> 2) - 59, &mut byte) } + 1;
                (0..count).for_each(|_| out.push(byte() as u8));
                continue;
            }
            1 => ((tag >> 5) << 8 | byte(), (tag >> 2 & 7) + 4),
            2 => (number(2, &mut byte), (tag >> 2) + 1),
            _ => (number(4, &mut byte), (tag >> 2) + 1),
        };
        (0..count).for_each(|_| out.push(out[out.len() - offset]));
    }
    assert_eq!((at, out.len()), (bytes.len(), length));
    out
}

fn check(page: &[u8], snappy: &mut Snappy, out: &mut Vec<u8>) -> usize {
    let size = snappy.compress(page, out).unwrap();
    assert!(decoded(&out[..size]) == page, "{} bytes", page.len());
    size
}

#[test]
fn short_pages() {
    let (mut snappy, mut out) = (Snappy::default(), Vec::new());
    assert_eq!(check(b"", &mut snappy, &mut out), 1);
    for length in 1..300 {
        check(&vec![7; length], &mut snappy, &mut out);
        check(&Random::new(length as u64).bytes(length), &mut snappy, &mut out);
    }
}

#[test]
fn every_form_of_tag() {
    let (mut snappy, mut out) = (Snappy::default(), Vec::new());
    let noise = Random::new(1).bytes(70_000);
    // A length, two literals with their length in the tag, one copy of each of the two forms.
    assert_eq!(check(&[&noise[..20], &noise[..11]].concat(), &mut snappy, &mut out), 1 + 1 + 20 + 2);
    assert_eq!(out[22..24], [7 << 2 | 1, 20]);
    assert_eq!(check(&[&noise[..20], &noise[..12]].concat(), &mut snappy, &mut out), 1 + 1 + 20 + 3);
    assert_eq!(out[22..25], [11 << 2 | 2, 20, 0]);
    for literals in [60, 61, 256, 257, 65_536, 65_537, 70_000] {
        check(&noise[..literals], &mut snappy, &mut out);
    }
    for copied in [64, 65, 66, 67, 68, 69, 127, 128, 132, 133, 1000] {
        check(&[&noise[..1500], &noise[..copied], &noise[1500..1600]].concat(), &mut snappy, &mut out);
        check(&vec![1; copied], &mut snappy, &mut out);
    }
    // As far as a copy reaches, and one byte too far.
    let [near, far] = [65_535, 65_536].map(|apart| {
        let between = vec![0; apart - 64];
        check(&[&noise[..64], &between, &noise[..64], &[0; 8]].concat(), &mut snappy, &mut out)
    });
    assert!(near + 55 < far, "{near} and {far}");
}

#[test]
fn pages_of_every_kind() {
    rounds(300, |random| {
        let (mut snappy, mut out) = (Snappy::default(), Vec::new());
        let mut page = Vec::new();
        while random.below(40) > 0 {
            let length = 1 + random.below(3000);
            match random.below(4) {
                0 => page.extend(random.bytes(length)),
                1 => page.extend(std::iter::repeat_n(random.word() as u8, length)),
                2 => page.extend((0..length).map(|_| b'a' + random.below(3) as u8)),
                _ if page.is_empty() => {}
                _ => {
                    let from = random.below(page.len());
                    (from..from + length).for_each(|at| page.push(page[at]));
                }
            }
        }
        // The table and the output are those of the page before.
        check(&page, &mut snappy, &mut out);
        check(&page[page.len() / 3..], &mut snappy, &mut out);
        assert!(snap_reads(&page, &mut snappy, &mut out));
    });
}

/// Whether another decoder reads the same.
fn snap_reads(page: &[u8], snappy: &mut Snappy, out: &mut Vec<u8>) -> bool {
    let size = snappy.compress(page, out).unwrap();
    snap::raw::Decoder::new().decompress_vec(&out[..size]).unwrap() == page
}
