"""Compares a Parquet file, read by DuckDB, with the CSV it was made from, read by Python's csv module.

usage: read_csv_and_parquet.py table.csv table.parquet
Prints {"rows": n, "types": {column: type}, "codecs": [...]} and ends with code 1 at the first difference.
"""

import csv
import datetime
import decimal
import json
import sys

import duckdb

csv_path, parquet_path = sys.argv[1:]

with open(csv_path, newline="", encoding="utf-8") as file:
    header, *records = list(csv.reader(file))

connection = duckdb.connect()
connection.execute("SET TimeZone = 'UTC'")
relation = connection.read_parquet(parquet_path)
types = dict(zip(relation.columns, map(str, relation.types)))


def selected(name, type_):
    # DuckDB hands over zoned times by way of another package; as microseconds they need none.
    quoted = '"' + name.replace('"', '""') + '"'
    return f"epoch_us({quoted})" if type_ == "TIMESTAMP WITH TIME ZONE" else quoted


columns = ", ".join(selected(name, type_) for name, type_ in types.items())
rows = connection.execute(f"SELECT {columns} FROM read_parquet(?)", [parquet_path]).fetchall()


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def expected(text, type_):
    if text == "":
        return None
    if type_ == "VARCHAR":
        return text
    if type_ == "BOOLEAN":
        return {"true": True, "false": False}[text.lower()]
    if type_ in ("FLOAT", "DOUBLE"):
        return float(text)
    if type_.startswith("DECIMAL"):
        return decimal.Decimal(text)
    if type_ == "DATE":
        return datetime.date.fromisoformat(text)
    if type_ == "TIMESTAMP WITH TIME ZONE":
        since = moment(text) - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        return since // datetime.timedelta(microseconds=1)
    if type_.startswith("TIMESTAMP"):
        return moment(text)
    return int(text)


if list(types) != header:
    sys.exit(f"columns: {header} in the CSV, {list(types)} in the file")
if len(rows) != len(records):
    sys.exit(f"rows: {len(records)} in the CSV, {len(rows)} in the file")
for number, (record, row) in enumerate(zip(records, rows)):
    for name, text, value in zip(header, record, row):
        wanted = expected(text, types[name])
        if wanted != value or (wanted is None) != (value is None):
            sys.exit(f"row {number}, column {name}: {text!r} in the CSV, {value!r} in the file")

codecs = connection.execute("SELECT DISTINCT compression FROM parquet_metadata(?)", [parquet_path]).fetchall()
print(json.dumps({"rows": len(rows), "types": types, "codecs": sorted(codec for (codec,) in codecs)}))
