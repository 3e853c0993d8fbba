//! A page, compressed by our encoder, comes back from the C library.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;

#[path = "../../../src/codec/zstd/mod.rs"]
mod encoder;
#[path = "../../../src/error.rs"]
#[allow(dead_code, reason = "shared with the rest of the package")]
mod error;

/// Longest page: some blocks, which are short here.
const MOST: usize = 4500;

struct State {
    /// One encoder for all runs: what it keeps from one page must not show in the next.
    encoder: encoder::Zstd,
    frame: Vec<u8>,
    decoder: zstd_safe::DCtx<'static>,
    plain: Vec<u8>,
}

impl Default for State {
    fn default() -> Self {
        let (frame, plain) = (Vec::new(), vec![0; 2 * MOST]);
        Self { encoder: encoder::Zstd::default(), frame, decoder: zstd_safe::DCtx::create(), plain }
    }
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fuzz_target!(|input: &[u8]| {
    let Some((&first, rest)) = input.split_first() else { return };
    let level = (first >> 1) as i8 % 15 - 5;
    let mut page = if first & 1 == 0 { rest.to_vec() } else { unfold(rest) };
    // The thorough levels take long.
    page.truncate(if level < 5 { MOST } else { MOST / 5 });
    STATE.with_borrow_mut(|state| {
        let size = state.encoder.compress(&page, level, &mut state.frame).unwrap();
        let frame = &state.frame[..size];
        assert_eq!(zstd_safe::find_frame_compressed_size(frame), Ok(size));
        assert_eq!(zstd_safe::get_frame_content_size(frame).unwrap(), Some(page.len() as u64));
        let State { decoder, plain, .. } = state;
        assert_eq!(decoder.decompress(&mut plain[..], frame), Ok(page.len()), "level {level}");
        assert!(plain[..page.len()] == page, "level {level}");
    });
});

/// A page of many bytes from few: orders to write bytes, to copy from before, and to write numbers.
fn unfold(mut orders: &[u8]) -> Vec<u8> {
    let mut page = Vec::new();
    while let [order, a, b, rest @ ..] = orders
        && page.len() < MOST
    {
        orders = rest;
        let (a, b) = (usize::from(*a), usize::from(*b));
        let count = b << (order >> 6);
        match order & 3 {
            0 => {
                let (bytes, rest) = orders.split_at(b.min(orders.len()));
                page.extend_from_slice(bytes);
                orders = rest;
            }
            1 if !page.is_empty() => {
                let offset = (a << (order >> 2 & 7) | 1).min(page.len());
                (0..count).for_each(|_| page.push(page[page.len() - offset]));
            }
            2 => {
                // Numbers of a step and some noise, of 1 to 8 bytes.
                let width = (order >> 2 & 7) as usize + 1;
                let mut state = a as u64 + 1;
                for row in 0..count as u64 {
                    state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
                    let value = 1_700_000_000_000_000 + row * a as u64 + (state >> 32) % (a as u64 + 1);
                    page.extend_from_slice(&value.to_le_bytes()[..width]);
                }
            }
            _ => {
                // Bytes of few symbols, without order.
                let mut state = b as u64 + 1;
                for _ in 0..count {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    page.push(((state >> 33) as usize % (a + 1)) as u8);
                }
            }
        }
    }
    page
}
