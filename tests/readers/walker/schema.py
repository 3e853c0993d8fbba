"""The schema of a file: its leaves with levels, and whether every annotation fits its physical type and its twin."""

from dataclasses import dataclass

from .decode import WIDTHS
from .format import CONVERTED, REPETITIONS, TYPES
from .thrift import Malformed


@dataclass
class Leaf:
    path: tuple
    physical: str
    width: int  # bytes of a value, 0 for BYTE_ARRAY and BOOLEAN
    logical: str  # name of the LogicalType, else of what the ConvertedType means, else ''
    unsigned: bool
    max_definition: int
    max_repetition: int

    @property
    def name(self):
        return '.'.join(self.path)

    @property
    def order(self):
        """How values compare: see bounds.py."""
        if self.logical in ('UNKNOWN', 'INTERVAL', 'GEOMETRY', 'GEOGRAPHY') or self.physical == 'INT96':
            return 'undefined'
        if self.logical == 'FLOAT16' or self.physical in ('FLOAT', 'DOUBLE'):
            return 'float'
        if self.physical in ('BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'):
            return 'decimal' if self.logical == 'DECIMAL' else 'bytes'
        return 'unsigned' if self.unsigned else 'signed'

    @property
    def text(self):
        return self.logical in ('STRING', 'ENUM', 'JSON')


_CONVERTED_TWIN = {
    'STRING': 'UTF8',
    'MAP': 'MAP',
    'LIST': 'LIST',
    'ENUM': 'ENUM',
    'DECIMAL': 'DECIMAL',
    'DATE': 'DATE',
    'JSON': 'JSON',
    'BSON': 'BSON',
}
_PHYSICAL = {
    'STRING': {'BYTE_ARRAY'},
    'ENUM': {'BYTE_ARRAY'},
    'JSON': {'BYTE_ARRAY'},
    'BSON': {'BYTE_ARRAY'},
    'DATE': {'INT32'},
    'TIMESTAMP': {'INT64'},
    'UUID': {'FIXED_LEN_BYTE_ARRAY'},
    'FLOAT16': {'FIXED_LEN_BYTE_ARRAY'},
    'DECIMAL': {'INT32', 'INT64', 'FIXED_LEN_BYTE_ARRAY', 'BYTE_ARRAY'},
}


def _twin(logical, content):
    """Name of the ConvertedType that goes with a LogicalType, or None."""
    if logical in ('TIME', 'TIMESTAMP'):
        unit = next(iter(content['unit']))
        return None if unit == 'NANOS' else f'{logical}_{unit}'
    if logical == 'INTEGER':
        return f'{"INT" if content["isSigned"] else "UINT"}_{content["bitWidth"]}'
    return _CONVERTED_TWIN.get(logical)


def leaves_of(elements, check, ours):
    """Leaves in schema order. `check(where, field, expected, found)` takes contradictions.

    `ours`: a LogicalType beside every ConvertedType."""
    root = elements[0]
    check('schema root', 'repetition_type', None, root.get('repetition_type'))
    check('schema root', 'type', None, root.get('type'))
    leaves = []
    position = _children(elements, 1, root.get('num_children', 0), (), 0, 0, leaves, check, ours)
    check('schema', 'elements', position, len(elements))
    return leaves


def _children(elements, position, count, path, definition, repetition, leaves, check, ours):
    names = []
    for _ in range(count):
        if position >= len(elements):
            raise Malformed(f'schema: element {position} is missing, {len(elements)} are there')
        element = elements[position]
        names.append(element['name'])
        position = _element(elements, position, path, definition, repetition, leaves, check, ours)
    check(f'schema group {".".join(path) or "root"}', 'names without duplicates', len(names), len(set(names)))
    return position


def _element(elements, position, path, definition, repetition, leaves, check, ours):
    element = elements[position]
    path = (*path, element['name'].decode())
    where = f'schema element {".".join(path)}'
    if 'repetition_type' not in element:
        raise Malformed(f'{where} has no repetition_type')
    kind = REPETITIONS[element['repetition_type']]
    definition += kind != 'REQUIRED'
    repetition += kind == 'REPEATED'
    if 'num_children' in element:
        check(where, 'type of a group', None, element.get('type'))
        return _children(
            elements, position + 1, element['num_children'], path, definition, repetition, leaves, check, ours
        )
    leaves.append(_leaf(element, path, definition, repetition, where, check, ours))
    return position + 1


def _leaf(element, path, definition, repetition, where, check, ours):
    if 'type' not in element:
        raise Malformed(f'{where} has neither type nor children')
    physical = TYPES[element['type']]
    logical, content = next(iter(element.get('logicalType', {}).items()), ('', {}))
    converted = CONVERTED[element['converted_type']] if 'converted_type' in element else None
    if logical:
        check(where, f'converted_type beside {logical}', _twin(logical, content), converted)
        allowed = _PHYSICAL.get(logical)
        if logical == 'INTEGER':
            allowed = {'INT64' if content['bitWidth'] == 64 else 'INT32'}
        elif logical == 'TIME':
            allowed = {'INT32' if 'MILLIS' in content['unit'] else 'INT64'}
        if allowed and physical not in allowed:
            check(where, f'type under {logical}', ' or '.join(sorted(allowed)), physical)
    elif ours and converted not in (None, 'INTERVAL'):
        check(where, f'logicalType beside {converted}', 'one', 'none')
    decimal = logical == 'DECIMAL' or converted == 'DECIMAL'
    check(where, 'scale', content.get('scale', element.get('scale')) if decimal else None, element.get('scale'))
    check(
        where,
        'precision',
        content.get('precision', element.get('precision')) if decimal else None,
        element.get('precision'),
    )
    if decimal:
        precision, scale = element.get('precision', 0), element.get('scale', 0)
        top = {'INT32': 9, 'INT64': 18}.get(physical, 1 << 30)
        check(where, 'precision and scale in range', True, 1 <= precision <= top and 0 <= scale <= precision)
    check(where, 'type_length present', physical == 'FIXED_LEN_BYTE_ARRAY', 'type_length' in element)
    width = element.get('type_length', 0) if physical == 'FIXED_LEN_BYTE_ARRAY' else WIDTHS.get(physical, 0)
    if physical == 'FIXED_LEN_BYTE_ARRAY' and width < 1:
        raise Malformed(f'{where} has type_length {width}')
    if logical in ('UUID', 'FLOAT16'):
        check(where, 'type_length', {'UUID': 16, 'FLOAT16': 2}[logical], width)
    unsigned = logical == 'INTEGER' and not content['isSigned'] or not logical and (converted or '').startswith('UINT')
    meaning = logical or {'UTF8': 'STRING', 'INTERVAL': 'INTERVAL'}.get(converted, converted or '')
    return Leaf(path, physical, width, meaning, unsigned, definition, repetition)
