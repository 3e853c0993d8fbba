"""Has support files read, and compares every value.

python check.py <folder> <reader>

Prints a line of JSON for the reader, { reader, version }, then one per file: { file, shown, ways, columns }, where
columns has, by name, null or what went wrong.
"""

import itertools
import json
import os
import re
import signal
import sys
import time

from kinds import load
from readers import READERS
from values import Unlike, difference, values

# Seconds for one file that may keep a reader for ever.
PATIENCE = 30


def emit(record):
    print(json.dumps(record), flush=True)


def said(error):
    """One line of an error, of one from Java the innermost cause."""
    causes = re.findall(r'^Caused by: (.*)$', str(error), re.MULTILINE)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return causes[-1] if causes else f'{type(error).__name__}: {lines[0] if lines else ""}'


def apart(work):
    """What `work` returns, done in a process of its own; a dict that says so where that crashes or does not end."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        signal.alarm(PATIENCE)
        with os.fdopen(write, 'w') as pipe:
            json.dump(work(), pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return {'refuses': f'the process ends with {name}' if name != 'SIGALRM' else 'does not end'}
    return json.loads(text)


def _record(file):
    return {'file': file.name, 'shown': '', 'ways': [], 'columns': {}}


class Check:
    def __init__(self, reader):
        self.reader = reader
        self.proven = set()

    def file(self, file):
        """One file apart; where its process ends early, each column apart."""
        record = apart(lambda: self.whole(file))
        if 'file' in record:
            return record
        columns = {name: apart(lambda: self._column(file, name, None, _record(file))) for name in file.columns}
        return _record(file) | {'columns': columns}

    def whole(self, file, found=None):
        """All columns at once; where that fails, each alone. found: what was read already, or the error."""
        record = _record(file)
        names = list(file.columns)
        if isinstance(found, Exception):
            return record | {'columns': dict.fromkeys(names, {'refuses': said(found)})}
        try:
            found = found or self.reader.read(file.path, file.kind, names)
        except KeyboardInterrupt:
            raise
        except BaseException:  # whatever a foreign reader throws; a panic of Rust is no Exception
            found = None
        for name in names:
            record['columns'][name] = self._column(file, name, found, record)
        return record

    def _column(self, file, name, found, record):
        try:
            column = (found or self.reader.read(file.path, file.kind, [name]))[name]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return {'refuses': said(error)}
        record['shown'] = record['shown'] or str(column.type)
        try:
            there = values(column, file.kind)
        except Unlike as unlike:
            return {'differs': f'shown as {unlike}'}
        wrong, used = difference(file.columns[name], there, file.kind, self.reader.ways)
        record['ways'] = sorted({*record['ways'], *used})
        if wrong:
            return {'differs': wrong}
        self._prove(file, name, there)
        return None

    def _prove(self, file, name, there):
        """That the comparison would notice: once for each type, one value is taken for another."""
        if file.type in self.proven:
            return
        row = next((row for row, value in enumerate(there) if value not in (None, [], 'nan')), None)
        if row is None:
            return
        self.proven.add(file.type)
        changed = [*there[:row], None, *there[row + 1 :]]
        if difference(file.columns[name], changed, file.kind, ())[0] is None:
            raise AssertionError(f'{file.name}, {name}: a changed value was not noticed')


def batches(files):
    """Files of one schema that lie beside each other."""
    for _, batch in itertools.groupby(files, lambda file: (file.type, file.group)):
        yield list(batch)


def read_many(reader, files):
    """What a reader finds in files read at once, halved until it does; what is missing is to be read alone."""
    if len(files) == 1:
        return {}
    try:
        return reader.read_many([file.path for file in files], files[0].kind, list(files[0].columns)) or {}
    except Exception as error:
        if reader.is_of_schema(error):
            return dict.fromkeys((file.path for file in files), error)
        middle = len(files) // 2
        return read_many(reader, files[:middle]) | read_many(reader, files[middle:])


def records_apart(check, files):
    """Records of many files from one other process; where that ends early, halved until each file has its own."""
    if len(files) == 1:
        return [check.file(files[0])]
    records = apart(lambda: [check.whole(file) for file in files])
    if isinstance(records, list):
        return records
    middle = len(files) // 2
    return records_apart(check, files[:middle]) + records_apart(check, files[middle:])


def main(folder, name):
    start = time.monotonic()
    reader = READERS[name]()
    check = Check(reader)
    emit({'reader': name, 'version': reader.version, 'seconds': time.monotonic() - start})
    for batch in batches(load(folder)):
        if reader.crashes:
            records = records_apart(check, batch)
        else:
            many = read_many(reader, batch)
            records = (check.whole(file, many.get(file.path)) for file in batch)
        for record in records:
            emit(record)


if __name__ == '__main__':
    main(*sys.argv[1:])
