//! Huffman coding of literals (RFC 8878, 4.2).

use core::cmp::Reverse;

use super::bits::BitWriter;
use super::fse;

/// Longest code.
const MAX_BITS: usize = 11;

/// A code for each byte.
#[derive(Clone)]
pub(super) struct Codes {
    /// Code in the high bits, its length in the low 8; 0 for a byte without one.
    codes: [u32; 256],
    /// Length of the longest code, 0 while there is none.
    longest: u32,
}

impl Default for Codes {
    fn default() -> Self {
        Self { codes: [0; 256], longest: 0 }
    }
}

impl Codes {
    /// Forgets the code.
    pub fn clear(&mut self) {
        self.longest = 0;
    }

    /// Bits that `histogram` takes with this code; `None` if a byte of it has no code.
    pub fn cost(&self, histogram: &[u32; 256]) -> Option<usize> {
        if self.longest == 0 {
            return None;
        }
        let mut pairs = histogram.iter().zip(&self.codes).filter(|(count, _)| **count > 0);
        pairs.try_fold(0, |sum, (&count, &code)| match code & 0xff {
            0 => None,
            length => Some(sum + count as usize * length as usize),
        })
    }

    /// Builds the code for `histogram`, in which at least two bytes occur.
    pub fn build(&mut self, histogram: &[u32; 256], scratch: &mut Scratch) {
        let lengths = scratch.lengths(histogram);
        self.longest = u32::from(lengths.iter().copied().max().unwrap_or(0));
        let mut of_length = [0u32; MAX_BITS + 2];
        for &length in lengths.iter().filter(|length| **length > 0) {
            if let Some(count) = of_length.get_mut(usize::from(length)) {
                *count += 1;
            }
        }
        // SPEC: codes of one length count up in byte order, the longest ones begin at 0.
        let mut next = [0u32; MAX_BITS + 2];
        let mut code = 0;
        for (start, count) in next.iter_mut().zip(&of_length).skip(1).rev() {
            *start = code;
            code = (code + count) >> 1;
        }
        for (to, &length) in self.codes.iter_mut().zip(lengths.iter()) {
            *to = match next.get_mut(usize::from(length)) {
                Some(next) if length > 0 => {
                    let code = *next;
                    *next += 1;
                    code << 8 | u32::from(length)
                }
                _ => 0,
            };
        }
    }

    /// Writes the tree description; gives its bytes.
    pub fn describe(&self, out: &mut [u8], table: &mut fse::Table) -> Option<usize> {
        let last = self.codes.iter().rposition(|&code| code > 0)?;
        let mut weights = [0u8; 256];
        for (to, &code) in weights.iter_mut().zip(&self.codes) {
            *to = if code == 0 { 0 } else { (self.longest + 1 - (code & 0xff)) as u8 };
        }
        // SPEC: the last weight is not written, it follows from the others.
        let weights = weights.get(..last)?;
        let (header, body) = out.split_first_mut()?;
        if let Some(size) = compress_weights(weights, body, table)
            && size < weights.len().div_ceil(2).min(128)
        {
            *header = size as u8;
            return Some(1 + size);
        }
        if weights.len() > 128 {
            return None;
        }
        *header = 127 + weights.len() as u8;
        let body = body.get_mut(..weights.len().div_ceil(2))?;
        for (to, pair) in body.iter_mut().zip(weights.chunks(2)) {
            *to = match *pair {
                [first, second] => first << 4 | second,
                [first] => first << 4,
                _ => 0,
            };
        }
        Some(1 + body.len())
    }

    /// Encodes one stream, from its last byte to its first; gives its bytes.
    #[inline(never)]
    pub fn encode(&self, literals: &[u8], out: &mut [u8]) -> Option<usize> {
        let mut bits = BitWriter::new(out);
        let (quads, rest) = literals.as_chunks::<4>();
        for &byte in rest.iter().rev() {
            self.add(byte, &mut bits);
        }
        bits.flush();
        for &[a, b, c, d] in quads.iter().rev() {
            // Four codes of 11 bits fit beside the 7 bits that a flush leaves.
            self.add(d, &mut bits);
            self.add(c, &mut bits);
            self.add(b, &mut bits);
            self.add(a, &mut bits);
            bits.flush();
        }
        bits.close()
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "a byte cannot leave a table of 256")]
    fn add(&self, byte: u8, bits: &mut BitWriter<'_>) {
        let code = self.codes[usize::from(byte)];
        bits.add(u64::from(code >> 8), code & 0xff);
    }
}

/// Two interleaved FSE states (RFC 8878, 4.2.1.2).
fn compress_weights(weights: &[u8], out: &mut [u8], table: &mut fse::Table) -> Option<usize> {
    let mut histogram = [0u32; MAX_BITS + 2];
    for &weight in weights {
        *histogram.get_mut(usize::from(weight))? += 1;
    }
    let total = weights.len();
    if total < 2 || histogram.iter().any(|&count| count as usize == total) {
        return None;
    }
    let log = fse::suitable_log(total, MAX_BITS + 1, 6);
    let normalized = fse::normalize(&histogram, total as u32, log);
    let head = normalized.describe(out)?;
    table.build(&normalized);
    let mut bits = BitWriter::new(out.get_mut(head..)?);
    let mut states: [Option<u32>; 2] = [None; 2];
    for (at, &weight) in weights.iter().enumerate().rev() {
        let state = states.get_mut(at % 2)?;
        *state = Some(match *state {
            None => table.first_state(weight),
            Some(before) => table.encode(before, weight, &mut bits),
        });
        bits.flush();
    }
    let [first, second] = states;
    table.flush_state(second?, &mut bits);
    table.flush_state(first?, &mut bits);
    Some(head + bits.close()?)
}

/// Working space for building a code.
pub(super) struct Scratch {
    /// Count in the high bits, byte in the low 8; sorted.
    leaves: [u32; 256],
    /// Counts of the inner nodes, in the order in which they are made, which is ascending.
    nodes: [u32; 256],
    /// Parent of every leaf, then of every node, as an index into `nodes`.
    parents: [u8; 512],
    depths: [u8; 256],
    lengths: [u8; 256],
}

impl Default for Scratch {
    fn default() -> Self {
        Self { leaves: [0; 256], nodes: [0; 256], parents: [0; 512], depths: [0; 256], lengths: [0; 256] }
    }
}

#[expect(clippy::indexing_slicing, reason = "at most 256 leaves, hence at most 255 nodes")]
impl Scratch {
    /// Sorts by bytes of the count, the lowest first: leaves come in the order of their bytes, which stays where counts
    /// are equal.
    fn sort_leaves(&mut self, count: usize) {
        let most = self.leaves[..count].iter().fold(0, |most, &leaf| most | leaf);
        for shift in [8, 16, 24].into_iter().take_while(|&shift| most >> shift > 0) {
            let digit = |leaf: u32| (leaf >> shift & 255) as usize;
            let mut places = [0u16; 257];
            for &leaf in &self.leaves[..count] {
                places[digit(leaf) + 1] += 1;
            }
            for value in 1..256 {
                places[value] += places[value - 1];
            }
            for &leaf in &self.leaves[..count] {
                let place = &mut places[digit(leaf)];
                self.nodes[usize::from(*place)] = leaf;
                *place += 1;
            }
            core::mem::swap(&mut self.leaves, &mut self.nodes);
        }
    }

    /// Code lengths of at most `MAX_BITS` that fill the code space exactly.
    fn lengths(&mut self, histogram: &[u32; 256]) -> &[u8; 256] {
        let mut count = 0;
        for (byte, &times) in (0u32..).zip(histogram).filter(|(_, times)| **times > 0) {
            self.leaves[count] = times << 8 | byte;
            count += 1;
        }
        self.sort_leaves(count);
        self.lengths = [0; 256];
        // Two queues, leaves and nodes, both ascending: the two smallest heads become the next node.
        let (mut leaf, mut node) = (0, 0);
        for made in 0..count - 1 {
            let mut sum = 0;
            for _ in 0..2 {
                let take_leaf = leaf < count && (node >= made || self.leaves[leaf] >> 8 <= self.nodes[node]);
                if take_leaf {
                    sum += self.leaves[leaf] >> 8;
                    self.parents[leaf] = made as u8;
                    leaf += 1;
                } else {
                    sum += self.nodes[node];
                    self.parents[256 + node] = made as u8;
                    node += 1;
                }
            }
            self.nodes[made] = sum;
        }
        self.depths[count - 2] = 0;
        for node in (0..count - 2).rev() {
            self.depths[node] = self.depths[usize::from(self.parents[256 + node])].saturating_add(1);
        }
        // Codes that came out too long are cut, which takes more of the code space than there is.
        let unit = |length: usize| 1u32 << (MAX_BITS - length);
        let mut of_leaf = [0usize; 256];
        let mut space = 0;
        for (length, &parent) in of_leaf.iter_mut().zip(&self.parents).take(count) {
            *length = (usize::from(self.depths[usize::from(parent)]) + 1).min(MAX_BITS);
            space += unit(*length);
        }
        let whole = 1u32 << MAX_BITS;
        // Rare bytes pay first; a step too far is given back to frequent ones.
        while space > whole {
            // The longest of those that can still grow costs the fewest bits.
            let growing = (0..count).filter(|&leaf| of_leaf[leaf] < MAX_BITS);
            let Some(leaf) = growing.max_by_key(|&leaf| (of_leaf[leaf], Reverse(self.leaves[leaf]))) else { break };
            space -= unit(of_leaf[leaf]) / 2;
            of_leaf[leaf] += 1;
        }
        while space < whole {
            let Some(leaf) = (0..count).rev().find(|&leaf| space + unit(of_leaf[leaf]) <= whole) else { break };
            space += unit(of_leaf[leaf]);
            of_leaf[leaf] -= 1;
        }
        for (&length, &leaf) in of_leaf.iter().zip(&self.leaves).take(count) {
            self.lengths[(leaf & 0xff) as usize] = length as u8;
        }
        &self.lengths
    }
}

#[cfg(test)]
mod tests;
