"""What a column of a support file must hold: its type as a tree, its values in one form for all readers.

Leaves: bool; int for integers, dates, times and timestamps (in their unit), int96 (nanoseconds), unscaled decimals;
floats as the big-endian bytes of the equal float64, 'nan' for every NaN; bytes for the rest, text as UTF-8; (months,
days, milliseconds) for intervals. Lists are lists, structs lists of their fields, maps lists of [key, value].
"""

import json
import re
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from floats import is_nan, number_of_bits

BYTES = ('string', 'enum', 'json', 'binary', 'bson', 'fixed', 'uuid')


@dataclass(frozen=True)
class Kind:
    text: str
    family: str
    bits: int = 0  # of a float
    unit: str = ''
    scale: int = 0
    parts: tuple = ()  # kinds of a list's elements, a map's key and value, a struct's fields
    names: tuple = ()  # of a struct's fields

    def parse(self, told):
        """A value as files.mjs writes it, in the form above."""
        if told is None:
            return None
        if self.family == 'list':
            return [self.parts[0].parse(element) for element in told]
        if self.family == 'struct':
            return [part.parse(value) for part, value in zip(self.parts, told)]
        if self.family == 'map':
            return [[part.parse(value) for part, value in zip(self.parts, pair)] for pair in told]
        if self.family == 'float':
            bits = int(told, 16)
            return 'nan' if is_nan(bits, self.bits) else float_bytes(number_of_bits(bits, self.bits))
        if self.family in BYTES:
            return bytes.fromhex(told)
        if self.family == 'interval':
            return tuple(int(part) for part in told.split())
        return told if self.family == 'bool' else int(told)


def float_bytes(number):
    return 'nan' if number != number else struct.pack('>d', number)


def kind_of(tree):
    if isinstance(tree, str):
        return _leaf(tree)
    [(family, below)] = tree.items()
    if family == 'list':
        return Kind('list', 'list', parts=(kind_of(below),))
    if family == 'map':
        return Kind('map', 'map', parts=tuple(kind_of(part) for part in below))
    names, parts = zip(*below)
    return Kind('struct', 'struct', parts=tuple(kind_of(part) for part in parts), names=names)


def _leaf(text):
    family, *numbers = re.findall(r'[a-z]+|\d+', text, re.I)
    if text == 'int96':
        return Kind(text, 'int96', unit='ns')
    if family in ('float', 'fixed'):
        return Kind(text, family, bits=int(numbers[0]))
    if family in ('time', 'timestamp'):
        return Kind(text, family, unit=numbers[0])
    if family == 'decimal':
        return Kind(text, family, scale=int(numbers[1]))
    return Kind(text, 'int' if family in ('int', 'uint') else family)


@dataclass
class File:
    name: str
    path: str
    type: str
    group: str
    kind: Kind
    columns: dict = field(default_factory=dict)  # values by column name


def load(folder):
    """All support files in the order of files.json."""
    folder, told, files = Path(folder), {}, []
    for entry in json.loads((folder / 'files.json').read_text()):
        stem = entry['expected']
        if stem not in told:
            raw = json.loads((folder / f'{stem}.json').read_text())
            kind = kind_of(raw['tree'])
            columns = {one['name']: [kind.parse(value) for value in one['values']] for one in raw['columns']}
            told[stem] = kind, columns
        path = str(folder / f'{entry["name"]}.parquet')
        files.append(File(entry['name'], path, entry['type'], entry['group'], *told[stem]))
    return files
