//! The encoders behind one face.

/// The encoder of the package, from its own source: it is not public there.
#[cfg(feature = "ours")]
#[path = "../../../../src/codec/zstd/mod.rs"]
#[deny(unsafe_code)]
mod zstd;

#[cfg(feature = "ours")]
#[path = "../../../../src/error.rs"]
#[allow(dead_code, reason = "shared with the rest of the package")]
mod error;

#[cfg(target_arch = "wasm32")]
mod exports;

/// Compresses pages, one frame each.
pub trait Encoder: Default {
    /// Compresses `page` into the start of `out`; gives the frame's bytes.
    fn compress(&mut self, page: &[u8], level: i32, out: &mut Vec<u8>) -> usize;
}

#[cfg(feature = "ours")]
#[derive(Default)]
pub struct Ours(zstd::Zstd);

#[cfg(feature = "ours")]
impl Encoder for Ours {
    fn compress(&mut self, page: &[u8], level: i32, out: &mut Vec<u8>) -> usize {
        self.0.compress(page, level as i8, out).unwrap_or(0)
    }
}

#[cfg(feature = "c")]
pub struct Library(zstd_safe::CCtx<'static>);

#[cfg(feature = "c")]
impl Default for Library {
    fn default() -> Self {
        Self(zstd_safe::CCtx::create())
    }
}

#[cfg(feature = "c")]
impl Encoder for Library {
    fn compress(&mut self, page: &[u8], level: i32, out: &mut Vec<u8>) -> usize {
        let most = zstd_safe::compress_bound(page.len());
        if out.len() < most {
            out.resize(most, 0);
        }
        self.0.compress(&mut out[..], page, level).unwrap_or(0)
    }
}
