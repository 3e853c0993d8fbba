"""Reads what became of Arrow IPC files, and compares it with what pyarrow itself reads from them.

python arrow_input.py <folder of the Parquet files> <folder of the Arrow files>
"""

import base64
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from report import Group

_UNITS = {'s': 1000}  # seconds are written as milliseconds


def values(array):
    """Values as Python has them, where one type stands for another as the number that it stands for."""
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in values(chunk)]
    kind = array.type
    if isinstance(array, pa.ExtensionArray):
        return values(array.storage)
    if pa.types.is_dictionary(kind):
        entries = values(array.dictionary)
        return [None if index is None else entries[index] for index in array.indices.to_pylist()]
    if pa.types.is_run_end_encoded(kind):
        runs = zip(array.run_ends.to_pylist(), values(array.values))
        return _expanded(runs)[array.offset : array.offset + len(array)]
    if pa.types.is_date64(kind):
        return [None if ms is None else ms // 86_400_000 for ms in array.cast(pa.int64()).to_pylist()]
    if pa.types.is_date32(kind):
        return array.cast(pa.int32()).to_pylist()
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        ticks = array.view(pa.int32() if pa.types.is_time32(kind) else pa.int64()).to_pylist()
        return [None if tick is None else tick * _UNITS.get(kind.unit, 1) for tick in ticks]
    if pa.types.is_duration(kind):
        return array.view(pa.int64()).to_pylist()
    if pa.types.is_interval(kind):
        return [None if value is None else _interval(value) for value in array.to_pylist()]
    if pa.types.is_floating(kind):
        return ['nan' if value != value else value for value in array.to_pylist()]
    return array.to_pylist()


def _expanded(runs):
    out = []
    for end, value in runs:
        out += [value] * (end - len(out))
    return out


def _interval(value):
    parts = (value.months, value.days, value.nanoseconds // 1_000_000)
    return b''.join(part.to_bytes(4, 'little') for part in parts)


def problems(arrow, parquet):
    read = ipc.open_file if arrow.suffix == '.arrow' else ipc.open_stream
    wanted, found = read(pa.BufferReader(arrow.read_bytes())).read_all(), pq.read_table(parquet)
    if wanted.schema.names != found.schema.names or wanted.num_rows != found.num_rows:
        yield f'{found.num_rows} rows of {found.schema.names}'
        return
    for name in wanted.schema.names:
        pairs = zip(values(wanted.column(name)), values(found.column(name)))
        if difference := next((f'row {row}: {a!r} became {b!r}' for row, (a, b) in enumerate(pairs) if a != b), None):
            yield f'column {name} ({wanted.schema.field(name).type}), {difference}'
    yield from schema_problems(wanted, found, parquet)


def schema_problems(wanted, found, parquet):
    """What is wrong with the kept schema, and with the types that pyarrow makes of it."""
    kept = (pq.read_metadata(parquet).metadata or {}).get(b'ARROW:schema')
    if kept is None:
        return
    schema = ipc.read_schema(pa.BufferReader(base64.b64decode(kept)))
    if not schema.equals(wanted.schema, check_metadata=True):
        yield f'kept {schema} of {wanted.schema}'
    for field in wanted.schema:
        # A file of pyarrow's own tells which types it gives back; of some it writes none.
        sink = pa.BufferOutputStream()
        try:
            pq.write_table(pa.table([pa.array([], field.type)], pa.schema([field])), sink)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            continue
        own = pq.read_schema(pa.BufferReader(sink.getvalue())).field(0)
        if not found.schema.field(field.name).equals(own, check_metadata=False):
            yield f'column {field.name} is {found.schema.field(field.name)}, in a file of pyarrow {own}'


def main(folder, source):
    group = Group('Arrow IPC files, by pyarrow')
    for parquet in sorted(Path(folder).glob('*.parquet')):
        group.check(parquet.stem, problems(Path(source) / parquet.stem, parquet))
    group.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
