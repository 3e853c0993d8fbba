"""Reads the files of volume.mjs with pyarrow: the first column value by value, the others against it.

python volume.py <folder>
"""

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from canonical import canonical
from expected import first_difference, parse_type
from report import Group

LEAST = 100_000


def bare(column):
    """A column without its type: NaNs compare by their bits."""
    array = column.combine_chunks()
    widths = {pa.float16(): pa.int16(), pa.float32(): pa.int32(), pa.float64(): pa.int64()}
    return array.view(widths[array.type]) if array.type in widths else array


def problems(path, kind, expected):
    table = parquet.ParquetFile(path, page_checksum_verification=True).read()
    first = None
    for name in table.schema.names:
        column = bare(table.column(name))
        if first is None:
            first = column
            difference = first_difference(expected, canonical(table.column(name), kind))
            if difference:
                yield f'{name}, {difference}'
        elif not column.equals(first):
            yield f'{name} differs from {table.schema.names[0]}'
        if len(column) - column.null_count < LEAST:
            yield f'{name} has only {len(column) - column.null_count} values'


def main(folder):
    group = Group(f'pyarrow, {LEAST} values of a type in each encoding')
    for path in sorted(Path(folder).glob('*.json')):
        raw = json.loads(path.read_text())
        kind = parse_type(raw['type'])
        expected = [None if text is None else kind.parse(text) for text in raw['values']]
        for file in sorted(path.parent.glob(f'{path.stem}.v*.parquet')):
            group.check(file.stem, problems(file, kind, expected))
    group.close()


main(sys.argv[1])
