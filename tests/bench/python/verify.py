"""Compares Parquet files with the Arrow IPC file of the table that they were written from.

    verify.py SOURCE.arrow FILE.parquet ...

Prints one JSON object: for each file a list of problems, empty when every value is equal.
"""

import json
import sys

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq


def plain(column):
    """One array without a dictionary, strings with 32-bit offsets."""
    array = column.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_large_string(array.type) or pa.types.is_string_view(array.type):
        array = array.cast(pa.string())
    return array


def is_list(type_):
    return pa.types.is_list(type_) or pa.types.is_large_list(type_)


def fields_of(type_):
    return [type_.field(i) for i in range(type_.num_fields)]


def same_shape(got, want):
    """The same types down to the leaves; what a list calls its items and what may be null is up to the writer."""
    if pa.types.is_map(want):
        entry = pa.struct([("key", want.key_type), ("value", want.item_type)])
        if pa.types.is_map(got):
            got = pa.list_(pa.struct([("key", got.key_type), ("value", got.item_type)]))
        # Polars has no map but lists of entries
        return same_shape(got, pa.list_(entry))
    if is_list(want):
        return is_list(got) and same_shape(got.value_type, want.value_type)
    if pa.types.is_struct(want):
        if not pa.types.is_struct(got) or got.num_fields != want.num_fields:
            return False
        pairs = zip(fields_of(got), fields_of(want))
        return all(a.name == b.name and same_shape(a.type, b.type) for a, b in pairs)
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return got == want or all(any(is_text(type_) for is_text in texts) for type_ in (got, want))


def problem_of(name, got, want):
    got, want = plain(got), plain(want)
    if pa.types.is_timestamp(want.type) and pa.types.is_timestamp(got.type):
        # writers differ in unit and zone for the same instants
        got = got.cast(pa.timestamp(want.type.unit, got.type.tz)).cast(pa.int64())
        want = want.cast(pa.int64())
    if not same_shape(got.type, want.type):
        return f"{name}: type {got.type} instead of {want.type}"
    if got.null_count != want.null_count:
        return f"{name}: {got.null_count} nulls instead of {want.null_count}"
    if pa.types.is_map(want.type) and is_list(got.type):
        want = want.cast(got.type)
    elif got.type != want.type:
        got = got.cast(want.type)
    if got.equals(want):
        return None
    row = next(i for i in range(len(want)) if got[i] != want[i])
    return f"{name}: row {row} is {got[row]} instead of {want[row]}"


def problems_of(path, source):
    try:
        table = pq.read_table(path)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    if table.num_rows != source.num_rows:
        return [f"{table.num_rows} rows instead of {source.num_rows}"]
    if table.column_names != source.column_names:
        return [f"columns {table.column_names}"]
    found = (problem_of(name, table.column(name), source.column(name)) for name in source.column_names)
    return [problem for problem in found if problem]


def main():
    with pa.memory_map(sys.argv[1]) as file:
        source = pa.ipc.open_file(file).read_all()
        print(json.dumps({path: problems_of(path, source) for path in sys.argv[2:]}))


if __name__ == "__main__":
    main()
