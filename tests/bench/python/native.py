"""A native writer for reference, one thread: pyarrow, duckdb or polars. Started by run.mjs.

Reads one JSON object per line and answers with one. Its input is an Arrow table in memory, its output a file in RAM.
"""

import json
import os
import sys
import time

os.environ["POLARS_MAX_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

FILE = f"/dev/shm/parquill-bench-{os.getpid()}.parquet"


class PyArrow:
    def load(self, path):
        import pyarrow as pa
        import pyarrow.ipc
        import pyarrow.parquet

        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
        self.write_table = pa.parquet.write_table
        with pa.OSFile(path) as file:
            self.table = pa.ipc.open_file(file).read_all()

    def write(self, codec, rows):
        level = 3 if codec == "zstd" else None
        self.write_table(self.table, FILE, compression=codec, compression_level=level, row_group_size=rows)


class DuckDB:
    def load(self, path):
        import duckdb
        import pyarrow as pa
        import pyarrow.ipc

        with pa.OSFile(path) as file:
            table = pa.ipc.open_file(file).read_all()
        self.connection = duckdb.connect()
        self.connection.execute("SET threads=1")
        self.connection.register("source", table)
        self.connection.execute("CREATE TABLE t AS SELECT * FROM source")

    def write(self, codec, rows):
        options = ["FORMAT parquet", f"CODEC '{'uncompressed' if codec == 'none' else codec}'"]
        if rows:
            options.append(f"ROW_GROUP_SIZE {rows}")
        self.connection.execute(f"COPY t TO '{FILE}' ({', '.join(options)})")


class Polars:
    def load(self, path):
        import polars

        with open(path, "rb") as file:
            self.table = polars.read_ipc(file.read())

    def write(self, codec, rows):
        compression = "uncompressed" if codec == "none" else codec
        level = 3 if codec == "zstd" else None
        self.table.write_parquet(FILE, compression=compression, compression_level=level, row_group_size=rows)


def measure(writer, message):
    repeat = message["repeat"]
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(repeat):
        writer.write(message["codec"], message.get("rowGroupRows"))
    wall = (time.perf_counter() - wall) * 1e3 / repeat
    cpu = (time.process_time() - cpu) * 1e3 / repeat
    with open(FILE, "rb") as file:
        data = file.read()
    os.remove(FILE)
    if message.get("saveTo"):
        with open(message["saveTo"], "wb") as file:
            file.write(data)
    return {"wall": wall, "cpu": cpu, "allThreads": cpu, "bytes": len(data)}


def main():
    writer = {"pyarrow": PyArrow, "duckdb": DuckDB, "polars": Polars}[sys.argv[1]]()
    for line in sys.stdin:
        message = json.loads(line)
        try:
            result = writer.load(message["source"]) if message["command"] == "load" else measure(writer, message)
            answer = {"result": result or {}}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
