//! What a module exports: one encoder, one input, one output.

use core::cell::RefCell;

use crate::Encoder;

#[cfg(feature = "ours")]
type Chosen = crate::Ours;
#[cfg(all(feature = "c", not(feature = "ours")))]
type Chosen = crate::Library;
#[cfg(not(any(feature = "c", feature = "ours")))]
type Chosen = Nothing;

/// Copies: what is left of a module without an encoder.
#[cfg(not(any(feature = "c", feature = "ours")))]
#[derive(Default)]
struct Nothing;

#[cfg(not(any(feature = "c", feature = "ours")))]
impl Encoder for Nothing {
    fn compress(&mut self, page: &[u8], _: i32, out: &mut Vec<u8>) -> usize {
        out.clear();
        out.extend_from_slice(page);
        page.len()
    }
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static STATE: RefCell<Option<(Chosen, Vec<u8>)>> = const { RefCell::new(None) };
}

/// Where `size` bytes of input go.
#[unsafe(no_mangle)]
extern "C" fn input(size: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.resize(size, 0);
        input.as_mut_ptr()
    })
}

/// Compresses `size` bytes of the input from `at` on; gives the frame's bytes.
#[unsafe(no_mangle)]
extern "C" fn compress(at: usize, size: usize, level: i32) -> usize {
    INPUT.with_borrow(|input| {
        STATE.with_borrow_mut(|state| {
            let (encoder, out) = state.get_or_insert_default();
            encoder.compress(&input[at..at + size], level, out)
        })
    })
}

/// Where the frame lies.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.as_ref().map_or(core::ptr::null(), |(_, out)| out.as_ptr()))
}
