// Sinks that fail: never a footer, always the first cause, and the next writer works. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ParquetWriter } from '../../pkg/index.js';
import { errorOf, join, keeper, sum, tick } from './stream-tools.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Bytes of the engine's heap and of arrays. */
async function held() {
  for (let attempt = 0; attempt < 5; attempt++) {
    collect();
    await tick(2);
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

const schema = { id: { type: 'int32', nullable: false }, text: 'string' };
const batch = (from, rows) => ({
  id: Int32Array.from({ length: rows }, (_, row) => from + row),
  text: Array.from({ length: rows }, (_, row) => (row % 3 === 0 ? null : `text ${from + row}`)),
});

/** Writes until the first rejection; calls are awaited or not. */
async function write(sink, { batches = 3, rows = 4, awaited = true, signal } = {}) {
  const writer = await ParquetWriter.open({ schema, sink, rowGroupRows: rows, signal });
  for (let index = 0; index < batches; index++) {
    const call = writer.write(batch(index * rows, rows));
    if (awaited) await call;
  }
  return writer.finish();
}

const whole = await (async () => {
  const log = keeper();
  await write(log.sink);
  return log.bytes;
})();

/** A sink that takes bytes one at a time and does `fail` when it is to take byte `position`. */
function breaking(position, fail) {
  const log = keeper({
    write(chunk, controller) {
      const taken = sum(log.chunks.map(({ length }) => length));
      return taken + chunk.length > position ? fail(controller, log) : undefined;
    },
  });
  return log;
}

const ways = {
  throws: (cause) => () => { throw cause; },
  rejects: (cause) => async () => { await tick(); throw cause; },
  'errors the stream': (cause) => (controller) => { controller.error(cause); },
};

for (const [way, make] of Object.entries(ways)) {
  test(`a sink that ${way}, at every byte`, async () => {
    for (let position = 0; position < whole.length; position++) {
      const cause = new Error(`at byte ${position}`);
      const log = breaking(position, make(cause));
      const error = await errorOf(write(log.sink, { awaited: position % 2 === 0 }));
      const first = error.code === 'ERR_POISONED' ? error.cause : error;
      assert.equal(first.code, 'ERR_SINK', `${position}: ${first.stack}`);
      assert.equal(first.cause, cause);
      assert.equal(log.closed, false);
      const taken = log.bytes;
      if (way !== 'errors the stream') assert.ok(taken.length < whole.length);
      assert.deepEqual(taken, whole.slice(0, taken.length));
    }
    const log = keeper();
    await write(log.sink);
    assert.deepEqual(log.bytes, whole);
  });
}

test('a sink that stalls, at every byte, and an abort', async () => {
  for (let position = 0; position < whole.length; position++) {
    const log = breaking(position, () => new Promise(() => {}));
    const controller = new AbortController();
    const call = errorOf(write(log.sink, { awaited: position % 2 === 0, signal: controller.signal }));
    await tick();
    const reason = new Error('enough');
    controller.abort(reason);
    const error = await call;
    assert.equal(error.code, 'ERR_ABORTED');
    assert.equal(error.cause, reason);
    assert.equal(log.closed, false);
    assert.ok(log.bytes.length < whole.length);
  }
});

test('a stalled sink and abort() of the writer, which does not wait for it', async () => {
  const sink = new WritableStream({ write: () => new Promise(() => {}) });
  const writer = await ParquetWriter.open({ schema, sink, rowGroupRows: 4 });
  const call = errorOf(writer.write(batch(0, 4)));
  await tick();
  await writer.abort('enough');
  assert.equal((await call).code, 'ERR_ABORTED');
  const closing = await ParquetWriter.open({ schema, sink: new WritableStream({ close: () => new Promise(() => {}) }) });
  const end = errorOf(closing.finish());
  await tick();
  await closing.abort('enough');
  assert.equal((await end).code, 'ERR_ABORTED');
});

test('1,000 random bytes of a larger file: a sink that throws, rejects, errors, or stalls until an abort', async () => {
  const seed = Number(process.env.SEED ?? 20_261_130);
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  console.log(`seed ${seed} (SEED=${seed} repeats it)`);
  const shape = { batches: 4, rows: 5000 };
  const all = keeper();
  await write(all.sink, shape);
  const { bytes } = all;
  const counts = {};
  let before;
  for (let round = 0; round < 1000; round++) {
    // What the first rounds leave in caches is no leak.
    if (round === 100) before = await held();
    const position = random(bytes.length);
    const way = [...Object.keys(ways), 'stalls'][random(4)];
    counts[way] = (counts[way] ?? 0) + 1;
    const cause = new Error(`${way} at ${position}`);
    const controller = new AbortController();
    const stall = () => {
      setImmediate(() => controller.abort(cause));
      return new Promise(() => {});
    };
    const log = breaking(position, way === 'stalls' ? stall : ways[way](cause));
    const error = await errorOf(write(log.sink, { ...shape, awaited: round % 2 === 0, signal: controller.signal }));
    const first = error.code === 'ERR_POISONED' ? error.cause : error;
    assert.equal(first.code, way === 'stalls' ? 'ERR_ABORTED' : 'ERR_SINK', `${cause.message}: ${first.stack}`);
    assert.equal(first.cause, cause);
    assert.equal(log.closed, false);
    const taken = log.bytes;
    assert.ok(taken.length <= bytes.length - (way === 'errors the stream' ? 0 : 1), cause.message);
    assert.deepEqual(taken, bytes.subarray(0, taken.length));
    if (round % 100 > 0) continue;
    const next = keeper();
    await write(next.sink, shape);
    assert.deepEqual(next.bytes, bytes);
  }
  const grown = (await held()) - before;
  console.log(`${JSON.stringify(counts)}; memory grew by ${grown} bytes over 900 rounds`);
  assert.ok(grown < 4 * 2 ** 20, String(grown));
});

test('a sink that fails while nothing is written: the next call says so', async () => {
  let controller;
  const sink = new WritableStream({ start: (given) => { controller = given; } });
  const writer = await ParquetWriter.open({ schema, sink });
  await writer.write(batch(0, 4));
  const cause = new Error('the disk is gone');
  controller.error(cause);
  await tick();
  const error = await errorOf(writer.write(batch(4, 4)));
  assert.equal(error.code, 'ERR_SINK');
  assert.equal(error.cause, cause);
  assert.match(error.message, /the disk is gone/);
  assert.equal((await errorOf(writer.finish())).cause, error);
});

test('a sink that cannot be closed, and one that cannot be aborted', async () => {
  const cause = new Error('no close');
  const error = await errorOf(write(new WritableStream({ close: () => { throw cause; } })));
  assert.equal(error.code, 'ERR_SINK');
  assert.equal(error.cause, cause);
  const other = new Error('no abort');
  const writer = await ParquetWriter.open({ schema, sink: new WritableStream({ abort: () => { throw other; } }) });
  assert.equal((await errorOf(writer.abort())).cause, other);
  const poisoned = await ParquetWriter.open({ schema, sink: new WritableStream({ abort: () => { throw other; } }) });
  assert.equal((await errorOf(poisoned.write({ id: ['x'], text: ['y'] }))).code, 'ERR_TYPE_MISMATCH');
});

test('a sink with another writer is refused, and stays as it is', async () => {
  const sink = new WritableStream();
  const holder = sink.getWriter();
  assert.equal((await errorOf(ParquetWriter.open({ sink }))).code, 'ERR_OPTION');
  holder.releaseLock();
  assert.equal((await errorOf(ParquetWriter.open({ sink, pageRows: 0 }))).code, 'ERR_OPTION');
  assert.equal(sink.locked, false);
});

test('HC-126: chunks are arrays of their own and stay valid; a transferred one breaks nothing', async () => {
  const kept = [];
  const copies = [];
  const sink = new WritableStream({
    write(chunk) {
      assert.equal(chunk.byteLength, chunk.buffer.byteLength);
      copies.push(chunk.slice());
      if (kept.length % 2 === 0) structuredClone(chunk, { transfer: [chunk.buffer] });
      kept.push(chunk);
    },
  });
  await write(sink, { batches: 20, rows: 3000 });
  kept.forEach((chunk, index) => index % 2 === 1 && assert.deepEqual(chunk, copies[index]));
  const again = keeper();
  await write(again.sink, { batches: 20, rows: 3000 });
  assert.deepEqual(again.bytes, join(copies));
});

test('HC-129: the file grows at its end only, and has no footer before finish', async () => {
  const log = keeper();
  const writer = await ParquetWriter.open({ schema, sink: log.sink });
  await writer.write(batch(0, 100));
  await writer.flushRowGroup();
  await tick();
  const early = log.bytes;
  const text = (bytes) => new TextDecoder('latin1').decode(bytes);
  assert.equal(text(early.subarray(0, 4)), 'PAR1');
  assert.notEqual(text(early.subarray(-4)), 'PAR1');
  await writer.finish();
  assert.deepEqual(log.bytes.slice(0, early.length), early);
  assert.equal(text(log.bytes.subarray(-4)), 'PAR1');
});
