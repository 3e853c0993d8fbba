"""XXH64 with seed 0, the hash of Bloom filters."""

from functools import lru_cache

_MASK = (1 << 64) - 1
_P1, _P2, _P3, _P4, _P5 = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)


def _left(value, bits):
    return (value << bits | value >> (64 - bits)) & _MASK


def _round(lane, word):
    return _left((lane + word * _P2) & _MASK, 31) * _P1 & _MASK


@lru_cache(1 << 16)
def xxh64(data):
    position, end = 0, len(data)
    word = lambda bytes_: int.from_bytes(data[position : position + bytes_], 'little')
    if end < 32:
        state = _P5
    else:
        lanes = [(_P1 + _P2) & _MASK, _P2, 0, -_P1 & _MASK]
        while position + 32 <= end:
            for i in range(4):
                lanes[i] = _round(lanes[i], word(8))
                position += 8
        state = sum(_left(lane, turn) for lane, turn in zip(lanes, (1, 7, 12, 18))) & _MASK
        for lane in lanes:
            state = ((state ^ _round(0, lane)) * _P1 + _P4) & _MASK
    state = (state + end) & _MASK
    while position + 8 <= end:
        state = (_left(state ^ _round(0, word(8)), 27) * _P1 + _P4) & _MASK
        position += 8
    if position + 4 <= end:
        state = (_left(state ^ (word(4) * _P1 & _MASK), 23) * _P2 + _P3) & _MASK
        position += 4
    while position < end:
        state = _left(state ^ (word(1) * _P5 & _MASK), 11) * _P1 & _MASK
        position += 1
    for shift, prime in ((33, _P2), (29, _P3)):
        state = (state ^ state >> shift) * prime & _MASK
    return state ^ state >> 32
