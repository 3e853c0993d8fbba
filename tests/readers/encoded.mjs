// The family "encoded" of the matrix: each type in each encoding that fits it, on data pages of both versions, with
// Bloom filters on some columns.

const ENCODINGS = {
  boolean: ['PLAIN', 'RLE'],
  integer: ['PLAIN', 'RLE_DICTIONARY', 'DELTA_BINARY_PACKED', 'BYTE_STREAM_SPLIT'],
  float: ['PLAIN', 'RLE_DICTIONARY', 'BYTE_STREAM_SPLIT'],
  bytes: ['PLAIN', 'RLE_DICTIONARY', 'DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY'],
  fixed: ['PLAIN', 'RLE_DICTIONARY', 'DELTA_BYTE_ARRAY', 'BYTE_STREAM_SPLIT'],
};

const physicalOf = (name) => {
  if (name === 'bool') return 'boolean';
  if (name === 'string' || name === 'binary') return 'bytes';
  if (name === 'float16' || name.startsWith('fixed')) return 'fixed';
  return name.startsWith('float') ? 'float' : 'integer';
};

// Values, nulls, form as in matrix.mjs; then the share of false positives of a Bloom filter. `head` and `middle` make
// the first and the second page one of nulls alone.
const COLUMNS = [
  ['low', 'none', 'typed', 0.01],
  ['high', 'none', 'typed', 0.01],
  ['ascending', 'none', 'cells'],
  ['high', 'some', 'typed', 0.001],
  ['low', 'some', 'cells'],
  ['low', 'head', 'cells', 0.01],
  ['high', 'middle', 'typed', 0.1],
  ['low', 'all', 'cells', 0.01],
];
const NAN_COLUMNS = [
  ['nan', 'none', 'typed', 0.01],
  ['fewnan', 'some', 'typed', 0.01],
];

/** Encodings that fit the flat type of that name. */
export const encodingsOf = (name) => ENCODINGS[physicalOf(name)];

function columnsOf(type) {
  const columns = type.nans ? [...COLUMNS, ...NAN_COLUMNS] : COLUMNS;
  // The writer gives no filter to these: readers would lose rows by it, or cannot have one.
  return ['bool', 'float16'].includes(type.name) ? columns.map((column) => column.slice(0, 3)) : columns;
}

/** Shapes for matrix.mjs; all of one type hold the same values. */
export const ENCODED_SHAPES = [...new Set(Object.values(ENCODINGS).flat())].flatMap((encoding) =>
  [1, 2].map((pageVersion) => ({
    name: `${encoding.toLowerCase()}-v${pageVersion}`,
    values: 'encoded',
    rows: 300,
    options: { pageRows: 100, encoding, pageVersion },
    codecs: ['none', 'zstd', 'lz4'],
    only: (type) => encodingsOf(type.name).includes(encoding),
    columns: columnsOf,
  })),
);
