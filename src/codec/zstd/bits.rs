//! Bits LSB first into a slice of fixed length, for streams that are read from their end (RFC 8878, 3.1.1.3.2.1.2).

/// Writes bits; running out of room is remembered, not an error: the caller then stores the block another way.
pub(super) struct BitWriter<'a> {
    out: &'a mut [u8],
    at: usize,
    word: u64,
    used: u32,
    full: bool,
}

impl<'a> BitWriter<'a> {
    pub fn new(out: &'a mut [u8]) -> Self {
        Self { out, at: 0, word: 0, used: 0, full: false }
    }

    /// Adds the low `bits` bits of `value`, whose other bits are 0. Between two flushes at most 56 bits fit: up to 7 remain from
    /// the one before.
    #[inline(always)]
    pub fn add(&mut self, value: u64, bits: u32) {
        self.word |= value << (self.used & 63);
        self.used += bits;
    }

    /// Moves whole bytes out.
    #[inline(always)]
    pub fn flush(&mut self) {
        match self.out.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<8>) {
            Some(to) => *to = self.word.to_le_bytes(),
            None => return self.flush_near_end(),
        }
        // Never all 64 bits: the shift would be too far.
        let bits = self.used & 0x38;
        self.at += (bits / 8) as usize;
        self.word >>= bits;
        self.used &= 7;
    }

    #[cold]
    fn flush_near_end(&mut self) {
        while self.used >= 8 {
            match self.out.get_mut(self.at) {
                Some(to) => *to = self.word.to_le_bytes()[0],
                None => self.full = true,
            }
            self.at += 1;
            self.word >>= 8;
            self.used -= 8;
        }
    }

    /// Ends a stream that is read backwards: a 1 bit marks the end, zeros fill the byte. Gives the bytes written.
    pub fn close(mut self) -> Option<usize> {
        self.flush();
        self.add(1, 1);
        self.used = self.used.next_multiple_of(8);
        self.flush();
        (!self.full).then_some(self.at)
    }

    /// Ends a stream that is read forwards: zeros fill the byte.
    pub fn finish(mut self) -> Option<usize> {
        self.flush();
        self.used = self.used.next_multiple_of(8);
        self.flush();
        (!self.full).then_some(self.at)
    }
}

#[cfg(test)]
mod tests;
