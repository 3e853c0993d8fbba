// Cells of json columns: what JSON.stringify makes of them, without what it loses in silence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip, roundTripColumn } from './read-back.mjs';

const column = (data) => () => writeParquetBytes([{ name: 'j', data, type: 'json' }]);
const refused = (value, code, message) =>
  assertRefused(column([{}, null, value]), code, { column: 'j', row: 2, message });

test('HC-26: objects in a json column', async () => {
  const element = await assertStored([{ a: 1 }, [1, 'x'], '"txt"', null, undefined], 'json', [
    '{"a":1}',
    '[1,"x"]',
    '"txt"',
    null,
    null,
  ]);
  assert.deepEqual(
    [element.type, element.converted_type, element.logical_type],
    ['BYTE_ARRAY', 'JSON', { type: 'JSON' }],
  );
  await assertRefused(column([{ n: 1n }]), 'ERR_TYPE_MISMATCH', {
    column: 'j',
    row: 0,
    message: /1 \(bigint\), which JSON does not have.*at \["n"\]/,
  });
  const { element: untyped } = await roundTripColumn(['{"a":1}']);
  assert.equal(untyped.logical_type.type, 'STRING');
});

test('the same text as JSON.stringify', async () => {
  class Point {
    constructor(x) {
      this.x = x;
    }

    toJSON(key) {
      return { x: this.x, key };
    }
  }
  const own = JSON.parse(
    '{"__proto__": {"constructor": 1}, "toString": null, "": 0, "\\ud800": "\\udc00\\u2028", "toJSON": 1}',
  );
  const values = [
    0,
    1.5,
    -1e300,
    5e-324,
    1e21,
    true,
    false,
    [],
    {},
    [[]],
    [[], {}],
    { a: { b: [{ c: null }] } },
    [undefined, null],
    { u: undefined },
    { u: undefined, v: 1 },
    ['"\\/\b\f\n\r\t\u0000\u007f', 'é😀\ud83d'],
    { 'a b': 1, 2: 2, 1: 1 },
    new Date(0),
    { d: new Date(1e15) },
    [new Date(-1)],
    new Point(1),
    [new Point(2)],
    { p: new Point([new Date(0)]) },
    own,
    Object.create(null),
    Object.assign(Object.create(null), { x: 1 }),
    [, 1, ,],
    Buffer.from('hi'),
    { [Symbol('s')]: 1, a: 1 },
    Object.defineProperty({ a: 1 }, 'hidden', { value: 2 }),
    {
      get computed() {
        return 7;
      },
    },
    new URL('https://example.org/a?b'),
    { toJSON: () => 'text' },
    { toJSON: () => [1] },
  ];
  await assertStored(
    values,
    'json',
    values.map((value) => JSON.stringify(value)),
  );
});

test('a string is JSON text as it is, checked', async () => {
  const texts = [
    '{"a":1}',
    ' [1, 2] ',
    'null',
    'true',
    '-0',
    '1e400',
    '12345678901234567890',
    '"\\ud800"',
    '{"a":1,"a":2}',
    '[[[]]]',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
  ];
  await assertStored(texts, 'json', texts);
  for (const text of [
    '',
    ' ',
    'txt',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    '{"a":1}x',
    'NaN',
    'undefined',
    '01',
    '"\n"',
    '\ufeff{}',
  ]) {
    await refused(text, 'ERR_TYPE_MISMATCH', /a string is taken as JSON text/);
  }
});

test('minus zero keeps its sign', async () => {
  await assertStored([-0, [-0, 0], { a: -0 }], 'json', ['-0', '[-0,0]', '{"a":-0}']);
});

test('what JSON does not have is refused, with its place', async () => {
  class Point {
    x = 1;
  }
  for (const value of [NaN, Infinity, -Infinity]) {
    await refused(value, 'ERR_OUT_OF_RANGE');
    await refused({ a: [1, value] }, 'ERR_OUT_OF_RANGE', /at \["a"\]\[1\]$/);
  }
  for (const date of [new Date(NaN), [new Date(NaN)]]) await refused(date, 'ERR_OUT_OF_RANGE', /invalid Date/);
  for (const value of [
    1n,
    () => 1,
    Symbol('s'),
    new Map(),
    new Set(),
    new WeakMap(),
    new Error('e'),
    /x/,
    new Point(),
    Promise.resolve(),
    new Number(1),
    new String('x'),
    new Boolean(true),
    new Uint8Array(2),
    new ArrayBuffer(2),
    new Float64Array(1),
    { toJSON: () => undefined },
    { toJSON: () => 1n },
    { toJSON: () => new Map() },
  ]) {
    await refused(value, 'ERR_TYPE_MISMATCH');
    if (value.toJSON === undefined) await refused([{ a: value }], 'ERR_TYPE_MISMATCH', /at \[0\]\["a"\]$/);
  }
});

test('objects that hold themselves, and very deep ones', async () => {
  const circle = { a: [1] };
  circle.a.push({ back: circle });
  await refused(circle, 'ERR_TYPE_MISMATCH', /holds itself/);
  const wide = [];
  for (let index = 0; index < 100; index++) wide.push(wide);
  await refused(wide, 'ERR_TYPE_MISMATCH', /holds itself/);
  const nest = (depth) => {
    let value = 1;
    for (let floor = 0; floor < depth; floor++) value = floor % 2 === 0 ? [value] : { a: value };
    return value;
  };
  await assertStored([nest(1000)], 'json', [JSON.stringify(nest(1000))]);
  for (const depth of [1001, 100_000]) await refused(nest(depth), 'ERR_LIMIT', /more than 1000 deep/);
  const endless = { toJSON: () => ({ again: endless }) };
  await refused(endless, 'ERR_LIMIT', /more than 1000 deep/);
  // The same object twice is no circle.
  const twice = { x: 1 };
  await assertStored([[twice, twice]], 'json', ['[{"x":1},{"x":1}]']);
});

test('an object that throws: its error is the cause', async () => {
  const cause = new Error('mine');
  const thrower = {
    a: {
      get b() {
        throw cause;
      },
    },
  };
  const error = await refused(thrower, 'ERR_TYPE_MISMATCH', /throws; at \["a"\]\["b"\]$/);
  assert.equal(error.cause, cause);
  assert.equal(
    (
      await refused(
        {
          toJSON() {
            throw cause;
          },
        },
        'ERR_TYPE_MISMATCH',
        /throws/,
      )
    ).cause,
    cause,
  );
});

test('values of another realm', async () => {
  const foreign = runInContext('[{ a: [1, { b: null }], d: new Date(0) }, [], new Map()]', createContext({}));
  await assertStored(foreign.slice(0, 2), 'json', ['{"a":[1,{"b":null}],"d":"1970-01-01T00:00:00.000Z"}', '[]']);
  await refused(foreign[2], 'ERR_TYPE_MISMATCH', /Map/);
});

test('texts are made once for each row', async () => {
  let calls = 0;
  const data = Array.from({ length: 3000 }, (_, row) => ({ toJSON: () => (calls++, `row ${row % 7}`) }));
  for (const options of [{}, { dictionary: false }, { pageRows: 100 }, { pageBytes: 200 }]) {
    calls = 0;
    await assertStored(
      data,
      'json',
      data.map((_, row) => `"row ${row % 7}"`),
      options,
    );
    assert.equal(calls, data.length);
  }
});

test('row groups are cut by the bytes of the texts', async () => {
  const data = Array.from({ length: 1000 }, (_, row) => ({ row, text: 'x'.repeat(96) }));
  for (const rowGroupBytes of [1, 1000, 12_345]) {
    const table = [{ name: 'j', data, type: 'json' }];
    const strings = [{ name: 'j', data: data.map((value) => JSON.stringify(value)), type: 'string' }];
    const groups = async (columns) => {
      const { metadata } = await roundTrip(columns, { rowGroupBytes });
      return metadata.row_groups.map(({ num_rows: rows }) => Number(rows));
    };
    assert.deepEqual(await groups(table), await groups(strings));
  }
});

test('an array that becomes shorter while it is written', async () => {
  const data = Array.from({ length: 50_000 }, (_, row) => ({ row }));
  const onProgress = () => {
    data.length = 10;
  };
  await assertRefused(
    () => writeParquetBytes([{ name: 'j', data, type: 'json', nullable: true }], { onProgress, rowGroupRows: 1000 }),
    'ERR_COLUMN_LENGTH',
    { column: 'j' },
  );
});
