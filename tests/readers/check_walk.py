"""Walks every file of the matrix: layout and statistics by walk.py, schema and values against what was to be written.

python check_walk.py <folder of the matrix> <seed>
"""

import sys
from pathlib import Path

import damage
from expected import first_difference, load
from report import Group
from walk import Ours, Walk
from walker.format import TYPES

# Type and LogicalType of the format for each family; an int of 32 or 64 signed bits needs no annotation.
PHYSICAL = {
    'bool': 'BOOLEAN',
    'string': 'BYTE_ARRAY',
    'binary': 'BYTE_ARRAY',
    'fixed': 'FIXED_LEN_BYTE_ARRAY',
    'date': 'INT32',
    'timestamp': 'INT64',
}
# Of a matrix that --only did not cut short.
WHOLE = {'bool.large', 'decimal_7_2.two-row-groups', 'string.plain-v1', 'uint8.byte_stream_split-v2'}
UNITS = {'ms': 'MILLIS', 'us': 'MICROS', 'ns': 'NANOS'}


def schema_element(kind, column):
    """The schema element that a column of this type must have, without its ConvertedType (the walker derives that)."""
    physical = PHYSICAL.get(kind.family) or {
        ('float', 16): 'FIXED_LEN_BYTE_ARRAY',
        ('float', 32): 'FLOAT',
        ('float', 64): 'DOUBLE',
    }.get((kind.family, kind.bits))
    physical = physical or ('INT64' if kind.bits == 64 else 'INT32')
    element = {'type': physical, 'repetition_type': int(column.nullable), 'name': column.name.encode()}
    logical = {
        'string': {'STRING': {}},
        'date': {'DATE': {}},
        'decimal': {'DECIMAL': {'scale': kind.scale, 'precision': kind.precision}},
        'timestamp': {'TIMESTAMP': {'isAdjustedToUTC': kind.utc, 'unit': {UNITS.get(kind.unit): {}}}},
    }.get(kind.family)
    if kind.family == 'int' and (kind.bits < 32 or not kind.signed):
        logical = {'INTEGER': {'bitWidth': kind.bits, 'isSigned': kind.signed}}
    if kind.family == 'float' and kind.bits == 16:
        logical = {'FLOAT16': {}}
    if logical:
        element['logicalType'] = logical
    if physical == 'FIXED_LEN_BYTE_ARRAY':
        element['type_length'] = kind.bits if kind.family == 'fixed' else 2
    if kind.family == 'decimal':
        element |= {'scale': kind.scale, 'precision': kind.precision}
    return element


def ours_of(case, codec):
    options = case.options
    defaults = Ours()
    content = options.get('contentDefinedChunking')
    return Ours(
        codec=codec,
        modern=options.get('compatibility') == 'modern',
        encodings={column.name: options['encoding'] for column in case.columns if 'encoding' in options},
        page_version=options.get('pageVersion', defaults.page_version),
        bloom={column.name: column.bloom for column in case.columns if column.bloom},
        page_rows=options.get('pageRows', defaults.page_rows),
        page_bytes=options.get('pageBytes', defaults.page_bytes),
        content_defined=content and (content['minBytes'], content['maxBytes']),
        row_group_rows=options.get('rowGroupRows', defaults.row_group_rows),
    )


def problems_of(walk, case):
    """Contradictions in the file itself, then those with the case."""
    yield from walk.contradictions
    if walk.contradictions:
        return

    found = [dict(element) for element in walk.meta['schema'][1:]]
    for element in found:
        element.pop('converted_type', None)
        element['type'] = TYPES[element['type']]
    for column, element in zip(case.columns, found):
        if schema_element(case.type, column) != element:
            yield f'schema element {column.name}: expected {schema_element(case.type, column)}, found {element}'
    if [column.name for column in case.columns] != list(walk.columns or [leaf.name for leaf in walk.leaves]):
        yield f'columns {list(walk.columns)}'
    mask = None if case.type.signed else (1 << case.type.bits) - 1
    for column in case.columns:
        values = walk.columns.get(column.name, [])
        if mask:
            values = [None if value is None else value & mask for value in values]
        if difference := first_difference(column.values, values):
            yield f'column {column.name}, {difference}'


def encodings_of(kind):
    """Ids of the encodings that fit a type, beside PLAIN."""
    if kind.family == 'bool':
        return {3}
    if kind.family in ('string', 'binary'):
        return {6, 7, 8}
    if kind.family == 'fixed' or kind.family == 'float' and kind.bits == 16:
        return {7, 8, 9}
    return {8, 9} if kind.family == 'float' else {5, 8, 9}


def main(folder, seed):
    group, coverage, packed = Group('file walker'), {}, set()
    cases = load(folder)
    for case in cases:
        for name, path, codec in case.files:
            walk = Walk(Path(path).read_bytes(), ours_of(case, codec))
            group.check(name, problems_of(walk, case))
            seen = coverage.setdefault(case.type, set())
            for chunk in walk.chunks:
                packed |= {(codec, page.packed) for page in chunk.pages}
                seen |= {page.encoding for page in chunk.pages} | (
                    {'mixed'} if len({page.encoding for page in chunk.pages}) > 1 else set()
                )
    if WHOLE <= {case.stem for case in cases}:
        _check_coverage(group, coverage, packed)
    group.close()
    group = Group('file walker on damaged files')
    damage.run(folder, int(seed), group, ours_of, problems_of)
    group.close()


def _check_coverage(group, coverage, packed):
    """The whole matrix must have met what it is for."""
    for kind, seen in coverage.items():
        missing = ({0} | encodings_of(kind)) - seen
        group.check(f'encodings met for {kind.text}', [f'not {sorted(missing)}'] if missing else [])
    for one in [(codec, there) for codec in ('zstd', 'lz4') for there in (None, True, False)]:
        group.check(f'pages by codec and is_compressed, {one}', [] if one in packed else ['not met'])
    given_up = any('mixed' in seen for seen in coverage.values())
    group.check('a dictionary given up inside a chunk', [] if given_up else ['not met'])


if __name__ == '__main__':
    main(*sys.argv[1:])
