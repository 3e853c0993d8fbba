//! The value section of a page back to values, whatever its encoding.

use super::testing::{Deltas, hybrid_values};
use parquill::Encoding;

/// The type of a column as decoders need it: the format's `Type` id, and the bytes of a FIXED_LEN_BYTE_ARRAY.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    pub physical: i64,
    pub type_length: usize,
}

impl Kind {
    const BOOLEAN: i64 = 0;
    const BYTE_ARRAY: i64 = 6;

    fn width(self) -> usize {
        match self.physical {
            1 | 4 => 4,
            2 | 5 => 8,
            3 => 12,
            _ => self.type_length,
        }
    }
}

/// `count` values, which must be all that `body` holds. Booleans become one byte each.
pub fn values(kind: Kind, encoding: Encoding, body: &[u8], count: usize, dictionary: &[Vec<u8>]) -> Vec<Vec<u8>> {
    match encoding {
        Encoding::Plain => plain(kind, body, count),
        Encoding::Rle => {
            let (size, runs) = body.split_at(4);
            assert_eq!(u32::from_le_bytes(size.try_into().unwrap()) as usize, runs.len(), "bytes of the runs");
            hybrid_values(runs, 1, count).into_iter().map(|bit| vec![bit as u8]).collect()
        }
        Encoding::RleDictionary => {
            let codes = hybrid_values(&body[1..], usize::from(body[0]), count);
            codes.into_iter().map(|code| dictionary[code as usize].clone()).collect()
        }
        Encoding::DeltaBinaryPacked => {
            let width = kind.width();
            let (numbers, rest) = deltas(body, width as u32 * 8, count);
            assert!(rest.is_empty(), "bytes behind the last block");
            numbers.iter().map(|number| number.to_le_bytes()[..width].to_vec()).collect()
        }
        Encoding::DeltaLengthByteArray => by_length(body, count),
        Encoding::DeltaByteArray => {
            let (prefixes, rest) = deltas(body, 32, count);
            let suffixes = by_length(rest, count);
            let mut values: Vec<Vec<u8>> = Vec::new();
            for (prefix, suffix) in prefixes.into_iter().zip(suffixes) {
                let before = values.last().map_or(&[][..], Vec::as_slice);
                values.push([&before[..prefix as usize], &suffix].concat());
            }
            assert!(kind.physical == Kind::BYTE_ARRAY || values.iter().all(|value| value.len() == kind.width()));
            values
        }
        Encoding::ByteStreamSplit => {
            let width = kind.width();
            assert_eq!(body.len(), count * width, "bytes of the streams");
            (0..count).map(|value| (0..width).map(|byte| body[byte * count + value]).collect()).collect()
        }
    }
}

/// One stream of deltas with exactly `count` values, and what lies behind it.
fn deltas(body: &[u8], bits: u32, count: usize) -> (Vec<i64>, &[u8]) {
    let mut stream = Deltas(body);
    let values = stream.values(bits);
    assert_eq!(values.len(), count, "values of a delta stream");
    assert!(count > 0 || body.starts_with(&[0x80, 0x01, 4, 0, 0]), "a header without values");
    (values, stream.0)
}

fn by_length(body: &[u8], count: usize) -> Vec<Vec<u8>> {
    let (lengths, mut rest) = deltas(body, 32, count);
    let value = |length: i64| {
        let (value, after) = rest.split_at(usize::try_from(length).unwrap());
        rest = after;
        value.to_vec()
    };
    let values = lengths.into_iter().map(value).collect();
    assert!(rest.is_empty(), "bytes behind the last value");
    values
}

/// PLAIN, also of dictionary pages.
pub fn plain(kind: Kind, body: &[u8], count: usize) -> Vec<Vec<u8>> {
    match kind.physical {
        Kind::BOOLEAN => {
            assert_eq!(body.len(), count.div_ceil(8));
            let bit = |index: usize| body[index / 8] >> (index % 8) & 1;
            assert!((count..body.len() * 8).all(|past| bit(past) == 0), "padding");
            (0..count).map(|index| vec![bit(index)]).collect()
        }
        Kind::BYTE_ARRAY => {
            let mut rest = body;
            let values = (0..count).map(|_| {
                let (size, after) = rest.split_at(4);
                let (value, after) = after.split_at(u32::from_le_bytes(size.try_into().unwrap()) as usize);
                rest = after;
                value.to_vec()
            });
            let values = values.collect();
            assert!(rest.is_empty(), "bytes behind the last value");
            values
        }
        _ => {
            assert_eq!(body.len(), count * kind.width());
            body.chunks_exact(kind.width()).map(<[u8]>::to_vec).collect()
        }
    }
}
