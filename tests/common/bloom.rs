//! Bloom filters as readers take them: XXH64 and the split-block look-up, from the descriptions of both.

use super::thrift::{Struct, read};

const SALTS: [u32; 8] =
    [0x47b6_137b, 0x4497_4d91, 0x8824_ad5b, 0xa2b7_289d, 0x7054_95c7, 0x2df1_424b, 0x9efc_4947, 0x5c6b_fb31];

/// The bits of a filter: blocks of eight words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter(pub Vec<[u32; 8]>);

impl Filter {
    /// Header and bits, which must be all of `bytes`.
    pub fn read(bytes: &[u8]) -> Self {
        let (header, taken) = read(bytes);
        assert_eq!(header.0.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4]);
        let empty_struct_in_field_1 = Struct([(1, super::thrift::Value::Struct(Struct::default()))].into());
        assert!(
            (2..=4).all(|id| *header.structure(id) == empty_struct_in_field_1),
            "SPLIT BLOCK, XXHASH, UNCOMPRESSED"
        );
        let bits = &bytes[taken..];
        assert_eq!(header.int(1) as usize, bits.len(), "numBytes");
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
        let blocks = bits.chunks_exact(32).map(|block| std::array::from_fn(|at| word(&block[at * 4..][..4])));
        let filter = Self(blocks.collect());
        assert!(filter.0.len() * 32 == bits.len() && filter.0.len().is_power_of_two());
        filter
    }

    /// A filter of `blocks` blocks that holds `values`.
    pub fn of<'a>(blocks: usize, values: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut filter = Self(vec![[0; 8]; blocks]);
        for value in values {
            let (block, mask) = filter.place(value);
            filter.0[block].iter_mut().zip(mask).for_each(|(word, bit)| *word |= bit);
        }
        filter
    }

    pub fn holds(&self, value: &[u8]) -> bool {
        let (block, mask) = self.place(value);
        self.0[block].iter().zip(mask).all(|(word, bit)| word & bit == bit)
    }

    fn place(&self, value: &[u8]) -> (usize, [u32; 8]) {
        let hash = xxh64(value);
        let block = (((hash >> 32) * self.0.len() as u64) >> 32) as usize;
        (block, SALTS.map(|salt| 1 << ((hash as u32).wrapping_mul(salt) >> 27)))
    }
}

/// What a filter of floats (`Type` 4 or 5) must hold for `value`: everything that is equal to it for a reader.
pub fn equals(physical: i64, value: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![value.to_vec()];
    let (number, bytes): (f64, fn(f64) -> Vec<u8>) = match physical {
        4 => (f32::from_le_bytes(value.try_into().unwrap()).into(), |number| (number as f32).to_le_bytes().to_vec()),
        5 => (f64::from_le_bytes(value.try_into().unwrap()), |number| number.to_le_bytes().to_vec()),
        _ => return all,
    };
    if number == 0.0 {
        all.extend([bytes(0.0), bytes(-0.0)]);
    } else if number.is_nan() {
        all.push(bytes(f64::NAN));
    }
    all
}

/// XXH64 with seed 0.
pub fn xxh64(mut data: &[u8]) -> u64 {
    const PRIMES: [u64; 5] = [
        0x9e37_79b1_85eb_ca87,
        0xc2b2_ae3d_27d4_eb4f,
        0x1656_67b1_9e37_79f9,
        0x85eb_ca77_c2b2_ae63,
        0x27d4_eb2f_1656_67c5,
    ];
    let [p1, p2, p3, p4, p5] = PRIMES;
    let word = |data: &[u8]| u64::from_le_bytes(data[..8].try_into().unwrap());
    let round = |lane: u64, input: u64| lane.wrapping_add(input.wrapping_mul(p2)).rotate_left(31).wrapping_mul(p1);
    let length = data.len() as u64;
    let mut hash = p5;
    if data.len() >= 32 {
        let mut lanes = [p1.wrapping_add(p2), p2, 0, 0u64.wrapping_sub(p1)];
        while data.len() >= 32 {
            lanes.iter_mut().zip(data.chunks(8)).for_each(|(lane, input)| *lane = round(*lane, word(input)));
            data = &data[32..];
        }
        let turns = [1, 7, 12, 18];
        hash = lanes.iter().zip(turns).fold(0, |hash: u64, (lane, turn)| hash.wrapping_add(lane.rotate_left(turn)));
        hash = lanes.iter().fold(hash, |hash, lane| (hash ^ round(0, *lane)).wrapping_mul(p1).wrapping_add(p4));
    }
    hash = hash.wrapping_add(length);
    while data.len() >= 8 {
        hash = (hash ^ round(0, word(data))).rotate_left(27).wrapping_mul(p1).wrapping_add(p4);
        data = &data[8..];
    }
    if data.len() >= 4 {
        let half = u64::from(u32::from_le_bytes(data[..4].try_into().unwrap()));
        hash = (hash ^ half.wrapping_mul(p1)).rotate_left(23).wrapping_mul(p2).wrapping_add(p3);
        data = &data[4..];
    }
    for &byte in data {
        hash = (hash ^ u64::from(byte).wrapping_mul(p5)).rotate_left(11).wrapping_mul(p1);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(p2);
    hash = (hash ^ hash >> 29).wrapping_mul(p3);
    hash ^ hash >> 32
}
