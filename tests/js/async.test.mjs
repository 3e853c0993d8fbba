// The asynchronous life of a write: aborts, progress, other work in between, many writes at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, ParquetError, writeParquet, writeParquetBytes, writeParquetSync } from '../../pkg/index.js';
import { assertRefused, readBack } from './read-back.mjs';

const numbers = (rows, seed) => Float64Array.from({ length: rows }, (_, row) => Math.sin(row * seed));
const big = (seed = 1) => ({ a: numbers(2_000_000, seed), b: numbers(2_000_000, seed + 1) });

test('a Blob, bytes and sync bytes are the same file', async () => {
  for (const table of [
    { a: [1, null, 3], s: ['x', 'yy', null] },
    { a: numbers(300_000, 3), s: Array.from({ length: 300_000 }, (_, row) => `t${row % 1000}`) },
  ]) {
    for (const options of [{}, { rowGroupRows: 100_000, compression: 'none' }]) {
      const bytes = await writeParquetBytes(table, options);
      const blob = await writeParquet(table, options);
      assert.equal(blob.type, 'application/vnd.apache.parquet');
      assert.equal(Object.prototype.toString.call(blob), '[object Blob]');
      assert.ok(Buffer.from(await blob.arrayBuffer()).equals(bytes));
      assert.ok(Buffer.from(writeParquetSync(table, options)).equals(bytes));
      assert.ok(bytes instanceof Uint8Array && bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length);
    }
  }
});

test('HC-126: the result does not lie in wasm memory', async () => {
  const first = await writeParquetBytes({ a: numbers(10_000, 1) });
  const copy = first.slice();
  const blob = await writeParquet({ a: numbers(10_000, 1) });
  for (let round = 0; round < 5; round++) await writeParquetBytes({ a: numbers(10_000, round + 2) });
  assert.deepEqual(first, copy);
  assert.ok(Buffer.from(await blob.arrayBuffer()).equals(copy));
  structuredClone(first.buffer, { transfer: [first.buffer] });
  assert.equal((await writeParquetBytes({ a: [1] })).length > 0, true);
});

test('HC-149: writes at the same time do not mix', async () => {
  const tables = [1, 2, 3, 4].map((seed) => ({
    a: numbers(200_000, seed),
    s: Array.from({ length: 200_000 }, (_, row) => `${seed} ${row % (seed * 300)}`),
  }));
  const options = [
    {},
    { compression: 'none', pageRows: 1000 },
    { compression: 'snappy', rowGroupRows: 30_000 },
    { dictionary: false },
  ];
  const alone = tables.map((table, at) => writeParquetSync(table, options[at]));
  const bad = writeParquetBytes({ a: [...numbers(300_000, 9), 'x'] }).catch((error) => error);
  const together = await Promise.all(tables.map((table, at) => writeParquetBytes(table, options[at])));
  together.forEach((bytes, at) => assert.ok(Buffer.from(bytes).equals(alone[at])));
  assert.equal((await bad).code, 'ERR_TYPE_MISMATCH');
});

test('a long write gives way to other tasks', async () => {
  const table = big();
  let ticks = 0;
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    ticks++;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const start = performance.now();
  await writeParquetBytes(table);
  const time = performance.now() - start;
  clearInterval(timer);
  console.log(`${ticks} other tasks in ${time.toFixed(0)} ms, the longest wait ${longest.toFixed(0)} ms`);
  assert.ok(ticks >= 3);
});

test('progress: never falls, ends with all rows and the length of the file', async () => {
  for (const [write, table] of [
    [writeParquetBytes, big()],
    [writeParquetSync, { a: numbers(5000, 1) }],
    [writeParquetBytes, { a: [] }],
  ]) {
    const seen = [];
    const bytes = await write(table, { rowGroupRows: 700_000, onProgress: (progress) => seen.push(progress) });
    const rows = table.a.length;
    assert.deepEqual(seen.at(-1), { rows, totalRows: rows, bytes: bytes.length });
    seen.forEach((progress, at) => {
      assert.equal(progress.totalRows, rows);
      if (at > 0) assert.ok(progress.rows >= seen[at - 1].rows && progress.bytes >= seen[at - 1].bytes);
    });
    if (rows > 1_000_000) assert.ok(seen.length > 3);
  }
});

test('an error of onProgress rejects the write with that error', async () => {
  const mine = new Error('mine');
  await assert.rejects(
    writeParquetBytes(
      { a: [1] },
      {
        onProgress: () => {
          throw mine;
        },
      },
    ),
    (error) => error === mine,
  );
  assert.throws(
    () =>
      writeParquetSync(
        { a: [1] },
        {
          onProgress: () => {
            throw mine;
          },
        },
      ),
    (error) => error === mine,
  );
  assert.ok((await writeParquetBytes({ a: [1] })).length > 0);
});

test('abort: before, while it runs, from onProgress, at the very end', async () => {
  const reason = new Error('user left');
  const aborted = AbortSignal.abort(reason);
  for (const write of [writeParquet, writeParquetBytes, async (...args) => writeParquetSync(...args)]) {
    const error = await assertRefused(() => write({ a: [1] }, { signal: aborted }), 'ERR_ABORTED');
    assert.equal(error.cause, reason);
  }
  const timed = new AbortController();
  setTimeout(() => timed.abort(reason), 5);
  assert.equal(
    (await assertRefused(() => writeParquetBytes(big(), { signal: timed.signal }), 'ERR_ABORTED')).cause,
    reason,
  );
  const fromProgress = new AbortController();
  await assertRefused(
    () => writeParquetBytes(big(), { signal: fromProgress.signal, onProgress: () => fromProgress.abort() }),
    'ERR_ABORTED',
  );
  const sync = new AbortController();
  await assertRefused(
    () =>
      writeParquetSync(
        { a: new Int32Array(10) },
        { signal: sync.signal, rowGroupRows: 1, onProgress: () => sync.abort() },
      ),
    'ERR_ABORTED',
  );
  const last = new AbortController();
  await assertRefused(
    () => writeParquetBytes({ a: [1] }, { signal: last.signal, onProgress: () => last.abort() }),
    'ERR_ABORTED',
  );
});

test('HC-128, HC-145: memory stays flat over many files, whole, failed and aborted ones', async () => {
  const source = WebAssembly.Memory.prototype;
  const original = Object.getOwnPropertyDescriptor(source, 'buffer');
  let size = 0;
  Object.defineProperty(source, 'buffer', {
    ...original,
    get() {
      const buffer = original.get.call(this);
      size = Math.max(size, buffer.byteLength);
      return buffer;
    },
  });
  try {
    const table = { a: numbers(100_000, 1), s: Array.from({ length: 100_000 }, (_, row) => `text ${row}`) };
    const round = async (count) => {
      for (let k = 0; k < count; k++) {
        await writeParquetBytes(table);
        await writeParquetBytes({ ...table, x: [...numbers(99_999, 2), 'x'] }).catch(() => {});
        const controller = new AbortController();
        await writeParquetBytes(table, {
          signal: controller.signal,
          onProgress: () => controller.abort(),
          rowGroupRows: 50_000,
        }).catch(() => {});
      }
    };
    await round(5);
    const before = size;
    await round(40);
    console.log(`wasm memory ${before} bytes after 15 files, ${size} after 135`);
    assert.equal(size, before);
  } finally {
    Object.defineProperty(source, 'buffer', original);
  }
});

test('every error leaves the module usable', async () => {
  const bad = [{ a: [1, 'x'] }, { a: [1n, 2n ** 70n] }, {}, { a: [1], b: [] }, { a: [Symbol('s')] }, { a: new Set() }];
  for (const table of bad) {
    await assert.rejects(writeParquetBytes(table), ParquetError);
    assert.throws(() => writeParquetSync(table), ParquetError);
    assert.deepEqual((await readBack(await writeParquetBytes({ a: [7] }))).columns.a, [7]);
  }
  await init();
});
