// Row objects as columns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { writeParquet, writeParquetRows } from '../../pkg/index.js';
import { assertRefused, readBack } from './read-back.mjs';

const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
const written = async (rows, options) => bytesOf(await writeParquetRows(rows, options));

/** The rows give the file that these columns give. */
async function assertSame(rows, columns, options) {
  assert.deepEqual(await written(rows, options), await bytesOf(await writeParquet(columns, options)));
}

test('columns are all keys in the order in which they first appear', async () => {
  await assertSame([{ b: 1, a: 'x' }, { a: 'y', c: true, b: 2 }, {}, { c: false }], {
    b: [1, 2, null, null],
    a: ['x', 'y', null, null],
    c: [null, true, null, false],
  });
});

test('missing keys, undefined and null all mean null', async () => {
  await assertSame([{ a: 1, b: 1 }, { a: undefined, b: 2 }, { a: null }, { b: undefined }], {
    a: [1, null, null, null],
    b: [1, 2, null, null],
  });
});

test('rows of many makes and orders', async () => {
  const keys = Array.from({ length: 12 }, (_, k) => `k${k}`);
  const rows = Array.from({ length: 3000 }, (_, row) => {
    const order = [...keys.slice(row % 12), ...keys.slice(0, row % 12)].filter((_, k) => (row * 7 + k) % 5);
    return Object.fromEntries(order.map((key) => [key, `${key} ${row % 50}`]));
  });
  const order = [...new Set(rows.flatMap(Object.keys))];
  await assertSame(rows, Object.fromEntries(order.map((key) => [key, rows.map((row) => row[key])])));
});

test('names that mean something to objects', async () => {
  const row = JSON.parse(
    '{"constructor": 1, "__proto__": {"x": 2}, "toString": "t", "hasOwnProperty": null, "length": 3}',
  );
  const columns = Object.entries(row).map(([name, value]) => ({ name, data: [value, null] }));
  await assertSame([row, {}], columns);
  const { columns: inferred } = await readBack(await written([{ constructor: 1, toString: 't', 0: 'zero' }, {}]));
  assert.deepEqual({ ...inferred }, { 0: ['zero', null], constructor: [1, null], toString: ['t', null] });
});

test('what a row inherits does not count', async () => {
  const common = { inherited: 1 };
  class Point {
    x = 1;
    get y() {
      return 2;
    }
  }
  await assertSame(
    [Object.assign(Object.create(common), { a: 1 }), new Point(), Object.assign(Object.create(null), { a: 2 })],
    {
      a: [1, null, 2],
      x: [null, 1, null],
    },
  );
});

test('a schema decides columns, order and types', async () => {
  const schema = { z: 'int64', a: 'list<string>', gone: 'float64' };
  await assertSame([{ a: ['x'], z: 1 }, { z: 2 }], { z: [1, 2], a: [['x'], null], gone: [null, null] }, { schema });
  await assertSame([], { z: [], a: [], gone: [] }, { schema });
  await assertSame([{ z: 1, other: undefined }], { z: [1], a: [null], gone: [null] }, { schema });
  await assertRefused(() => written([{ z: 1 }, { z: 2, other: null }], { schema }), 'ERR_SCHEMA', {
    column: 'other',
    row: 1,
  });
});

test('iterables of all kinds', async () => {
  const rows = Array.from({ length: 5000 }, (_, row) => ({ id: row, text: `t${row}` }));
  const columns = { id: rows.map(({ id }) => id), text: rows.map(({ text }) => text) };
  await assertSame(new Set(rows), columns);
  await assertSame(rows.values(), columns);
  await assertSame(
    (function* () {
      yield* rows;
    })(),
    columns,
  );
  await assertSame(
    (async function* () {
      yield* rows;
    })(),
    columns,
  );
  await assertSame(
    new ReadableStream({
      start(controller) {
        rows.forEach((row) => controller.enqueue(row));
        controller.close();
      },
    }),
    columns,
  );
  await assertSame(vm.runInNewContext('(rows) => Array.from(rows)')(rows), columns);
});

test('nested values, and values of every kind', async () => {
  const rows = [
    { l: [1, 2], s: { x: 1, y: ['a'] }, m: new Map([['k', 1n]]), d: new Date(0), b: Uint8Array.of(1), t: true },
    { l: null, s: { x: null, z: 0.5 }, m: new Map(), d: new Date(1), b: null, t: false },
  ];
  const columns = Object.fromEntries(Object.keys(rows[0]).map((key) => [key, rows.map((row) => row[key])]));
  await assertSame(rows, columns);
});

test('rows that are no objects', async () => {
  for (const wrong of [
    null,
    undefined,
    5,
    'text',
    [1],
    new Map(),
    new Date(),
    new Uint8Array(1),
    new Set(),
    () => 1,
    Symbol('s'),
  ]) {
    await assertRefused(() => written([{ a: 1 }, wrong]), 'ERR_TYPE_MISMATCH', { row: 1 });
    await assertRefused(() => written(new Set([{ a: 1 }, { a: 2 }, wrong])), 'ERR_TYPE_MISMATCH', { row: 2 });
  }
});

test('nothing to iterate over, and nothing to make columns of', async () => {
  for (const wrong of [null, undefined, 5, 'rows', {}, { a: [1] }, () => []]) {
    await assertRefused(() => written(wrong), 'ERR_TYPE_MISMATCH');
  }
  await assertRefused(() => written([]), 'ERR_SCHEMA');
  await assertRefused(() => written([{}, {}]), 'ERR_SCHEMA');
});

test('errors of a value name column and row, those of the iterator go through', async () => {
  await assertRefused(() => written([{ a: 1 }, { a: 'x' }]), 'ERR_TYPE_MISMATCH', { column: 'a', row: 1 });
  const failure = new Error('the source broke');
  const rows = (async function* () {
    yield { a: 1 };
    throw failure;
  })();
  await assert.rejects(written(rows), failure);
});

test('options are checked before the first row is taken', async () => {
  let taken = 0;
  const rows = (function* () {
    taken++;
    yield { a: 1 };
  })();
  await assertRefused(() => written(rows, { nonsense: 1 }), 'ERR_OPTION');
  assert.equal(taken, 0);
});

test('a signal ends the taking of rows, and the iterator is told', async () => {
  const controller = new AbortController();
  let told = false;
  const rows = (async function* () {
    try {
      for (let row = 0; ; row++) {
        if (row === 10_000) controller.abort('enough');
        yield { row };
      }
    } finally {
      told = true;
    }
  })();
  const error = await assertRefused(() => written(rows, { signal: controller.signal }), 'ERR_ABORTED');
  assert.equal(error.cause, 'enough');
  assert.ok(told);
});
