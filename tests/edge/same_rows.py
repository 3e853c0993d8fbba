"""Whether a Parquet file holds the rows of an NDJSON file, by DuckDB: same_rows.py NDJSON PARQUET."""

import sys

import duckdb

source, parquet = sys.argv[1:]
duckdb.sql("SET enable_progress_bar = false")
names = ("id", "at", "name", "value", "ok", "note", "tags")
types = ("BIGINT", "TIMESTAMPTZ", "VARCHAR", "DOUBLE", "BOOLEAN", "VARCHAR", "VARCHAR[]")
columns = "{" + ", ".join(f"'{name}': '{type}'" for name, type in zip(names, types)) + "}"
duckdb.sql(f"CREATE VIEW given AS SELECT * FROM read_json('{source}', format = 'newline_delimited', columns = {columns})")
duckdb.sql(f"CREATE VIEW written AS SELECT * FROM read_parquet('{parquet}')")
rows = duckdb.sql("SELECT count(*) FROM written").fetchall()[0][0]
for left, right in (("given", "written"), ("written", "given")):
    found = duckdb.sql(f"SELECT * FROM {left} EXCEPT ALL SELECT * FROM {right} LIMIT 3").fetchall()
    assert found == [], f"in {left}, not in {right}: {found}"
print(rows)
