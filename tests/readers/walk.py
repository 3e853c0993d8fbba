"""Walks Parquet files byte by byte and names every contradiction between footer, page headers, indexes and bytes.

    python walk.py [--ours] file.parquet ...

Without --ours it checks what the format asks of any writer; with it also what this project's writer promises beyond
that (see `Ours`). Flat and nested columns, data pages V1 and V2, every encoding up to BYTE_STREAM_SPLIT, Bloom filters.
"""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from walker import bloom, format, statistics
from walker.chunk import Chunk
from walker.schema import leaves_of
from walker.thrift import Malformed

CREATED_BY = re.compile(r'[\w.-]+ version \d+\.\d+\.\d+(-[\w.]+)? \(build [\w.+-]+\)')


@dataclass
class Ours:
    """What our writer was told. With it more must hold: contiguous pages from offset 4, every optional field of size
    and place, exact statistics, both indexes, checksums, pages as full as their limits allow."""

    codec: str = None  # None: any
    page_version: int = 1
    modern: bool = False  # any encoding may be chosen
    # By column; without an entry what is chosen, unless `modern` plain or dictionary, and no Bloom filter.
    encodings: dict = field(default_factory=dict)
    bloom: dict = field(default_factory=dict)  # shares of false positives
    page_rows: int = 20000
    page_bytes: int = 1 << 20
    content_defined: tuple = None  # least and most bytes of a page that ends by its content
    truncate: int = 64
    statistics: str = 'page'
    checksum: bool = True
    row_group_rows: int = 1 << 20


class Walk:
    """Contradictions of one file in `contradictions`, its flat columns' values in `columns`."""

    def __init__(self, data, ours=None):
        self.data, self.ours = data, ours
        self.contradictions = []
        self.columns = {}
        self.chunks = []
        self.spans = []
        try:
            self._file()
        except (Malformed, UnicodeDecodeError) as error:
            self.contradictions.append(f'the bytes end the walk: {error}')

    def check(self, where, field, expected, found):
        if expected != found:
            self.contradictions.append(f'{where}: {field}: expected {_show(expected)}, found {_show(found)}')

    def _file(self):
        data = self.data
        if len(data) < 12 or data[:4] != b'PAR1' or data[-4:] != b'PAR1':
            raise Malformed(f'no PAR1 at both ends of {len(data)} bytes')
        length = int.from_bytes(data[-8:-4], 'little')
        footer = len(data) - 8 - length
        if footer < 4:
            raise Malformed(f'a footer of {length} bytes in a file of {len(data)}')
        complain = lambda path, expected, found: self.check('footer', path, expected, found)
        self.meta, stop = format.read('FileMetaData', data, footer, len(data) - 8, complain)
        self.check('footer', 'length', stop - footer, length)
        self.leaves = leaves_of(self.meta['schema'], self.check, self.ours)
        self._whole_file()
        for number, group in enumerate(self.meta['row_groups']):
            self._row_group(number, group, footer)
        self._verify_chunks()
        self._indexes()
        self._layout(footer)

    def _whole_file(self):
        meta = self.meta
        self.check(
            'footer', 'FileMetaData.num_rows', sum(group['num_rows'] for group in meta['row_groups']), meta['num_rows']
        )
        orders = meta.get('column_orders')
        if orders is not None or self.ours:
            self.check('footer', 'column_orders', len(self.leaves), len(orders or []))
        for pair in meta.get('key_value_metadata', []):
            self.check('footer', f'value of key {pair["key"]}', 'present', 'present' if 'value' in pair else None)
        if self.ours:
            self.check('footer', 'FileMetaData.version', 1, meta['version'])
            self.check(
                'footer',
                'column_orders',
                {'TYPE_ORDER'},
                {name for order in orders or [] for name in order} or {'TYPE_ORDER'},
            )
            created = meta.get('created_by', b'').decode()
            self.check(
                'footer', 'created_by as name version x.y.z (build hash)', True, bool(CREATED_BY.fullmatch(created))
            )
            for group in meta['row_groups'][:-1]:
                self.check(
                    'footer', 'rows of a row group that is not the last', self.ours.row_group_rows, group['num_rows']
                )

    def _row_group(self, number, group, footer):
        name = f'row group {number}'
        if group['num_rows'] < 1:
            self.check(name, 'num_rows', 'at least 1', group['num_rows'])
        if len(group['columns']) != len(self.leaves):
            raise Malformed(f'{name} has {len(group["columns"])} chunks for {len(self.leaves)} leaves')
        chunks = [self._chunk(name, group, entry, leaf, footer) for entry, leaf in zip(group['columns'], self.leaves)]
        for chunk in chunks:
            self._bloom(name, chunk)
        totals = {
            'total_byte_size': sum(chunk.meta['total_uncompressed_size'] for chunk in chunks),
            'total_compressed_size': sum(chunk.meta['total_compressed_size'] for chunk in chunks),
            'file_offset': chunks[0].start if chunks else None,
            'ordinal': number if number < 1 << 15 else None,
        }
        for field, truth in totals.items():
            if field in group or self.ours:
                self.check(name, f'RowGroup.{field}', truth, group.get(field))
        for column in group.get('sorting_columns', []):
            self.check(
                name,
                'SortingColumn.column_idx',
                'a leaf',
                'a leaf' if 0 <= column['column_idx'] < len(self.leaves) else column['column_idx'],
            )
        if self.ours:
            self.check(name, 'RowGroup.sorting_columns', None, group.get('sorting_columns'))

    def _chunk(self, group_name, group, entry, leaf, footer):
        where = f'{group_name}, column "{leaf.name}"'
        if 'meta_data' not in entry:
            raise Malformed(f'{where} has no meta_data')
        meta = entry['meta_data']
        # The place the footer gives; for our files it must be where the chunk before ended (see _layout).
        start = meta.get('dictionary_page_offset', meta['data_page_offset'])
        check = lambda field, expected, found, page=None: self.check(
            where + (f', {page}' if page else ''), field, expected, found
        )
        if not 4 <= start < footer:
            raise Malformed(f'{where} starts at {start}, outside of 4 to {footer}')
        try:
            chunk = Chunk(self.data, entry, leaf, start, footer, check, self.ours)
            check('rows of the chunk', group['num_rows'], chunk.rows)
        except Malformed as error:
            raise Malformed(f'{where}, {error}') from None
        self.spans.append((chunk.start, chunk.end, f'pages of {where}'))
        self.chunks.append(chunk)
        if not leaf.max_repetition:
            self.columns.setdefault(leaf.name, []).extend(chunk.rows_of_values())
        return chunk

    def _bloom(self, group_name, chunk):
        """Bloom filters lie behind the pages of their row group, by column."""
        where = f'{group_name}, column "{chunk.leaf.name}"'
        try:
            chunk.bloom = bloom.read(chunk)
        except Malformed as error:
            raise Malformed(f'{where}, {error}') from None
        if chunk.bloom:
            self.spans.append((*chunk.bloom.span, f'Bloom filter of {where}'))

    def _verify_chunks(self):
        width = len(self.leaves)
        for column, leaf in enumerate(self.leaves):
            chunks = self.chunks[column::width]
            bounded = [all(known) for known in zip(*(statistics.can_bound(chunk) for chunk in chunks))]
            for number, chunk in enumerate(chunks):
                try:
                    chunk.verify(bounded)
                except Malformed as error:
                    raise Malformed(f'row group {number}, column "{leaf.name}", {error}') from None

    def _indexes(self):
        """All column indexes, then all offset indexes, each by row group and column, right behind each other."""
        spans = [(chunk.column_index_span, 'column index') for chunk in self.chunks] + [
            (chunk.offset_index_span, 'offset index') for chunk in self.chunks
        ]
        spans = [(*span, name) for span, name in spans if span]
        self.spans += spans
        if self.ours and spans != sorted(spans):
            self.check(
                'page index', 'column indexes, then offset indexes, by row group and column', sorted(spans), spans
            )

    def _layout(self, footer):
        """What lies between the magic and the footer: nothing twice, and in our files nothing unknown."""
        position = 4
        spans = self.spans if self.ours else sorted(self.spans)
        for start, end, name in spans:
            if self.ours or start < position:
                self.check('layout', f'start of the {name}', position, start)
            position = end
        if self.ours or position > footer:
            self.check('layout', 'start of the footer', position, footer)


def _show(value):
    text = value.hex() if isinstance(value, bytes) and value else repr(value)
    return text if len(text) <= 300 else f'{text[:297]}...'


def main(arguments):
    ours = Ours() if '--ours' in arguments else None
    failed = False
    for path in (argument for argument in arguments if argument != '--ours'):
        walk = Walk(Path(path).read_bytes(), ours)
        pages = sum(len(chunk.pages) + bool(chunk.dictionary) for chunk in walk.chunks)
        print(f'{path}: {len(walk.chunks)} chunks, {pages} pages, {len(walk.contradictions)} contradictions')
        for contradiction in walk.contradictions:
            print(f'  {contradiction}')
        failed |= bool(walk.contradictions)
    return failed


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
