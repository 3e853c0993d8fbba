"""The delta encodings: DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY.

Strict: padding is zero, every width is as small as its miniblock allows, every prefix as long as it can be.
"""

import os

from .decode import fixed_width
from .thrift import Malformed


def binary_packed(cursor, bits, count, strict):
    """`count` signed integers of 32 or 64 bits; leaves the cursor behind them."""
    block, miniblocks, total = cursor.varint(), cursor.varint(), cursor.varint()
    if not block or block % 128 or not miniblocks or block % miniblocks or block // miniblocks % 32:
        raise Malformed(f'delta blocks of {block} values in {miniblocks} miniblocks')
    if total != count:
        raise Malformed(f'{total} delta values where the page has {count}')
    first = cursor.zigzag(bits)
    if not count:
        if strict and first:
            raise Malformed(f'first delta value {first} of none')
        return []
    values = [first]
    while len(values) < count:
        _block(cursor, bits, block // miniblocks, miniblocks, count, values, strict)
    return values


def _block(cursor, bits, size, miniblocks, count, values, strict):
    least = cursor.zigzag(bits)
    widths = bytes(cursor.take(miniblocks))
    smallest = None
    for width in widths:
        wanted = min(size, count - len(values))
        if not wanted:
            if strict and width:
                raise Malformed(f'width {width} of a miniblock that is not there')
            continue
        if width > bits:
            raise Malformed(f'a delta width of {width} for {bits} bits')
        packed = int.from_bytes(cursor.take(size * width // 8), 'little')
        if strict and packed >> (wanted * width):
            raise Malformed('padding of a miniblock is not zero')
        mask = (1 << width) - 1
        above = [packed >> (i * width) & mask for i in range(wanted)]
        if strict and max(above).bit_length() != width:
            raise Malformed(f'a width of {width} for differences up to {max(above)}')
        smallest = min(above) if smallest is None else min(smallest, *above)
        _extend(values, above, least, bits)
    if strict and smallest:
        raise Malformed(f'no difference is the smallest, all lie {smallest} above it')


def _extend(values, above, least, bits):
    """Sums wrap in the width of the type."""
    half, value = 1 << (bits - 1), values[-1]
    for one in above:
        value = ((value + least + one + half) & (2 * half - 1)) - half
        values.append(value)


def _integers(cursor, leaf, count, strict):
    if leaf.physical not in ('INT32', 'INT64'):
        raise Malformed(f'DELTA_BINARY_PACKED of {leaf.physical}')
    return binary_packed(cursor, leaf.width * 8, count, strict)


def _lengths_then_bytes(cursor, count, strict):
    lengths = binary_packed(cursor, 32, count, strict)
    return [bytes(cursor.take(length)) for length in lengths]


def _byte_arrays(cursor, leaf, count, strict):
    if leaf.physical != 'BYTE_ARRAY':
        raise Malformed(f'DELTA_LENGTH_BYTE_ARRAY of {leaf.physical}')
    return _lengths_then_bytes(cursor, count, strict)


def _front_coded(cursor, leaf, count, strict):
    if leaf.physical not in ('BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'):
        raise Malformed(f'DELTA_BYTE_ARRAY of {leaf.physical}')
    prefixes = binary_packed(cursor, 32, count, strict)
    values, before = [], b''
    for prefix, suffix in zip(prefixes, _lengths_then_bytes(cursor, count, strict)):
        if not 0 <= prefix <= len(before):
            raise Malformed(f'a prefix of {prefix} bytes of a value of {len(before)}')
        value = before[:prefix] + suffix
        if strict and len(os.path.commonprefix([before, value])) != prefix:
            raise Malformed(f'a prefix of {prefix} bytes where more are shared')
        values.append(value)
        before = value
    if leaf.physical == 'BYTE_ARRAY':
        return values
    if any(len(value) != leaf.width for value in values):
        raise Malformed(f'values of other lengths than {leaf.width}')
    return fixed_width(b''.join(values), leaf, count)


DECODERS = {
    'DELTA_BINARY_PACKED': _integers,
    'DELTA_LENGTH_BYTE_ARRAY': _byte_arrays,
    'DELTA_BYTE_ARRAY': _front_coded,
}
