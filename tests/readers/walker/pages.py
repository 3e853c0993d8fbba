"""The pages of one chunk: headers read, checksums and sizes recomputed, levels and values decoded."""

import zlib
from dataclasses import dataclass, field

from . import decode, delta, format
from .format import DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE
from .thrift import Cursor, Malformed

RLE, PLAIN = 3, 0


@dataclass
class Page:
    offset: int
    kind: int
    stored: int  # bytes in the file, with the header
    unpacked: int  # the same before compression
    encoding: int
    rows: int = 0
    entries: int = 0  # values with nulls
    nulls: int = 0
    values: list = field(default_factory=list)
    definition: list = field(default_factory=list)
    repetition: list = field(default_factory=list)
    body: int = 0  # bytes of the page before compression
    width: int = None  # bit width of dictionary indices
    packed: bool = None  # what is_compressed of a V2 page says
    indices: list = field(default_factory=list)


class PageReader:
    """Reads pages from `position` on. `check(page, field, expected, found)` takes contradictions.

    `most`: entries that a page can have at most, so that a wrong count does not fill the memory."""

    def __init__(self, data, position, end, leaf, codec, most, check, ours):
        self.data, self.position, self.end, self.most = data, position, end, most
        self.leaf, self.codec, self.check, self.ours = leaf, codec, check, ours
        self.strict = ours is not None
        self.dictionary = None

    def next(self, number):
        """The next page, decoded; data pages before it: `number`."""
        start = self.position
        strange = []
        header, body = format.read('PageHeader', self.data, start, self.end, lambda *fields: strange.append(fields))
        label = 'dictionary page' if header['type'] == DICTIONARY_PAGE else f'page {number}'
        check = lambda field, expected, found: self.check(label, field, expected, found)
        for fields in strange:
            check(*fields)
        size, stored = header['uncompressed_page_size'], header['compressed_page_size']
        data = bytes(Cursor(self.data, body, self.end).take(stored))
        self.position = body + stored
        self._checksum(header, data, check)
        if self.codec == 'none' and 'data_page_header_v2' not in header:
            check('compressed_page_size', size, stored)
        page = Page(start, header['type'], body - start + stored, body - start + size, PLAIN, body=size)
        content = self._content(header, check)
        if page.kind == DICTIONARY_PAGE:
            self._dictionary(page, content, self._unpack(data, size), check)
        elif page.kind == DATA_PAGE:
            self._data(page, content, self._unpack(data, size), check)
        elif page.kind == DATA_PAGE_V2:
            self._data_v2(page, content, data, size, check)
        else:
            check('type', 'a data or dictionary page', page.kind)
        return page

    def _unpack(self, data, size):
        data = decode.decompress(self.codec, data, size)
        if len(data) != size:
            raise Malformed(f'{len(data)} bytes after decompression, the header says {size}')
        return data

    def _checksum(self, header, data, check):
        if 'crc' in header:
            check('crc', zlib.crc32(data), header['crc'] & 0xFFFFFFFF)
        elif self.ours and self.ours.checksum:
            check('crc', zlib.crc32(data), None)

    @staticmethod
    def _content(header, check):
        """The one header that belongs to the page's type."""
        wanted = {
            0: 'data_page_header',
            1: 'index_page_header',
            2: 'dictionary_page_header',
            3: 'data_page_header_v2',
        }.get(header['type'])
        present = [
            name
            for name in ('data_page_header', 'index_page_header', 'dictionary_page_header', 'data_page_header_v2')
            if name in header
        ]
        check('header of its type', [wanted], present)
        if wanted not in header:
            raise Malformed(f'a page of type {header["type"]} without {wanted}')
        return header[wanted]

    def _dictionary(self, page, content, data, check):
        count = content['num_values']
        check('DictionaryPageHeader.encoding', 'PLAIN', format.ENCODINGS[content['encoding']])
        if self.dictionary is not None:
            check('type', 'one dictionary page', 'a second one')
        page.entries, page.values = count, decode.plain(Cursor(data), self.leaf, count)
        if self.ours:
            check('is_sorted', None, content.get('is_sorted'))
        duplicates = count - len(set(page.values))
        check('entries that stand twice', 0, duplicates)
        self.dictionary = page.values

    def _data(self, page, content, data, check):
        page.entries, page.encoding = content['num_values'], content['encoding']
        check('DataPageHeader.definition_level_encoding', 'RLE', format.ENCODINGS[content['definition_level_encoding']])
        check('DataPageHeader.repetition_level_encoding', 'RLE', format.ENCODINGS[content['repetition_level_encoding']])
        if self.ours:
            check('DataPageHeader.statistics', None, content.get('statistics'))
        self._count(page.entries)
        cursor = Cursor(data)
        page.repetition = decode.prefixed_levels(cursor, self.leaf.max_repetition, page.entries, self.strict)
        page.definition = decode.prefixed_levels(cursor, self.leaf.max_definition, page.entries, self.strict)
        self._values(page, cursor, check)

    def _count(self, entries):
        if not 0 < entries <= self.most:
            raise Malformed(f'num_values {entries}, the chunk has {self.most}')

    def _data_v2(self, page, content, data, size, check):
        page.entries, page.encoding = content['num_values'], content['encoding']
        self._count(page.entries)
        repetition, definition = content['repetition_levels_byte_length'], content['definition_levels_byte_length']
        values = data[repetition + definition :]
        rest = size - repetition - definition
        page.packed = content.get('is_compressed', True)
        if self.ours:
            self._worth_packing(content, len(values), rest, check)
        if page.packed:
            values = self._unpack(values, rest)
        else:
            check('uncompressed values', rest, len(values))
        for name, top, start, end in (
            ('repetition', self.leaf.max_repetition, 0, repetition),
            ('definition', self.leaf.max_definition, repetition, repetition + definition),
        ):
            found = (
                decode.levels(Cursor(data, start, end), top, page.entries, self.strict) if top else [0] * page.entries
            )
            check(f'{name} levels of level 0', 0, 0 if top else end - start)
            setattr(page, name, found)
        self._values(page, Cursor(values), check)
        check('DataPageHeaderV2.num_nulls', page.nulls, content['num_nulls'])
        check('DataPageHeaderV2.num_rows', page.rows, content['num_rows'])

    def _worth_packing(self, content, stored, plain, check):
        """Values are compressed only where that makes them smaller, and the header says which."""
        check('DataPageHeaderV2.is_compressed present', True, 'is_compressed' in content)
        check('DataPageHeaderV2.statistics', None, content.get('statistics'))
        if content.get('is_compressed') and (self.codec == 'none' or stored >= plain):
            check('DataPageHeaderV2.is_compressed', False, True)

    def _values(self, page, cursor, check):
        """Values behind the levels."""
        top = self.leaf.max_definition
        count = sum(level == top for level in page.definition)
        page.nulls = page.entries - count
        page.rows = sum(level == 0 for level in page.repetition)
        encoding = format.ENCODINGS[page.encoding]
        if encoding == 'PLAIN':
            page.values = decode.plain(cursor, self.leaf, count)
        elif encoding in ('RLE_DICTIONARY', 'PLAIN_DICTIONARY'):
            if self.dictionary is None:
                raise Malformed('dictionary indices without a dictionary page')
            page.indices, page.width = decode.dictionary_indices(cursor, count, len(self.dictionary), self.strict)
            page.values = [self.dictionary[index] for index in page.indices]
            # A dictionary may still grow after this page, so its final size is only the upper limit.
            most = max(1, (len(self.dictionary) - 1).bit_length())
            # Indices take whole bytes where that suits the codec.
            if page.width > most and (not self.codec or page.width != -(-most // 8) * 8):
                check('bit width of indices', f'at most {most}', page.width)
        elif encoding == 'RLE' and self.leaf.physical == 'BOOLEAN':
            length = int.from_bytes(cursor.take(4), 'little')
            check('bytes of RLE booleans', cursor.end - cursor.position, length)
            page.values = [bool(value) for value in decode.hybrid(cursor, 1, count, self.strict)]
        elif encoding in delta.DECODERS:
            page.values = delta.DECODERS[encoding](cursor, self.leaf, count, self.strict)
            if cursor.position != cursor.end:
                raise Malformed(f'{cursor.end - cursor.position} bytes after {count} values of {encoding}')
        elif encoding == 'BYTE_STREAM_SPLIT' and self.leaf.width:
            page.values = decode.byte_stream_split(cursor, self.leaf, count)
        else:
            raise Malformed(f'encoding {encoding} of {self.leaf.physical} is not walked')
