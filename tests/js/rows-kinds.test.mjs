// Rows whose values change what their column is: the file is that of the columns, and so are the errors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { writeParquet, writeParquetRows } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';

const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
const other = vm.runInNewContext('new Date(86400000)');

const kinds = {
  integers: [1, 2, 3],
  'both ends of int32': [2147483647, -2147483648],
  'integers, then wide ones': [1, 2147483648, -9007199254740991],
  'wide integers': [2147483648, 9007199254740991],
  'integers, then fractions': [1, 2, 0.5, 3],
  'minus zero': [0, -0, 1],
  'minus zero first': [-0, 1],
  'beyond 2^53': [1, 2 ** 53, 2 ** 60],
  'no numbers': [1, NaN, Infinity, -Infinity],
  'numbers, then bigints': [1, 2, 3n, 4],
  'bigints, then numbers': [1n, 2, 2147483648],
  booleans: [true, false, true, true, false, false, true, false, true, true],
  dates: [new Date(0), new Date(-1), new Date(8.64e15), new Date(-8.64e15), other],
  strings: ['a', '', 'é', '\ud800', 'a'],
  bytes: [Uint8Array.of(1), Uint8Array.of()],
  lists: [[1], [], [null, 2]],
  objects: [{ a: 1 }, { b: 'x' }],
  maps: [new Map([['k', 1]])],
  nulls: [null, undefined],
};

/** Where nulls can stand among values. */
const layouts = {
  'no nulls': (values) => values,
  'a null first': (values) => [null, ...values],
  'a null last': (values) => [...values, undefined],
  'nulls between': (values) => values.flatMap((value) => [value, null, undefined]),
  'many nulls first': (values) => [...new Array(2500).fill(null), ...values],
};

const absent = (value) => (value === undefined ? {} : { v: value });

for (const [kind, values] of Object.entries(kinds)) {
  test(`${kind}, with nulls and without`, async () => {
    for (const [layout, place] of Object.entries(layouts)) {
      const data = place(values);
      const wanted = await bytesOf(await writeParquet({ id: data.map((_, row) => row), v: data }));
      const rows = data.map((value, id) => ({ id, ...absent(value) }));
      assert.deepEqual(await bytesOf(await writeParquetRows(rows)), wanted, layout);
      assert.deepEqual(await bytesOf(await writeParquetRows(rows.values())), wanted, `${layout}, iterated`);
    }
  });
}

test('values of two kinds are refused as in columns', async () => {
  const samples = [1, 0.5, 2 ** 40, 1n, 'x', true, new Date(5), [1], { a: 1 }, Uint8Array.of(1)];
  for (const first of samples) {
    for (const second of samples) {
      if (typeof first === typeof second && typeof first !== 'object') continue;
      for (const data of [[first, second], [null, first, first, null, second], [null, null, first, second, null]]) {
        const columns = await writeParquet({ v: data }).then(bytesOf, (error) => error);
        const rows = await writeParquetRows(data.map((v) => ({ v }))).then(bytesOf, (error) => error);
        assert.deepEqual(rows.message ?? rows, columns.message ?? columns);
        assert.deepEqual([rows.code, rows.column, rows.row], [columns.code, columns.column, columns.row]);
      }
    }
  }
});

test('an invalid Date names its row, behind others and alone', async () => {
  for (const data of [[new Date(NaN)], [new Date(0), null, new Date(NaN)], [null, new Date(NaN), new Date(0)]]) {
    const row = data.findIndex((value) => value !== null && Number.isNaN(value.getTime()));
    await assertRefused(() => writeParquetRows(data.map((v) => ({ v }))), 'ERR_OUT_OF_RANGE', { column: 'v', row });
  }
});

test('what the caller changes while rows are read is not there twice', async () => {
  const date = new Date(1000);
  const written = writeParquetRows((function* () {
    yield { at: date };
    date.setTime(2000);
    yield { at: date };
  })());
  const wanted = await writeParquet({ at: [new Date(1000), new Date(2000)] });
  assert.deepEqual(await bytesOf(await written), await bytesOf(wanted));
});
