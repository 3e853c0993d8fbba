#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::BitWriter;

#[test]
fn bits_fill_bytes_from_the_low_end() {
    let mut out = [0; 16];
    let mut bits = BitWriter::new(&mut out);
    bits.add(0b101, 3);
    bits.add(0x1ff, 9);
    bits.flush();
    bits.add(0, 0);
    bits.add(0b01, 2);
    // 101, nine ones, 01, and the mark: 1 01 111111111 101.
    assert_eq!(bits.close(), Some(2));
    assert_eq!(out[..2], [0b1111_1101, 0b0101_1111]);
}

#[test]
fn a_stream_that_is_full_says_so() {
    for room in 0..20 {
        let mut out = vec![0xee; room];
        let mut bits = BitWriter::new(&mut out);
        for value in 0..9u64 {
            bits.add(value, 15);
            bits.flush();
        }
        // 135 bits and the mark take 17 bytes.
        assert_eq!(bits.close(), (room >= 17).then_some(17));
    }
}

#[test]
fn a_stream_that_is_read_forwards_has_no_mark() {
    let mut out = [0xff; 9];
    let mut bits = BitWriter::new(&mut out);
    bits.add(0b11, 2);
    assert_eq!(bits.finish(), Some(1));
    assert_eq!(out[0], 0b11);
}
