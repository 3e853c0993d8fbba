// The module's memory: small to begin with, without a maximum, and right beyond 2 GiB.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { fresh } from './fresh.mjs';

const GIB = 2 ** 30;
const PAGE = 2 ** 16;

/** A new copy of the package, and the memory of its instance. */
async function freshWithMemory() {
  const parquill = await fresh();
  const { Instance } = WebAssembly;
  const made = [];
  WebAssembly.Instance = function (...args) {
    const instance = new Instance(...args);
    made.push(instance);
    return instance;
  };
  try {
    await parquill.init();
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.equal(made.length, 1);
  return { parquill, memory: made[0].exports.memory };
}

const MEMORY_SECTION = 5;

/** The memories that a module declares: flags, and least pages. */
function declaredMemories(wasm) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < wasm.length) {
    const id = wasm[at++];
    const size = number();
    if (id !== MEMORY_SECTION) {
      at += size;
      continue;
    }
    return Array.from({ length: number() }, () => {
      const flags = number();
      const least = number();
      return { flags, least };
    });
  }
  return [];
}

/** All kinds of pointers: typed arrays, strings in and out of order, bytes, dictionaries, lists. */
function table(rows) {
  const row = Array.from({ length: rows }, (_, index) => index);
  return {
    id: Int32Array.from(row),
    real: Float64Array.from(row, (at) => at / 3),
    text: row.map((at) => (at % 9 === 0 ? null : `row ${at} \u{1f600}`)),
    word: row.map((at) => `word ${at % 100}`),
    bytes: row.map((at) => Uint8Array.of(at, at >> 8, 255)),
    tags: row.map((at) => (at % 4 === 0 ? [] : [`tag ${at}`, null])),
  };
}

for (const name of ['parquill_bg', 'parquill_slim_bg']) {
  test(`HC-147: ${name} asks for one small memory, unshared and without a maximum`, () => {
    const wasm = readFileSync(new URL(`../../pkg/${name}.wasm`, import.meta.url));
    const imported = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
    assert.deepEqual(imported.filter(({ kind }) => kind === 'memory'), []);
    const memories = declaredMemories(wasm);
    assert.equal(memories.length, 1);
    // Bits: a maximum, shared, 64-bit.
    assert.equal(memories[0].flags, 0);
    assert.ok(memories[0].least * PAGE <= 2 * 2 ** 20, `${memories[0].least} pages`);
  });
}

test('HC-147: twenty loads, a file of 5 MB each: no instance takes more than the first', async () => {
  const values = Float64Array.from({ length: 650_000 }, (_, at) => Math.sin(at));
  const sizes = [];
  for (let load = 0; load < 20; load++) {
    const { parquill, memory } = await freshWithMemory();
    const bytes = await parquill.writeParquetBytes({ values }, { compression: 'none', dictionary: false });
    assert.ok(bytes.length > 5_000_000);
    sizes.push(memory.buffer.byteLength);
  }
  assert.deepEqual([...new Set(sizes)], [sizes[0]]);
  assert.ok(sizes[0] <= 16 * 2 ** 20, `${sizes[0]} bytes`);
});

for (const compression of ['zstd', 'none']) {
  test(`HC-140: pointers above 2 GiB, ${compression}`, async () => {
    const rows = 60_000;
    const options = { compression, pageVersion: 2, rowGroupRows: 25_000, columns: { text: { bloomFilter: true } } };
    const small = await freshWithMemory();
    const expected = await small.parquill.writeParquetBytes(table(rows), options);

    const { parquill, memory } = await freshWithMemory();
    const beyond = 2 * GIB + 64 * 2 ** 20;
    // What is skipped so is never touched, and takes no room in the machine.
    memory.grow((beyond - memory.buffer.byteLength) / PAGE);
    const bytes = await parquill.writeParquetBytes(table(rows), options);
    assert.ok(memory.buffer.byteLength > beyond, 'nothing was taken from beyond 2 GiB');
    assert.equal(Buffer.compare(bytes, expected), 0);

    const read = await parquetReadObjects({ file: bytes.buffer, compressors });
    assert.equal(read.length, rows);
    assert.equal(read[rows - 1].text, `row ${rows - 1} \u{1f600}`);
  });
}
