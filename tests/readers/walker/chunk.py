"""One column chunk: its pages walked, then everything ColumnMetaData and both indexes say of it recomputed."""

from collections import Counter

from . import bloom, format, page_index, statistics
from .format import DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE
from .pages import PLAIN, RLE, PageReader
from .thrift import Malformed


class Chunk:
    """`check(field, expected, found, page=None)` takes contradictions; `ours` is the limits of our writer, or None."""

    def __init__(self, data, entry, leaf, start, end, check, ours):
        self.data, self.entry, self.leaf, self.check, self.ours = data, entry, leaf, check, ours
        self.start = start
        self.offset_index_span = self.column_index_span = self.bloom = None
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

    def verify(self, bounded):
        """Checks all that is said of the chunk; `bounded`: whether its column has minima, and maxima (see statistics.py)."""
        self._metadata()
        self._encodings()
        self._dictionary()
        statistics.check(self, bounded)
        statistics.check_sizes(self)
        bloom.check(self)
        if self.ours:
            self._limits()
        page_index.check_offsets(self)
        page_index.check_bounds(self)

    def payload(self):
        """For each page the bytes of its byte-array values without lengths, dictionary expanded."""
        if self.leaf.physical != 'BYTE_ARRAY':
            return [0] * len(self.pages)
        return [sum(len(value) for value in page.values) for page in self.pages]

    def histogram(self, kind, top, pages=None):
        """How often each level up to `top` stands in the pages (all of them by default)."""
        counts = Counter(level for page in pages or self.pages for level in getattr(page, kind))
        return [counts[level] for level in range(top + 1)]

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
            self._wanted_encoding()
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

    def _wanted_encoding(self):
        """Every data page as it was asked for; only pages of nulls in front of a dictionary's first entry are PLAIN."""
        version, wanted = self.ours.page_version, self.ours.encodings.get(self.leaf.path[0])
        for number, page in enumerate(self.pages):
            label, encoding = f'page {number}', format.ENCODINGS[page.encoding]
            self.check('type', DATA_PAGE_V2 if version == 2 else DATA_PAGE, page.kind, label)
            early = wanted == 'RLE_DICTIONARY' and not any(before.values for before in self.pages[: number + 1])
            allowed = [wanted] if wanted else ['PLAIN', 'RLE_DICTIONARY']
            free = self.ours.modern and not wanted
            if not free and encoding not in (['PLAIN'] if early else allowed):
                self.check('encoding', ' or '.join(allowed), encoding, label)

    def _dictionary(self):
        if not self.dictionary:
            return
        used = {index for page in self.pages for index in page.indices}
        if self.ours:
            self.check('dictionary entries that no page uses', 0, self.dictionary.entries - len(used))

    def _plain_bytes(self, values):
        if self.leaf.physical == 'BYTE_ARRAY':
            return sum(4 + len(value) for value in values)
        return len(values) // 8 if self.leaf.physical == 'BOOLEAN' else len(values) * self.leaf.width

    def _first_row(self, page):
        """Values of the first row of a page."""
        end = page.repetition.index(0, 1) if 0 in page.repetition[1:] else page.entries
        return page.values[: page.definition[:end].count(self.leaf.max_definition)]

    def _limits(self):
        """Pages as full as their limits allow, and no fuller."""
        ours, leaf = self.ours, self.leaf
        if ours.content_defined:
            return self._content_limits(*ours.content_defined)
        most = ours.page_rows
        if leaf.physical == 'BOOLEAN':
            most = min(most, ours.page_bytes * 8)
        elif leaf.width:
            most = min(most, max(1, ours.page_bytes // leaf.width))
        byte_array = leaf.physical == 'BYTE_ARRAY'
        sizes = [4 * len(page.values) + payload for page, payload in zip(self.pages, self.payload())]
        for number, (page, size) in enumerate(zip(self.pages, sizes)):
            label = f'page {number}'
            if page.rows > most:
                self.check('rows of a page', f'at most {most}', page.rows, label)
            if byte_array and page.encoding == PLAIN and page.rows > 1 and size > ours.page_bytes:
                self.check('PLAIN bytes of a page', f'at most {ours.page_bytes}', size, label)
            if number + 1 == len(self.pages) or page.rows >= most:
                continue
            # A page may have ended for its bytes: of a byte array that, with the next value, would be too much. What
            # null slots of the caller's layout hold counts too, but is not in the file, so such pages stay out of this.
            following = self.pages[number + 1]
            if leaf.max_repetition:
                if self._plain_bytes(page.values + self._first_row(following)) <= ours.page_bytes:
                    self.check('rows of a page that is not the last', most, page.rows, label)
                continue
            if byte_array and (page.nulls or following.nulls):
                continue
            if not byte_array or size + 4 + len(following.values[0]) <= ours.page_bytes:
                self.check('rows of a page that is not the last', most, page.rows, label)

    def _content_limits(self, least, most):
        """Pages between their limits; the first and the last of a row group may go on in another."""
        leaf = self.leaf
        width = {'BOOLEAN': 1, 'BYTE_ARRAY': 4}.get(leaf.physical, leaf.width)
        byte_array = leaf.physical == 'BYTE_ARRAY'
        payload = self.payload() if byte_array else [0] * len(self.pages)
        for number, (page, bytes_of_values) in enumerate(zip(self.pages, payload)):
            size = page.entries * width + bytes_of_values
            if size > most and page.rows > 1:
                self.check('bytes of a page', f'at most {most}', size, f'page {number}')
            if size < least and 0 < number < len(self.pages) - 1:
                self.check('bytes of a page', f'at least {least}', size, f'page {number}')
