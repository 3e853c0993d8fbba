// parquill/worker: the same files, errors and results as without a worker.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import * as here from '../../pkg/index.js';
import * as worker from '../../pkg/worker.js';
import { instant, plainDate } from './temporal-like.mjs';
import { batchesOf, errorOf, keeper, tick } from './stream-tools.mjs';

after(() => worker.terminate());

const bitmap = Uint8Array.of(0b1011_0111, 0b1);
const tables = {
  'typed arrays': { a: Int32Array.of(1, 2, 3), b: Float64Array.of(0.5, -0, NaN), c: BigInt64Array.of(1n, -1n, 2n ** 62n) },
  'a window of a buffer': { a: new Int16Array(new ArrayBuffer(64), 8, 9), b: new Uint8Array(new SharedArrayBuffer(9)) },
  'values of all kinds': {
    s: ['x', null, 'ü😀'], n: [1, 2.5, null], i: [1n, null, 3n], d: [new Date(0), null, new Date(5)], t: [true, false, null],
    b: [Uint8Array.of(1), null, new Uint8Array(1000).subarray(7, 9)],
  },
  nested: { l: [[1, null], [], null], o: [{ a: 1 }, { b: 'x' }, null], m: [new Map([['k', 1]]), new Map(), null] },
  'object forms': {
    v: { values: new Float32Array(9).fill(1.5), validity: bitmap },
    b: { bits: bitmap, length: 9 },
    o: { offsets: Int32Array.from({ length: 10 }, (_, row) => row + 2), bytes: new Uint8Array(20).fill(65) },
    d: { indices: new Uint8Array(9), dictionary: ['only', null], validity: bitmap },
    l: { offsets: Int32Array.from({ length: 10 }, (_, row) => row), child: new Int32Array(12) },
    s: { children: { x: new Int32Array(9), y: Array(9).fill('y') }, length: 9 },
  },
  temporal: { i: [instant(5n), null], d: [plainDate(2024, 2, 29), null] },
  'holes and shared objects': { h: [1, , 3], o: (({ ...one }) => [one, one, one])({ a: [1] }) },
};
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

for (const [name, table] of Object.entries(tables)) {
  test(`the same bytes in one call: ${name}`, async () => {
    const expected = await here.writeParquetBytes(table);
    assert.deepEqual(await worker.writeParquetBytes(table), expected);
    const blob = await worker.writeParquet(table);
    assert.equal(blob.type, 'application/vnd.apache.parquet');
    assert.deepEqual(await bytesOf(blob), expected);
  });
}

test('tables that are sent in parts', async () => {
  const rows = 40_000;
  const table = {
    f: Float64Array.from({ length: rows * 5 }, (_, row) => Math.sin(row)).subarray(3, rows + 3),
    s: Array.from({ length: rows }, (_, row) => (row % 7 === 0 ? null : `text ${row}`)),
    o: Array.from({ length: rows }, (_, row) => ({ at: instant(BigInt(row)), list: [row] })),
    big: { values: new BigInt64Array(rows * 4), length: rows },
  };
  assert.deepEqual(await worker.writeParquetBytes(table), await here.writeParquetBytes(table));
});

test('json columns take what says itself what it is as JSON', async () => {
  class Point { constructor(x) { this.x = x; } toJSON() { return { x: this.x, at: new Date(this.x) }; } }
  const table = [{ name: 'j', type: 'json', data: [{ p: new Point(1) }, [new Date(0)], new Point(2), null] }];
  assert.deepEqual(await worker.writeParquetBytes(table), await here.writeParquetBytes(table));
});

test('rows: arrays, iterables and asynchronous ones', async () => {
  const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: id % 3 === 0 ? undefined : `n${id}`, tags: [id] }));
  const expected = await bytesOf(await here.writeParquetRows(rows));
  const later = (async function* () { yield* rows; })();
  for (const given of [rows, new Set(rows), later]) assert.deepEqual(await bytesOf(await worker.writeParquetRows(given)), expected);
});

class Odd {}
const wrong = {
  'a mixed column': [{ a: [1, 'x'] }],
  'a null where none may be': [{ a: [1, null] }, { schema: { a: { type: 'int32', nullable: false } } }],
  'a function': [{ a: ['x', () => {}] }],
  'a symbol': [{ a: [Symbol('s')] }],
  'a class': [{ a: [1, new Odd()] }],
  'a Set': [{ a: [new Set([1])] }],
  'an Error': [{ a: [new TypeError('x')] }],
  'a column of another length': [{ a: [1], b: [1, 2] }],
  'an option': [{ a: [1] }, { compression: 'lzo' }],
  'no table': [new Set()],
  'a type': [{ a: [1] }, { schema: { a: 'int33' } }],
};
for (const [what, [table, options]] of Object.entries(wrong)) {
  test(`the same error: ${what}`, async () => {
    const expected = await errorOf(here.writeParquetBytes(table, options));
    const error = await errorOf(worker.writeParquetBytes(table, options));
    assert.ok(error instanceof worker.ParquetError && error instanceof here.ParquetError);
    const facts = ({ name, code, message, column, row }) => ({ name, code, message, column, row });
    assert.deepEqual(facts(error), facts(expected));
  });
}

test('transfer gives buffers away, shared memory excepted; without it the caller keeps them', async () => {
  const kept = Int32Array.of(1, 2, 3);
  await worker.writeParquet({ kept });
  assert.equal(kept.length, 3);
  const given = Int32Array.of(1, 2, 3);
  const shared = new Int32Array(new SharedArrayBuffer(12));
  const expected = await here.writeParquetBytes({ given, shared });
  assert.deepEqual(await worker.writeParquetBytes({ given, shared }, { transfer: true }), expected);
  assert.equal(given.length, 0);
  assert.equal(shared.length, 3);
  assert.equal((await errorOf(worker.writeParquet({ shared }, { transfer: 1 }))).code, 'ERR_OPTION');
});

test('a codec of the caller cannot be sent', async () => {
  const options = { compression: 'gzip', codecs: { gzip: (bytes) => bytes } };
  for (const call of [worker.writeParquet({ a: [1] }, options), worker.ParquetWriter.open(options)]) {
    const error = await errorOf(call);
    assert.equal(error.code, 'ERR_OPTION');
    assert.match(error.message, /codecs/);
  }
});

test('progress and signal of one call; what onProgress throws is what comes', async () => {
  const table = { x: Float64Array.from({ length: 400_000 }, (_, row) => Math.cos(row)) };
  const seen = [];
  await worker.writeParquet(table, { rowGroupRows: 50_000, onProgress: (progress) => seen.push(progress) });
  assert.deepEqual({ ...seen.at(-1), bytes: 0 }, { rows: 400_000, totalRows: 400_000, bytes: 0 });
  assert.ok(seen.length > 4);
  const reason = new Error('enough');
  const stop = new AbortController();
  const onProgress = () => stop.abort(reason);
  const error = await errorOf(worker.writeParquet(table, { signal: stop.signal, onProgress, rowGroupRows: 10_000 }));
  assert.equal(error.code, 'ERR_ABORTED');
  assert.equal(error.cause, reason);
  assert.equal((await errorOf(worker.writeParquet(table, { signal: stop.signal }))).cause, reason);
  const thrown = new RangeError('mine');
  assert.equal(await errorOf(worker.writeParquet(table, { onProgress: () => { throw thrown; } })), thrown);
});

const schema = { id: { type: 'int32', nullable: false }, s: 'string' };
const batch = (from, rows) => ({
  id: Int32Array.from({ length: rows }, (_, row) => from + row),
  s: Array.from({ length: rows }, (_, row) => (row % 3 === 0 ? null : `text ${from + row}`)),
});

for (const awaited of [true, false]) {
  test(`a writer with a sink and one without, calls ${awaited ? '' : 'not '}awaited`, async () => {
    const whole = batch(0, 30_000);
    const files = [];
    for (const { ParquetWriter } of [here, worker]) {
      for (const log of [keeper(), undefined]) {
        const writer = await ParquetWriter.open({ schema, rowGroupRows: 7000, sink: log?.sink });
        for (const part of batchesOf(whole, [4000, 13])) {
          const call = writer.write(part);
          // Data is taken as it is at the call.
          if (!awaited) part.id.fill(-1);
          if (awaited) await call;
        }
        const rows = writer.writeRows([{ id: 30_000 }, { id: 30_001, s: 'x' }]);
        const flush = writer.flushRowGroup();
        const done = await writer.finish();
        await Promise.all([rows, flush]);
        assert.equal(writer.rows, 30_002);
        assert.equal(done.rows, 30_002);
        files.push({ bytes: log === undefined ? await bytesOf(done.blob) : log.bytes, groups: done.rowGroups });
        assert.equal(log === undefined, done.blob !== undefined);
        assert.equal(done.byteLength, files.at(-1).bytes.length);
      }
    }
    for (const file of files) assert.deepEqual(file, files[0]);
  });
}

test('an iterable of rows is read when its turn comes, and what comes after waits for it', async () => {
  const writer = await worker.ParquetWriter.open({ schema });
  let read = 0;
  const rows = (function* () { for (; read < 3000; read++) yield { id: read }; })();
  const first = writer.write(batch(0, 5));
  const middle = writer.writeRows(rows);
  const last = writer.write(batch(5, 5));
  assert.equal(read, 0);
  const { rows: written } = await writer.finish();
  await Promise.all([first, middle, last]);
  assert.equal(written, 3010);
  const thrown = new Error('no more rows');
  const other = await worker.ParquetWriter.open({ schema });
  const call = other.writeRows((function* () { yield { id: 1 }; throw thrown; })());
  assert.equal(await errorOf(call), thrown);
  const poisoned = await errorOf(other.finish());
  assert.equal(poisoned.code, 'ERR_POISONED');
  assert.equal(poisoned.cause, thrown);
});

test('errors of a writer: the first is told once, then ERR_POISONED with it; finish twice; write after finish', async () => {
  const log = keeper();
  const writer = await worker.ParquetWriter.open({ schema, sink: log.sink });
  await writer.write(batch(0, 3));
  const error = await errorOf(writer.write({ id: [1, 'x'], s: ['a', 'b'] }));
  assert.equal(error.code, 'ERR_TYPE_MISMATCH');
  assert.equal(error.column, 'id');
  assert.equal(error.row, 4);
  for (const call of [writer.write(batch(0, 1)), writer.flushRowGroup(), writer.finish()]) {
    const later = await errorOf(call);
    assert.equal(later.code, 'ERR_POISONED');
    assert.equal(later.cause, error);
  }
  await tick(10);
  assert.equal(log.closed, false);
  assert.equal(log.aborted.length, 1);
  assert.equal(log.aborted[0], error);
  const whole = await worker.ParquetWriter.open({ schema });
  const finishing = whole.finish();
  assert.equal((await errorOf(whole.write(batch(0, 1)))).code, 'ERR_FINISHED');
  await finishing;
  assert.equal((await errorOf(whole.finish())).code, 'ERR_FINISHED');
  await whole.abort();
  for (const options of [{ schema: { a: 'int33' } }, { pageRows: 0 }, { sink: {} }, { spill: 'tape' }]) {
    const expected = await errorOf(here.ParquetWriter.open(options));
    assert.equal((await errorOf(worker.ParquetWriter.open(options))).message, expected.message);
  }
});

test('a sink that fails: its own reason comes back, and it is aborted, not closed', async () => {
  for (const way of ['throws', 'rejects', 'errors']) {
    const cause = new Error(way);
    const log = keeper({
      write(_chunk, controller) {
        if (way === 'throws') throw cause;
        if (way === 'rejects') return Promise.reject(cause);
        controller.error(cause);
      },
    });
    const writer = await worker.ParquetWriter.open({ schema, sink: log.sink, rowGroupRows: 100 });
    for (let from = 0; from < 1000; from += 100) writer.write(batch(from, 100));
    const error = await errorOf(writer.finish());
    const first = error.code === 'ERR_POISONED' ? error.cause : error;
    assert.equal(first.code, 'ERR_SINK');
    assert.equal(first.cause, cause);
    assert.equal(log.closed, false);
  }
});

test('a slow sink holds the writer back; a stalled one does not hold abort back', async () => {
  let taken = 0;
  const slow = new WritableStream({ async write(chunk) { await tick(1); taken += chunk.length; } });
  const writer = await worker.ParquetWriter.open({ sink: slow, rowGroupRows: 50_000, compression: 'none', dictionary: false });
  let most = 0;
  const x = Float64Array.from({ length: 100_000 }, (_, row) => Math.sin(row));
  for (let sent = 1; sent <= 30; sent++) {
    await writer.write({ x });
    most = Math.max(most, sent * x.byteLength - taken);
  }
  assert.equal(taken <= (await writer.finish()).byteLength, true);
  assert.ok(most < 7 * 2 ** 20, String(most));

  const stalled = new WritableStream({ write: () => new Promise(() => {}) });
  const other = await worker.ParquetWriter.open({ sink: stalled, rowGroupRows: 50_000, compression: 'none', dictionary: false });
  const calls = Array.from({ length: 10 }, () => other.write({ x: new Float64Array(x) }));
  await tick(100);
  const reason = new Error('enough');
  await other.abort(reason);
  const ends = await Promise.allSettled(calls);
  assert.equal(ends.at(-1).reason.code, 'ERR_ABORTED');
  assert.equal((await errorOf(other.finish())).cause, reason);
});

test('finish resolves when the sink is closed, and not before; a sink that cannot be closed is an error', async () => {
  let closed = false;
  const sink = new WritableStream({
    write: () => tick(5),
    async close() {
      await tick(50);
      closed = true;
    },
  });
  const writer = await worker.ParquetWriter.open({ schema, sink, rowGroupRows: 100 });
  for (let from = 0; from < 1000; from += 100) writer.write(batch(from, 100));
  await writer.finish();
  assert.ok(closed);
  const cause = new Error('no close');
  const other = await worker.ParquetWriter.open({ schema, sink: new WritableStream({ close: () => { throw cause; } }) });
  await other.write(batch(0, 1));
  const error = await errorOf(other.finish());
  assert.equal(error.code, 'ERR_SINK');
  assert.equal(error.cause, cause);
});

test('signal, onProgress, and disposal of a writer', async () => {
  const stop = new AbortController();
  const log = keeper();
  const seen = [];
  const onProgress = (progress) => seen.push(progress.rows);
  const writer = await worker.ParquetWriter.open({ schema, sink: log.sink, signal: stop.signal, onProgress });
  await writer.write(batch(0, 10));
  assert.equal(seen.at(-1), 10);
  const reason = new Error('the user left');
  stop.abort(reason);
  const error = await errorOf(writer.write(batch(10, 10)));
  assert.equal(error.code, 'ERR_ABORTED');
  assert.equal(error.cause, reason);
  await tick(20);
  assert.deepEqual(log.aborted, [reason]);
  if (Symbol.asyncDispose) {
    const other = keeper();
    await (await worker.ParquetWriter.open({ schema, sink: other.sink }))[Symbol.asyncDispose]();
    await tick(20);
    assert.equal(other.aborted[0].code, 'ERR_ABORTED');
  }
});

test('parquetStream in a pipe', async () => {
  const rows = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 5; part++) controller.enqueue(Array.from({ length: 100 }, (_, id) => ({ id, s: `${part}` })));
      controller.close();
    },
  });
  const bytes = await new Response(rows.pipeThrough(worker.parquetStream({ schema }))).arrayBuffer();
  assert.equal(new TextDecoder().decode(bytes.slice(-4)), 'PAR1');
});

test('terminate: what is under way ends, sinks are aborted, the next call has a new worker', async () => {
  const log = keeper();
  const writer = await worker.ParquetWriter.open({ schema, sink: log.sink });
  const call = errorOf(worker.writeParquet({ x: new Float64Array(2_000_000) }));
  await tick(5);
  worker.terminate();
  assert.equal((await call).code, 'ERR_ABORTED');
  assert.equal((await errorOf(writer.write(batch(0, 1)))).code, 'ERR_ABORTED');
  await tick(5);
  assert.equal(log.aborted[0].code, 'ERR_ABORTED');
  assert.ok((await worker.writeParquetBytes({ a: [1] })).length > 0);
});

test('init with bytes of a module that is none, then again', async () => {
  worker.terminate();
  assert.equal((await errorOf(worker.init(Uint8Array.of(1, 2, 3)))).code, 'ERR_NOT_INITIALIZED');
  await worker.init();
});

test('an idle worker does not keep a program alive', () => {
  const url = new URL('../../pkg/worker.js', import.meta.url).href;
  const code = `import { writeParquetBytes } from '${url}'; console.log((await writeParquetBytes({ a: [1] })).length > 0);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(output.trim(), 'true');
});
