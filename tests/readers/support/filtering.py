"""The engines that filter: `rows` gives, for each filter, the ids of the rows that are left, in any order.

A filter is (column, operator, value), the value as in expected.py: integers, bits of floats, bytes.
"""

import datetime
import decimal
import uuid

import numpy as np
import pyarrow as pa

import floats
from floats import number_of_bits

_EXACT = decimal.Context(prec=80)
# So many filters are put into one query.
AT_ONCE = 40


class Lacks(Exception):
    """The engine does not read the type at all, as support.md says."""


def exact(value, kind):
    return decimal.Decimal(value).scaleb(-kind.scale, context=_EXACT)


def plain(value, kind):
    return f'{exact(value, kind):f}'


def arrow_type(kind):
    simple = {'bool': pa.bool_(), 'string': pa.string(), 'binary': pa.binary(), 'date': pa.date32()}
    if kind.family in simple:
        return simple[kind.family]
    if kind.family == 'int':
        return pa.type_for_alias(f'{"" if kind.signed else "u"}int{kind.bits}')
    if kind.family == 'float':
        return {16: pa.float16(), 32: pa.float32(), 64: pa.float64()}[kind.bits]
    if kind.family in ('fixed', 'uuid'):
        return pa.binary(kind.bits or 16)
    if kind.family == 'decimal':
        return pa.decimal128(kind.precision, kind.scale)
    if kind.family == 'time':
        return pa.time32('ms') if kind.unit == 'ms' else pa.time64(kind.unit)
    return pa.timestamp(kind.unit, 'UTC' if kind.utc else None)


def arrow_scalar(value, kind):
    if kind.family == 'float':
        bits = np.array([value], {16: np.uint16, 32: np.uint32, 64: np.uint64}[kind.bits])
        return pa.Array.from_buffers(arrow_type(kind), 1, [None, pa.py_buffer(bits)])[0]
    if kind.family == 'decimal':
        return pa.scalar(exact(value, kind), arrow_type(kind))
    if kind.family in ('date', 'timestamp', 'time'):
        narrow = kind.family == 'date' or kind.family == 'time' and kind.unit == 'ms'
        return pa.array([value], pa.int32() if narrow else pa.int64()).view(arrow_type(kind))[0]
    return pa.scalar(value.decode() if kind.family == 'string' else value, arrow_type(kind))


class Engine:
    # How filters compare floats; −0 equals +0 everywhere.
    float_key = staticmethod(floats.value_key)
    # Whether `=` looks into Bloom filters.
    uses_bloom = True

    def loses(self, kind, operator, value):
        """Whether the engine itself loses rows by this filter where it can skip. It must then, and only then."""
        return False


class SqlEngine(Engine):
    """Many filters in one query, told apart by their number."""

    def rows(self, folder, kind, filters):
        found, source = [], self.source(folder)
        for start in range(0, len(filters), AT_ONCE):
            part = filters[start : start + AT_ONCE]
            queries = (
                f'SELECT {number} AS q, id FROM {source} WHERE {self._where(kind, *one)}'
                for number, one in enumerate(part)
            )
            table = self.table(' UNION ALL '.join(queries))
            numbers, ids = table.column('q').to_numpy(), table.column('id').to_numpy()
            found += [ids[numbers == number] for number in range(len(part))]
        return found

    def _where(self, kind, column, operator, value):
        if operator == 'is null':
            return f'{column} IS NULL'
        return f'{column} {operator} {self.literal(kind, value)}'


class DuckDB(SqlEngine):
    def __init__(self):
        import duckdb

        self._connection = duckdb.connect()
        self._connection.execute("SET threads = 1; SET TimeZone = 'UTC'")

    def source(self, folder):
        return f"read_parquet('{folder}/*.parquet')"

    def table(self, query):
        return self._connection.sql(query).to_arrow_table()

    def literal(self, kind, value):
        family = kind.family
        if family == 'bool':
            return str(value)
        if family == 'int':
            name = {8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT'}[kind.bits]
            return f"'{value}'::{'' if kind.signed else 'U'}{name}"
        if family == 'float':
            return f"'{number_of_bits(value, kind.bits)!r}'::{'DOUBLE' if kind.bits == 64 else 'FLOAT'}"
        if family == 'uuid':
            return f"'{uuid.UUID(bytes=value)}'::UUID"
        if family in ('string', 'binary', 'fixed'):
            blob = "'" + ''.join(f'\\x{byte:02X}' for byte in value) + "'::BLOB"
            return f'decode({blob})' if family == 'string' else blob
        if family == 'date':
            return f"'{datetime.date.fromordinal(719163 + value)}'::DATE"
        if family == 'decimal':
            return f"'{plain(value, kind)}'::DECIMAL({kind.precision}, {kind.scale})"
        if family == 'time':
            return self._time(kind, value)
        make = {'ms': 'make_timestamp_ms', 'us': 'make_timestamp', 'ns': 'make_timestamp_ns'}[kind.unit]
        return f'{make}({value})' + (('::TIMESTAMPTZ_NS' if kind.unit == 'ns' else '::TIMESTAMPTZ') if kind.utc else '')

    @staticmethod
    def _time(kind, value):
        seconds, rest = divmod(value, {'ms': 10**3, 'us': 10**6, 'ns': 10**9}[kind.unit])
        digits = {'ms': 3, 'us': 6, 'ns': 9}[kind.unit]
        text = f'{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:0{digits}}'
        name = 'TIMETZ' if kind.utc else 'TIME_NS' if kind.unit == 'ns' else 'TIME'
        return f"'{text}{'+00' if kind.utc else ''}'::{name}"


class Polars(Engine):
    uses_bloom = False

    def __init__(self):
        import polars

        self._polars = polars

    def rows(self, folder, kind, filters):
        if kind.family == 'time' and kind.utc:
            raise Lacks
        frame = self._polars.scan_parquet(f'{folder}/*.parquet')
        found = self._polars.collect_all([frame.filter(self._where(kind, *one)).select('id') for one in filters])
        return [one['id'].to_numpy() for one in found]

    def _where(self, kind, column, operator, value):
        column = self._polars.col(column)
        if operator == 'is null':
            return column.is_null()
        literal = self._literal(kind, value)
        return {'=': column.eq, '<': column.lt, '>=': column.ge, '<>': column.ne}[operator](literal)

    def _literal(self, kind, value):
        # As a plain literal: one out of a series is no constant for the bounds.
        polars = self._polars
        if kind.family == 'float':
            return polars.lit(number_of_bits(value, kind.bits), dtype=self._dtype(kind))
        if kind.family == 'string':
            return polars.lit(value.decode())
        if kind.family == 'decimal':
            return polars.lit(exact(value, kind), dtype=self._dtype(kind))
        if kind.family == 'time':
            return polars.lit(value * {'ms': 10**6, 'us': 10**3, 'ns': 1}[kind.unit]).cast(polars.Time)
        if kind.family in ('date', 'timestamp'):
            return polars.lit(value).cast(self._dtype(kind))
        return polars.lit(value) if kind.family in ('fixed', 'uuid') else polars.lit(value, dtype=self._dtype(kind))

    def _dtype(self, kind):
        return self._polars.from_arrow(pa.array([], arrow_type(kind))).dtype


class DataFusion(Engine):
    """Orders NaNs by sign and payload, below and above all numbers."""

    float_key = staticmethod(floats.total_key)

    def __init__(self):
        import datafusion

        self._package = datafusion
        settings = datafusion.SessionConfig().with_target_partitions(1)
        settings = settings.set('datafusion.execution.parquet.pushdown_filters', 'true')
        self._context = datafusion.SessionContext(settings)

    def rows(self, folder, kind, filters):
        frame = self._context.read_parquet(str(folder))
        found = (frame.filter(self._where(kind, *one)).select('id').to_arrow_table() for one in filters)
        return [one.column('id').to_numpy() for one in found]

    def _where(self, kind, column, operator, value):
        column = self._package.col(column)
        if operator == 'is null':
            return column.is_null()
        literal = self._package.lit(arrow_scalar(value, kind))
        return {'=': column.__eq__, '<': column.__lt__, '>=': column.__ge__, '<>': column.__ne__}[operator](literal)


class Spark(SqlEngine):
    def __init__(self):
        from readers import Spark as Session

        self._session = Session().session
        # Thousands of small queries: compiling each would take longer than running it.
        self._session.conf.set('spark.sql.codegen.wholeStage', 'false')
        self._session.conf.set('spark.sql.codegen.factoryMode', 'NO_CODEGEN')

    def source(self, folder):
        # Listed and looked into once for all filters.
        self._session.read.parquet(str(folder)).createOrReplaceTempView('files')
        return 'files'

    def rows(self, folder, kind, filters):
        lacks = kind.family in ('time', 'uuid') or kind.family == 'timestamp' and kind.unit == 'ns'
        if lacks or kind.family == 'float' and kind.bits == 16:
            raise Lacks
        return super().rows(folder, kind, filters)

    def table(self, query):
        return self._session.sql(query).toArrow()

    def loses(self, kind, operator, value):
        # Days of October 1582 that java.sql.Date leaves out: another one is looked for in Bloom filters.
        return kind.family == 'date' and operator == '=' and -141437 <= value <= -141428

    def literal(self, kind, value):
        family = kind.family
        if family == 'bool':
            return str(value)
        if family == 'int':
            bits = kind.bits if kind.signed else kind.bits * 2
            names = {8: 'TINYINT', 16: 'SMALLINT', 32: 'INT', 64: 'BIGINT', 128: 'DECIMAL(20, 0)'}
            return f"CAST('{value}' AS {names[bits]})"
        if family == 'float':
            return f"CAST('{number_of_bits(value, kind.bits)!r}' AS {'DOUBLE' if kind.bits == 64 else 'FLOAT'})"
        if family in ('string', 'binary', 'fixed'):
            return f"CAST(X'{value.hex()}' AS STRING)" if family == 'string' else f"X'{value.hex()}'"
        if family == 'date':
            return f"DATE '{datetime.date.fromordinal(719163 + value)}'"
        if family == 'decimal':
            return f"CAST('{plain(value, kind)}' AS DECIMAL({kind.precision}, {kind.scale}))"
        microseconds = value * (1000 if kind.unit == 'ms' else 1)
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=microseconds)
        return f"TIMESTAMP '{moment.isoformat(' ')} UTC'" if kind.utc else f"TIMESTAMP_NTZ '{moment.isoformat(' ')}'"


ENGINES = {'DuckDB': DuckDB, 'Polars': Polars, 'DataFusion': DataFusion, 'Spark': Spark}
