"""Arrow columns to canonical values (expected.py): every oracle hands its result over as Arrow."""

import numpy as np
import pyarrow as pa

_BITS = {16: np.uint16, 32: np.uint32, 64: np.uint64}


def canonical(column, kind):
    """Values of an Arrow column of the expected type's own Arrow form, bit for bit."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    if kind.family == 'float':
        return _bits(array, kind.bits)
    if kind.family == 'decimal':
        return [None if value is None else int(value.scaleb(kind.scale)) for value in array.to_pylist()]
    if kind.family in ('date', 'timestamp'):
        return array.view(pa.int32() if kind.family == 'date' else pa.int64()).to_pylist()
    if kind.family in ('string', 'binary'):
        return array.cast(pa.string() if kind.family == 'string' else pa.binary()).view(pa.binary()).to_pylist()
    if kind.family == 'fixed':
        return array.cast(pa.binary()).to_pylist()
    return array.to_pylist()


def _bits(array, width):
    """Floats as integers of their bits; through the buffer, so that no NaN is changed on the way."""
    buffer = array.buffers()[1]
    kind = _BITS[width]
    values = (
        np.frombuffer(buffer, kind)[array.offset : array.offset + len(array)]
        if buffer and len(array)
        else np.array([], kind)
    )
    present = array.is_valid().to_pylist()
    return [value if there else None for value, there in zip(values.tolist(), present)]


def arrow_type(kind):
    """The Arrow type of the matrix's type."""
    simple = {'bool': pa.bool_(), 'string': pa.string(), 'binary': pa.binary(), 'date': pa.date32()}
    if kind.family in simple:
        return simple[kind.family]
    if kind.family == 'int':
        return pa.type_for_alias(f'{"" if kind.signed else "u"}int{kind.bits}')
    if kind.family == 'float':
        return {16: pa.float16(), 32: pa.float32(), 64: pa.float64()}[kind.bits]
    if kind.family == 'fixed':
        return pa.binary(kind.bits)
    if kind.family == 'decimal':
        return pa.decimal128(kind.precision, kind.scale)
    return pa.timestamp(kind.unit, 'UTC' if kind.utc else None)


def arrow_scalar(value, kind):
    """A canonical value as a scalar of that type."""
    if value is None or kind.family in ('bool', 'int', 'binary', 'fixed'):
        return pa.scalar(value, arrow_type(kind))
    if kind.family == 'string':
        return pa.scalar(value.decode(), pa.string())
    if kind.family == 'float':
        bits = np.array([value], _BITS[kind.bits])
        return pa.Array.from_buffers(arrow_type(kind), 1, [None, pa.py_buffer(bits)])[0]
    if kind.family == 'decimal':
        digits = pa.array([value], pa.int64()).cast(pa.decimal128(19, 0))
        return pa.Array.from_buffers(arrow_type(kind), 1, digits.buffers())[0]
    integers = pa.array([value], pa.int32() if kind.family == 'date' else pa.int64())
    return integers.view(arrow_type(kind))[0]
