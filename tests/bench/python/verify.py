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


def problem_of(name, got, want):
    got, want = plain(got), plain(want)
    if pa.types.is_timestamp(want.type) and pa.types.is_timestamp(got.type):
        # writers differ in unit and zone for the same instants
        got = got.cast(pa.timestamp(want.type.unit, got.type.tz)).cast(pa.int64())
        want = want.cast(pa.int64())
    if got.type != want.type:
        return f"{name}: type {got.type} instead of {want.type}"
    if got.equals(want):
        return None
    if got.null_count != want.null_count:
        return f"{name}: {got.null_count} nulls instead of {want.null_count}"
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
