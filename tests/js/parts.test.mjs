// What only some tables need is loaded when a table needs it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as whole from '../../pkg/index.js';
import { fresh, rmParts } from './fresh.mjs';

const wasm = readFileSync(new URL('../../pkg/parquill_bg.wasm', import.meta.url));
const ipc = readFileSync(new URL('../fixtures/arrow/mixed_stream.arrows', import.meta.url));
await whole.init();

const isMissing = (error) => error.name === 'ParquetError' && error.code === 'ERR_NOT_INITIALIZED';

/** Tables that need a part each, and options. */
const tables = {
  lists: [{ tags: [['a', 'b'], [], null] }],
  structs: [{ at: { children: { x: new Float64Array([1, 2]) }, length: 2 } }],
  dates: [{ at: [new Date(0), null] }],
  decimals: [{ price: ['1.25', 3] }, { schema: { price: 'decimal(10, 2)' } }],
  json: [[{ name: 'j', data: [{ a: 1 }, null], type: 'json' }]],
  fixed: [{ f: [new Uint8Array(3)] }, { schema: { f: 'fixed[3]' } }],
};

for (const [what, args] of Object.entries(tables)) {
  test(`${what}: asynchronous writes load the code by themselves`, async () => {
    const copy = await fresh();
    assert.deepEqual(await copy.writeParquetBytes(...args), whole.writeParquetSync(...args));
  });

  test(`${what}: a synchronous write asks for init, and has all at hand after it or from parquill/sync`, async () => {
    const copy = await fresh();
    copy.initSync(wasm);
    const saysInit = (error) => isMissing(error) && /await init\(\)/.test(error.message);
    assert.throws(() => copy.writeParquetSync(...args), saysInit);
    await copy.init();
    const sync = await fresh('sync');
    sync.initSync(wasm);
    assert.deepEqual(copy.writeParquetSync(...args), sync.writeParquetSync(...args));
  });
}

test('numbers, bools, strings and bytes need no part', async () => {
  const copy = await fresh();
  copy.initSync(wasm);
  const table = {
    i: new Int32Array([1, 2]), f: [0.5, null], s: ['a', 'b'],
    b: [true, false], u: [new Uint8Array(2), null], n: [1n, 2n],
  };
  assert.deepEqual(copy.writeParquetSync(table, { schema: {
    i: 'int32', f: 'float64', s: 'string', b: 'bool', u: 'binary', n: 'int64',
  } }), whole.writeParquetSync(table));
});

test('Arrow bytes that come before the code for them are read by the write', async () => {
  const copy = await fresh();
  const table = copy.tableFromArrowIPC(ipc);
  const expected = whole.writeParquetSync(whole.tableFromArrowIPC(ipc));
  assert.deepEqual(await copy.writeParquetBytes(table), expected);
  assert.deepEqual(await copy.writeParquetBytes(table), expected);
  assert.ok(copy.tableFromArrowIPC(ipc).numRows > 0, 'now they are read at once');
  for (const [bytes, code] of [[ipc.subarray(0, 99), 'ERR_FORMAT'], ['text', 'ERR_TYPE_MISMATCH']]) {
    const other = await fresh();
    await assert.rejects(other.writeParquet(other.tableFromArrowIPC(bytes)), { name: 'ParquetError', code });
    assert.throws(() => whole.tableFromArrowIPC(bytes), { name: 'ParquetError', code });
  }
});

test('rows, streams and their batches in any form', async () => {
  const rows = [{ id: 1, tags: ['a'], at: new Date(0) }];
  const copy = await fresh();
  const expected = await whole.writeParquetRows(rows);
  const found = await copy.writeParquetRows(rows);
  assert.deepEqual(await found.arrayBuffer(), await expected.arrayBuffer());
  const other = await fresh();
  const writer = await other.ParquetWriter.open();
  await writer.write(other.tableFromArrowIPC(ipc));
  assert.ok((await writer.finish()).byteLength > 0);
});

test('a part that cannot be loaded is an error of the write', async () => {
  const copy = await fresh();
  rmParts();
  await assert.rejects(copy.writeParquet({ tags: [['a']] }), (error) => isMissing(error) && error.cause !== undefined);
  assert.ok((await copy.writeParquetBytes({ id: [1] })).length > 0);
});
