"""Bounds of values: order by type, the rules for NaN and zeros, truncation, and what makes a bound sound."""

import struct
from dataclasses import dataclass

_PACK = {'INT32': '<i', 'INT64': '<q', 'FLOAT': '<I', 'DOUBLE': '<Q'}
_FLOAT_BITS = {2: (16, 10), 4: (32, 23), 8: (64, 52)}


@dataclass
class Bound:
    data: bytes
    exact: bool


def encode(value, leaf):
    """A value in PLAIN form without length."""
    if isinstance(value, bytes):
        return value
    if leaf.physical == 'BOOLEAN':
        return bytes([value])
    return struct.pack('<H' if leaf.logical == 'FLOAT16' else _PACK[leaf.physical], value)


def decode(data, leaf):
    """The value of a bound, or None where its width is not that of the type."""
    if leaf.physical == 'BYTE_ARRAY' or leaf.physical == 'FIXED_LEN_BYTE_ARRAY' and leaf.logical != 'FLOAT16':
        return data
    if leaf.physical == 'BOOLEAN':
        return bool(data[0]) if data in (b'\0', b'\1') else None
    code = '<H' if leaf.logical == 'FLOAT16' else _PACK[leaf.physical]
    return struct.unpack(code, data)[0] if len(data) == struct.calcsize(code) else None


def is_nan(value, leaf):
    bits, mantissa = _FLOAT_BITS[leaf.width]
    magnitude = value & ((1 << (bits - 1)) - 1)
    return magnitude > ((1 << (bits - 1 - mantissa)) - 1) << mantissa


def key(value, leaf):
    """What values compare by. −0 and +0 are equal; NaN has no place."""
    order = leaf.order
    if order == 'unsigned':
        return value & ((1 << (8 * leaf.width)) - 1)
    if order == 'float':
        sign = 1 << (8 * leaf.width - 1)
        return -(value & ~sign) if value & sign else value
    if order == 'decimal':
        return int.from_bytes(value, 'big', signed=True)
    return value


def nan_count(values, leaf):
    """NaNs among the values, or None for a type that has none."""
    return sum(is_nan(value, leaf) for value in values) if leaf.order == 'float' else None


def extremes(values, leaf):
    """(smallest, largest) as encoded bytes by the format's rules, or None: nothing to bound, NaN among it, no order."""
    if not values or leaf.order == 'undefined' or nan_count(values, leaf):
        return None
    distinct = set(values)
    ends = [encode(pick(distinct, key=lambda value: key(value, leaf)), leaf) for pick in (min, max)]
    if leaf.order == 'float':
        zero = leaf.width - 1
        ends = [
            (bytes(zero) + sign if key(decode(end, leaf), leaf) == 0 else end)
            for end, sign in zip(ends, (b'\x80', b'\0'))
        ]
    return tuple(ends)


def written(values, leaf, limit):
    """The bounds (min, max) of our writer, each a Bound or None; only byte arrays are cut, to `limit` bytes."""
    ends = extremes(values, leaf)
    if not ends:
        return None, None
    low, high = ends
    if leaf.physical == 'FIXED_LEN_BYTE_ARRAY' and leaf.order == 'bytes' and leaf.width > limit:
        return None, None
    if leaf.physical != 'BYTE_ARRAY' or leaf.order != 'bytes':
        return Bound(low, True), Bound(high, True)
    raised = Bound(high, True) if len(high) <= limit else raise_bound(cut(high, limit, leaf.text), leaf.text)
    return Bound(cut(low, limit, leaf.text), len(low) <= limit), raised


def cut(data, limit, text):
    """At most `limit` first bytes, text at a character."""
    if len(data) <= limit:
        return data
    if text:
        while limit and data[limit] & 0xC0 == 0x80:
            limit -= 1
    return data[:limit]


def raise_bound(data, text):
    """The shortest raise of a cut upper bound, or None where nothing can be raised."""
    if not text:
        stripped = data.rstrip(b'\xff')
        return Bound(stripped[:-1] + bytes([stripped[-1] + 1]), False) if stripped else None
    characters = list(data.decode())
    while characters:
        code = ord(characters.pop())
        after = 0xE000 if code == 0xD7FF else code + 1
        # The last code point of 1, 2, 3 and 4 bytes has no successor of its width.
        if code not in (0x7F, 0x7FF, 0xFFFF, 0x10FFFF):
            return Bound((''.join(characters) + chr(after)).encode(), False)
    return None


def unsound(low, high, low_exact, high_exact, values, leaf):
    """Why bounds found in any writer's file contradict the values: a list of (field, expected, found)."""
    wrong = []
    ends = (
        extremes(values, leaf) if leaf.order != 'float' else extremes([v for v in values if not is_nan(v, leaf)], leaf)
    )
    for field, found, exact, real, sign in (
        ('min_value', low, low_exact, ends and ends[0], 1),
        ('max_value', high, high_exact, ends and ends[1], -1),
    ):
        if found is None:
            continue
        value = decode(found, leaf)
        if real is None:
            wrong.append((field, 'no bound without ordered values', found))
        elif value is None:
            wrong.append((field, f'{leaf.width} bytes', found))
        elif leaf.order == 'float' and is_nan(value, leaf):
            wrong.append((field, 'no NaN', found))
        else:
            a, b = key(value, leaf), key(decode(real, leaf), leaf)
            if a != b and (a > b) == (sign > 0):
                wrong.append((field, f'a bound of {real.hex()}', found))
            elif exact and a != b:
                wrong.append((field, f'{real.hex()} as it is called exact', found))
            elif leaf.text and not _is_utf8(found) and _is_utf8(real):
                wrong.append((field, 'valid UTF-8', found))
    return wrong


def _is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
