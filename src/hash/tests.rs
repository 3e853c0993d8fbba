#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use std::collections::HashSet;

use super::{Crc32, bytes, word};
use crate::testing::rounds;

/// Bit by bit, with the gzip polynomial turned round.
fn crc_naively(data: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in data {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[test]
fn crc_of_known_vectors() {
    let crc = Crc32::new();
    let ascending: Vec<u8> = (0..32).collect();
    let vectors: [(&[u8], u32); 7] = [
        (b"", 0),
        (b"123456789", 0xcbf4_3926),
        (b"a", 0xe8b7_be43),
        (b"The quick brown fox jumps over the lazy dog", 0x414f_a339),
        (&[0; 32], 0x190a_55ad),
        (&[0xff; 32], 0xff6c_ab0b),
        (&ascending, 0x9126_7e8a),
    ];
    for (data, expected) in vectors {
        assert_eq!(crc.of([data, &[]]), expected, "{data:02x?}");
    }
}

#[test]
fn crc_equals_the_naive_twin_at_every_length_and_alignment() {
    let crc = Crc32::new();
    rounds(2, |random| {
        let data = random.bytes(200);
        for start in 0..17 {
            for end in start..data.len() {
                assert_eq!(crc.of([&data[start..end], &[]]), crc_naively(&data[start..end]), "{start}..{end}");
            }
        }
    });
}

#[test]
fn words_keep_their_difference() {
    // A bijection: no two words may share all 64 bits.
    let hashes: HashSet<u64> = (0..100_000u64).map(|value| word(value << 20)).collect();
    assert_eq!(hashes.len(), 100_000);
}

#[test]
fn length_and_every_byte_count() {
    let zeros = [0; 40];
    let lengths: HashSet<u64> = (0..=40).map(|length| bytes(&zeros[..length])).collect();
    assert_eq!(lengths.len(), 41);
    for length in 1..=40 {
        let mut hashes = HashSet::from([bytes(&zeros[..length])]);
        for at in 0..length {
            let mut value = zeros;
            value[at] = 1;
            assert!(hashes.insert(bytes(&value[..length])), "a one at {at} of {length}");
        }
    }
}

#[test]
fn xxh64_of_all_lengths() {
    // From the reference implementation: nothing, bytes, a half, a word, one stripe and its neighbours, three stripes.
    let counted: Vec<u8> = (0..100).collect();
    let vectors: [(&[u8], u64); 9] = [
        (b"", 0xef46_db37_51d8_e999),
        (b"a", 0xd24e_c4f1_a98c_6e5b),
        (b"abc", 0x44bc_2cf5_ad77_0999),
        (b"hello", 0x26c7_827d_889f_6da3),
        (b"parquet", 0x3c9d_2927_5c52_e429),
        (&[b'x'; 31], 0x60dd_0d01_083b_99f0),
        (&[b'x'; 32], 0xe2df_261f_c2ec_30eb),
        (&[b'x'; 33], 0xb3fa_465f_5542_08a6),
        (&counted, 0x6ac1_e580_3216_6597),
    ];
    for (data, hash) in vectors {
        assert_eq!(super::xxh64(data), hash, "{data:02x?}");
    }
}
