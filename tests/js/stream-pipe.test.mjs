// The writer as a link of a pipe.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParquetWriter, parquetStream } from '../../pkg/index.js';
import { readBack } from './read-back.mjs';
import { errorOf, keeper, tick } from './stream-tools.mjs';

const schema = { id: 'int32', name: 'string' };
const source = (batches, { fail } = {}) => {
  const log = { pulled: 0, cancelled: undefined };
  const list = batches[Symbol.iterator]();
  log.stream = new ReadableStream(
    {
      pull(controller) {
        const { done, value } = list.next();
        if (done) return fail === undefined ? controller.close() : controller.error(fail);
        log.pulled++;
        return controller.enqueue(value);
      },
      cancel(reason) {
        log.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return log;
};
const rowsOf = (batch, count) =>
  Array.from({ length: count }, (_, row) => ({ id: batch * count + row, name: `n${row}` }));
/** What comes out of the pipe behind a source. */
const through = async ({ stream }, options) =>
  new Uint8Array(await new Response(stream.pipeThrough(parquetStream(options))).arrayBuffer());

test('rows, columns and lists of columns become the body of a Response', async () => {
  const batches = [
    [{ id: 1, name: 'a' }, { id: 2 }],
    { id: [3, null], name: ['c', 'd'] },
    [{ name: 'id', data: Int32Array.of(5) }, { name: 'name', data: ['e'] }],
    [],
    [{ id: 6, name: 'f' }],
  ];
  const { columns } = await readBack(await through(source(batches), { schema }));
  assert.deepEqual(columns, { id: [1, 2, 3, null, 5, 6], name: ['a', null, 'c', 'd', 'e', 'f'] });
});

test('a list of rows with the keys name and data', async () => {
  const batches = [[{ name: 'x', data: 1 }, { name: 'y', data: 2 }]];
  const bytes = await through(source(batches));
  assert.deepEqual((await readBack(bytes)).columns, { name: ['x', 'y'], data: [1, 2] });
});

test('an empty pipe is a file with the columns of the schema, and without one an error', async () => {
  const bytes = await through(source([]), { schema });
  assert.deepEqual(Object.keys((await readBack(bytes)).elements), ['id', 'name']);
  const error = await errorOf(through(source([])));
  assert.equal(error.code, 'ERR_SCHEMA');
});

test('a reader that does not read holds the source back', async () => {
  const endless = (function* () {
    for (let batch = 0; ; batch++) yield rowsOf(batch, 100);
  })();
  const log = source(endless);
  const reader = log.stream.pipeThrough(parquetStream({ schema, rowGroupRows: 100 })).getReader();
  await reader.read();
  await tick(50);
  const { pulled } = log;
  assert.ok(pulled < 6, String(pulled));
  await tick(50);
  assert.equal(log.pulled, pulled);
  const reason = new Error('the client went away');
  await reader.cancel(reason);
  await tick(20);
  assert.ok(log.pulled <= pulled + 2);
  assert.notEqual(log.cancelled, undefined);
});

test('what is wrong with a batch errors the body and cancels the source', async () => {
  const log = source([[{ id: 1, name: 'a' }], [{ id: 2, name: 3 }], [{ id: 3, name: 'c' }]]);
  const error = await errorOf(through(log, { schema, rowGroupRows: 1 }));
  assert.equal(error.code, 'ERR_TYPE_MISMATCH');
  assert.equal(error.row, 1);
  await tick(5);
  assert.equal(log.cancelled, error);
});

test('what is wrong with the options, or with the source, errors the body', async () => {
  const options = await errorOf(through(source([[{ id: 1 }]]), { colour: 1 }));
  assert.equal(options.code, 'ERR_OPTION');
  const fail = new Error('the source failed');
  const error = await errorOf(through(source([[{ id: 1, name: 'a' }]], { fail }), { schema }));
  assert.equal(error, fail);
});

test('the bytes of the pipe are those of a writer', async () => {
  const batches = [rowsOf(0, 500), rowsOf(1, 700)];
  const piped = await through(source(batches), { schema });
  const log = keeper();
  const writer = await ParquetWriter.open({ schema, sink: log.sink });
  for (const batch of batches) await writer.writeRows(batch);
  await writer.finish();
  assert.deepEqual(piped, log.bytes);
});
