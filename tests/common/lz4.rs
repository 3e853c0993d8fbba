//! LZ4 blocks back to bytes, one sequence after the other, as the block format's text describes them.

/// All bytes of `block`; panics where it breaks a rule of the format, also one that lenient decoders overlook.
pub fn decompress(mut block: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut last_match = 0;
    loop {
        let token = take(&mut block, 1)[0];
        let literals = length(token >> 4, &mut block);
        out.extend_from_slice(take(&mut block, literals));
        if block.is_empty() {
            // The end is literals: five at least behind a match, which began twelve bytes before the end or earlier.
            assert!(last_match == 0 || (literals >= 5 && last_match + 12 <= out.len()), "end of the block");
            return out;
        }
        let offset = usize::from(u16::from_le_bytes(take(&mut block, 2).try_into().unwrap()));
        assert!(offset > 0 && offset <= out.len(), "offset {offset} at {}", out.len());
        let count = 4 + length(token & 0x0f, &mut block);
        last_match = out.len();
        // Byte by byte: a match may reach into what it makes.
        (0..count).for_each(|_| out.push(out[out.len() - offset]));
    }
}

fn take<'a>(block: &mut &'a [u8], count: usize) -> &'a [u8] {
    let (taken, rest) = block.split_at(count);
    *block = rest;
    taken
}

/// Four bits; where they are all set, bytes to be added, up to the first that is not 255.
fn length(nibble: u8, block: &mut &[u8]) -> usize {
    let mut length = usize::from(nibble);
    let mut more = nibble == 15;
    while more {
        let byte = take(block, 1)[0];
        length += usize::from(byte);
        more = byte == 255;
    }
    length
}
