"""What a reader found, as an Arrow column, in the form of kinds.py; and whether that is what it should be.

A reader may show a type as another one that holds the same values: the values decide, and the type that it was shown as
goes into the table. Where a reader has no way to show a value at all (a null in a column of NumPy floats), the ways of
`WAYS` are allowed for, by name and only for readers that say so; they go into the table, too.
"""

import decimal
import uuid

import numpy as np
import pyarrow as pa

from kinds import float_bytes

_PER_DAY = {'day': 1, 's': 86_400, 'ms': 86_400 * 10**3, 'us': 86_400 * 10**6, 'ns': 86_400 * 10**9}
_EXACT = decimal.Context(prec=80)


class Unlike(Exception):
    """The reader shows a type that cannot hold the values."""


def values(array, kind):
    """Values of an Arrow array or chunked array."""
    if isinstance(array, pa.ChunkedArray):
        try:
            chunks = array.chunks
        except KeyError:  # what pyarrow has no class for
            raise Unlike('an interval of days and milliseconds, without months') from None
        return [value for chunk in chunks for value in values(chunk, kind)]
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    found = array.type
    if pa.types.is_dictionary(found):
        return values(array.dictionary_decode(), kind)
    if pa.types.is_null(found) or array.null_count == len(array):
        return [None] * len(array)
    if kind.family in ('list', 'map', 'struct'):
        return _GROUPS[kind.family](array, kind)
    if pa.types.is_nested(found):
        raise Unlike(found)
    return _LEAVES[kind.family](array, found, kind)


def _list(array, kind):
    if not (pa.types.is_list(array.type) or pa.types.is_large_list(array.type)):
        raise Unlike(array.type)
    return _cut(array, values(array.values, kind.parts[0]))


def _cut(array, elements):
    offsets, present = array.offsets.to_pylist(), array.is_valid().to_pylist()
    return [elements[offsets[i] : offsets[i + 1]] if there else None for i, there in enumerate(present)]


def _map(array, kind):
    if not pa.types.is_map(array.type):
        raise Unlike(array.type)
    key, value = kind.parts
    return _cut(array, [list(pair) for pair in zip(values(array.keys, key), values(array.items, value))])


def _struct(array, kind):
    if not pa.types.is_struct(array.type) or [one.name for one in array.type] != list(kind.names):
        raise Unlike(array.type)
    # `field` leaves out the struct's own slice, `flatten` its nulls.
    fields = [values(array.field(i).slice(array.offset, len(array)), part) for i, part in enumerate(kind.parts)]
    return [list(row) if there else None for row, there in zip(zip(*fields), array.is_valid().to_pylist())]


def _bool(array, found, kind):
    if pa.types.is_boolean(found):
        return array.to_pylist()
    return [None if value is None else bool(value) for value in _integers(array, found, kind)]


def _integers(array, found, kind):
    if pa.types.is_integer(found):
        return array.to_pylist()
    if pa.types.is_decimal(found) and found.scale == 0:
        return [None if value is None else int(value) for value in array.to_pylist()]
    raise Unlike(found)


def _float(array, found, kind):
    if not pa.types.is_floating(found):
        raise Unlike(found)
    numbers = np.asarray(array.fill_null(0), dtype=np.float64).tolist()
    return [float_bytes(number) if there else None for number, there in zip(numbers, array.is_valid().to_pylist())]


def _bytes(array, found, kind):
    if pa.types.is_string(found) or pa.types.is_large_string(found) or found == pa.string_view():
        texts = array.to_pylist()
        if kind.family == 'uuid':
            return [None if text is None else uuid.UUID(text).bytes for text in texts]
        return [None if text is None else text.encode() for text in texts]
    if pa.types.is_binary(found) or pa.types.is_large_binary(found) or pa.types.is_fixed_size_binary(found):
        return array.to_pylist()
    if found == pa.binary_view():
        return array.to_pylist()
    raise Unlike(found)


def _ticks(array, found, kind):
    """Dates, times and timestamps, in whatever unit they came."""
    if pa.types.is_integer(found):
        return array.to_pylist()
    if not pa.types.is_temporal(found) or pa.types.is_interval(found):
        raise Unlike(found)
    days = pa.types.is_date32(found)
    ticks = array.view(pa.int32() if days or pa.types.is_time32(found) else pa.int64()).to_pylist()
    wanted = _PER_DAY['day' if kind.family == 'date' else kind.unit]
    there = _PER_DAY['day' if days else getattr(found, 'unit', 'ms')]
    if there == wanted:
        return ticks
    if there < wanted:
        return [None if tick is None else tick * (wanted // there) for tick in ticks]
    parts = there // wanted
    return [None if tick is None else tick // parts if tick % parts == 0 else (tick, found) for tick in ticks]


def _decimal(array, found, kind):
    if pa.types.is_decimal(found):
        unscaled = (None if v is None else v.scaleb(kind.scale, context=_EXACT) for v in array.to_pylist())
        return [None if value is None else int(value) if value == int(value) else value for value in unscaled]
    if pa.types.is_floating(found):
        return array.to_pylist()
    raise Unlike(found)


def _interval(array, found, kind):
    if found == pa.month_day_nano_interval():
        return [None if value is None else _parts(value) for value in array.to_pylist()]
    if pa.types.is_fixed_size_binary(found) or pa.types.is_binary(found):
        return [
            None if value is None else tuple(int.from_bytes(value[at : at + 4], 'little') for at in (0, 4, 8))
            for value in array.to_pylist()
        ]
    raise Unlike(found)


def _parts(value):
    milliseconds, rest = divmod(value.nanoseconds, 10**6)
    return value.months, value.days, milliseconds if rest == 0 else value.nanoseconds / 10**6


def _null(array, found, kind):
    raise Unlike(found)


_GROUPS = {'list': _list, 'map': _map, 'struct': _struct}
_LEAVES = {
    **{family: _bytes for family in ('string', 'enum', 'json', 'binary', 'bson', 'fixed', 'uuid')},
    **{family: _ticks for family in ('date', 'time', 'timestamp', 'int96')},
    'bool': _bool,
    'int': _integers,
    'float': _float,
    'decimal': _decimal,
    'interval': _interval,
    'null': _null,
}

# What a reader without the means shows instead of an expected value.
WAYS = {
    'null as NaN': lambda expected, found, kind: expected is None and found == 'nan',
    'null as empty': lambda expected, found, kind: expected is None and found == [],
    'null as a struct of nulls': lambda expected, found, kind: expected is None and _all_null(found),
    'without zero bytes at the end': lambda expected, found, kind: (
        isinstance(expected, bytes) and kind.family in ('fixed', 'uuid') and found == expected.rstrip(b'\0')
    ),
    'nearest double': lambda expected, found, kind: _near(expected, found, kind),
}


def _all_null(found):
    return found is None or isinstance(found, list) and all(map(_all_null, found))


def _near(expected, found, kind):
    if expected is None:
        return isinstance(found, float) and found != found
    if kind.family != 'decimal' or not isinstance(found, float):
        return False
    exact = float(decimal.Decimal(expected).scaleb(-kind.scale, context=_EXACT))
    return abs(found - exact) <= 4e-16 * abs(exact)


def difference(expected, found, kind, ways):
    """(None or the first difference, the ways that were used)."""
    if expected == found:
        return None, set()
    if len(expected) != len(found):
        return f'{len(found)} rows instead of {len(expected)}', set()
    used = set()
    for row, (wanted, there) in enumerate(zip(expected, found)):
        if wanted != there and not _same(wanted, there, kind, ways, used):
            return f'row {row}: expected {wanted!r}, found {there!r}', used
    return None, used


def _same(wanted, there, kind, ways, used):
    if wanted == there:
        return True
    if kind.parts and isinstance(wanted, list) and isinstance(there, list) and len(wanted) == len(there):
        parts = kind.parts * len(wanted) if kind.family == 'list' else kind.parts
        if kind.family == 'map':
            return all(
                _same(a, b, part, ways, used)
                for pair, other in zip(wanted, there)
                for a, b, part in zip(pair, other, kind.parts)
            )
        return all(_same(a, b, part, ways, used) for a, b, part in zip(wanted, there, parts))
    for way in ways:
        if WAYS[way](wanted, there, kind):
            used.add(way)
            return True
    return False
