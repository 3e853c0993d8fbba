"""The Bloom filter of a chunk: its header read, its bits made again from the chunk's values."""

from dataclasses import dataclass
from math import prod

from . import bounds, format
from .thrift import Malformed
from .xxh64 import xxh64

WORDS = 8
BLOCK_BYTES = WORDS * 4
MOST_BYTES = 1 << 20  # the writer's default
_SALTS = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)
# The share that a size is chosen by is that of filters without blocks, whose values scatter less.
_SLACK = 1.5
_NAN = {4: 0x7FC00000, 8: 0x7FF8000000000000}


@dataclass
class Filter:
    span: tuple  # (start, end) of header and bits
    blocks: list  # an integer of 256 bits each


def read(chunk):
    """The filter that ColumnMetaData points at, or None."""
    meta = chunk.meta
    start, length = meta.get('bloom_filter_offset'), meta.get('bloom_filter_length')
    if start is None:
        chunk.check('ColumnMetaData.bloom_filter_length', None, length)
        return None
    if not 4 <= start < len(chunk.data):
        raise Malformed(f'a Bloom filter at {start}')
    header, bits = format.read('BloomFilterHeader', chunk.data, start, len(chunk.data), chunk.check)
    size = header['numBytes']
    if size < BLOCK_BYTES or size % BLOCK_BYTES or bits + size > len(chunk.data):
        raise Malformed(f'a Bloom filter of {size} bytes')
    if chunk.ours or length is not None:
        chunk.check('ColumnMetaData.bloom_filter_length', bits - start + size, length)
    blocks = [
        int.from_bytes(chunk.data[at : at + BLOCK_BYTES], 'little') for at in range(bits, bits + size, BLOCK_BYTES)
    ]
    return Filter((start, bits + size), blocks)


def check(chunk):
    """Every value is in the filter; in ours nothing else, and its size is the least that keeps the wanted share."""
    wanted = chunk.ours and chunk.ours.bloom.get(chunk.leaf.path[0])
    if chunk.ours:
        chunk.check('ColumnMetaData.bloom_filter_offset present', bool(wanted), chunk.bloom is not None)
    if not chunk.bloom:
        return
    found = chunk.bloom.blocks
    made = _made(chunk, len(found))
    for number, (a, b) in enumerate(zip(made, found)):
        if a & ~b or chunk.ours and a != b:
            chunk.check(f'block {number} of the Bloom filter', f'{a:064x}', f'{b:064x}')
    if not wanted:
        return
    chunk.check('blocks of the Bloom filter, a power of two', 1, len(found).bit_count())
    share = _share(found)
    if share > wanted * _SLACK and len(found) * BLOCK_BYTES * 2 <= MOST_BYTES:
        chunk.check('absent values that the Bloom filter lets through', f'at most {wanted}', share)
    if len(found) > 1:
        half = _share([a | b for a, b in zip(found[::2], found[1::2])])
        if half <= wanted:
            chunk.check('a Bloom filter of half the blocks lets through', f'more than {wanted}', half)


def _made(chunk, count):
    leaf, blocks = chunk.leaf, [0] * count
    for value in set(chunk.values):
        for one in _equals(value, leaf) if chunk.ours else [value]:
            digest = xxh64(bounds.encode(one, leaf))
            low = digest & 0xFFFFFFFF
            bits = sum(
                1 << (32 * word + ((low * salt & 0xFFFFFFFF) >> 27)) for word, salt in enumerate(_SALTS)
            )
            blocks[(digest >> 32) * count >> 32] |= bits
    return blocks


def _equals(value, leaf):
    """With each float of 4 or 8 bytes goes what readers take for equal: both zeros, the usual NaN."""
    if leaf.physical not in ('FLOAT', 'DOUBLE'):
        return [value]
    if bounds.is_nan(value, leaf):
        return [value, _NAN[leaf.width]]
    sign = 1 << (8 * leaf.width - 1)
    return [value] if value & ~sign else [0, sign]


def _share(blocks):
    """Share of absent values that the filter lets through."""
    word = 0xFFFFFFFF
    shares = (prod((block >> (32 * i) & word).bit_count() / 32 for i in range(WORDS)) for block in blocks)
    return sum(shares) / len(blocks)
