"""The readers of the support table behind one face: `read` gives a column by name as Arrow.

Each imports its package when it is made, since they live in two environments (.venv and .venv-readers).
"""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa


class Reader:
    name = ''
    version = ''
    # What it shows where it has no other way, see values.WAYS.
    ways = ()
    # Whether a file can end the process, so that each has one of its own.
    crashes = False

    def read(self, path, kind, columns):
        """Arrow columns by name; whatever the reader throws is its refusal."""
        raise NotImplementedError

    def read_many(self, paths, kind, columns):
        """The same of several files of one schema, by path; or None where that is no gain."""
        return None

    def is_of_schema(self, error):
        """Whether an error of `read_many` comes from the schema, so that each of the files has it."""
        return False


def _columns(table, names):
    return {name: table.column(name) for name in names}


def _by_file(table, file, number, paths, columns):
    """Rows of several files, taken apart and put in order."""
    rows = {}
    for row, name in enumerate(table.column(file).to_pylist()):
        rows.setdefault(name.decode() if isinstance(name, bytes) else name, []).append(row)
    numbers = table.column(number).to_numpy()
    found = {}
    for path in paths:
        mine = np.array(rows.get(Path(path).name, []), dtype=np.int64)
        found[path] = _columns(table.take(mine[np.argsort(numbers[mine])]), columns)
    return found


class PyArrow(Reader):
    name = 'pyarrow'

    def __init__(self):
        import pyarrow.parquet

        self.version, self._open = pa.__version__, pyarrow.parquet.ParquetFile

    def read(self, path, kind, columns):
        return _columns(self._open(path, page_checksum_verification=True).read(columns=columns), columns)


class DuckDB(Reader):
    name = 'DuckDB'

    def __init__(self):
        import duckdb

        self.version, self._connection = duckdb.__version__, duckdb.connect()
        self._connection.execute("SET threads = 1; SET TimeZone = 'UTC'")

    def read(self, path, kind, columns):
        names = ', '.join(f'"{name}"' for name in columns)
        return _columns(self._connection.sql(f"SELECT {names} FROM '{path}'").to_arrow_table(), columns)


class Polars(Reader):
    name = 'Polars'

    def __init__(self):
        import polars

        self.version, self._read = polars.__version__, polars.read_parquet

    def read(self, path, kind, columns):
        return _columns(self._read(path, columns=columns).to_arrow(), columns)


class DataFusion(Reader):
    name = 'DataFusion'

    def __init__(self):
        import datafusion

        self.version = datafusion.__version__
        self._context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))

    def read(self, path, kind, columns):
        return _columns(self._context.read_parquet(path).select(*columns).to_arrow_table(), columns)


class ParquetWasm(Reader):
    """Its results lie beside the files as Arrow IPC, or the error as text: parquet-wasm.mjs."""

    name = 'parquet-wasm'

    def __init__(self):
        package = Path(__file__).parent / '../../../node_modules/parquet-wasm/package.json'
        self.version = json.loads(package.read_text())['version']

    def read(self, path, kind, columns):
        base = path.removesuffix('.parquet')
        refusal = Path(f'{base}.parquet-wasm.txt')
        if len(columns) > 1 and refusal.exists():
            raise ValueError(refusal.read_text())
        if refusal.exists():
            one = Path(f'{base}.{columns[0]}.parquet-wasm.txt')
            if one.exists():
                raise ValueError(one.read_text())
            base = f'{base}.{columns[0]}'
        return _columns(pa.ipc.open_stream(Path(f'{base}.parquet-wasm.arrows').read_bytes()).read_all(), columns)


class ClickHouse(Reader):
    """Lists, maps and structs have no nulls; what is null in the file comes as an empty one."""

    name = 'ClickHouse'
    ways = ('null as empty', 'null as a struct of nulls')

    def __init__(self):
        import chdb

        self._query = chdb.query
        self.version = chdb.query('SELECT version()', 'TabSeparatedRaw').bytes().decode().strip()

    def read(self, path, kind, columns):
        return _columns(self._table(path, columns), columns)

    def read_many(self, paths, kind, columns):
        names = ','.join(Path(path).name for path in paths)
        table = self._table(f'{Path(paths[0]).parent}/{{{names}}}', [*columns, '_file', '_row_number'])
        return _by_file(table, '_file', '_row_number', paths, columns)

    def _table(self, path, columns):
        names = ', '.join(f'"{name}"' for name in columns)
        query = f"SELECT {names} FROM file('{path}', Parquet) SETTINGS output_format_arrow_string_as_string = 0"
        return pa.ipc.open_stream(self._query(query, 'ArrowStream').bytes()).read_all()


class FastParquet(Reader):
    """Gives NumPy and pandas columns: a null float is NaN, a decimal a float, a struct one column for each field."""

    name = 'fastparquet'
    crashes = True
    ways = ('null as NaN', 'nearest double', 'null as a struct of nulls', 'without zero bytes at the end')

    def __init__(self):
        import fastparquet

        self.version, self._open = fastparquet.__version__, fastparquet.ParquetFile

    def read(self, path, kind, columns):
        frame = self._open(path).to_pandas(columns=None if kind.family == 'struct' else columns)
        return {name: self._column(frame, name, kind) for name in columns}

    def _column(self, frame, name, kind):
        if kind.family == 'struct':
            fields = [self._column(frame, f'{name}.{one}', part) for one, part in zip(kind.names, kind.parts)]
            return pa.StructArray.from_arrays(fields, names=list(kind.names))
        series = frame[name]
        if series.dtype.kind == 'f':
            return pa.array(series.to_numpy())
        if kind.family == 'json':
            series = series.map(_json)
        if kind.family == 'map':
            pairs = [list(value.items()) if isinstance(value, dict) else None for value in series]
            return pa.array(pairs, pa.map_(pa.string(), self._value_type(kind.parts[1])))
        return pa.array(series, from_pandas=True)

    @staticmethod
    def _value_type(kind):
        return pa.float64() if kind.family == 'float' else pa.list_(pa.int32())


def _json(value):
    return None if value is None else json.dumps(value, separators=(',', ':'), ensure_ascii=False)


class Spark(Reader):
    name = 'Spark'

    def __init__(self):
        from pyspark.sql import SparkSession

        settings = {
            'spark.driver.host': '127.0.0.1',
            'spark.driver.memory': '1g',
            'spark.log.level': 'OFF',
            'spark.sql.session.timeZone': 'UTC',
            'spark.sql.shuffle.partitions': '1',
            'spark.ui.enabled': 'false',
            'spark.ui.showConsoleProgress': 'false',
        }
        builder = SparkSession.builder.master('local[1]')
        for key, value in settings.items():
            builder = builder.config(key, value)
        self.session = builder.getOrCreate()
        self.version = self.session.version

    def read(self, path, kind, columns):
        return _columns(self.session.read.parquet(path).select(*columns).toArrow(), columns)

    def is_of_schema(self, error):
        return type(error).__name__ == 'AnalysisException'

    def read_many(self, paths, kind, columns):
        frame = self.session.read.parquet(*paths).select(*columns, '_metadata.file_name', '_metadata.row_index')
        return _by_file(frame.toArrow(), 'file_name', 'row_index', paths, columns)


READERS = {one.name: one for one in (PyArrow, DuckDB, Polars, DataFusion, ParquetWasm, ClickHouse, FastParquet, Spark)}
