// Options: what each does to the file, and every wrong one refused by name before the first byte.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParquetWriter, writeParquetBytes, writeParquetSync } from '../../pkg/index.js';
import { assertRefused, readBack, roundTrip } from './read-back.mjs';
import { keeper } from './stream-tools.mjs';

const table = () => ({
  a: Array.from({ length: 1000 }, (_, row) => row % 10),
  s: Array.from({ length: 1000 }, (_, row) => `text ${row}`),
});
const chunk = ({ metadata }, column = 0, group = 0) => metadata.row_groups[group].columns[column].meta_data;

test('codecs and levels', async () => {
  assert.equal(chunk(await roundTrip(table())).codec, 'ZSTD');
  for (const [compression, codec] of [
    ['none', 'UNCOMPRESSED'],
    ['snappy', 'SNAPPY'],
    ['zstd', 'ZSTD'],
  ]) {
    const { columns, ...file } = await roundTrip(table(), { compression });
    assert.equal(chunk(file).codec, codec);
    assert.deepEqual(columns, table());
  }
  for (let level = -5; level <= 9; level++) {
    assert.deepEqual((await roundTrip(table(), { compressionLevel: level })).columns, table());
  }
  await assertRefused(() => writeParquetBytes(table(), { compressionLevel: 10 }), 'ERR_OPTION', {
    message: /compressionLevel.*-5 to 9, got 10/,
  });
  await assertRefused(() => writeParquetBytes(table(), { compressionLevel: -6 }), 'ERR_OPTION', { message: /-5 to 9/ });
  await assertRefused(() => writeParquetBytes(table(), { compressionLevel: 1.5 }), 'ERR_OPTION', {
    message: /compressionLevel/,
  });
  await assertRefused(() => writeParquetBytes(table(), { compression: 'snappy', compressionLevel: 1 }), 'ERR_OPTION', {
    message: /"snappy" has no levels/,
  });
  await assertRefused(() => writeParquetBytes(table(), { compression: 'none', compressionLevel: 0 }), 'ERR_OPTION', {
    message: /"none" has no levels/,
  });
});

test('single columns: options of the call, then those of the column, then those for all', async () => {
  const list = [
    { name: 'a', data: [1], compression: 'snappy' },
    { name: 'b', data: [1] },
    { name: 'c', data: [1], compression: 'snappy' },
  ];
  const file = await roundTrip(list, {
    compression: 'none',
    columns: { c: { compression: 'zstd', compressionLevel: 9 } },
  });
  assert.deepEqual(
    [0, 1, 2].map((column) => chunk(file, column).codec),
    ['SNAPPY', 'UNCOMPRESSED', 'ZSTD'],
  );
  const levels = await roundTrip(list, { compressionLevel: 3, columns: { c: { statistics: 'none' } } });
  assert.equal(chunk(levels, 2).codec, 'SNAPPY');
  await assertRefused(() => writeParquetBytes(list, { columns: { c: { compressionLevel: 3 } } }), 'ERR_OPTION', {
    message: /column "c".*snappy/,
  });
  await assertRefused(() => writeParquetBytes(list, { columns: { zz: { dictionary: false } } }), 'ERR_OPTION', {
    column: 'zz',
  });
  await assertRefused(() => writeParquetBytes(list, { columns: { a: { dictionry: false } } }), 'ERR_OPTION', {
    message: /columns\["a"\]\.dictionry/,
  });
});

test('dictionary and encoding', async () => {
  const encodings = async (options) => chunk(await roundTrip(table(), options)).encodings;
  assert.ok((await encodings({ compression: 'none' })).includes('RLE_DICTIONARY'));
  assert.ok(!(await encodings({ dictionary: false })).includes('RLE_DICTIONARY'));
  assert.ok(!(await encodings({ encoding: 'PLAIN' })).includes('RLE_DICTIONARY'));
  const unique = { a: Float64Array.from({ length: 1000 }, (_, row) => row / 7) };
  const forced = await roundTrip(unique, { encoding: 'RLE_DICTIONARY' });
  assert.ok(chunk(forced).encodings.includes('RLE_DICTIONARY'));
  assert.deepEqual(forced.columns.a, [...unique.a]);
  const strings = await roundTrip(table(), { dictionary: false, columns: { s: { encoding: 'RLE_DICTIONARY' } } });
  assert.ok(chunk(strings, 1).encodings.includes('RLE_DICTIONARY'));
  assert.ok(
    !chunk(
      await roundTrip(table(), { encoding: 'RLE_DICTIONARY', columns: { a: { dictionary: false } } }),
    ).encodings.includes('RLE_DICTIONARY'),
  );
  await assertRefused(
    () => writeParquetBytes(table(), { encoding: 'RLE_DICTIONARY', dictionary: false }),
    'ERR_OPTION',
    { message: /contradict/ },
  );
  await assertRefused(() => writeParquetBytes({ b: [true] }, { encoding: 'RLE_DICTIONARY' }), 'ERR_OPTION', {
    column: 'b',
    message: /bool/,
  });
});

test('HC-51: signs of zero and NaN survive a dictionary', async () => {
  const data = Float64Array.from({ length: 4000 }, (_, row) => [0, -0, NaN, 1][(row * 7 + (row >> 3)) & 3]);
  for (const options of [{}, { encoding: 'RLE_DICTIONARY' }, { dictionary: false }]) {
    assert.deepEqual((await roundTrip({ a: data }, options)).columns.a, [...data]);
    assert.deepEqual((await roundTrip({ a: [...data] }, options)).columns.a, [...data]);
  }
});

test('statistics: none, chunk, page', async () => {
  const none = chunk(await roundTrip(table(), { statistics: 'none' }));
  assert.equal(none.statistics?.min_value, undefined);
  for (const statistics of ['chunk', 'page']) {
    const file = await roundTrip(table(), { statistics });
    assert.deepEqual([chunk(file).statistics.min_value, chunk(file).statistics.max_value], [0, 9]);
    assert.equal(file.metadata.row_groups[0].columns[0].column_index_offset !== undefined, statistics === 'page');
  }
});

test('pageRows and pageBytes cut pages, rowGroupRows row groups', async () => {
  const pages = async (options) => {
    const bytes = await writeParquetBytes(
      { a: new Int32Array(1000) },
      { compression: 'none', dictionary: false, ...options },
    );
    return (await readBack(bytes)).metadata.row_groups.map(({ columns, num_rows: rows }) => [
      Number(rows),
      Number(columns[0].meta_data.total_uncompressed_size),
    ]);
  };
  const [[, whole]] = await pages({});
  const [[, tenth]] = await pages({ pageRows: 100 });
  const [[, bytes]] = await pages({ pageBytes: 400 });
  assert.equal(tenth, bytes);
  assert.ok(tenth > whole);
  assert.deepEqual(
    (await pages({ rowGroupRows: 300 })).map(([rows]) => rows),
    [300, 300, 300, 100],
  );
});

test('metadata, createdBy, pageChecksum', async () => {
  const { metadata } = await roundTrip(table(), {
    metadata: { origin: 'test', '': 'empty', 'Größe\ud800': '🙂' },
    createdBy: 'mine version 1.0.0 (build x)',
  });
  assert.equal(metadata.created_by, 'mine version 1.0.0 (build x)');
  assert.deepEqual(
    metadata.key_value_metadata.map(({ key, value }) => [key, value]),
    [
      ['origin', 'test'],
      ['', 'empty'],
      ['Größe\ufffd', '🙂'],
    ],
  );
  assert.match((await roundTrip(table())).metadata.created_by, /^parquill version \d+\.\d+\.\d+ \(build .+\)$/);
  const checked = await writeParquetBytes(table());
  const bare = await writeParquetBytes(table(), { pageChecksum: false });
  assert.ok(bare.length < checked.length);
  assert.deepEqual((await readBack(bare)).columns, table());
});

test('statisticsTruncateBytes cuts bounds', async () => {
  const { statistics } = chunk(await roundTrip({ s: ['abcdefgh', 'xyzxyzxyz'] }, { statisticsTruncateBytes: 3 }));
  assert.deepEqual(
    [statistics.min_value, statistics.max_value].map((bound) =>
      typeof bound === 'string' ? bound : new TextDecoder().decode(bound),
    ),
    ['abc', 'xy{'],
  );
});

test('unknown options, wrong kinds, out of range: refused by name', async () => {
  const cases = [
    [{ compresion: 'zstd' }, /compresion/],
    [{ compression: 'lzo' }, /compression.*"none", "snappy", "gzip".*lzo/],
    [{ compression: null }, /compression/],
    [{ compression: 1 }, /compression/],
    [{ encoding: 'DELTA' }, /encoding/],
    [{ dictionary: 'yes' }, /dictionary/],
    [{ statistics: true }, /statistics/],
    [{ pageBytes: 0 }, /pageBytes.*1 to 1073741824/],
    [{ pageBytes: 2 ** 31 }, /pageBytes/],
    [{ pageBytes: '1' }, /pageBytes/],
    [{ pageRows: 0 }, /pageRows/],
    [{ pageRows: 1.5 }, /pageRows/],
    [{ pageRows: NaN }, /pageRows/],
    [{ rowGroupRows: 0 }, /rowGroupRows/],
    [{ rowGroupRows: -1 }, /rowGroupRows/],
    [{ rowGroupRows: Infinity }, /rowGroupRows/],
    [{ rowGroupBytes: 0 }, /rowGroupBytes/],
    [{ rowGroupBytes: -5 }, /rowGroupBytes/],
    [{ dictionaryBytes: 0 }, /dictionaryBytes/],
    [{ statisticsTruncateBytes: 0 }, /statisticsTruncateBytes/],
    [{ pageChecksum: 1 }, /pageChecksum/],
    [{ metadata: [] }, /metadata/],
    [{ metadata: { a: 1 } }, /metadata\.a/],
    [{ metadata: 'x' }, /metadata/],
    [{ createdBy: '' }, /createdBy/],
    [{ createdBy: 5 }, /createdBy/],
    [{ columns: [] }, /columns/],
    [{ columns: { a: null } }, /columns\["a"\]/],
    [{ columns: { a: { pageBytes: 5 } } }, /columns\["a"\]\.pageBytes/],
    [{ signal: {} }, /signal/],
    [{ signal: null }, /signal/],
    [{ onProgress: {} }, /onProgress/],
    [{ compatibility: 'wide' }, /compatibility/],
    [{ contentDefinedChunking: 'yes' }, /contentDefinedChunking/],
    [{ contentDefinedChunking: null }, /contentDefinedChunking/],
    [{ contentDefinedChunking: { minBytes: 0 } }, /contentDefinedChunking\.minBytes/],
    [{ contentDefinedChunking: { minBytes: 2 ** 20 } }, /contentDefinedChunking\.minBytes/],
    [{ contentDefinedChunking: { minBytes: 100, maxBytes: 100 } }, /contentDefinedChunking\.minBytes/],
    [{ contentDefinedChunking: { maxBytes: 1 } }, /contentDefinedChunking\.maxBytes/],
    [{ contentDefinedChunking: { maxBytes: 2 ** 30 + 1 } }, /contentDefinedChunking\.maxBytes/],
    [{ contentDefinedChunking: { normalization: 1 } }, /contentDefinedChunking\.normalization/],
    [{ schema: 5 }, /schema/],
    [[], /all/],
    ['zstd', /all/],
    [{ __proto__: null, toString: 1 }, /toString/],
  ];
  for (const [options, message] of cases)
    await assertRefused(() => writeParquetBytes({ a: [1] }, options), 'ERR_OPTION', { message });
});

test('options of later versions say so; their neutral values are taken', async () => {
  const later = [
    { verify: true },
    { workers: 2 },
  ];
  for (const options of later)
    await assertRefused(() => writeParquetBytes({ a: [1] }, options), 'ERR_OPTION', { message: /not in this version/ });
  const neutral = {
    compatibility: 'broad',
    pageVersion: 1,
    workers: 1,
    verify: false,
    bloomFilter: false,
    contentDefinedChunking: false,
    arrowSchema: false,
    encoding: 'auto',
    signal: undefined,
    onProgress: undefined,
    compression: undefined,
    columns: undefined,
    schema: undefined,
    metadata: {},
    codecs: {},
  };
  assert.deepEqual(await writeParquetBytes({ a: [1] }, neutral), await writeParquetBytes({ a: [1] }));
  assert.deepEqual(
    await writeParquetBytes({ a: [1] }, { compatibility: 'modern' }),
    await writeParquetBytes({ a: [1] }),
  );
});

test('HC-117: codecs that there are not, and levels out of range, before the first byte', async () => {
  const names = /compression: expected "none".*"snappy".*"zstd".*"lz4"/;
  const cases = [
    [{ compression: 'lzo' }, names],
    [{ compression: 'ZSTD' }, names],
    [{ compression: 'ZSTD', compressionLevel: 99 }, names],
    [{ compressionLevel: 99 }, /zstd has levels -?\d+ to \d+, got 99/],
    [{ columns: { x: { compression: 'lzo' } } }, /columns\["x"\]\.compression/],
  ];
  for (const [options, message] of cases) {
    await assertRefused(() => writeParquetBytes({ x: [1] }, options), 'ERR_OPTION', { message });
    const log = keeper();
    await assertRefused(() => ParquetWriter.open({ ...options, sink: log.sink }), 'ERR_OPTION', { message });
    assert.equal(log.chunks.length, 0);
  }
});

test('writeParquetSync checks the same and writes the same bytes', async () => {
  assert.deepEqual(writeParquetSync(table()), await writeParquetBytes(table()));
  await assertRefused(() => writeParquetSync(table(), { nothing: 1 }), 'ERR_OPTION');
  await assertRefused(() => writeParquetSync({ a: [1, 'x'] }), 'ERR_TYPE_MISMATCH', { column: 'a', row: 1 });
});

test('encodings, page versions, Bloom filters and lz4 give back what went in', async () => {
  const rows = 5000;
  const data = {
    i: Int32Array.from({ length: rows }, (_, row) => row * 3 - 7000),
    l: BigInt64Array.from({ length: rows }, (_, row) => BigInt(row) ** 5n),
    s: Array.from({ length: rows }, (_, row) => (row % 7 === 0 ? null : `key-${String(row).padStart(6, '0')}`)),
    f: Float64Array.from({ length: rows }, (_, row) => Math.sin(row)),
    b: Array.from({ length: rows }, (_, row) => row % 100 < 50),
  };
  const columns = {
    i: { encoding: 'DELTA_BINARY_PACKED', bloomFilter: true },
    l: { encoding: 'DELTA_BINARY_PACKED' },
    s: { encoding: 'DELTA_BYTE_ARRAY', bloomFilter: { fpp: 0.05, maxBytes: 4096 } },
    f: { encoding: 'BYTE_STREAM_SPLIT' },
    b: { encoding: 'RLE' },
  };
  for (const pageVersion of [1, 2]) {
    for (const compression of ['none', 'snappy', 'zstd', 'lz4']) {
      const file = await roundTrip(data, { columns, pageVersion, compression, pageRows: 1000 });
      for (const [index, { encoding }] of Object.values(columns).entries()) {
        assert.ok(chunk(file, index).encodings.includes(encoding), `${pageVersion} ${compression} ${encoding}`);
      }
    }
  }
  for (const column of ['i', 's', 'f', 'b']) {
    const encoding = { i: 'RLE', s: 'BYTE_STREAM_SPLIT', f: 'DELTA_BINARY_PACKED', b: 'DELTA_BYTE_ARRAY' }[column];
    await assertRefused(() => writeParquetBytes(data, { columns: { [column]: { encoding } } }), 'ERR_OPTION', { column });
  }
  await assertRefused(() => writeParquetBytes(data, { columns: { b: { bloomFilter: true } } }), 'ERR_OPTION', {
    column: 'b',
  });
  for (const type of ['float16', 'decimal(30, 2)']) {
    await assertRefused(() => writeParquetBytes([{ name: 'n', data: [1], type, bloomFilter: true }]), 'ERR_OPTION', {
      column: 'n',
    });
  }
  for (const bloomFilter of [{ fpp: 0 }, { fpp: 1 }, { fpp: NaN }, { maxBytes: 1 }, { share: 0.1 }, 'yes', null]) {
    await assertRefused(() => writeParquetBytes(data, { bloomFilter }), 'ERR_OPTION', { message: /bloomFilter/ });
  }
});

test('sorting columns are declared, and checked row by row', async () => {
  const data = { a: [1, 1, 2, 2, 3], b: ['y', 'z', null, 'b', 'a'] };
  const sortingColumns = [{ column: 'a' }, { column: 'b', nullsFirst: true }];
  const file = await roundTrip(data, { sortingColumns });
  assert.deepEqual(file.metadata.row_groups[0].sorting_columns, [
    { column_idx: 0, descending: false, nulls_first: false },
    { column_idx: 1, descending: false, nulls_first: true },
  ]);
  await assertRefused(() => writeParquetBytes(data, { sortingColumns: [{ column: 'a' }, { column: 'b' }] }), 'ERR_OUT_OF_RANGE', {
    row: 3,
    message: /row 3/,
  });
  // Each row group is sorted for itself.
  await roundTrip({ a: [1, 2, 1, 2] }, { sortingColumns: [{ column: 'a' }], rowGroupRows: 2 });
  await assertRefused(
    () => writeParquetBytes({ a: [1, 2, 3, 2] }, { sortingColumns: [{ column: 'a' }], rowGroupRows: 2 }),
    'ERR_OUT_OF_RANGE',
    { row: 3 },
  );
  // A leaf in a struct by its path; null and a null inside are both nulls.
  const s = [{ x: 1 }, { x: 5 }, { x: null }, null];
  const nested = await roundTrip({ a: [1, 2, 3, 4], s }, { sortingColumns: [{ column: 's.x' }] });
  assert.equal(nested.metadata.row_groups[0].sorting_columns[0].column_idx, 1);
  await assertRefused(() => writeParquetBytes({ s }, { sortingColumns: [{ column: 's.x', nullsFirst: true }] }), 'ERR_OUT_OF_RANGE', {
    row: 2,
  });
  const unsorted = { l: [[1], [2]], s: [{ x: 1 }, { x: 2 }], n: [1n, 2n] };
  for (const column of ['l', 'l.list.element', 's', 's.y', 'n']) {
    const options = { sortingColumns: [{ column }], schema: { l: 'list<int32>', s: 'struct<x: int32>', n: 'int96' } };
    await assertRefused(() => writeParquetBytes(unsorted, options), 'ERR_OPTION', { message: /sortingColumns/ });
  }
  for (const wrong of [[{ column: 'c' }], [{ column: 'a' }, { column: 'a' }], [{ column: 7 }], [{ name: 'a' }], 'a']) {
    await assertRefused(() => writeParquetBytes(data, { sortingColumns: wrong }), 'ERR_OPTION', { message: /sortingColumns/ });
  }
});
