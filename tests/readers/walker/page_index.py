"""Offset index and column index of a chunk, recomputed from its pages."""

from . import bounds, format
from .format import ASCENDING, DESCENDING, UNORDERED
from .thrift import Malformed


def _read(chunk, struct, offset, length, required):
    """The index with (start, end) of its bytes, or (None, None)."""
    entry = chunk.entry
    if required or offset in entry:
        chunk.check(f'ColumnChunk.{offset} present', True, offset in entry)
        chunk.check(f'ColumnChunk.{length} present', True, length in entry)
    if offset not in entry or length not in entry:
        return None, None
    start, end = entry[offset], entry[offset] + entry[length]
    if not 0 < start < end <= len(chunk.data):
        raise Malformed(f'{struct} at {start} to {end} lies outside of the file')
    index, stop = format.read(struct, chunk.data, start, end, chunk.check)
    chunk.check(f'ColumnChunk.{length}', stop - start, entry[length])
    return index, (start, end)


def check_offsets(chunk):
    index, chunk.offset_index_span = _read(
        chunk, 'OffsetIndex', 'offset_index_offset', 'offset_index_length', required=bool(chunk.ours)
    )
    if index is None:
        return
    locations, rows = [], 0
    for page in chunk.pages:
        locations.append({'offset': page.offset, 'compressed_page_size': page.stored, 'first_row_index': rows})
        rows += page.rows
    chunk.check('OffsetIndex.page_locations count', len(locations), len(index['page_locations']))
    for number, (expected, found) in enumerate(zip(locations, index['page_locations'])):
        for name, value in expected.items():
            chunk.check(f'PageLocation.{name}', value, found[name], f'page {number}')
    for number, page in enumerate(chunk.pages):
        chunk.check('first repetition level', 0, page.repetition[0], f'page {number}')
    payload = index.get('unencoded_byte_array_data_bytes')
    wanted = chunk.leaf.physical == 'BYTE_ARRAY' and (not chunk.ours or chunk.ours.statistics == 'page')
    if payload is not None or chunk.ours:
        chunk.check('OffsetIndex.unencoded_byte_array_data_bytes', chunk.payload() if wanted else None, payload)


def check_bounds(chunk):
    ours, leaf = chunk.ours, chunk.leaf
    per_page = [bounds.written(page.values, leaf, ours.truncate if ours else 64) for page in chunk.pages]
    complete = all(low and high or not page.values for page, (low, high) in zip(chunk.pages, per_page))
    expected = bool(ours and complete and ours.statistics == 'page')
    if ours and not expected:
        chunk.check('ColumnChunk.column_index_offset', None, chunk.entry.get('column_index_offset'))
    index, chunk.column_index_span = _read(
        chunk, 'ColumnIndex', 'column_index_offset', 'column_index_length', required=expected
    )
    if index is None:
        return
    chunk.check('ColumnChunk.offset_index_offset beside a column index', True, 'offset_index_offset' in chunk.entry)
    _check_lists(chunk, index, per_page)
    if not ours:
        _check_foreign_bounds(chunk, index)
    _check_order(chunk, index)
    for kind, top in (('definition', leaf.max_definition), ('repetition', leaf.max_repetition)):
        name = f'{kind}_level_histograms'
        if index.get(name):
            counts = [count for page in chunk.pages for count in chunk.histogram(kind, top, [page])]
            chunk.check(f'ColumnIndex.{name}', counts, index[name])


def _check_lists(chunk, index, per_page):
    """The lists with an entry for each page; bounds only for our writer, others may cut them elsewhere."""
    nans = [bounds.nan_count(page.values, chunk.leaf) for page in chunk.pages] if chunk.leaf.order == 'float' else None
    truth = {'null_pages': [not page.values for page in chunk.pages]}
    if chunk.ours or 'null_counts' in index:
        truth['null_counts'] = [page.nulls for page in chunk.pages]
    if chunk.ours or 'nan_counts' in index:
        truth['nan_counts'] = nans
    if chunk.ours:
        truth['min_values'] = [low.data if low else b'' for low, _ in per_page]
        truth['max_values'] = [high.data if high else b'' for _, high in per_page]
    for name, expected in truth.items():
        found = index.get(name)
        if expected is None or found is None or len(expected) != len(found):
            chunk.check(f'ColumnIndex.{name}', expected, found)
            continue
        for number, (a, b) in enumerate(zip(expected, found)):
            chunk.check(f'ColumnIndex.{name}', a, b, f'page {number}')


def _check_foreign_bounds(chunk, index):
    for name in ('min_values', 'max_values'):
        chunk.check(f'ColumnIndex.{name} count', len(chunk.pages), len(index[name]))
    for number, (page, low, high) in enumerate(zip(chunk.pages, index['min_values'], index['max_values'])):
        if not page.values:
            chunk.check('ColumnIndex bounds of a page of nulls', (b'', b''), (low, high), f'page {number}')
            continue
        for field, expected, bound in bounds.unsound(low, high, None, None, page.values, chunk.leaf):
            chunk.check(f'ColumnIndex.{field}s', expected, bound, f'page {number}')


def _check_order(chunk, index):
    """From the bounds as they stand in the file; pages of nulls are passed over, one page or equal ones ascend."""
    lists = []
    for name in ('min_values', 'max_values'):
        there = [value for value, null in zip(index[name], index['null_pages']) if not null]
        decoded = [bounds.decode(value, chunk.leaf) for value in there]
        if None in decoded:
            return
        lists.append([bounds.key(value, chunk.leaf) for value in decoded])
    ascending = all(a <= b for keys in lists for a, b in zip(keys, keys[1:]))
    descending = all(a >= b for keys in lists for a, b in zip(keys, keys[1:]))
    truth = ASCENDING if ascending else DESCENDING if descending else UNORDERED
    found = index['boundary_order']
    # Others may call an order that is there unordered.
    allowed = [truth] if chunk.ours else [UNORDERED] + [ASCENDING] * ascending + [DESCENDING] * descending
    if found not in allowed:
        chunk.check('ColumnIndex.boundary_order', truth, found)
