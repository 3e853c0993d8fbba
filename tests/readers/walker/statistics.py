"""Statistics and SizeStatistics of a chunk, recomputed from its decoded values."""

from . import bounds


def can_bound(chunk):
    """Whether a minimum and a maximum of the chunk's values exist; a chunk of nulls needs none.

    A column has either in all row groups or in none: DataFusion takes those of some for those of the whole file.
    """
    written = bounds.written(chunk.values, chunk.leaf, chunk.ours.truncate if chunk.ours else 64)
    return [not chunk.values or bound is not None for bound in written]


def check(chunk, bounded):
    """Exactly what our writer has to say, or for files of others whether what they say is true."""
    found = chunk.meta.get('statistics')
    if not chunk.ours:
        return _check_foreign(chunk, found or {})
    if chunk.ours.statistics == 'none':
        return chunk.check('ColumnMetaData.statistics', None, found)
    if found is None:
        return chunk.check('ColumnMetaData.statistics', 'present', None)
    expected = {'null_count': chunk.nulls}
    if chunk.leaf.order == 'float':
        expected['nan_count'] = bounds.nan_count(chunk.values, chunk.leaf)
    low, high = bounds.written(chunk.values, chunk.leaf, chunk.ours.truncate)
    if bounded[0] and low:
        expected |= {'min_value': low.data, 'is_min_value_exact': low.exact}
    if bounded[1] and high:
        expected |= {'max_value': high.data, 'is_max_value_exact': high.exact}
    for name in sorted(expected.keys() | found.keys()):
        chunk.check(f'Statistics.{name}', expected.get(name), found.get(name))
    return None


def _check_foreign(chunk, found):
    truth = {
        'null_count': chunk.nulls,
        'nan_count': bounds.nan_count(chunk.values, chunk.leaf),
        'distinct_count': len(set(chunk.values)),
    }
    for name in truth.keys() & found.keys():
        chunk.check(f'Statistics.{name}', truth[name], found[name])
    names = ('min_value', 'max_value', 'is_min_value_exact', 'is_max_value_exact')
    for field, expected, bound in bounds.unsound(*(found.get(name) for name in names), chunk.values, chunk.leaf):
        chunk.check(f'Statistics.{field}', expected, bound)


def check_sizes(chunk):
    sizes, leaf, ours = chunk.meta.get('size_statistics', {}), chunk.leaf, chunk.ours
    wanted = leaf.physical == 'BYTE_ARRAY' and (not ours or ours.statistics == 'page')
    found = sizes.get('unencoded_byte_array_data_bytes')
    if ours or found is not None:
        expected = sum(chunk.payload()) if wanted else None
        chunk.check('SizeStatistics.unencoded_byte_array_data_bytes', expected, found)
    for kind, top in (('definition', leaf.max_definition), ('repetition', leaf.max_repetition)):
        name = f'{kind}_level_histogram'
        if sizes.get(name):
            chunk.check(f'SizeStatistics.{name}', chunk.histogram(kind, top), sizes[name])
