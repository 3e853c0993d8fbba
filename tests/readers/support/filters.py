"""Asks engines for the rows that a filter leaves, of files that differ only in what rows can be skipped by.

python filters.py <folder> <engine>

Prints a line of JSON per type: { type, passed, failures, lacks }. One check is a filter on one column: the rows of all
files of a type at once, those of each file being told apart by `id`. Each engine must also be fooled by wrong bounds
and, where it uses Bloom filters, by empty ones: otherwise it would not have used ours.
"""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from damage import with_empty_bloom_filters, with_wrong_bounds
from expected import parse_type
from filtering import ENGINES, Lacks

OPERATORS = ('=', '<', '>=', '<>')
SELF_TEST = 'int64'


def wanted_rows(values, operator, probe, key):
    if operator == 'is null':
        return [row for row, value in enumerate(values) if value is None]
    probe = key(probe)
    meets = {
        '=': lambda value: value == probe,
        '<': lambda value: value < probe,
        '>=': lambda value: value >= probe,
        '<>': lambda value: value != probe,
    }[operator]
    return [row for row, value in enumerate(values) if value is not None and meets(key(value))]


def load(path):
    raw = json.loads(path.read_text())
    kind = parse_type(raw['type'])
    parse = lambda text: None if text is None else kind.parse(text)
    columns = {one['name']: [parse(text) for text in one['values']] for one in raw['columns']}
    filters = []
    for name in columns:
        filters += [(name, operator, parse(probe)) for probe in raw['probes'] for operator in OPERATORS]
        filters.append((name, 'is null', None))
    return kind, columns, filters, raw['variants']


def failures_of(engine, folder, kind, columns, filters, variants):
    key = (lambda bits: engine.float_key(bits, kind.bits)) if kind.family == 'float' else lambda value: value
    failures = []
    for (name, operator, probe), found in zip(filters, engine.rows(folder, kind, filters)):
        rows = np.array(wanted_rows(columns[name], operator, probe, key), dtype=np.int64)
        wanted = np.concatenate([rows + 1000 * variant for variant in range(variants)])
        same = np.array_equal(np.sort(found), wanted)
        if engine.loses(kind, operator, probe):
            failures += [f'{kind.text}: {name} {operator} {probe!r} loses no rows, see loses'] if same else []
        elif not same:
            wrong = np.setxor1d(found, wanted)
            failures.append(f'{kind.text}: {name} {operator} {probe!r}: {len(wrong)} rows differ, first id {wrong[:1]}')
    return failures


def self_test(engine, folder, case):
    """(passed, failures) with files whose bounds or Bloom filters are wrong."""
    kind, columns, filters, variants = case
    damages = {'bounds': (with_wrong_bounds, True), 'bloom': (with_empty_bloom_filters, engine.uses_bloom)}
    failures = []
    for name, (damage, noticed) in damages.items():
        damaged = folder.parent / f'damaged-{name}'
        damaged.mkdir(exist_ok=True)
        for path in folder.glob('*.parquet'):
            (damaged / path.name).write_bytes(damage(path.read_bytes()))
        if bool(failures_of(engine, damaged, kind, columns, filters, variants)) != noticed:
            failures.append(f'wrong {name}: noticed is not {noticed}')
    return len(damages) - len(failures), failures


def main(folder, name):
    engine = ENGINES[name]()
    for path in sorted(Path(folder).glob('*.json')):
        case = load(path)
        kind, columns, filters, variants = case
        record = {'type': kind.text, 'passed': 0, 'failures': [], 'lacks': False}
        try:
            record['failures'] = failures_of(engine, path.with_suffix(''), *case)
            record['passed'] = len(filters) - len(record['failures'])
        except Lacks:
            record['lacks'] = True
        if path.stem == SELF_TEST:
            passed, failures = self_test(engine, path.with_suffix(''), case)
            record['passed'] += passed
            record['failures'] += failures
        print(json.dumps(record), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
