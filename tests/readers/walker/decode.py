"""Page bytes to values: codecs, levels, PLAIN, BYTE_STREAM_SPLIT, dictionary indices. All bytes are taken, or it fails.

Values are held by physical type: BOOLEAN bool, INT32/INT64 signed int, FLOAT/DOUBLE and FLOAT16 their bits as int, else
bytes.
"""

import struct

import pyarrow

from .thrift import Cursor, Malformed

WIDTHS = {'INT32': 4, 'INT64': 8, 'INT96': 12, 'FLOAT': 4, 'DOUBLE': 8}
_UNPACK = {'INT32': 'i', 'INT64': 'q', 'FLOAT': 'I', 'DOUBLE': 'Q'}
# DuckDB pads bit-packed runs far beyond the last group; more than this no writer does.
MOST_PADDING = 1024
_PYARROW_CODECS = {'snappy': 'snappy', 'gzip': 'gzip', 'brotli': 'brotli', 'zstd': 'zstd', 'lz4': 'lz4_raw'}


def decompress(codec, data, size):
    """`data` must be exactly one compressed page of `size` bytes."""
    if codec == 'none':
        return data
    if codec not in _PYARROW_CODECS:
        raise Malformed(f'codec {codec} is not walked')
    declared = {'snappy': _snappy_size, 'zstd': _zstd_size}.get(codec, lambda _: size)(data)
    if declared != size:
        raise Malformed(f'the {codec} block declares {declared} bytes, the page header {size}')
    try:
        return pyarrow.Codec(_PYARROW_CODECS[codec]).decompress(data, decompressed_size=size).to_pybytes()
    except (OSError, pyarrow.ArrowException) as error:
        raise Malformed(f'{codec}: {error}') from None


def _snappy_size(data):
    return Cursor(data).varint()


def _zstd_size(data):
    """Content size of the one frame that fills `data`; walks its block headers to be sure that nothing follows it."""
    cursor = Cursor(data)
    if bytes(cursor.take(4)) != b'\x28\xb5\x2f\xfd':
        raise Malformed('no zstd frame')
    descriptor = cursor.byte()
    single_segment = descriptor & 0x20
    if descriptor & 0x03:
        raise Malformed('a zstd frame with a dictionary')
    if not single_segment:
        exponent = cursor.byte() >> 3
        if exponent + 10 > 23:
            raise Malformed('a zstd window above 8 MiB')
    size_bytes = {0: 1 if single_segment else 0, 1: 2, 2: 4, 3: 8}[descriptor >> 6]
    if not size_bytes:
        raise Malformed('a zstd frame without content size')
    size = int.from_bytes(cursor.take(size_bytes), 'little') + (256 if size_bytes == 2 else 0)
    while True:
        head = int.from_bytes(cursor.take(3), 'little')
        kind, length = head >> 1 & 3, head >> 3
        cursor.take({0: length, 1: 1, 2: length}[kind] if kind < 3 else 1 << 40)
        if head & 1:
            break
    if descriptor & 0x04:
        cursor.take(4)
    if cursor.position != cursor.end:
        raise Malformed(f'{cursor.end - cursor.position} bytes after the zstd frame')
    return size


def hybrid(cursor, width, count, strict):
    """`count` values of the RLE / bit-packed hybrid; the cursor's bytes must end with them.

    Strict: no more padding than the last group of 8 needs, and zeros there."""
    values = []
    mask = (1 << width) - 1
    while len(values) < count:
        head = cursor.varint()
        if head & 1:
            groups = head >> 1
            if not groups or len(values) + groups * 8 > count + MOST_PADDING:
                raise Malformed(f'a bit-packed run of {groups} groups where {count - len(values)} values are left')
            packed = int.from_bytes(cursor.take(groups * width), 'little')
            for _ in range(groups * 8):
                values.append(packed & mask)
                packed >>= width
        else:
            length = head >> 1
            if not length or len(values) + length > count:
                raise Malformed(f'an RLE run of {length} where {count - len(values)} values are left')
            value = int.from_bytes(cursor.take((width + 7) // 8), 'little')
            if value > mask:
                raise Malformed(f'RLE value {value} in {width} bits')
            values.extend([value] * length)
    if strict and (len(values) - count > 7 or any(values[count:])):
        raise Malformed(f'{len(values) - count} values beyond the {count} of the page, or not zero')
    if cursor.position != cursor.end:
        raise Malformed(f'{cursor.end - cursor.position} bytes after the last run')
    return values[:count]


def prefixed_levels(cursor, top, count, strict):
    """Levels of a V1 page up to `top`, with their length in front; none are stored where `top` is 0."""
    if not top:
        return [0] * count
    length = int.from_bytes(cursor.take(4), 'little')
    start = cursor.position
    cursor.take(length)
    return levels(Cursor(cursor.data, start, start + length), top, count, strict)


def levels(cursor, top, count, strict):
    found = hybrid(cursor, top.bit_length(), count, strict)
    if any(level > top for level in found):
        raise Malformed(f'level {max(found)} above {top}')
    return found


def plain(cursor, leaf, count):
    """`count` PLAIN values that end where the cursor's bytes end."""
    physical = leaf.physical
    if physical == 'BOOLEAN':
        packed = int.from_bytes(cursor.take((count + 7) // 8), 'little')
        if packed >> count:
            raise Malformed('bits beyond the last boolean are not zero')
        values = [bool(packed >> i & 1) for i in range(count)]
    elif physical == 'BYTE_ARRAY':
        values = [bytes(cursor.take(int.from_bytes(cursor.take(4), 'little'))) for _ in range(count)]
    else:
        width = leaf.width
        values = fixed_width(cursor.take(width * count), leaf, count)
    if cursor.position != cursor.end:
        raise Malformed(f'{cursor.end - cursor.position} bytes after {count} values')
    return values


def fixed_width(data, leaf, count):
    code = 'H' if leaf.logical == 'FLOAT16' else _UNPACK.get(leaf.physical)
    if code:
        return list(struct.unpack(f'<{count}{code}', data))
    return [bytes(data[i * leaf.width : (i + 1) * leaf.width]) for i in range(count)]


def byte_stream_split(cursor, leaf, count):
    """`count` values whose first bytes come first, then all second bytes, and so on."""
    data = bytes(cursor.take(leaf.width * count))
    if cursor.position != cursor.end:
        raise Malformed(f'{cursor.end - cursor.position} bytes after {count} values')
    return fixed_width(b''.join(data[i::count] for i in range(count)), leaf, count)


def dictionary_indices(cursor, count, size, strict):
    """Bit width byte, then indices into a dictionary of `size`; returns (indices, bit width)."""
    width = cursor.byte()
    if width > 32:
        raise Malformed(f'bit width {width}')
    if not count:
        if cursor.position != cursor.end:
            raise Malformed('index bytes on a page without values')
        return [], width
    indices = hybrid(cursor, width, count, strict)
    if max(indices) >= size:
        raise Malformed(f'index {max(indices)} into a dictionary of {size}')
    return indices, width
