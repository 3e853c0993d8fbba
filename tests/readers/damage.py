"""Self-test of the file walker: it must notice every changed byte and every changed or missing field of a good file."""

import random
from pathlib import Path

from expected import load
from walk import Walk
from walker import thrift
from walker.thrift import Cursor

FILES = (
    'int64.one-row.none',
    'float64.one-row.zstd',
    'string.nullable.snappy',
    'int32.three-pages.zstd',
    'decimal_7_2.two-row-groups.none',
    'timestamp_us_UTC.one-row.snappy',
    'int16.delta_binary_packed-v2.lz4',
    'string.delta_byte_array-v1.none',
)

# Changes of each kind tried on one file.
TRIES = 80

# FileMetaData.created_by and the root's name may be any text.
FREE_TEXT = {(6,), (2, 0, 4)}


def run(folder, seed, group, ours_of, problems_of):
    for case in load(folder):
        for name, path, codec in case.files:
            if name not in FILES:
                continue
            data = Path(path).read_bytes()
            notices = lambda changed: any(problems_of(Walk(changed, ours_of(case, codec)), case))
            random_ = random.Random(f'{seed} {name}')
            group.check(f'{name} unchanged', ['contradictions'] if notices(data) else [])
            group.check(f'{name} with a bit changed', _bits(data, random_, notices))
            group.check(f'{name} with a footer field changed or left out', _footer_fields(data, random_, notices))
            group.check(
                f'{name} cut',
                [
                    f'not noticed at {length} bytes'
                    for length in (0, 4, 11, len(data) - 1, len(data) // 2)
                    if not notices(data[:length])
                ],
            )


def _bits(data, random_, notices):
    """Single bits, most of them in the last part, where indexes and footer lie."""
    free = _free_bytes(data)
    tail = max(len(data) // 2, len(data) - 4000)
    positions = {random_.randrange(len(data)) for _ in range(TRIES // 3)} | {
        random_.randrange(tail, len(data)) for _ in range(TRIES)
    }
    for position in sorted(positions - free):
        bit = random_.randrange(8)
        changed = bytearray(data)
        changed[position] ^= 1 << bit
        if not notices(bytes(changed)):
            yield f'bit {bit} of byte {position} of {len(data)} changed, nothing noticed'


def _footer(data):
    start = len(data) - 8 - int.from_bytes(data[-8:-4], 'little')
    return start, thrift.read_struct(Cursor(data, start, len(data) - 8))


def _free_bytes(data):
    start, footer = _footer(data)
    free = set()
    for text in (footer[6][1], footer[2][1][1][0][4][1]):
        position = data.index(text, start)
        free |= set(range(position, position + len(text)))
    return free


def _footer_fields(data, random_, notices):
    """Fields of the footer changed, and fields left out, the footer written anew around them."""
    start, footer = _footer(data)
    paths = list(_fields(footer))
    for change in (_changed, _removed):
        for path in random_.sample(paths, min(TRIES, len(paths))):
            if path in FREE_TEXT and change is _changed:
                continue
            anew = _write(_edit(footer, path, change))
            if not notices(data[:start] + anew + len(anew).to_bytes(4, 'little') + b'PAR1'):
                yield f'field {path} {change.__name__[1:]}, nothing noticed'


def with_wrong_bounds(data):
    """The file with the largest value of every chunk said to be its smallest."""
    start, footer = _footer(data)
    for group in footer[4][1][1]:
        for chunk in group[1][1][1]:
            statistics = chunk[3][1].get(12, (None, {}))[1]
            if 5 in statistics:
                statistics[5] = statistics[6]
    anew = _write(footer)
    return data[:start] + anew + len(anew).to_bytes(4, 'little') + b'PAR1'


def with_empty_bloom_filters(data):
    """The file with every bit of its Bloom filters 0."""
    _, footer = _footer(data)
    changed = bytearray(data)
    for group in footer[4][1][1]:
        for chunk in group[1][1][1]:
            meta = chunk[3][1]
            if 14 in meta:
                start, end = meta[14][1], meta[14][1] + meta[15][1]
                cursor = Cursor(data, start, end)
                thrift.read_struct(cursor)
                changed[cursor.position : end] = bytes(end - cursor.position)
    return bytes(changed)


def _fields(struct, path=()):
    """Paths (field id, list position, field id …) of all fields below a struct."""
    for identifier, (wire, value) in struct.items():
        here = (*path, identifier)
        yield here
        if wire == thrift.STRUCT:
            yield from _fields(value, here)
        elif wire == thrift.LIST and value[0] == thrift.STRUCT:
            for position, one in enumerate(value[1]):
                yield from _fields(one, (*here, position))


def _edit(struct, path, change):
    """A copy of the struct with the field at `path` changed."""
    copy = dict(struct)
    identifier, rest = path[0], path[1:]
    wire, value = copy[identifier]
    if not rest:
        return change(copy, identifier)
    if wire == thrift.STRUCT:
        copy[identifier] = (wire, _edit(value, rest, change))
    else:
        element, values = value
        values = list(values)
        values[rest[0]] = _edit(values[rest[0]], rest[1:], change)
        copy[identifier] = (wire, (element, values))
    return copy


def _removed(struct, identifier):
    del struct[identifier]
    return struct


def _changed(struct, identifier):
    wire, value = struct[identifier]
    if wire == thrift.TRUE:
        value = not value
    elif wire == thrift.BINARY:
        value = bytes([value[0] ^ 1]) + value[1:] if value else b'x'
    elif wire == thrift.LIST:
        value = (value[0], value[1][:-1])
    elif wire == thrift.STRUCT:
        value = {**value, 99: (thrift.I32, 1)}
    else:
        value += 1
    struct[identifier] = (wire, value)
    return struct


def _varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def _write(struct):
    """Thrift compact bytes of a struct as thrift.read_struct gives it."""
    out, previous = bytearray(), 0
    for identifier, (wire, value) in sorted(struct.items()):
        code = wire if wire != thrift.TRUE or value else thrift.FALSE
        delta = identifier - previous
        out += bytes([delta << 4 | code]) if delta < 16 else bytes([code]) + _varint(identifier << 1)
        out += b'' if wire == thrift.TRUE else _value(wire, value)
        previous = identifier
    return bytes(out) + b'\0'


def _value(wire, value):
    if wire == thrift.STRUCT:
        return _write(value)
    if wire == thrift.BINARY:
        return _varint(len(value)) + value
    if wire == thrift.I8:
        return bytes([value & 255])
    if wire == thrift.LIST:
        element, values = value
        head = (
            bytes([len(values) << 4 | element]) if len(values) < 15 else bytes([0xF0 | element]) + _varint(len(values))
        )
        return head + b''.join(_value(element, one) for one in values)
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)
