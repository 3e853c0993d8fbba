//! Hashing for dictionaries, and the CRC-32 of pages.

/// An odd constant with well-mixed bits (2^64 divided by the golden ratio).
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hash of one word; the high half is the better one.
pub(crate) fn word(value: u64) -> u64 {
    let mixed = (value ^ value >> 32).wrapping_mul(MIX);
    mixed ^ mixed >> 29
}

/// Hash of a byte array, 8 bytes at a time.
pub(crate) fn bytes(value: &[u8]) -> u64 {
    let (words, rest) = value.as_chunks::<8>();
    let mut hash = value.len() as u64;
    for chunk in words {
        hash = word(hash.rotate_left(23) ^ u64::from_le_bytes(*chunk)).wrapping_mul(MIX);
    }
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    word(hash.rotate_left(23) ^ u64::from_le_bytes(last))
}

/// XXH64 with seed 0, which Bloom filters are defined with.
pub(crate) fn xxh64(data: &[u8]) -> u64 {
    const P1: u64 = 0x9e37_79b1_85eb_ca87;
    const P2: u64 = 0xc2b2_ae3d_27d4_eb4f;
    const P3: u64 = 0x1656_67b1_9e37_79f9;
    const P4: u64 = 0x85eb_ca77_c2b2_ae63;
    const P5: u64 = 0x27d4_eb2f_1656_67c5;
    let round = |lane: u64, input: u64| lane.wrapping_add(input.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1);
    let (stripes, rest) = data.as_chunks::<32>();
    let mut hash = if stripes.is_empty() {
        P5
    } else {
        let mut lanes = [P1.wrapping_add(P2), P2, 0, P1.wrapping_neg()];
        for stripe in stripes {
            for (lane, input) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
                *lane = round(*lane, u64::from_le_bytes(*input));
            }
        }
        let [a, b, c, d] = lanes;
        let sum = a.rotate_left(1).wrapping_add(b.rotate_left(7));
        let sum = sum.wrapping_add(c.rotate_left(12)).wrapping_add(d.rotate_left(18));
        lanes.iter().fold(sum, |hash, &lane| (hash ^ round(0, lane)).wrapping_mul(P1).wrapping_add(P4))
    };
    hash = hash.wrapping_add(data.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash ^= round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(P1).wrapping_add(P4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(P1);
        hash = hash.rotate_left(23).wrapping_mul(P2).wrapping_add(P3);
    }
    for &byte in rest {
        hash = (hash ^ u64::from(byte).wrapping_mul(P5)).rotate_left(11).wrapping_mul(P1);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(P2);
    hash = (hash ^ hash >> 29).wrapping_mul(P3);
    hash ^ hash >> 32
}

/// CRC-32 with the gzip polynomial, 16 bytes a step.
///
/// The tables are made at run time: 16 KiB of them would not compress in the module.
#[derive(Debug)]
pub(crate) struct Crc32 {
    tables: Box<[[u32; 256]; 16]>,
}

impl Crc32 {
    pub fn new() -> Self {
        let mut tables = Box::new([[0; 256]; 16]);
        let mut before = [0; 256];
        for (byte, entry) in (0u32..).zip(&mut before) {
            *entry = (0..8).fold(byte, |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 });
        }
        let first = before;
        for table in tables.iter_mut() {
            *table = before;
            for entry in &mut before {
                *entry = *entry >> 8 ^ lookup(&first, (*entry & 0xff) as u8);
            }
        }
        Self { tables }
    }

    /// The CRC of `parts`, one behind the other.
    pub fn of(&self, parts: [&[u8]; 2]) -> u32 {
        !parts.iter().fold(u32::MAX, |crc, part| self.update(crc, part))
    }

    fn update(&self, mut crc: u32, data: &[u8]) -> u32 {
        let (blocks, rest) = data.as_chunks::<16>();
        let [t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15] = &*self.tables;
        for block in blocks {
            let [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15] = *block;
            let [c0, c1, c2, c3] = crc.to_le_bytes();
            crc = lookup(t15, b0 ^ c0)
                ^ lookup(t14, b1 ^ c1)
                ^ lookup(t13, b2 ^ c2)
                ^ lookup(t12, b3 ^ c3)
                ^ lookup(t11, b4)
                ^ lookup(t10, b5)
                ^ lookup(t9, b6)
                ^ lookup(t8, b7)
                ^ lookup(t7, b8)
                ^ lookup(t6, b9)
                ^ lookup(t5, b10)
                ^ lookup(t4, b11)
                ^ lookup(t3, b12)
                ^ lookup(t2, b13)
                ^ lookup(t1, b14)
                ^ lookup(t0, b15);
        }
        rest.iter().fold(crc, |crc, byte| crc >> 8 ^ lookup(t0, byte ^ (crc & 0xff) as u8))
    }
}

#[expect(clippy::indexing_slicing, reason = "a byte cannot leave a table of 256")]
fn lookup(table: &[u32; 256], byte: u8) -> u32 {
    table[usize::from(byte)]
}

#[cfg(test)]
mod tests;
