//! Encodings of values: each appends to a buffer it does not own.

pub(crate) mod bit_pack;
pub(crate) mod byte_stream_split;
pub(crate) mod delta_binary_packed;
pub(crate) mod delta_byte_array;
pub(crate) mod dictionary;
pub(crate) mod plain;
pub(crate) mod rle;
