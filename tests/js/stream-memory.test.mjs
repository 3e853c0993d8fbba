// Memory of writers: bounded while one writes, free when it has ended, whichever way. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ParquetWriter } from '../../pkg/index.js';
import { keeper, tick } from './stream-tools.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const MIB = 2 ** 20;

/** Most bytes that the module's memory has had, by a look at every use of its buffer. */
const wasm = { bytes: 0 };
const memory = WebAssembly.Memory.prototype;
const { get: bufferOf, ...rest } = Object.getOwnPropertyDescriptor(memory, 'buffer');
Object.defineProperty(memory, 'buffer', {
  ...rest,
  get() {
    const buffer = bufferOf.call(this);
    wasm.bytes = Math.max(wasm.bytes, buffer.byteLength);
    return buffer;
  },
});

/** Bytes outside of the engine's heap, arrays among them, and inside. */
async function held() {
  for (let attempt = 0; attempt < 5; attempt++) {
    collect();
    // Finalizers need turns of their own.
    await tick(2);
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

let turn = 0;
const numbers = (rows) => Float64Array.from({ length: rows }, () => Math.sin(turn++));
const strings = (rows) => Array.from({ length: rows }, () => `text number ${Math.imul(turn++, 2_654_435_761)} and more`);

test('HC-122: memory is level after the second row group, and bytes leave before finish', async () => {
  let taken = 0;
  const sink = new WritableStream({ write: (chunk) => { taken += chunk.length; } });
  const writer = await ParquetWriter.open({ sink, rowGroupBytes: 4_000_000, compression: 'none', dictionary: false });
  let before;
  let most = 0;
  for (let batch = 0; batch < 160; batch++) {
    await writer.write({ s: strings(20_000) });
    if (batch === 20) before = { wasm: wasm.bytes, held: await held() };
    if (batch > 20 && batch % 20 === 0) most = Math.max(most, await held());
  }
  const early = taken;
  const { byteLength } = await writer.finish();
  assert.equal(taken, byteLength);
  assert.ok(byteLength > 100 * MIB, String(byteLength));
  assert.ok(early >= byteLength * 0.9, `${early} of ${byteLength} bytes before finish`);
  assert.equal(wasm.bytes, before.wasm);
  console.log(`${byteLength} bytes written, memory ${before.held} bytes after 20 batches, at most ${most} later`);
  assert.ok(most - before.held < 16 * MIB);
});

for (const highWaterMark of [1, 16_384]) {
  test(`a slow sink holds the writer back, with room for ${highWaterMark} chunks`, () => slow(highWaterMark));
}

async function slow(highWaterMark) {
  let written = 0;
  let most = 0;
  const write = async (chunk) => {
    await tick(1);
    written += chunk.length;
  };
  const sink = new WritableStream({ write }, { highWaterMark });
  const writer = await ParquetWriter.open({ sink, rowGroupRows: 50_000, compression: 'none', dictionary: false });
  for (let batch = 0; batch < 40; batch++) {
    await writer.write({ x: numbers(100_000) });
    most = Math.max(most, (batch + 1) * 800_000 - written);
  }
  const { byteLength } = await writer.finish();
  assert.equal(written, byteLength);
  console.log(`at most ${most} of ${byteLength} bytes waited for the sink`);
  assert.ok(most < 6 * MIB, String(most));
}

async function rounds(count) {
  for (let round = 0; round < count; round++) {
    const log = keeper();
    const writer = await ParquetWriter.open({ sink: log.sink, schema: { a: 'int32', s: 'string', l: 'list<int32>' } });
    const call = writer.write({ a: [1, 2, 3], s: ['x', null, 'y'], l: [[1], [], null] });
    if (round % 4 === 0) await writer.finish();
    if (round % 4 === 1) await writer.abort();
    if (round % 4 === 2) await writer.write({ a: ['x'], s: [], l: [] }).catch(() => {});
    if (round % 4 === 3) await writer[Symbol.asyncDispose]();
    await call.catch(() => {});
  }
}

test('HC-145: 10,000 writers in a row, finished, aborted, failed and disposed of, do not grow memory', async () => {
  await rounds(100);
  const before = { wasm: wasm.bytes, held: await held() };
  await rounds(10_000);
  assert.equal(wasm.bytes, before.wasm);
  const grown = (await held()) - before.held;
  console.log(`grown by ${grown} bytes over 10,000 writers`);
  assert.ok(grown < 2 * MIB, String(grown));
});

test('writers that nobody finishes and nobody holds are freed, and their sinks aborted', async () => {
  const aborted = [];
  const open = async (log) => {
    const sink = new WritableStream({ abort: (reason) => { log.push(reason); } });
    const writer = await ParquetWriter.open({ sink, schema: { x: 'float64' } });
    // A large page lies in the module's memory and waits for more.
    await writer.write({ x: numbers(30_000) });
    return writer;
  };
  const kept = [];
  for (let index = 0; index < 40; index++) kept.push(await open([]));
  for (const writer of kept.splice(0)) await writer.abort();
  const held = wasm.bytes;
  let before;
  for (let round = 1; round <= 20; round++) {
    for (let index = 0; index < 40; index++) await open(aborted);
    for (let attempt = 0; attempt < 100 && aborted.length < 40 * round; attempt++) {
      collect();
      await tick(5);
    }
    // What was freed one by one is no longer in one piece: once that takes some room, far less than one writer has.
    before ??= wasm.bytes;
  }
  assert.ok(before - held < held / 40, `${before - held} bytes more`);
  assert.equal(wasm.bytes, before);
  assert.equal(aborted.length, 800);
  assert.ok(aborted.every((error) => error.code === 'ERR_ABORTED' && /dropped without finish/.test(error.message)));
});

test('a finish that nobody waits for is done, also when nobody holds the writer', async () => {
  const log = keeper({ write: () => tick(2) });
  await (async () => {
    const writer = await ParquetWriter.open({ sink: log.sink, rowGroupRows: 10 });
    void writer.write({ a: Int32Array.from({ length: 500 }, (_, row) => row) });
    void writer.finish();
  })();
  for (let attempt = 0; attempt < 200 && !log.closed; attempt++) {
    collect();
    await tick(5);
  }
  assert.equal(log.closed, true);
  assert.deepEqual(log.aborted, []);
});
