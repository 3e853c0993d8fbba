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
