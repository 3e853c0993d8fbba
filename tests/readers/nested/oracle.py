"""Reads files in a batch with pyarrow and compares every value; some are walked byte by byte, too.

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


def problems(data, case):
    try:
        table = pq.read_table(pa.BufferReader(data))
    except Exception as error:  # whatever a foreign reader throws is this file's failure
        yield f'{type(error).__name__}: {error}'
        return
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


def main(folder, walked):
    data = memoryview((Path(folder) / 'files.bin').read_bytes())
    read, walks = Group('pyarrow, nested'), Group('file walker, nested')
    for number, line in enumerate((Path(folder) / 'cases.jsonl').open(encoding='utf-8')):
        case = json.loads(line)
        file = data[case['from'] : case['to']]
        read.check(case['name'], problems(file, case))
        if number % int(walked) == 0:
            walks.check(case['name'], Walk(bytes(file), Ours(**case['ours'])).contradictions)
    read.close()
    walks.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
