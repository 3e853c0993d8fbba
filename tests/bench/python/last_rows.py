"""What pyarrow and DuckDB find behind a filter that only the last row group passes: last_rows.py FILE ROWS."""

import sys

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq

path, rows = sys.argv[1], int(sys.argv[2])
WANTED = 1000

file = pq.ParquetFile(path)
metadata = file.metadata
assert metadata.num_rows == rows, metadata.num_rows
last = metadata.row_group(metadata.num_row_groups - 1)
start = max(0, rows - WANTED)
first = last.column(0)
place = first.data_page_offset if first.dictionary_page_offset is None else first.dictionary_page_offset
assert first.statistics.max == rows - 1, first.statistics.max
assert metadata.num_row_groups == 1 or first.statistics.min <= start

table = pq.read_table(path, filters=[("id", ">=", start)])
assert table.num_rows == rows - start, table.num_rows
assert pc.min(table["id"]).as_py() == start and pc.max(table["id"]).as_py() == rows - 1
arrow = [pc.sum(table[name]).as_py() for name in ("id", "x", "y")] + [table["z"].null_count]

found = duckdb.sql(
    f"SELECT sum(id), sum(x), sum(y), count(*) - count(z), count(*) FROM read_parquet('{path}') WHERE id >= {start}"
).fetchall()[0]
assert found[4] == rows - start, found
assert int(found[0]) == arrow[0] and found[3] == arrow[3], (found, arrow)
assert all(abs(a - b) <= 1e-9 * abs(a) + 1e-6 for a, b in zip(found[1:3], arrow[1:3])), (found, arrow)
total = duckdb.sql(f"SELECT count(*), sum(id::HUGEINT) FROM read_parquet('{path}')").fetchall()[0]
assert total == (rows, rows * (rows - 1) // 2), total

print(f"pyarrow and DuckDB: the last {rows - start:,} rows behind a filter, in a row group at byte {place:,}; all ids add up")
