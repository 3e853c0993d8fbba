//! A reader of Thrift's compact protocol that keeps everything it meets.

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Binary(Vec<u8>),
    List(Vec<Value>),
    Struct(Struct),
}

/// Fields by id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Struct(pub BTreeMap<i64, Value>);

impl Struct {
    pub fn has(&self, id: i64) -> bool {
        self.0.contains_key(&id)
    }

    pub fn get(&self, id: i64) -> &Value {
        self.0.get(&id).unwrap_or_else(|| panic!("no field {id} in {self:?}"))
    }

    pub fn int(&self, id: i64) -> i64 {
        match self.get(id) {
            Value::Int(value) => *value,
            other => panic!("field {id} is {other:?}"),
        }
    }

    pub fn bool(&self, id: i64) -> bool {
        match self.get(id) {
            Value::Bool(value) => *value,
            other => panic!("field {id} is {other:?}"),
        }
    }

    pub fn binary(&self, id: i64) -> &[u8] {
        match self.get(id) {
            Value::Binary(value) => value,
            other => panic!("field {id} is {other:?}"),
        }
    }

    pub fn text(&self, id: i64) -> &str {
        std::str::from_utf8(self.binary(id)).unwrap()
    }

    pub fn list(&self, id: i64) -> &[Value] {
        match self.get(id) {
            Value::List(values) => values,
            other => panic!("field {id} is {other:?}"),
        }
    }

    pub fn structure(&self, id: i64) -> &Struct {
        match self.get(id) {
            Value::Struct(value) => value,
            other => panic!("field {id} is {other:?}"),
        }
    }

    pub fn structures(&self, id: i64) -> Vec<&Struct> {
        fn structure(value: &Value) -> &Struct {
            let Value::Struct(value) = value else { panic!("a list of {value:?}") };
            value
        }
        self.list(id).iter().map(structure).collect()
    }

    pub fn ints(&self, id: i64) -> Vec<i64> {
        let int = |value: &Value| match value {
            Value::Int(value) => *value,
            other => panic!("{other:?} in list {id}"),
        };
        self.list(id).iter().map(int).collect()
    }

    pub fn bools(&self, id: i64) -> Vec<bool> {
        self.list(id).iter().map(|value| matches!(value, Value::Bool(true))).collect()
    }

    pub fn binaries(&self, id: i64) -> Vec<&[u8]> {
        fn binary(value: &Value) -> &[u8] {
            let Value::Binary(value) = value else { panic!("a list of {value:?}") };
            value
        }
        self.list(id).iter().map(binary).collect()
    }
}

/// The struct that `bytes` begin with, and how many of them it takes.
pub fn read(bytes: &[u8]) -> (Struct, usize) {
    let mut reader = Reader { bytes, at: 0 };
    let value = reader.structure();
    (value, reader.at)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
        }
        panic!("a varint of more than ten bytes");
    }

    fn zigzag(&mut self) -> i64 {
        let value = self.varint();
        (value >> 1) as i64 ^ -((value & 1) as i64)
    }

    fn structure(&mut self) -> Struct {
        let mut fields = BTreeMap::new();
        let mut id = 0;
        loop {
            let header = self.byte();
            if header == 0 {
                return Struct(fields);
            }
            let before = id;
            id = match header >> 4 {
                0 => self.zigzag(),
                step => id + i64::from(step),
            };
            assert!(id > before, "field {id} behind field {before}");
            let value = match header & 0x0f {
                kind @ (1 | 2) => Value::Bool(kind == 1),
                kind => self.value(kind),
            };
            fields.insert(id, value);
        }
    }

    fn value(&mut self, kind: u8) -> Value {
        match kind {
            // Only as a list element: there the value is a byte.
            1 => Value::Bool(self.byte() == 1),
            3 => Value::Int(i64::from(self.byte() as i8)),
            4..=6 => Value::Int(self.zigzag()),
            8 => {
                let size = self.varint() as usize;
                self.at += size;
                Value::Binary(self.bytes[self.at - size..self.at].to_vec())
            }
            9 => {
                let header = self.byte();
                let size = match header >> 4 {
                    15 => self.varint() as usize,
                    size => usize::from(size),
                };
                Value::List((0..size).map(|_| self.value(header & 0x0f)).collect())
            }
            12 => Value::Struct(self.structure()),
            other => panic!("type {other}"),
        }
    }
}
