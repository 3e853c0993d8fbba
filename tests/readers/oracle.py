"""Reads every file of the matrix with pyarrow, DuckDB, Polars and DataFusion and compares value by value; then filters.

python oracle.py <folder of the matrix> <seed>
"""

import random
import sys
from pathlib import Path

import pyarrow as pa

import floats
from canonical import canonical
from damage import with_empty_bloom_filters, with_wrong_bounds
from engines import ENGINES, OPERATORS
from expected import first_difference, load
from report import Group

_VIEWS = {
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
}
# Columns of a file that are filtered by.
COLUMNS = 6
# Values looked for in each column with a Bloom filter: so many that are there, so many that are not.
LOOKED_UP = 3
EMPTY_BLOOM = ('int64.plain-v1', 'string.delta_byte_array-v2', 'float64.byte_stream_split-v1')
WRONG_BOUNDS = ('int32.two-row-groups', 'timestamp_us.two-row-groups')


def plain_type(found):
    """The Arrow type without the reader's choice of memory layout and of the name for UTC."""
    if pa.types.is_timestamp(found) and found.tz == 'Etc/UTC':
        return pa.timestamp(found.unit, 'UTC')
    return _VIEWS.get(found, found)


def read_problems(engine, path, case):
    refused = engine.cannot_open(case.type, case.options.get('encoding'))
    try:
        table = engine.read(path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a foreign reader throws; a panic of Rust is no Exception
        return [] if refused else [f'{type(error).__name__}: {error}']
    if refused:
        return ['reads what it was not able to, see cannot_open']
    return list(_differences(engine, table, case))


def _differences(engine, table, case):
    names = [column.name for column in case.columns]
    if table.schema.names != names:
        yield f'columns {table.schema.names} instead of {names}'
        return
    for column, field in zip(case.columns, table.schema):
        found = plain_type(field.type)
        if found != engine.arrow(case.type):
            yield f'column {column.name} has type {field.type} instead of {engine.arrow(case.type)}'
            continue
        if engine.keeps_nullability and field.nullable != column.nullable:
            yield f'column {column.name} is nullable: {field.nullable} instead of {column.nullable}'
        data = table.column(column.name)
        if data.null_count != column.nulls:
            yield f'column {column.name} has {data.null_count} nulls instead of {column.nulls}'
        difference = first_difference(engine.shown(column.values, case.type), canonical(data, engine.shape(case.type)))
        if difference:
            yield f'column {column.name}, {difference}'


def filters_of(case, seed):
    """(column, operator, value) for some columns: by their smallest and largest value and by one of any column."""
    choose = random.Random(f'{seed} {case.stem}')
    everything = sorted({value for column in case.columns for value in column.values if value is not None})
    filters = []
    # Columns with NaNs in one row group only tempt readers most.
    chosen = [column for column in case.columns if column.name.startswith('nanhead')]
    others = [column for column in case.columns if column not in chosen]
    for column in chosen + choose.sample(others, min(COLUMNS, len(others))):
        present = [value for value in column.values if value is not None]
        probes = {min(present, key=_order(case.type)), max(present, key=_order(case.type))} if present else set()
        probes |= set(choose.sample(everything, min(1, len(everything))))
        filters += [(column.name, operator, value) for value in sorted(probes) for operator in OPERATORS[:-1]]
        filters.append((column.name, 'is null', None))
    return filters


def lookups_of(case, seed):
    """`=` filters for the columns with Bloom filters; absent values lie between the column's bounds."""
    choose = random.Random(f'{seed} {case.stem} lookups')
    key = _order(case.type) or (lambda value: value)
    everything = sorted({value for column in case.columns for value in column.values if value is not None})
    filters = []
    for column in case.columns:
        present = sorted({value for value in column.values if value is not None})
        if not column.bloom or not present:
            continue
        low, high = min(present, key=key), max(present, key=key)
        absent = [value for value in everything if value not in present and key(low) <= key(value) <= key(high)]
        # Equal though other bits: both zeros, every NaN.
        special = [value for value in everything if case.type.family == 'float' and _is_special(value, case.type.bits)]
        for values in (present, absent, special):
            chosen = choose.sample(values, min(LOOKED_UP, len(values)))
            filters += [(column.name, '=', value) for value in chosen]
    return filters


def _is_special(bits, width):
    number = floats.number_of_bits(bits, width)
    return number == 0 or number != number


def _order(kind):
    return (lambda bits: floats.total_key(bits, kind.bits)) if kind.family == 'float' else None


def count(values, operator, probe, key):
    if operator == 'is null':
        return values.count(None)
    probe = key(probe)
    meets = {
        '=': lambda value: value == probe,
        '<': lambda value: value < probe,
        '>=': lambda value: value >= probe,
        '<>': lambda value: value != probe,
    }[operator]
    return sum(meets(key(value)) for value in values if value is not None)


def filter_problems(engine, path, case, filters):
    key = lambda value: value
    if case.type.family == 'float':
        key = lambda value: engine.float_key(value, case.type.bits)
    columns = {column.name: column.values for column in case.columns}
    expected = [count(columns[name], operator, value, key) for name, operator, value in filters]
    try:
        found = engine.counts(path, case.type, filters)
    except Exception as error:  # as above
        return [f'{type(error).__name__}: {error}']
    return [
        f'{name} {operator} {value!r}: {b} rows instead of {a}'
        for (name, operator, value), a, b in zip(filters, expected, found)
        if a != b
    ]


def wrong_bounds_problems(engine, case, folder):
    """The filters themselves are tested: on a file with wrong bounds their counts must differ."""
    path = Path(folder) / 'damaged' / f'{case.stem}.parquet'
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(with_wrong_bounds(Path(case.files[0][1]).read_bytes()))
    filters = []
    for column in case.columns:
        present = [value for value in column.values if value is not None]
        filters.append((column.name, '>=', max(present)))
    return [] if filter_problems(engine, str(path), case, filters) else ['not noticed']


def empty_bloom_problems(engine, case, folder, seed):
    """The same for Bloom filters: without their bits a reader that uses them finds nothing."""
    path = Path(folder) / 'damaged' / f'{case.stem}.bloom.parquet'
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(with_empty_bloom_filters(Path(case.files[0][1]).read_bytes()))
    noticed = bool(filter_problems(engine, str(path), case, lookups_of(case, seed)))
    return [] if noticed == engine.uses_bloom else [f'noticed: {noticed}']


def main(folder, seed):
    cases = load(folder)
    for make in ENGINES:
        engine = make()
        group = Group(engine.name)
        for case in cases:
            for name, path, _ in case.files:
                group.check(name, read_problems(engine, path, case))
        group.close()
        if not hasattr(engine, 'counts'):
            continue
        group = Group(f'{engine.name}, filtered')
        for case in cases:
            # Statistics do not depend on the codec, so one file of each case will do.
            for name, path, _ in case.files[-1:]:
                encoding = case.options.get('encoding')
                if engine.cannot_open(case.type, encoding):
                    continue
                if not (filters := lookups_of(case, seed) if encoding else filters_of(case, seed)):
                    continue
                problems = filter_problems(engine, path, case, filters)
                group.check(name, problems)
        for case in cases:
            if case.stem in WRONG_BOUNDS:
                group.check(f'{case.stem} with wrong bounds', wrong_bounds_problems(engine, case, folder))
            if case.stem in EMPTY_BLOOM:
                found = empty_bloom_problems(engine, case, folder, seed)
                group.check(f'{case.stem} with empty Bloom filters', found)
        group.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
