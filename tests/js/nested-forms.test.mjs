// Lists, structs, maps and dictionaries in Arrow's memory layout. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';

const write = (data, type, options) => writeParquetBytes([{ name: 'c', data, type }], options);
const fileOf = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

async function rowsOf(bytes) {
  return (await parquetReadObjects({ file: fileOf(bytes), compressors, utf8: false })).map(({ c }) => c);
}

/** The form holds these values, and gives the file that they themselves give. */
async function assertSame(form, type, values, options) {
  const bytes = await write(form, type, options);
  assert.deepEqual(await rowsOf(bytes), values);
  assert.deepEqual(bytes, await write(values, type, options));
}

const utf8 = (...texts) => {
  const parts = texts.map((text) => Buffer.from(text ?? ''));
  let at = 0;
  return {
    offsets: Int32Array.from([0, ...parts.map(({ length }) => (at += length))]),
    bytes: new Uint8Array(Buffer.concat(parts)),
  };
};

test('HC-32: nulls among the entries of a dictionary', async () => {
  const indices = Int32Array.of(0, 1, 99, 2);
  const validity = Uint8Array.of(0b1011);
  const expected = ['a', null, null, 'c'];
  await assertSame({ indices, dictionary: ['a', null, 'c'], validity }, 'string', expected);
  const bytes = { ...utf8('a', 'b', 'c'), validity: Uint8Array.of(0b101) };
  await assertSame({ indices, dictionary: bytes, validity }, 'string', expected);
  const file = await write({ indices, dictionary: bytes, validity }, 'string');
  assert.equal(parquetMetadata(fileOf(file)).row_groups[0].columns[0].meta_data.statistics.null_count, 2n);
});

test('HC-32: only entries that are used come into the dictionary page', async () => {
  const indices = Int32Array.from({ length: 1000 }, (_, row) => (row % 2) * 2);
  for (const dictionary of [utf8('left', 'UNUSED', 'right', 'UNUSED too'), ['left', 'UNUSED', 'right', null]]) {
    const file = await write({ indices, dictionary }, 'string', { compression: 'none' });
    assert.ok(!Buffer.from(file).includes('UNUSED'));
    assert.deepEqual(
      parquetMetadata(fileOf(file)).row_groups[0].columns[0].meta_data.encodings.includes('RLE_DICTIONARY'),
      true,
    );
    assert.deepEqual(
      await rowsOf(file),
      Array.from(indices, (index) => ['left', 'UNUSED', 'right'][index]),
    );
  }
});

test('HC-64: repeated entries of a dictionary', async () => {
  const form = { indices: Int8Array.of(2, 0, 1, 3, -1), validity: Uint8Array.of(0b1111) };
  for (const dictionary of [['p', 'q', 'p', 'r'], utf8('p', 'q', 'p', 'r')]) {
    await assertSame({ ...form, dictionary }, 'string', ['p', 'p', 'q', 'r', null]);
  }
  const many = {
    indices: Uint16Array.from({ length: 5000 }, (_, row) => row % 4),
    dictionary: utf8('p', 'q', 'p', 'r'),
  };
  const values = Array.from(many.indices, (index) => 'pqpr'[index]);
  await assertSame(many, 'string', values);
});

test('dictionaries of all kinds of entries', async () => {
  const indices = Uint8Array.of(2, 0, 2, 1);
  const cases = [
    [Float64Array.of(0.5, -0, NaN), 'float64', [NaN, 0.5, NaN, -0]],
    [{ values: Int16Array.of(7, 8, 9), validity: Uint8Array.of(0b101) }, 'int32', [9, 7, 9, null]],
    [BigInt64Array.of(1n, 2n, 3n), 'int64', [3n, 1n, 3n, 2n]],
    [{ bits: Uint8Array.of(0b100), length: 3 }, 'bool', [true, false, true, false]],
    [[1, null, 2.5], 'float64', [2.5, 1, 2.5, null]],
    [{ offsets: Int32Array.of(0, 1, 1, 3), child: Int8Array.of(1, 2, 3) }, 'list<int8>', [[2, 3], [1], [2, 3], []]],
    [
      { children: { a: Int8Array.of(1, 2, 3) }, length: 3 },
      'struct<a: int8>',
      [{ a: 3 }, { a: 1 }, { a: 3 }, { a: 2 }],
    ],
    [{ indices: Int8Array.of(1, 1, 0), dictionary: ['x', 'y'] }, 'string', ['x', 'y', 'x', 'y']],
  ];
  for (const [dictionary, type, values] of cases) await assertSame({ indices, dictionary }, type, values);
});

test('offsets of all kinds, which need not start at 0', async () => {
  for (const Offsets of [Int32Array, Uint32Array, BigInt64Array]) {
    const of = (...ends) => Offsets.from(ends.map((end) => (Offsets === BigInt64Array ? BigInt(end) : end)));
    await assertSame({ offsets: of(2, 2, 4, 5), child: Int32Array.of(-1, -2, 1, 2, 3, -3) }, 'list<int32>', [
      [],
      [1, 2],
      [3],
    ]);
    const bytes = { offsets: of(1, 3, 4, 4), bytes: new TextEncoder().encode('-abc--') };
    await assertSame({ offsets: of(1, 2, 3), child: bytes }, 'list<string>', [['c'], ['']]);
  }
});

test('sliced forms: views into larger buffers, and fewer rows than there are', async () => {
  const child = new Int32Array(Int32Array.of(9, 1, 2, 3, 4, 5).buffer, 4, 4);
  const offsets = new Int32Array(Int32Array.of(7, 0, 1, 3, 99).buffer, 4, 3);
  await assertSame({ offsets, child }, 'list<int32>', [[1], [2, 3]]);
  await assertSame({ offsets, child, length: 1 }, 'list<int32>', [[1]]);
  const struct = {
    children: { a: Int8Array.of(1, 2, 3), b: ['x', 'y', 'z', 'w'] },
    length: 2,
    validity: Uint8Array.of(0b10),
  };
  await assertSame(struct, 'struct<a: int8, b: string>', [null, { a: 2, b: 'y' }]);
});

test('maps, and keys under null maps', async () => {
  const child = {
    children: { key: ['hidden', 'a', 'b'], value: { values: Int32Array.of(0, 1, 2), validity: Uint8Array.of(3) } },
    length: 3,
  };
  const form = { offsets: Int32Array.of(0, 1, 1, 3), child, validity: Uint8Array.of(0b110) };
  await assertSame(form, 'map<string, int32>', [null, {}, { a: 1, b: null }]);
  const keyless = { ...form, child: { children: { key: [null, 'a', null], value: ['x', 'y', 'z'] }, length: 3 } };
  await assertRefused(() => write(keyless, 'map<string, string>'), 'ERR_NULL', { column: 'c', row: 2 });
});

test('values under null parents may be anything, also null where the type says not null', async () => {
  const form = {
    children: { a: { values: Int8Array.of(1, 2, 3), validity: Uint8Array.of(0b101) }, b: ['x', 7, 'z'] },
    length: 3,
    validity: Uint8Array.of(0b101),
  };
  await assertSame(form, 'struct<a: int8 not null, b: string>', [{ a: 1, b: 'x' }, null, { a: 3, b: 'z' }]);
});

test('types are inferred from forms', async () => {
  const form = {
    offsets: Int32Array.of(0, 2),
    child: {
      children: { a: Float32Array.of(1, 2), b: ['x', null], c: { bits: Uint8Array.of(1), length: 2 } },
      length: 2,
    },
  };
  const type = 'list<struct<a: float32, b: string, c: bool>>';
  assert.deepEqual(await write(form), await write(form, type));
  const dictionary = { indices: Int8Array.of(0, 0), dictionary: { offsets: Int32Array.of(0, 1), child: ['x'] } };
  assert.deepEqual(await write(dictionary), await write(dictionary, 'list<string>'));
});

test('forms that do not fit the type', async () => {
  const list = { offsets: Int32Array.of(0, 1), child: Int32Array.of(1) };
  const struct = { children: { a: Int32Array.of(1) }, length: 1 };
  const cases = [
    [list, 'int32', 'ERR_TYPE_MISMATCH', /offsets and child/],
    [list, 'struct<a: int32>', 'ERR_TYPE_MISMATCH', /offsets and child/],
    [list, 'list<string>', 'ERR_TYPE_MISMATCH', /Int32Array/],
    [list, 'map<string, int32>', 'ERR_SCHEMA', /key, value/],
    [struct, 'list<int32>', 'ERR_TYPE_MISMATCH', /children/],
    [struct, 'struct<b: int32>', 'ERR_SCHEMA', /child "a"/],
    [struct, 'struct<a: int32, b: int32>', 'ERR_SCHEMA', /field "b"/],
    [Int32Array.of(1), 'list<int32>', 'ERR_TYPE_MISMATCH', /Int32Array/],
  ];
  for (const [data, type, code, message] of cases)
    await assertRefused(() => write(data, type), code, { column: 'c', message });
});

test('offsets, indices and text that are wrong', async () => {
  const child = Int32Array.of(1, 2, 3);
  const cases = [
    [{ offsets: Int32Array.of(0, 2, 4), child }, undefined, 'ERR_OUT_OF_RANGE', 1],
    [{ offsets: Int32Array.of(0, 2, 1), child }, undefined, 'ERR_OUT_OF_RANGE', 1],
    [{ offsets: Int32Array.of(-1, 2), child }, undefined, 'ERR_OUT_OF_RANGE', 0],
    [{ indices: Int8Array.of(0, -1), dictionary: child }, undefined, 'ERR_OUT_OF_RANGE', 1],
    [{ indices: Uint8Array.of(0, 3), dictionary: child }, undefined, 'ERR_OUT_OF_RANGE', 1],
    [
      { offsets: Int32Array.of(0, 2), child: { offsets: Int32Array.of(0, 4), child } },
      undefined,
      'ERR_OUT_OF_RANGE',
      undefined,
    ],
    [
      { offsets: Int32Array.of(0, 1, 2), child: { offsets: Int32Array.of(0, 1, 2), bytes: Uint8Array.of(65, 255) } },
      'list<string>',
      'ERR_TYPE_MISMATCH',
      1,
    ],
    [
      { indices: Uint8Array.of(0, 1), dictionary: { offsets: Int32Array.of(0, 1, 2), bytes: Uint8Array.of(65, 255) } },
      'string',
      'ERR_TYPE_MISMATCH',
      1,
    ],
    [{ offsets: Int32Array.of(0, 0, 2), child: Int16Array.of(1, 300) }, 'list<int8>', 'ERR_OUT_OF_RANGE', 1],
  ];
  for (const [data, type, code, row] of cases) await assertRefused(() => write(data, type), code, { column: 'c', row });
});

test('data that holds itself', async () => {
  const circle = { offsets: Int32Array.of(0, 1) };
  circle.child = circle;
  await assertRefused(() => write(circle), 'ERR_SCHEMA', { column: 'c' });
});
