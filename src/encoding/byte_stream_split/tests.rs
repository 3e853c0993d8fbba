#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use super::split;

fn encoded(values: &[u8], width: usize) -> Vec<u8> {
    let mut out = vec![0xee];
    split(values, width, &mut out).unwrap();
    assert_eq!(out.remove(0), 0xee, "what is there stays");
    out
}

#[test]
fn the_formats_own_example() {
    // Three floats: AA BB CC DD, 00 11 22 33, A3 B4 C5 D6 become the streams AA 00 A3, BB 11 B4, CC 22 C5, DD 33 D6.
    let values = [0xaa, 0xbb, 0xcc, 0xdd, 0x00, 0x11, 0x22, 0x33, 0xa3, 0xb4, 0xc5, 0xd6];
    let streams = [0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6];
    assert_eq!(encoded(&values, 4), streams);
}

#[test]
fn every_width_comes_back() {
    for width in 1..=20 {
        for count in [0, 1, 2, 7, 8, 9, 100] {
            let values: Vec<u8> = (0..width * count).map(|index| (index * 7) as u8).collect();
            let bytes = encoded(&values, width);
            assert_eq!(bytes.len(), values.len());
            for (index, &value) in values.iter().enumerate() {
                assert_eq!(bytes[index % width * count + index / width], value, "width {width}, byte {index}");
            }
        }
    }
}
