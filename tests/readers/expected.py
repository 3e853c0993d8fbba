"""What the files of the matrix must hold, read from the JSON beside them; values in one form for all oracles.

Canonical: bool for bool, int for integers of any meaning (dates in days, timestamps in their unit, decimals unscaled)
and for floats (their bits), bytes for the rest (text as UTF-8); None for null.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Type:
    text: str
    family: str  # bool int float string binary fixed uuid date time timestamp decimal
    bits: int = 0  # of an integer or float; bytes of a fixed
    signed: bool = True
    unit: str = ''
    utc: bool = False
    precision: int = 0
    scale: int = 0

    @property
    def parse(self):
        """Canonical text to canonical value."""
        if self.family == 'float':
            return lambda text: int(text, 16)
        if self.family in ('string', 'binary', 'fixed', 'uuid'):
            return bytes.fromhex
        return bool if self.family == 'bool' else int


def parse_type(text):
    words = re.findall(r'\w+', text)
    if match := re.fullmatch(r'(u?)int(\d+)', text):
        return Type(text, 'int', int(match[2]), not match[1])
    if match := re.fullmatch(r'float(\d+)', text):
        return Type(text, 'float', int(match[1]))
    if words[0] == 'fixed':
        return Type(text, 'fixed', int(words[1]))
    if words[0] in ('time', 'timestamp'):
        return Type(text, words[0], 64, unit=words[1], utc=len(words) > 2)
    if words[0] == 'decimal':
        precision = int(words[1])
        return Type(text, 'decimal', 32 if precision <= 9 else 64, precision=precision, scale=int(words[2]))
    return Type(text, words[0], 32 if words[0] == 'date' else 0)


@dataclass
class Column:
    name: str
    nullable: bool
    values: list
    bloom: float = 0  # share of false positives of a Bloom filter, 0 without one

    @property
    def nulls(self):
        return self.values.count(None)


@dataclass
class Case:
    """One type and shape; `files` are its (name, path, codec)."""

    stem: str
    type: Type
    rows: int
    options: dict
    columns: list
    files: list = field(default_factory=list)


def load(folder):
    """All cases in order of their names, with the files that were written."""
    cases = []
    for path in sorted(Path(folder).glob('*.json')):
        raw = json.loads(path.read_text())
        kind = parse_type(raw['type'])
        columns = [
            Column(
                one['name'],
                one['nullable'],
                [None if text is None else kind.parse(text) for text in one['values']],
                one['bloom'],
            )
            for one in raw['columns']
        ]
        case = Case(path.stem, kind, raw['rows'], raw['options'], columns)
        for file in sorted(path.parent.glob(f'{path.stem}.*.parquet')):
            case.files.append((file.stem, str(file), file.stem.rsplit('.', 1)[1]))
        cases.append(case)
    return cases


def first_difference(expected, found):
    """None, or where two lists of canonical values part."""
    if expected == found:
        return None
    if len(expected) != len(found):
        return f'{len(found)} rows instead of {len(expected)}'
    row = next(i for i, (a, b) in enumerate(zip(expected, found)) if a != b)
    wrong = sum(a != b for a, b in zip(expected, found))
    values = f'expected {_show(expected[row])}, found {_show(found[row])}'
    return f'row {row}: {values} ({wrong} of {len(expected)} rows differ)'


def _show(value):
    return f'0x{value.hex()}' if isinstance(value, bytes) else repr(value)
