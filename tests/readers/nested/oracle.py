"""Reads files in a batch with pyarrow, DuckDB and DataFusion and compares every value; some are walked, too.

python oracle.py <batch> <walk every nth>

A batch is a folder with files.bin (files one after the other) and cases.jsonl: per line the name of a case, the place
of its file, its columns with name, nullability and values as expected.mjs writes them, and the options by which the
walker judges.
"""

import json
import struct
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import datafusion
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent.parent))

from report import Group
from walk import Ours, Walk

_UNITS = {'ms': 1000, 'us': 1}


def text(value, kind):
    """A value of an Arrow type in the words of expected.mjs."""
    if value is None:
        return None
    if pa.types.is_list(kind):
        return [text(element, kind.value_type) for element in value]
    if pa.types.is_map(kind):
        return [[text(key, kind.key_type), text(inner, kind.item_type)] for key, inner in value]
    if pa.types.is_struct(kind):
        return [[field.name, text(value[field.name], field.type)] for field in kind]
    if pa.types.is_boolean(kind):
        return value
    if pa.types.is_string(kind):
        return f's{value}'
    if pa.types.is_binary(kind):
        return f'b{value.hex()}'
    if pa.types.is_floating(kind):
        if value != value:
            return 'fnan'
        return 'f' + struct.pack('>f' if pa.types.is_float32(kind) else '>d', value).hex()
    if isinstance(value, datetime):
        epoch = datetime(1970, 1, 1, tzinfo=timezone.utc if kind.tz else None)
        return f'i{(value - epoch) // timedelta(microseconds=_UNITS[kind.unit])}'
    if isinstance(value, date):
        return f'i{(value - date(1970, 1, 1)).days}'
    return f'i{value}'


def differing(table, case):
    """The first row of every column that is not as expected."""
    if table.schema.names != [column['name'] for column in case['columns']]:
        yield f'columns {table.schema.names}'
        return
    for column, field in zip(case['columns'], table.schema):
        if field.nullable != column['nullable']:
            yield f'column {column["name"]} is nullable: {field.nullable}'
        found = [text(value, field.type) for value in table.column(column['name']).to_pylist()]
        for row, (wanted, there) in enumerate(zip(column['values'], found)):
            if wanted != there:
                yield f'{column["type"]}, row {row}: expected {wanted!r}, found {there!r}'
                break
        if len(found) != len(column['values']):
            yield f'{len(found)} rows instead of {len(column["values"])}'


def read(problems, *arguments):
    """What a reader finds; whatever it throws is this file's failure."""
    try:
        return problems(*arguments)
    except Exception as error:
        return None, [f'{type(error).__name__}: {error}']


def in_pyarrow(data, case):
    table = pq.read_table(pa.BufferReader(data))
    return table, list(differing(table, case))


def neutral(value):
    """A Python value whose equality is that of the bits: floats by their text, which tells zeros and knows one NaN."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return [neutral(element) for element in value]
    if isinstance(value, dict):
        return {name: neutral(element) for name, element in value.items()}
    if isinstance(value, datetime) and value.tzinfo:
        return value.astimezone(timezone.utc)
    return value


def has_floats(kind):
    return pa.types.is_floating(kind) or any(has_floats(kind.field(i).type) for i in range(kind.num_fields))


def same_arrow(wanted, found):
    """Whether columns are equal for Arrow, which is quick; both zeros are equal for it, so not with floats."""
    return wanted.type == found.type and not has_floats(wanted.type) and wanted.equals(found)


def like_pyarrow(found, table):
    """Problems in another reader's table: units and the types of texts may differ, values may not."""
    if found.schema.names != table.schema.names:
        yield f'columns {found.schema.names}'
        return
    for name in table.schema.names:
        if same_arrow(table.column(name), found.column(name)):
            continue
        wanted, there = neutral(table.column(name).to_pylist()), neutral(found.column(name).to_pylist())
        if wanted != there:
            row = next((row for row, pair in enumerate(zip(wanted, there)) if pair[0] != pair[1]), len(there))
            yield f'column {name}, row {row}: expected {wanted[row:][:1]!r}, found {there[row:][:1]!r}'


def in_duckdb(connection, path, table):
    found = connection.sql('select * from read_parquet(?)', params=[path]).to_arrow_table()
    return None, list(like_pyarrow(found, table))


def in_datafusion(context, path, table):
    return None, list(like_pyarrow(context.read_parquet(path).to_arrow_table(), table))


def main(folder, walked):
    data = memoryview((Path(folder) / 'files.bin').read_bytes())
    groups = {name: Group(f'{name}, nested') for name in ('pyarrow', 'DuckDB', 'DataFusion', 'file walker')}
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    context = datafusion.SessionContext()
    path = Path(folder) / 'one.parquet'
    for number, line in enumerate((Path(folder) / 'cases.jsonl').open(encoding='utf-8')):
        case = json.loads(line)
        file = data[case['from'] : case['to']]
        table, found = read(in_pyarrow, file, case)
        groups['pyarrow'].check(case['name'], found)
        if table is not None:
            path.write_bytes(file)
            groups['DuckDB'].check(case['name'], read(in_duckdb, connection, str(path), table)[1])
            groups['DataFusion'].check(case['name'], read(in_datafusion, context, str(path), table)[1])
        if number % int(walked) == 0:
            groups['file walker'].check(case['name'], Walk(bytes(file), Ours(**case['ours'])).contradictions)
    for group in groups.values():
        group.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
