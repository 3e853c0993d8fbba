#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::Rows;
use crate::codec::zstd::matches::Input;
use crate::testing::Random;

fn rows(data: &[u8]) -> Option<(usize, usize)> {
    Rows::of(&Input { data, start: 0, base: 1 }).map(|rows| (rows.width, rows.last % rows.width))
}

/// `values` behind some bytes that are none: levels come first in a page.
fn page<const N: usize>(lead: usize, values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    [vec![0xa5; lead], values.flatten().collect()].concat()
}

#[test]
fn numbers_are_recognised_wherever_they_begin() {
    let mut random = Random::new(1);
    for lead in 0..9 {
        let high = |width: usize| Some((width, (lead + width - 1) % width));
        let times = (0..4000u64).map(|row| (1_700_000_000_000_000 + row * 1_000_003).to_le_bytes());
        assert_eq!(rows(&page(lead, times)), high(8), "timestamps");
        let small: Vec<_> = (0..4000).map(|_| (random.word() % 200).to_le_bytes()).collect();
        assert_eq!(rows(&page(lead, small.into_iter())), high(8), "small numbers of 8 bytes");
        let dates: Vec<_> = (0..4000).map(|_| (9000 + random.below(2500) as u32).to_le_bytes()).collect();
        assert_eq!(rows(&page(lead, dates.into_iter())), high(4), "dates");
        let prices: Vec<_> =
            (0..4000).map(|_| (900.0 + random.below(10_000_000) as f64 / 100.0).to_le_bytes()).collect();
        assert_eq!(rows(&page(lead, prices.into_iter())), high(8), "prices");
    }
}

#[test]
fn other_pages_are_none() {
    let mut random = Random::new(2);
    assert_eq!(rows(&random.bytes(100_000)), None, "noise");
    assert_eq!(rows(&[]), None, "nothing");
    assert_eq!(rows(&[0; 100_000]), None, "one byte only");
    assert_eq!(rows(&[1, 2, 3, 4, 5, 6, 7, 8].repeat(50)), None, "too little");
    let words = [b"lorem ".as_slice(), b"ipsum dolor ", b"sit ", b"amet, "];
    let text: Vec<u8> = (0..20_000).flat_map(|_| words[random.below(4)].to_vec()).collect();
    assert_eq!(rows(&text), None, "text");
    // The lengths of strings stand at no fixed place.
    let strings: Vec<u8> = (0..20_000).flat_map(|_| [&[6, 0, 0, 0], &random.bytes(6)[..]].concat()).collect();
    assert_eq!(rows(&strings), None, "strings of ten bytes each");
}
