"""Bits of floats: their numbers, their widening and the order that readers compare them by."""

import struct

_CODES = {16: ('H', 'e'), 32: ('I', 'f'), 64: ('Q', 'd')}
_MANTISSA = {16: 10, 32: 23, 64: 52}


def number_of_bits(bits, width):
    integer, real = _CODES[width]
    return struct.unpack(f'<{real}', struct.pack(f'<{integer}', bits))[0]


def is_nan(bits, width):
    infinity = ((1 << (width - 1 - _MANTISSA[width])) - 1) << _MANTISSA[width]
    return bits & ((1 << (width - 1)) - 1) > infinity


def widen(bits):
    """Bits of a float16 as bits of the equal float32; a NaN keeps sign and payload, a signalling one stays so."""
    if is_nan(bits, 16):
        return (bits & 0x8000) << 16 | 0x7F800000 | (bits & 0x3FF) << 13
    return struct.unpack('<I', struct.pack('<f', number_of_bits(bits, 16)))[0]


def total_key(bits, width):
    """By value, −0 equals +0; NaNs by sign and payload below and above all numbers, as in IEEE 754 totalOrder."""
    sign = 1 << (width - 1)
    return -(bits & ~sign) if bits & sign else bits


def value_key(bits, width):
    """By value, −0 equals +0; all NaNs are one value above infinity."""
    return 1 << width if is_nan(bits, width) else total_key(bits, width)
