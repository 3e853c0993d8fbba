"""One column chunk: its pages walked, then everything ColumnMetaData and both indexes say of it recomputed."""

from collections import Counter

from . import bounds, format
from .format import ASCENDING, DATA_PAGE, DATA_PAGE_V2, DESCENDING, DICTIONARY_PAGE, UNORDERED
from .pages import PLAIN, RLE, PageReader
from .thrift import Malformed


class Chunk:
    """`check(field, expected, found, page=None)` takes contradictions; `ours` is the limits of our writer, or None."""

    def __init__(self, data, entry, leaf, start, end, check, ours):
        self.data, self.entry, self.leaf, self.check, self.ours = data, entry, leaf, check, ours
        self.start = start
        self.meta = entry['meta_data']
        self.codec = format.CODECS[self.meta['codec']]
        reader = PageReader(
            data,
            start,
            end,
            leaf,
            self.codec,
            self.meta['num_values'],
            lambda page, field, expected, found: check(field, expected, found, page),
            ours,
        )
        self.dictionary, self.pages = None, []
        self._read(reader)
        self.end = reader.position
        self.rows = sum(page.rows for page in self.pages)
        self.values = [value for page in self.pages for value in page.values]
        self.nulls = sum(page.nulls for page in self.pages)

    def _read(self, reader):
        stop = self.start + self.meta['total_compressed_size']
        while reader.position < stop:
            start = reader.position
            try:
                page = reader.next(len(self.pages))
            except Malformed as error:
                raise Malformed(f'page at {start}, {len(self.pages)} data pages before it: {error}') from None
            if page.kind == DICTIONARY_PAGE:
                self.check('data pages in front of the dictionary page', 0, len(self.pages))
                self.dictionary = page
            elif page.kind in (DATA_PAGE, DATA_PAGE_V2):
                self.pages.append(page)

    def rows_of_values(self):
        """Flat columns only: a value or None for every row."""
        top = self.leaf.max_definition
        values = iter(self.values)
        return [next(values) if level == top else None for page in self.pages for level in page.definition]

    def verify(self):
        self._metadata()
        self._encodings()
        self._dictionary()
        self._statistics()
        self._size_statistics()
        if self.ours:
            self._limits()
        locations = self._offset_index()
        self._column_index()
        return locations

    def _metadata(self):
        meta, check = self.meta, self.check
        all_pages = ([self.dictionary] if self.dictionary else []) + self.pages
        check('ColumnMetaData.type', self.leaf.physical, format.TYPES[meta['type']])
        check('ColumnMetaData.path_in_schema', list(self.leaf.path), [part.decode() for part in meta['path_in_schema']])
        check('ColumnMetaData.num_values', sum(page.entries for page in self.pages), meta['num_values'])
        check(
            'ColumnMetaData.total_compressed_size',
            sum(page.stored for page in all_pages),
            meta['total_compressed_size'],
        )
        check(
            'ColumnMetaData.total_uncompressed_size',
            sum(page.unpacked for page in all_pages),
            meta['total_uncompressed_size'],
        )
        check('ColumnMetaData.data_page_offset', self.pages[0].offset if self.pages else None, meta['data_page_offset'])
        check(
            'ColumnMetaData.dictionary_page_offset',
            self.dictionary and self.dictionary.offset,
            meta.get('dictionary_page_offset'),
        )
        check('ColumnMetaData.index_page_offset', None, meta.get('index_page_offset'))
        check('ColumnChunk.file_path', None, self.entry.get('file_path'))
        if self.ours:
            check('ColumnChunk.file_offset', 0, self.entry['file_offset'])
            check('ColumnMetaData.key_value_metadata', None, meta.get('key_value_metadata'))
            check('ColumnMetaData.bloom_filter_offset', None, meta.get('bloom_filter_offset'))
            if self.ours.codec:
                check('ColumnMetaData.codec', self.ours.codec, self.codec)

    def _encodings(self):
        used = {page.encoding for page in self.pages}
        if self.dictionary:
            used.add(PLAIN)
        if self.leaf.max_definition or self.leaf.max_repetition:
            used.add(RLE)
        found = self.meta['encodings']
        names = lambda ids: sorted(format.ENCODINGS[one] for one in ids)
        # Other writers name RLE also where no levels are stored.
        spare = set() if self.ours else {RLE}
        self.check('ColumnMetaData.encodings', names(used), names(set(found) - (spare - used)))
        if self.ours:
            self.check('ColumnMetaData.encodings without duplicates', len(set(found)), len(found))
        counts = Counter((page.kind, page.encoding) for page in self.pages)
        if self.dictionary:
            counts[DICTIONARY_PAGE, PLAIN] += 1
        stats = self.meta.get('encoding_stats')
        if stats is not None:
            self.check(
                'ColumnMetaData.encoding_stats',
                sorted((*pair, count) for pair, count in counts.items()),
                sorted((one['page_type'], one['encoding'], one['count']) for one in stats),
            )
        elif self.ours:
            self.check('ColumnMetaData.encoding_stats', 'present', None)

    def _dictionary(self):
        if not self.dictionary:
            return
        used = {index for page in self.pages for index in page.indices}
        if self.ours:
            self.check('dictionary entries that no page uses', 0, self.dictionary.entries - len(used))

    def _statistics(self):
        stats, check, leaf = self.meta.get('statistics'), self.check, self.leaf
        if not self.ours:
            return self._foreign_statistics(stats or {})
        if self.ours.statistics == 'none':
            return check('ColumnMetaData.statistics', None, stats)
        if stats is None:
            return check('ColumnMetaData.statistics', 'present', None)
        low, high = bounds.written(self.values, leaf, self.ours.truncate)
        expected = {'null_count': self.nulls}
        if leaf.order == 'float':
            expected['nan_count'] = bounds.nan_count(self.values, leaf)
        if low and high:
            expected |= {
                'min_value': low.data,
                'max_value': high.data,
                'is_min_value_exact': low.exact,
                'is_max_value_exact': high.exact,
            }
        for name in sorted(expected.keys() | stats.keys()):
            check(f'Statistics.{name}', expected.get(name), stats.get(name))
        return None

    def _foreign_statistics(self, stats):
        for name, truth in (
            ('null_count', self.nulls),
            ('nan_count', bounds.nan_count(self.values, self.leaf)),
            ('distinct_count', len(set(self.values))),
        ):
            if name in stats:
                self.check(f'Statistics.{name}', truth, stats[name])
        for field, expected, found in bounds.unsound(
            stats.get('min_value'),
            stats.get('max_value'),
            stats.get('is_min_value_exact'),
            stats.get('is_max_value_exact'),
            self.values,
            self.leaf,
        ):
            self.check(f'Statistics.{field}', expected, found)

    def _payload(self, pages):
        """Bytes of byte-array values without lengths, dictionary expanded."""
        return [sum(len(value) for value in page.values) for page in pages]

    def _size_statistics(self):
        sizes = self.meta.get('size_statistics', {})
        byte_array = self.leaf.physical == 'BYTE_ARRAY'
        wanted = byte_array and (not self.ours or self.ours.statistics == 'page')
        truth = sum(self._payload(self.pages)) if wanted else None
        if (
            truth is not None
            and (self.ours or 'unencoded_byte_array_data_bytes' in sizes)
            or 'unencoded_byte_array_data_bytes' in sizes
        ):
            self.check(
                'SizeStatistics.unencoded_byte_array_data_bytes', truth, sizes.get('unencoded_byte_array_data_bytes')
            )
        for name, kind, top in (
            ('definition_level_histogram', 'definition', self.leaf.max_definition),
            ('repetition_level_histogram', 'repetition', self.leaf.max_repetition),
        ):
            if sizes.get(name):
                self.check(f'SizeStatistics.{name}', _histogram(self.pages, kind, top), sizes[name])

    def _limits(self):
        """Pages as full as their limits allow, and no fuller."""
        ours, leaf = self.ours, self.leaf
        most = ours.page_rows
        if leaf.physical == 'BOOLEAN':
            most = min(most, ours.page_bytes * 8)
        elif leaf.width:
            most = min(most, max(1, ours.page_bytes // leaf.width))
        size = lambda page: sum(4 + len(value) for value in page.values)
        for number, page in enumerate(self.pages):
            label = f'page {number}'
            if page.rows > most:
                self.check('rows of a page', f'at most {most}', page.rows, label)
            if (
                page.rows > 1
                and leaf.physical == 'BYTE_ARRAY'
                and page.encoding == PLAIN
                and size(page) > ours.page_bytes
            ):
                self.check('PLAIN bytes of a page', f'at most {ours.page_bytes}', size(page), label)
            following = self.pages[number + 1 : number + 2]
            if following and page.rows < most:
                first = following[0]
                grown = (
                    size(page) + 4 + len(first.values[0])
                    if leaf.physical == 'BYTE_ARRAY' and first.definition[0] == leaf.max_definition
                    else 0
                )
                if grown <= ours.page_bytes:
                    self.check('rows of a page that is not the last', most, page.rows, label)

    def _offset_index(self):
        """Checks the offset index; returns (start, end) of its bytes, if there is one."""
        where = self._index('OffsetIndex', 'offset_index_offset', 'offset_index_length', required=bool(self.ours))
        if not where:
            return None
        index, span = where
        rows = 0
        locations = []
        for page in self.pages:
            locations.append({'offset': page.offset, 'compressed_page_size': page.stored, 'first_row_index': rows})
            rows += page.rows
        self.check('OffsetIndex.page_locations count', len(locations), len(index['page_locations']))
        for number, (expected, found) in enumerate(zip(locations, index['page_locations'])):
            for name, value in expected.items():
                self.check(f'PageLocation.{name}', value, found[name], f'page {number}')
        for number, page in enumerate(self.pages):
            if page.repetition and page.repetition[0]:
                self.check('first repetition level', 0, page.repetition[0], f'page {number}')
        payload = index.get('unencoded_byte_array_data_bytes')
        wanted = self.leaf.physical == 'BYTE_ARRAY' and (not self.ours or self.ours.statistics == 'page')
        if payload is not None or self.ours:
            self.check(
                'OffsetIndex.unencoded_byte_array_data_bytes', self._payload(self.pages) if wanted else None, payload
            )
        return span

    def _index(self, struct, offset, length, required):
        entry = self.entry
        if required or offset in entry:
            self.check(f'ColumnChunk.{offset} present', True, offset in entry)
            self.check(f'ColumnChunk.{length} present', True, length in entry)
        if offset not in entry or length not in entry:
            return None
        start, end = entry[offset], entry[offset] + entry[length]
        if not 0 < start < end <= len(self.data):
            raise Malformed(f'{struct} at {start} to {end} lies outside of the file')
        index, stop = format.read(struct, self.data, start, end, self.check)
        self.check(f'ColumnChunk.{length}', stop - start, entry[length])
        return index, (start, end)

    def _column_index(self):
        truncate = self.ours.truncate if self.ours else 64
        per_page = [bounds.written(page.values, self.leaf, truncate) for page in self.pages]
        complete = all(low and high or not page.values for page, (low, high) in zip(self.pages, per_page))
        expected = complete and (not self.ours or self.ours.statistics == 'page')
        if self.ours and not expected:
            self.check('ColumnChunk.column_index_offset', None, self.entry.get('column_index_offset'))
        where = self._index(
            'ColumnIndex', 'column_index_offset', 'column_index_length', required=bool(self.ours and expected)
        )
        self.column_index_span = where and where[1]
        if not where:
            return
        index = where[0]
        self.check('ColumnChunk.offset_index_offset beside a column index', True, 'offset_index_offset' in self.entry)
        truth = {
            'null_pages': [not page.values for page in self.pages],
            'null_counts': [page.nulls for page in self.pages],
            'nan_counts': [bounds.nan_count(page.values, self.leaf) for page in self.pages]
            if self.leaf.order == 'float'
            else None,
            'min_values': [low.data if low else b'' for low, _ in per_page],
            'max_values': [high.data if high else b'' for _, high in per_page],
        }
        always = {'null_pages'} | (truth.keys() if self.ours else set())
        soundly = set() if self.ours else {'min_values', 'max_values'}
        for name, expected_list in truth.items():
            found = index.get(name)
            if name in soundly or found is None and name not in always:
                continue
            if found is None or expected_list is None:
                self.check(f'ColumnIndex.{name}', expected_list, found)
                continue
            self.check(f'ColumnIndex.{name} count', len(self.pages), len(found))
            for number, (a, b) in enumerate(zip(expected_list, found)):
                self.check(f'ColumnIndex.{name}', a, b, f'page {number}')
        if not self.ours:
            self._foreign_bounds(index)
        self._boundary_order(index)
        for name, kind, top in (
            ('definition_level_histograms', 'definition', self.leaf.max_definition),
            ('repetition_level_histograms', 'repetition', self.leaf.max_repetition),
        ):
            if index.get(name):
                self.check(
                    f'ColumnIndex.{name}',
                    [count for page in self.pages for count in _histogram([page], kind, top)],
                    index[name],
                )

    def _foreign_bounds(self, index):
        for number, (page, low, high) in enumerate(zip(self.pages, index['min_values'], index['max_values'])):
            found = (low, high) if page.values else (None, None)
            for field, expected, bound in bounds.unsound(*found, None, None, page.values, self.leaf):
                self.check(f'ColumnIndex.{field}s', expected, bound, f'page {number}')
            if not page.values:
                self.check('ColumnIndex bounds of a page of nulls', (b'', b''), (low, high), f'page {number}')

    def _boundary_order(self, index):
        """From the bounds as they stand in the file; pages of nulls are passed over, equal ones ascend."""
        lists = []
        for name in ('min_values', 'max_values'):
            there = [value for value, null in zip(index[name], index['null_pages']) if not null]
            decoded = [bounds.decode(value, self.leaf) for value in there]
            if None in decoded:
                return
            lists.append([bounds.key(value, self.leaf) for value in decoded])
        ascending = all(a <= b for keys in lists for a, b in zip(keys, keys[1:]))
        descending = all(a >= b for keys in lists for a, b in zip(keys, keys[1:]))
        truth = ASCENDING if ascending else DESCENDING if descending else UNORDERED
        found = index['boundary_order']
        if self.ours:
            self.check('ColumnIndex.boundary_order', truth, found)
        elif (
            found not in (UNORDERED, ASCENDING, DESCENDING)
            or found == ASCENDING
            and not ascending
            or found == DESCENDING
            and not descending
        ):
            self.check('ColumnIndex.boundary_order', truth, found)


def _histogram(pages, kind, top):
    counts = [0] * (top + 1)
    for page in pages:
        for level in getattr(page, kind):
            counts[level] += 1
    return counts
