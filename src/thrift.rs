//! Thrift compact protocol, as much as page headers, indexes and the footer take.
//!
//! Nothing here is inlined: dozens of fields would each carry a copy, and a page has only one header.

use crate::encoding::rle::varint;

/// Type nibbles of field and list headers.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Element types of lists.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ListOf {
    Bool = TRUE as isize,
    I32 = I32 as isize,
    I64 = I64 as isize,
    Binary = BINARY as isize,
    Struct = STRUCT as isize,
}

/// Appends one struct's fields. Fields must come with ascending ids.
#[derive(Debug)]
pub(crate) struct Struct<'a> {
    out: &'a mut Vec<u8>,
    /// Id of the field before; restarts at 0 in each struct.
    last: i16,
}

/// Appends a whole struct, with its end.
pub(crate) fn structure(out: &mut Vec<u8>, fields: impl FnOnce(&mut Struct<'_>)) {
    fields(&mut Struct { out, last: 0 });
    out.push(0);
}

impl Struct<'_> {
    #[inline(never)]
    fn field(&mut self, id: i16, kind: u8) {
        match u8::try_from(id.wrapping_sub(self.last)) {
            Ok(step @ 1..=15) => self.out.push(step << 4 | kind),
            _ => {
                self.out.push(kind);
                zigzag(i64::from(id), self.out);
            }
        }
        self.last = id;
    }

    #[inline(never)]
    pub fn bool(&mut self, id: i16, value: bool) {
        self.field(id, if value { TRUE } else { FALSE });
    }

    #[inline(never)]
    pub fn i8(&mut self, id: i16, value: i8) {
        self.field(id, I8);
        self.out.push(value.cast_unsigned());
    }

    #[inline(never)]
    pub fn i16(&mut self, id: i16, value: i16) {
        self.field(id, I16);
        zigzag(i64::from(value), self.out);
    }

    #[inline(never)]
    pub fn i32(&mut self, id: i16, value: i32) {
        self.field(id, I32);
        zigzag(i64::from(value), self.out);
    }

    #[inline(never)]
    pub fn i64(&mut self, id: i16, value: i64) {
        self.field(id, I64);
        zigzag(value, self.out);
    }

    #[inline(never)]
    pub fn binary(&mut self, id: i16, value: &[u8]) {
        self.field(id, BINARY);
        binary(value, self.out);
    }

    pub fn structure(&mut self, id: i16, fields: impl FnOnce(&mut Struct<'_>)) {
        self.field(id, STRUCT);
        structure(self.out, fields);
    }

    #[inline(never)]
    fn list_header(&mut self, id: i16, kind: u8, size: usize) {
        self.field(id, LIST);
        if size < 15 {
            self.out.push((size as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            varint(size as u64, self.out);
        }
    }

    /// A list; `item` appends one element for each of `items`.
    pub fn list<I: ExactSizeIterator>(&mut self, id: i16, of: ListOf, items: I, item: impl Fn(I::Item, &mut Vec<u8>)) {
        self.list_header(id, of as u8, items.len());
        items.for_each(|element| item(element, self.out));
    }
}

/// A bool as a list element.
pub(crate) fn bool(value: bool, out: &mut Vec<u8>) {
    out.push(if value { TRUE } else { FALSE });
}

/// A signed number as a list element.
#[inline(never)]
pub(crate) fn zigzag(value: i64, out: &mut Vec<u8>) {
    varint((value << 1 ^ value >> 63).cast_unsigned(), out);
}

/// Bytes as a list element.
#[inline(never)]
pub(crate) fn binary(value: &[u8], out: &mut Vec<u8>) {
    varint(value.len() as u64, out);
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests;
