//! What the test programs share: a reader of what was written, made from the format's text and not from the writer.

#![allow(dead_code, reason = "each test program takes a part of it")]

pub mod bloom;
pub mod bounds;
pub mod check;
pub mod column;
pub mod decode;
pub mod file;
pub mod golden;
pub mod layout;
pub mod lz4;
pub mod nested;
pub mod page;
pub mod tables;
pub mod thrift;
pub mod values;

#[path = "../../src/testing.rs"]
pub mod testing;
