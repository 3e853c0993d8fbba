//! Encodings of values: each appends to a buffer it does not own.

pub(crate) mod bit_pack;
pub(crate) mod dictionary;
pub(crate) mod plain;
pub(crate) mod rle;
