"""The structs of parquet.thrift as tables, and how bytes become named fields.

A table row is id: (name, type, required). A type is the name of a wire type, an enum or a struct, or [element type].
"""

from . import thrift
from .thrift import Cursor, Malformed

TYPES = ['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY']
REPETITIONS = ['REQUIRED', 'OPTIONAL', 'REPEATED']
ENCODINGS = {
    0: 'PLAIN',
    2: 'PLAIN_DICTIONARY',
    3: 'RLE',
    4: 'BIT_PACKED',
    5: 'DELTA_BINARY_PACKED',
    6: 'DELTA_LENGTH_BYTE_ARRAY',
    7: 'DELTA_BYTE_ARRAY',
    8: 'RLE_DICTIONARY',
    9: 'BYTE_STREAM_SPLIT',
    10: 'ALP',
}
CODECS = {0: 'none', 1: 'snappy', 2: 'gzip', 3: 'lzo', 4: 'brotli', 5: 'lz4-hadoop', 6: 'zstd', 7: 'lz4'}
DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = range(4)
UNORDERED, ASCENDING, DESCENDING = range(3)
CONVERTED = [
    'UTF8',
    'MAP',
    'MAP_KEY_VALUE',
    'LIST',
    'ENUM',
    'DECIMAL',
    'DATE',
    'TIME_MILLIS',
    'TIME_MICROS',
    'TIMESTAMP_MILLIS',
    'TIMESTAMP_MICROS',
    'UINT_8',
    'UINT_16',
    'UINT_32',
    'UINT_64',
    'INT_8',
    'INT_16',
    'INT_32',
    'INT_64',
    'JSON',
    'BSON',
    'INTERVAL',
]

_UNIT = {1: ('MILLIS', 'Empty', False), 2: ('MICROS', 'Empty', False), 3: ('NANOS', 'Empty', False)}
_TIME = {1: ('isAdjustedToUTC', 'bool', True), 2: ('unit', 'TimeUnit', True)}

STRUCTS = {
    'Empty': {},
    'FileMetaData': {
        1: ('version', 'i32', True),
        2: ('schema', ['SchemaElement'], True),
        3: ('num_rows', 'i64', True),
        4: ('row_groups', ['RowGroup'], True),
        5: ('key_value_metadata', ['KeyValue'], False),
        6: ('created_by', 'binary', False),
        7: ('column_orders', ['ColumnOrder'], False),
    },
    'SchemaElement': {
        1: ('type', 'Type', False),
        2: ('type_length', 'i32', False),
        3: ('repetition_type', 'Repetition', False),
        4: ('name', 'binary', True),
        5: ('num_children', 'i32', False),
        6: ('converted_type', 'Converted', False),
        7: ('scale', 'i32', False),
        8: ('precision', 'i32', False),
        9: ('field_id', 'i32', False),
        10: ('logicalType', 'LogicalType', False),
    },
    'LogicalType': {
        1: ('STRING', 'Empty', False),
        2: ('MAP', 'Empty', False),
        3: ('LIST', 'Empty', False),
        4: ('ENUM', 'Empty', False),
        5: ('DECIMAL', 'DecimalType', False),
        6: ('DATE', 'Empty', False),
        7: ('TIME', 'TimeType', False),
        8: ('TIMESTAMP', 'TimeType', False),
        10: ('INTEGER', 'IntType', False),
        11: ('UNKNOWN', 'Empty', False),
        12: ('JSON', 'Empty', False),
        13: ('BSON', 'Empty', False),
        14: ('UUID', 'Empty', False),
        15: ('FLOAT16', 'Empty', False),
        16: ('VARIANT', 'VariantType', False),
        17: ('GEOMETRY', 'GeometryType', False),
        18: ('GEOGRAPHY', 'GeometryType', False),
    },
    'DecimalType': {1: ('scale', 'i32', True), 2: ('precision', 'i32', True)},
    'TimeType': _TIME,
    'TimeUnit': _UNIT,
    'IntType': {1: ('bitWidth', 'i8', True), 2: ('isSigned', 'bool', True)},
    'VariantType': {1: ('specification_version', 'i8', False)},
    'GeometryType': {1: ('crs', 'binary', False), 2: ('algorithm', 'i32', False)},
    'RowGroup': {
        1: ('columns', ['ColumnChunk'], True),
        2: ('total_byte_size', 'i64', True),
        3: ('num_rows', 'i64', True),
        4: ('sorting_columns', ['SortingColumn'], False),
        5: ('file_offset', 'i64', False),
        6: ('total_compressed_size', 'i64', False),
        7: ('ordinal', 'i16', False),
    },
    'SortingColumn': {
        1: ('column_idx', 'i32', True),
        2: ('descending', 'bool', True),
        3: ('nulls_first', 'bool', True),
    },
    'ColumnChunk': {
        1: ('file_path', 'binary', False),
        2: ('file_offset', 'i64', True),
        3: ('meta_data', 'ColumnMetaData', False),
        4: ('offset_index_offset', 'i64', False),
        5: ('offset_index_length', 'i32', False),
        6: ('column_index_offset', 'i64', False),
        7: ('column_index_length', 'i32', False),
    },
    'ColumnMetaData': {
        1: ('type', 'Type', True),
        2: ('encodings', ['Encoding'], True),
        3: ('path_in_schema', ['binary'], True),
        4: ('codec', 'Codec', True),
        5: ('num_values', 'i64', True),
        6: ('total_uncompressed_size', 'i64', True),
        7: ('total_compressed_size', 'i64', True),
        8: ('key_value_metadata', ['KeyValue'], False),
        9: ('data_page_offset', 'i64', True),
        10: ('index_page_offset', 'i64', False),
        11: ('dictionary_page_offset', 'i64', False),
        12: ('statistics', 'Statistics', False),
        13: ('encoding_stats', ['PageEncodingStats'], False),
        14: ('bloom_filter_offset', 'i64', False),
        15: ('bloom_filter_length', 'i32', False),
        16: ('size_statistics', 'SizeStatistics', False),
    },
    'PageEncodingStats': {
        1: ('page_type', 'PageType', True),
        2: ('encoding', 'Encoding', True),
        3: ('count', 'i32', True),
    },
    'KeyValue': {1: ('key', 'binary', True), 2: ('value', 'binary', False)},
    'Statistics': {
        1: ('max', 'binary', False),
        2: ('min', 'binary', False),
        3: ('null_count', 'i64', False),
        4: ('distinct_count', 'i64', False),
        5: ('max_value', 'binary', False),
        6: ('min_value', 'binary', False),
        7: ('is_max_value_exact', 'bool', False),
        8: ('is_min_value_exact', 'bool', False),
        9: ('nan_count', 'i64', False),
    },
    'SizeStatistics': {
        1: ('unencoded_byte_array_data_bytes', 'i64', False),
        2: ('repetition_level_histogram', ['i64'], False),
        3: ('definition_level_histogram', ['i64'], False),
    },
    'ColumnOrder': {
        1: ('TYPE_ORDER', 'Empty', False),
        2: ('IEEE_754_TOTAL_ORDER', 'Empty', False),
        3: ('INT96_TIMESTAMP_ORDER', 'Empty', False),
    },
    'PageHeader': {
        1: ('type', 'PageType', True),
        2: ('uncompressed_page_size', 'i32', True),
        3: ('compressed_page_size', 'i32', True),
        4: ('crc', 'i32', False),
        5: ('data_page_header', 'DataPageHeader', False),
        6: ('index_page_header', 'Empty', False),
        7: ('dictionary_page_header', 'DictionaryPageHeader', False),
        8: ('data_page_header_v2', 'DataPageHeaderV2', False),
    },
    'DataPageHeader': {
        1: ('num_values', 'i32', True),
        2: ('encoding', 'Encoding', True),
        3: ('definition_level_encoding', 'Encoding', True),
        4: ('repetition_level_encoding', 'Encoding', True),
        5: ('statistics', 'Statistics', False),
    },
    'DataPageHeaderV2': {
        1: ('num_values', 'i32', True),
        2: ('num_nulls', 'i32', True),
        3: ('num_rows', 'i32', True),
        4: ('encoding', 'Encoding', True),
        5: ('definition_levels_byte_length', 'i32', True),
        6: ('repetition_levels_byte_length', 'i32', True),
        7: ('is_compressed', 'bool', False),
        8: ('statistics', 'Statistics', False),
    },
    'DictionaryPageHeader': {
        1: ('num_values', 'i32', True),
        2: ('encoding', 'Encoding', True),
        3: ('is_sorted', 'bool', False),
    },
    'ColumnIndex': {
        1: ('null_pages', ['bool'], True),
        2: ('min_values', ['binary'], True),
        3: ('max_values', ['binary'], True),
        4: ('boundary_order', 'BoundaryOrder', True),
        5: ('null_counts', ['i64'], False),
        6: ('repetition_level_histograms', ['i64'], False),
        7: ('definition_level_histograms', ['i64'], False),
        8: ('nan_counts', ['i64'], False),
    },
    'OffsetIndex': {
        1: ('page_locations', ['PageLocation'], True),
        2: ('unencoded_byte_array_data_bytes', ['i64'], False),
    },
    'PageLocation': {
        1: ('offset', 'i64', True),
        2: ('compressed_page_size', 'i32', True),
        3: ('first_row_index', 'i64', True),
    },
    'BloomFilterHeader': {
        1: ('numBytes', 'i32', True),
        2: ('algorithm', 'BloomOne', True),
        3: ('hash', 'BloomOne', True),
        4: ('compression', 'BloomOne', True),
    },
    'BloomOne': {1: ('FIRST', 'Empty', False)},
}

ENUMS = {
    'Type': range(8),
    'Repetition': range(3),
    'Converted': range(22),
    'Codec': CODECS,
    'PageType': range(4),
    'Encoding': ENCODINGS,
    'BoundaryOrder': range(3),
}
UNIONS = {'LogicalType', 'TimeUnit', 'ColumnOrder', 'BloomOne'}
WIRE = {
    'bool': thrift.TRUE,
    'i8': thrift.I8,
    'i16': thrift.I16,
    'i32': thrift.I32,
    'i64': thrift.I64,
    'double': thrift.DOUBLE,
    'binary': thrift.BINARY,
}


def read(name, data, start, end, complain):
    """Reads one struct at `start`; returns (fields by name, position behind it).

    What no table has goes to `complain(field, expected, found)`."""
    cursor = Cursor(data, start, end)
    return _named(name, thrift.read_struct(cursor), complain, name), cursor.position


def _named(name, raw, complain, path):
    table = STRUCTS[name]
    fields = {}
    for identifier, (wire, value) in raw.items():
        if identifier not in table:
            complain(path, f'no field {identifier}', f'field {identifier} of wire type {wire}')
            continue
        field, kind, _ = table[identifier]
        fields[field] = _typed(kind, wire, value, complain, f'{path}.{field}')
    for field, _, required in table.values():
        if required and field not in fields:
            raise Malformed(f'{path} has no {field}')
    if name in UNIONS and len(fields) != 1:
        raise Malformed(f'{path} is a union with {len(fields)} known fields')
    return fields


def _typed(kind, wire, value, complain, path):
    if isinstance(kind, list):
        if wire != thrift.LIST:
            raise Malformed(f'{path} has wire type {wire}, not a list')
        element, values = value
        if not values and element == 0:
            complain(path, 'an element type also for an empty list', '0')
        return [_typed(kind[0], element, one, complain, path) for one in values]
    if kind in ENUMS and wire == thrift.I32:
        if value not in ENUMS[kind]:
            raise Malformed(f'{path} is {value}, which no {kind} has')
        return value
    if wire != WIRE.get(kind, thrift.STRUCT):
        raise Malformed(f'{path} has wire type {wire}, not that of {kind}')
    return _named(kind, value, complain, path) if kind in STRUCTS else value
