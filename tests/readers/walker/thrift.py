"""Thrift compact protocol, as much as Parquet uses. Bytes to plain Python, with nothing known of Parquet.

A struct becomes {field id: (wire type, value)}, a list (wire type of its elements, [values]).
"""

import struct

TRUE, FALSE, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


class Malformed(Exception):
    """The bytes are not what they have to be; args[0] says where and why."""


class Cursor:
    """A position in bytes that cannot leave them."""

    def __init__(self, data, position=0, end=None):
        self.data = data
        self.position = position
        self.end = len(data) if end is None else end

    def take(self, count):
        if count < 0 or self.position + count > self.end:
            raise Malformed(f'{count} bytes wanted at {self.position}, the end is {self.end}')
        start = self.position
        self.position += count
        return self.data[start : self.position]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise Malformed(f'varint of more than 10 bytes before {self.position}')
        if shift and not byte:
            raise Malformed(f'varint longer than it need be before {self.position}')
        return value

    def zigzag(self, bits):
        raw = self.varint()
        value = (raw >> 1) ^ -(raw & 1)
        if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            raise Malformed(f'{value} does not fit i{bits} before {self.position}')
        return value


def read_struct(cursor, depth=0):
    """One struct; the cursor stands behind its stop byte afterwards."""
    if depth > 32:
        raise Malformed(f'structs nested deeper than 32 at {cursor.position}')
    fields = {}
    previous = 0
    while True:
        head = cursor.byte()
        if head == 0:
            return fields
        wire, delta = head & 15, head >> 4
        field = previous + delta if delta else cursor.zigzag(16)
        if field <= previous:
            raise Malformed(f'field {field} after field {previous} at {cursor.position}')
        if wire in (TRUE, FALSE):
            fields[field] = (TRUE, wire == TRUE)
        else:
            fields[field] = (wire, _value(cursor, wire, depth))
        previous = field


def _value(cursor, wire, depth):
    if wire == I8:
        return struct.unpack('b', cursor.take(1))[0]
    if wire in (I16, I32, I64):
        return cursor.zigzag({I16: 16, I32: 32, I64: 64}[wire])
    if wire == DOUBLE:
        return struct.unpack('<d', cursor.take(8))[0]
    if wire == BINARY:
        return bytes(cursor.take(cursor.varint()))
    if wire in (LIST, SET):
        return _list(cursor, depth)
    if wire == STRUCT:
        return read_struct(cursor, depth + 1)
    raise Malformed(f'wire type {wire} at {cursor.position}')


def _list(cursor, depth):
    head = cursor.byte()
    wire, count = head & 15, head >> 4
    if count == 15:
        count = cursor.varint()
    if wire in (TRUE, FALSE):
        values = [cursor.byte() for _ in range(count)]
        if any(value not in (1, 2) for value in values):
            raise Malformed(f'a bool of a list that is neither 1 nor 2 before {cursor.position}')
        return TRUE, [value == 1 for value in values]
    if count and wire == 0:
        raise Malformed(f'list of wire type 0 at {cursor.position}')
    return wire, [_value(cursor, wire, depth) for _ in range(count)]
