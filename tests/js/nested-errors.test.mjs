// What nested columns refuse: with the code, column, row and path.

import { test } from 'node:test';
import vm from 'node:vm';
import assert from 'node:assert/strict';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';

const write = (data, type) => writeParquetBytes([{ name: 'c', type, data }]);

test('nulls where the type says not null', async () => {
  const cases = [
    [[[1], [2, null]], 'list<int32 not null>', 1, /c\.list\.element: null/],
    [[{ a: 1 }, null, {}], 'struct<a: int32 not null>', 2, /c\.a: null/],
    [
      [
        { a: 1 },
        [
          ['b', 1],
          [null, 2],
        ],
      ],
      'map<string, int32>',
      1,
      /c\.key_value\.key: null/,
    ],
    [[null, { a: undefined }], 'map<string, int32 not null>', 1, /c\.key_value\.value: null/],
    [[[{ a: [1] }], [{ a: [2] }, { a: null }]], 'list<struct<a: list<int32> not null>>', 1, /null/],
    [[new Map([['a', 1]]), new Map([[undefined, 1]])], 'map<string, int32>', 1, /key: null/],
  ];
  for (const [data, type, row, message] of cases) {
    await assertRefused(() => write(data, type), 'ERR_NULL', { column: 'c', row, message });
  }
});

test('values of another shape', async () => {
  const cases = [
    [[[1], { a: 1 }], 'list<int32>', 1, /expected an array or a typed array, got an object/],
    [[[1], 'text'], 'list<string>', 1, /got "text" \(string\)/],
    [[[1], new Set([1])], 'list<int32>', 1, /got Set/],
    [[{ a: 1 }, [1]], 'struct<a: int32>', 1, /expected a plain object, got Array/],
    [[{ a: 1 }, new Map([['a', 1]])], 'struct<a: int32>', 1, /got Map/],
    [[{ a: 1 }, new Date(0)], 'struct<a: int32>', 1, /got .*Date/],
    [
      [
        { a: 1 },
        new (class Point {
          a = 1;
        })(),
      ],
      'struct<a: int32>',
      1,
      /got Point/,
    ],
    [[{ a: 1 }, 5], 'map<string, int32>', 1, /expected a Map/],
    [[{ a: 1 }, [['a']]], 'map<string, int32>', 1, /expected a pair/],
    [[{ a: 1 }, [['a', 1, 2]]], 'map<string, int32>', 1, /expected a pair/],
    [[null, [['a', 1], 'ab']], 'map<string, int32>', 1, /expected a pair/],
    [[[1], [2, [3]]], 'list<int32>', 1, /list\.element: expected int32, got Array/],
    [[{ 1: 'a' }], 'map<int32, string>', 0, /key: expected int32, got "1" \(string\)/],
  ];
  for (const [data, type, row, message] of cases) {
    await assertRefused(() => write(data, type), 'ERR_TYPE_MISMATCH', { column: 'c', row, message });
  }
});

test('a wrong leaf is told with the row it stands in, however far in', async () => {
  const rows = Array.from({ length: 3000 }, (_, k) => (k % 3 ? [{ a: [k, k] }, null, { a: [] }] : null));
  rows[2500] = [{ a: [1] }, { a: [1, 2, 2 ** 40] }];
  const type = 'list<struct<a: list<int32>>>';
  const path = /c\.list\.element\.a\.list\.element: expected int32/;
  await assertRefused(() => write(rows, type), 'ERR_OUT_OF_RANGE', { column: 'c', row: 2500, message: path });
  const texts = rows.map((row) => row?.map((one) => one && { a: one.a.map(String) }));
  texts[2700] = [{ a: ['x', 'y', 7] }];
  await assertRefused(() => write(texts, 'list<struct<a: list<string>>>'), 'ERR_TYPE_MISMATCH', {
    column: 'c',
    row: 2700,
  });
});

test('a property that the type does not have', async () => {
  const message = /an object has "b", the type does not/;
  const options = { column: 'c', row: 1, message };
  await assertRefused(() => write([{ a: 1 }, { a: 1, b: 2 }], 'struct<a: int32>'), 'ERR_SCHEMA', options);
  await assertRefused(() => write([[{ a: 1 }], [{ b: 2 }]], 'list<struct<a: int32>>'), 'ERR_SCHEMA', options);
  await write([{ a: 1, b: undefined }], 'struct<a: int32>');
});

test('HC-31: a struct without fields', async () => {
  await assertRefused(() => writeParquetBytes({ c: [{}, {}] }), 'ERR_SCHEMA', {
    column: 'c',
    message: /at least one field/,
  });
  await writeParquetBytes({ c: [{}, { k: 1 }] });
});

test('HC-143: containers of another realm are what they look like', async () => {
  const source = `({
    l: [[1, 2], new Int16Array([3])], s: [{ a: 1 }, Object.create(null)], m: [new Map([['a', 1]]), { b: 2 }],
  })`;
  const types = { l: 'list<int32>', s: 'struct<a: int32>', m: 'map<string, int32>' };
  const foreign = await writeParquetBytes(vm.runInNewContext(source), { schema: types });
  const own = await writeParquetBytes(new Function(`return ${source}`)(), { schema: types });
  assert.deepEqual(foreign, own);
});

test('options by path', async () => {
  const data = { c: [[{ a: 1, b: 'x' }], null] };
  for (const path of ['c', 'c.list', 'c.list.element', 'c.list.element.b']) {
    await writeParquetBytes(data, { columns: { [path]: { compression: 'none' } } });
  }
  for (const path of ['c.list.b', 'c.element', 'd', 'c.list.element.b.c', 'c.']) {
    await assertRefused(() => writeParquetBytes(data, { columns: { [path]: {} } }), 'ERR_OPTION', {
      message: /columns/,
    });
  }
  const wrong = { columns: { 'c.list.element': { encoding: 'RLE_DICTIONARY' } } };
  await assertRefused(() => writeParquetBytes({ c: [[true]] }, wrong), 'ERR_OPTION', { column: 'c', message: /bool/ });
});
