#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::{Codes, MAX_BITS, Scratch};
use crate::codec::zstd::tests::logarithmic;
use crate::testing::rounds;

#[test]
fn codes_fill_their_space_and_frequent_bytes_have_short_ones() {
    let mut scratch = Scratch::default();
    rounds(1000, |random| {
        let mut histogram = [0u32; 256];
        let steep = random.below(24);
        for _ in 0..2 + random.below(300) {
            histogram[random.below(256)] += logarithmic(random, steep + 1) as u32;
        }
        histogram[3] += 1;
        histogram[200] += 1;
        let lengths = *scratch.lengths(&histogram);
        let space: u32 =
            lengths.iter().filter(|length| **length > 0).map(|&length| 1 << (MAX_BITS - usize::from(length))).sum();
        assert_eq!(space, 1 << MAX_BITS, "{histogram:?}");
        for (byte, &length) in lengths.iter().enumerate() {
            assert_eq!(length > 0, histogram[byte] > 0);
            let longer =
                lengths.iter().zip(&histogram).any(|(&other, &times)| times > histogram[byte] && other > length);
            assert!(length == 0 || !longer, "byte {byte} of {histogram:?}");
        }
    });
}

#[test]
fn what_codes_cost_is_what_they_take() {
    let text: Vec<u8> = b"what codes cost is what they take, but for the mark".repeat(20);
    let mut histogram = [0u32; 256];
    text.iter().for_each(|&byte| histogram[usize::from(byte)] += 1);
    let mut codes = Codes::default();
    assert_eq!(codes.cost(&histogram), None, "no code yet");
    codes.build(&histogram, &mut Scratch::default());
    let bits = codes.cost(&histogram).unwrap();
    let mut out = vec![0; text.len()];
    assert_eq!(codes.encode(&text, &mut out), Some((bits + 1).div_ceil(8)));
    assert_eq!(codes.encode(&text, &mut out[..bits / 8]), None, "no room");
    histogram[usize::from(b'Z')] = 1;
    assert_eq!(codes.cost(&histogram), None, "a byte without a code");
    codes.clear();
    assert_eq!(codes.cost(&histogram), None);
}
