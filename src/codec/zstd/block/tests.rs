#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use crate::codec::zstd::Zstd;
use crate::codec::zstd::tests::{LEVELS, frame};
use crate::testing::Random;

const BLOCK: usize = 1 << 17;

/// What a block says of itself.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Block {
    Raw(usize),
    Rle(usize),
    /// Type of the literals (0 raw, 1 RLE, 2 Huffman, 3 the code before), sequences, and the modes of literal lengths,
    /// offsets and match lengths (0 default, 1 RLE, 2 described, 3 the table before).
    Compressed(u8, usize, [u8; 3]),
}

/// The headers of a frame's blocks.
fn blocks(frame: &[u8]) -> Vec<Block> {
    let mut at = 5 + [1, 2, 4, 9][usize::from(frame[4] >> 6)];
    let mut found = Vec::new();
    loop {
        let header = usize::from(frame[at]) | usize::from(frame[at + 1]) << 8 | usize::from(frame[at + 2]) << 16;
        let (body, size) = (at + 3, header >> 3);
        let (block, bytes) = match header >> 1 & 3 {
            0 => (Block::Raw(size), size),
            1 => (Block::Rle(size), 1),
            _ => (compressed(&frame[body..body + size]), size),
        };
        found.push(block);
        at = body + bytes;
        if header & 1 == 1 {
            assert_eq!(at, frame.len());
            return found;
        }
    }
}

fn compressed(body: &[u8]) -> Block {
    let (kind, format) = (body[0] & 3, body[0] >> 2 & 3);
    let field = |bytes: usize| (0..bytes).map(|byte| usize::from(body[byte]) << (8 * byte)).sum::<usize>();
    let literals = match (kind, format) {
        (0 | 1, _) => {
            let (head, size) = match format {
                0 | 2 => (1, field(1) >> 3),
                1 => (2, field(2) >> 4),
                _ => (3, field(3) >> 4),
            };
            head + if kind == 0 { size } else { 1 }
        }
        (_, 0 | 1) => 3 + (field(3) >> 14),
        (_, 2) => 4 + (field(4) >> 18),
        _ => 5 + (field(5) >> 22),
    };
    let (count, at) = match body[literals] {
        first @ 0..128 => (usize::from(first), literals + 1),
        255 => (0x7f00 + usize::from(body[literals + 1]) + (usize::from(body[literals + 2]) << 8), literals + 3),
        first => ((usize::from(first) - 128) << 8 | usize::from(body[literals + 1]), literals + 2),
    };
    let modes = if count == 0 { 0 } else { body[at] };
    Block::Compressed(kind, count, [modes >> 6, modes >> 4 & 3, modes >> 2 & 3])
}

fn of(page: &[u8]) -> Vec<Block> {
    blocks(&frame(&mut Zstd::default(), page, 1))
}

#[test]
fn the_bytes_of_small_frames() {
    let mut encoder = Zstd::default();
    for level in LEVELS {
        let magic = [0x28, 0xb5, 0x2f, 0xfd];
        // One segment, the size in a byte: 0. The last block, raw, of no bytes: 1 | 0 << 1 | 0 << 3.
        assert_eq!(frame(&mut encoder, b"", level), [&magic[..], &[0x20, 0, 1, 0, 0]].concat());
        // Size 3. The last block, raw, of 3 bytes: 1 | 0 << 1 | 3 << 3.
        assert_eq!(frame(&mut encoder, b"abc", level), [&magic[..], &[0x20, 3, 0x19, 0, 0], b"abc"].concat());
        // The size in two bytes, less 256: 744. The last block, RLE, 1000 times the byte: 1 | 1 << 1 | 1000 << 3.
        let found = frame(&mut encoder, &[7; 1000], level);
        assert_eq!(found, [&magic[..], &[0x60, 0xe8, 0x02, 0x43, 0x1f, 0, 7]].concat());
    }
}

#[test]
fn the_bytes_of_a_sequence() {
    let page = b"abcdefghij".repeat(20);
    let expected = [
        &[0x28, 0xb5, 0x2f, 0xfd][..],
        // One segment; 200 bytes.
        &[0x20, 200],
        // The last block, compressed, of 17 bytes: 1 | 2 << 1 | 17 << 3.
        &[0x8d, 0, 0],
        // 10 raw literals.
        &[10 << 3],
        b"abcdefghij",
        // One sequence, all tables by default.
        &[1, 0],
        // Read from the end, behind the mark: state 001000, literal length 10; 00101, offset code 3; 010100, match length
        // code 43. Then what codes leave open: 101, the offset 8 + 5 - 3; 0111011, the match length 131 + 59.
        &[0b1011_1011, 0b0101_0010, 0b0000_0101, 0b0000_1001],
    ];
    for level in [-1, 1, 2, 5, 9] {
        assert_eq!(frame(&mut Zstd::default(), &page, level), expected.concat(), "level {level}");
    }
}

/// Bytes without matches, the low ones more often.
fn skewed(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.below(256).min(random.below(256)) as u8).collect()
}

#[test]
fn literals_in_every_form() {
    let mut random = Random::new(3);
    let noise = random.bytes(BLOCK);
    // Nothing that a code could shorten, but a match.
    assert!(matches!(of(&[&noise[..300], &noise[..300]].concat())[..], [Block::Compressed(0, 1, _)]));
    // Pieces of the block before, the same three bytes between them.
    let pieces: Vec<u8> = (0..300).flat_map(|piece| [&noise[piece * 400..][..50], b"xxx"].concat()).collect();
    let found = blocks(&frame(&mut Zstd::default(), &[&noise[..], &pieces].concat(), 9));
    assert!(matches!(found[..], [Block::Raw(BLOCK), Block::Compressed(1, ..)]), "{found:?}");
    // A code, and in the next blocks the same one; but not in a block whose bytes it lacks.
    let low = skewed(&mut random, 3 * BLOCK);
    let high: Vec<u8> = low.iter().map(|byte| !byte).collect();
    let found = of(&[&low[..], &high[..BLOCK]].concat());
    let kinds: Vec<_> = found.iter().map(|block| matches!(block, Block::Compressed(2, ..))).collect();
    assert_eq!(kinds, [true, false, false, true], "{found:?}");
    assert!(matches!(found[1..3], [Block::Compressed(3, ..), Block::Compressed(3, ..)]), "{found:?}");
}

#[test]
fn a_block_in_between_leaves_its_neighbours_alone() {
    let mut random = Random::new(4);
    let skewed = skewed(&mut random, BLOCK);
    for between in [random.bytes(BLOCK), vec![5; BLOCK]] {
        let found = of(&[&skewed[..], &between, &skewed[..BLOCK / 2], &skewed[..100]].concat());
        let middle = if between[0] == between[1] { Block::Rle(BLOCK) } else { Block::Raw(BLOCK) };
        assert_eq!(found[1], middle);
        assert!(matches!(found[2], Block::Compressed(..)), "{found:?}");
    }
}

#[test]
fn tables_in_every_form() {
    let mut random = Random::new(5);
    // One match.
    let mut found = of(&b"0123456789".repeat(30));
    // Rows of equal form, whose first bytes never repeat together; the second block begins with a whole one.
    let row = |row: usize| [row % 127, row % 127, row % 127, row / 127, row % 127].map(|byte| 0x80 + byte as u8);
    let rows: Vec<u8> = (0..16_000).flat_map(|at| [&row(at)[..], b"#row#row#"].concat()).collect();
    found.extend(of(&[&[0; BLOCK % 14][..], &rows].concat()));
    // Equal offsets everywhere.
    found.extend(of(&[&[9; 8][..], &[0; 8], &[9; 8], &[0; 8]].concat().repeat(9)));
    // Records of varied form: tables of their own, and in the next block again.
    let mut records = random.bytes(1);
    while records.len() < 2 * BLOCK {
        let noise = random.below(9);
        records.extend(random.bytes(noise));
        let offset = (1 + random.below(3000)).min(records.len());
        for _ in 0..5 + random.below(20) {
            records.push(records[records.len() - offset]);
        }
    }
    found.extend(of(&records));
    for kind in 0..3 {
        for mode in 0..4 {
            let seen = |block: &Block| matches!(block, Block::Compressed(_, 1.., modes) if modes[kind] == mode);
            assert!(found.iter().any(seen), "table {kind} in mode {mode}: {found:?}");
        }
    }
}
