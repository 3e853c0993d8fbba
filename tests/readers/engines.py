"""The four Python readers behind one face: `read` gives an Arrow table, `counts` rows that a filter leaves.

`shape(kind)` is the type as the reader itself shows it. Where that differs from the file's type, it is the reader's own
way and the only thing allowed here (spec: what a reader does with a type it lacks); values are converted exactly by
`shown`, none is skipped.
"""

import datetime
import decimal
from dataclasses import replace

import datafusion
import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as parquet

import floats
from canonical import arrow_scalar, arrow_type
from floats import number_of_bits

OPERATORS = ('=', '<', '>=', '<>', 'is null')


def _fixed_bytes(kind):
    """Whether the type is FIXED_LEN_BYTE_ARRAY in the file."""
    return kind.family == 'fixed' or kind.family == 'float' and kind.bits == 16


class Engine:
    """What most readers have in common."""

    name = ''
    # How filters compare floats; −0 equals +0 everywhere.
    float_key = staticmethod(floats.value_key)
    # Whether `=` looks into Bloom filters.
    uses_bloom = False
    # Whether the Arrow schema says which columns are REQUIRED.
    keeps_nullability = False

    def cannot_open(self, kind, encoding):
        """Whether the reader fails on columns of this type in this encoding. It must fail then, and only then."""
        return False

    def shape(self, kind):
        return kind

    def shown(self, values, kind):
        return values

    def arrow(self, kind):
        return arrow_type(self.shape(kind))


class PyArrow(Engine):
    name = 'pyarrow'
    keeps_nullability = True

    def read(self, path):
        return parquet.ParquetFile(path, page_checksum_verification=True).read()


class DuckDB(Engine):
    """Has no FLOAT16 (shows FLOAT), no fixed-length bytes (shows BLOB), no milliseconds (shows microseconds)."""

    name = 'DuckDB'
    uses_bloom = True

    def __init__(self):
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 1; SET TimeZone = 'UTC'")

    def cannot_open(self, kind, encoding):
        return encoding == 'BYTE_STREAM_SPLIT' and _fixed_bytes(kind)

    def read(self, path):
        return self.connection.sql(f"FROM '{path}'").to_arrow_table()

    def shape(self, kind):
        if kind.family == 'float' and kind.bits == 16:
            return replace(kind, bits=32)
        if kind.family == 'fixed':
            return replace(kind, family='binary')
        if kind.family == 'timestamp' and kind.unit == 'ms':
            return replace(kind, unit='us')
        return kind

    def shown(self, values, kind):
        if kind.family == 'float' and kind.bits == 16:
            return [None if value is None else floats.widen(value) for value in values]
        if kind.family == 'timestamp' and kind.unit == 'ms':
            return [None if value is None else value * 1000 for value in values]
        return values

    def counts(self, path, kind, filters):
        queries = [
            f"SELECT {i} AS i, count(*) AS n FROM '{path}' WHERE {self._where(kind, *one)}"
            for i, one in enumerate(filters)
        ]
        return [n for _, n in sorted(self.connection.execute(' UNION ALL '.join(queries)).fetchall())]

    def _where(self, kind, column, operator, value):
        if operator == 'is null':
            return f'"{column}" IS NULL'
        return f'"{column}" {operator} {self._literal(kind, value)}'

    @staticmethod
    def _literal(kind, value):
        if kind.family == 'bool':
            return str(value)
        if kind.family == 'int':
            name = {8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT'}[kind.bits]
            return f"'{value}'::{'' if kind.signed else 'U'}{name}"
        if kind.family == 'float':
            return f"'{number_of_bits(value, kind.bits)!r}'::{'DOUBLE' if kind.bits == 64 else 'FLOAT'}"
        if kind.family == 'string':
            return "decode('" + ''.join(f'\\x{byte:02X}' for byte in value) + "'::BLOB)"
        if kind.family in ('binary', 'fixed'):
            return "'" + ''.join(f'\\x{byte:02X}' for byte in value) + "'::BLOB"
        if kind.family == 'date':
            return f"'{datetime.date.fromordinal(719163 + value)}'::DATE"
        if kind.family == 'decimal':
            return f"'{decimal.Decimal(value).scaleb(-kind.scale)}'::DECIMAL({kind.precision}, {kind.scale})"
        make = {'ms': 'make_timestamp_ms', 'us': 'make_timestamp', 'ns': 'make_timestamp_ns'}[kind.unit]
        return f'{make}({value})' + (('::TIMESTAMPTZ_NS' if kind.unit == 'ns' else '::TIMESTAMPTZ') if kind.utc else '')


class Polars(Engine):
    """Shows fixed-length bytes as Binary."""

    name = 'Polars'

    def cannot_open(self, kind, encoding):
        if encoding == 'BYTE_STREAM_SPLIT':
            return kind.family == 'fixed'
        return encoding == 'DELTA_BYTE_ARRAY' and _fixed_bytes(kind)

    def read(self, path):
        return polars.read_parquet(path).to_arrow()

    def shape(self, kind):
        return replace(kind, family='binary') if kind.family == 'fixed' else kind

    def counts(self, path, kind, filters):
        frame = polars.scan_parquet(path)
        counted = [frame.filter(self._where(kind, *one)).select(polars.len()) for one in filters]
        return [one.item() for one in polars.collect_all(counted)]

    def _where(self, kind, column, operator, value):
        column = polars.col(column)
        if operator == 'is null':
            return column.is_null()
        literal = self._literal(kind, value)
        return {'=': column.eq, '<': column.lt, '>=': column.ge, '<>': column.ne}[operator](literal)

    @staticmethod
    def _literal(kind, value):
        typed = polars.from_arrow(pa.array([], arrow_type(kind))).dtype
        if kind.family == 'float':
            return polars.lit(number_of_bits(value, kind.bits), dtype=typed)
        if kind.family == 'string':
            return polars.lit(value.decode(), dtype=typed)
        if kind.family == 'decimal':
            return polars.lit(decimal.Decimal(value).scaleb(-kind.scale), dtype=typed)
        if kind.family in ('date', 'timestamp'):
            return polars.lit(value).cast(typed)
        return polars.lit(value, dtype=typed)


class DataFusion(Engine):
    """Orders NaNs by sign and payload, below and above all numbers."""

    name = 'DataFusion'
    uses_bloom = True
    float_key = staticmethod(floats.total_key)
    keeps_nullability = True

    def __init__(self):
        settings = (
            datafusion.SessionConfig()
            .with_target_partitions(1)
            .set('datafusion.execution.parquet.pushdown_filters', 'true')
        )
        self.context = datafusion.SessionContext(settings)

    def read(self, path):
        return self.context.read_parquet(path).to_arrow_table()

    def counts(self, path, kind, filters):
        frame = self.context.read_parquet(path)
        return [frame.filter(self._where(kind, *one)).count() for one in filters]

    def _where(self, kind, column, operator, value):
        column = datafusion.col(f'"{column}"')
        if operator == 'is null':
            return column.is_null()
        literal = datafusion.lit(arrow_scalar(value, kind))
        return {'=': column.__eq__, '<': column.__lt__, '>=': column.__ge__, '<>': column.__ne__}[operator](literal)


ENGINES = (PyArrow, DuckDB, Polars, DataFusion)
