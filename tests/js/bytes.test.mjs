// Arrays of byte strings, of any length and of one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);

test('binary: any view or buffer, seen from its own offset', async () => {
  const buffer = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9).buffer;
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  shared.set([9, 8, 7, 6]);
  const data = [
    new Uint8Array(buffer, 2, 3),
    new DataView(buffer, 1, 2),
    new Uint16Array(buffer, 2, 1),
    buffer.slice(7),
    Buffer.from('hi'),
    shared.subarray(1),
    shared.buffer,
    new Uint8Array(0),
    null,
    new Uint8Array(1000).fill(3),
  ];
  const expected = [
    [2, 3, 4],
    [1, 2],
    [2, 3],
    [7, 8, 9],
    [104, 105],
    [8, 7, 6],
    [9, 8, 7, 6],
    [],
    null,
    Array(1000).fill(3),
  ].map((bytes) => bytes && Uint8Array.from(bytes));
  for (const options of [{}, { pageBytes: 8 }, { pageRows: 3 }]) await assertStored(data, 'binary', expected, options);
  await assertRefused(column([new Uint8Array(1), 'text'], 'binary'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 1 });
  await assertRefused(column([[1, 2]], 'binary'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
});

test('HC-22: fixed-size bytes of the wrong length', async () => {
  const element = await assertStored([Uint8Array.of(1, 2, 3, 4), null, new DataView(new ArrayBuffer(4))], 'fixed[4]', [
    Uint8Array.of(1, 2, 3, 4),
    null,
    new Uint8Array(4),
  ]);
  assert.equal(element.type_length, 4);
  await assertRefused(
    column([new Uint8Array(4), new Uint8Array(3), new Uint8Array(5)], 'fixed[4]'),
    'ERR_OUT_OF_RANGE',
    { column: 'c', row: 1, message: /fixed\[4\], got 3 bytes/ },
  );
  await assertRefused(column(['abcd'], 'fixed[4]'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
  await assertRefused(column([], 'fixed[0]'), 'ERR_SCHEMA', { column: 'c' });
});
