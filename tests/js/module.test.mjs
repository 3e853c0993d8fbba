// Loading the module: from where, how often, what happens when it fails. Each test has its own copy of the package.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { fresh } from './fresh.mjs';

const wasmFile = new URL('../../pkg/parquill_bg.wasm', import.meta.url);
const wasm = readFileSync(wasmFile);

const isCode = (code) => (error) => error.name === 'ParquetError' && error.code === code;

test('HC-131: before the module is loaded the synchronous call says what to do', async () => {
  const { writeParquetSync, writeParquet } = await fresh();
  assert.throws(
    () => writeParquetSync({ a: [1] }),
    (error) => isCode('ERR_NOT_INITIALIZED')(error) && /init\(\)/.test(error.message),
  );
  await writeParquet({ a: [1] });
  assert.ok(writeParquetSync({ a: [1] }).length > 0);
});

test('HC-131: calls share one promise; init at the same time as writes', async () => {
  const { init, writeParquetBytes } = await fresh();
  const promises = [init(), init(), init(wasm)];
  assert.ok(promises.every((promise) => promise === promises[0]));
  const files = await Promise.all([writeParquetBytes({ a: [1] }), writeParquetBytes({ a: [1] }), ...promises]);
  assert.deepEqual(files[0], files[1]);
  assert.equal(init(), promises[0]);
});

test('initSync from bytes, a view, a compiled module; a second call and init after it do nothing', async () => {
  for (const source of [wasm, new Uint8Array(wasm).buffer, await WebAssembly.compile(wasm)]) {
    const { init, initSync, writeParquetSync } = await fresh();
    initSync(source);
    initSync(source);
    await init();
    assert.ok(writeParquetSync({ a: [1] }).length > 0);
  }
  const { initSync } = await fresh();
  for (const wrong of [new Uint8Array(8), 'x', undefined])
    assert.throws(() => initSync(wrong), isCode('ERR_NOT_INITIALIZED'));
});

test('init from every kind of source, also by promise', async () => {
  const response = (type) => new Response(wasm, { headers: type ? { 'content-type': type } : {} });
  const sources = [
    wasm,
    new Uint8Array(wasm).buffer,
    await WebAssembly.compile(wasm),
    WebAssembly.compile(wasm),
    response('application/wasm'),
    response('Application/WASM; charset=x'),
    response('text/html'),
    response(undefined),
    Promise.resolve(response('application/wasm')),
  ];
  for (const source of sources) {
    const { init, writeParquetSync } = await fresh();
    await init(source);
    assert.ok(writeParquetSync({ a: [1] }).length > 0);
  }
});

test('init from an address; a failed load can be tried again', async () => {
  let requests = 0;
  const server = createServer((request, answer) => {
    requests++;
    if (request.url === '/missing.wasm') answer.writeHead(404).end('<html>');
    else if (request.url === '/page.wasm') answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    else answer.writeHead(200, { 'content-type': 'application/wasm' }).end(wasm);
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${server.address().port}`;
  try {
    const { init, writeParquetSync } = await fresh();
    await assert.rejects(
      init(`${base}/missing.wasm`),
      (error) => isCode('ERR_NOT_INITIALIZED')(error) && error.message.includes(`${base}/missing.wasm answers 404`),
    );
    await assert.rejects(init(new URL(`${base}/page.wasm`)), isCode('ERR_NOT_INITIALIZED'));
    await assert.rejects(init(new Uint8Array(4)), isCode('ERR_NOT_INITIALIZED'));
    await assert.rejects(
      init(Promise.reject(new Error('no network'))),
      (error) => isCode('ERR_NOT_INITIALIZED')(error) && error.cause.message === 'no network',
    );
    assert.throws(() => writeParquetSync({ a: [1] }), isCode('ERR_NOT_INITIALIZED'));
    await init(new URL(`${base}/parquill_bg.wasm`));
    assert.equal(requests, 3);
    assert.ok(writeParquetSync({ a: [1] }).length > 0);
  } finally {
    server.close();
  }
});

test('a policy that forbids wasm is named', async () => {
  const { init } = await fresh();
  const { compile } = WebAssembly;
  WebAssembly.compile = async () => {
    throw new WebAssembly.CompileError(
      "Refused to compile because 'unsafe-eval' is not an allowed source of script in the Content Security Policy",
    );
  };
  try {
    await assert.rejects(
      init(),
      (error) => isCode('ERR_NOT_INITIALIZED')(error) && /'wasm-unsafe-eval' in script-src/.test(error.message),
    );
  } finally {
    WebAssembly.compile = compile;
  }
  await init();
});

test('after a trap the next call has a fresh instance; writes that are under way are not cut off', async () => {
  const { init, writeParquetBytes, writeParquetSync } = await fresh();
  const compiled = await WebAssembly.compile(wasm);
  const memories = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args);
      memories.push(this.exports.memory);
    }
  };
  try {
    await init(compiled);
    const table = { a: Float64Array.from({ length: 1_500_000 }, (_, row) => Math.sin(row)) };
    const expected = writeParquetSync(table);
    const slow = writeParquetBytes(table);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    // A getter of the data stands in for the trap: the error is of the same class.
    const trapping = [1, 2, 3];
    Object.defineProperty(trapping, 1, {
      get() {
        throw new WebAssembly.RuntimeError('unreachable');
      },
    });
    assert.throws(() => writeParquetSync([{ name: 'c', data: trapping, type: 'int32' }]), isCode('ERR_LIMIT'));
    assert.equal(memories.length, 1);
    assert.ok(Buffer.from(await slow).equals(expected));
    assert.ok(Buffer.from(writeParquetSync(table)).equals(expected));
    assert.equal(memories.length, 2);
  } finally {
    WebAssembly.Instance = Instance;
  }
});

/** The module with a memory that cannot grow beyond `pages` more pages of 64 KiB. */
function limited(bytes, pages) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const encode = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...encode(value >> 7)]);
  for (;;) {
    const start = at;
    const id = bytes[at++];
    const size = number();
    if (id !== 5) {
      at += size;
      continue;
    }
    assert.deepEqual([...bytes.subarray(at, at + 2)], [1, 0], 'one memory without a maximum');
    at += 2;
    const least = number();
    const section = [1, 1, ...encode(least), ...encode(least + pages)];
    return Buffer.concat([
      bytes.subarray(0, start),
      Buffer.of(5, ...encode(section.length), ...section),
      bytes.subarray(at),
    ]);
  }
}

test('memory that cannot grow is ERR_LIMIT, whoever asks for it, and the module stays usable', async () => {
  const { init, writeParquetBytes } = await fresh();
  await init(limited(wasm, 120));
  const long = [
    { s: ['x'.repeat(20_000_000)] },
    { s: ['東'.repeat(5_000_000)] },
    { b: [new Uint8Array(20_000_000)] },
    { o: { offsets: Int32Array.of(0, 20_000_000), bytes: new Uint8Array(20_000_000) } },
  ];
  // From what still fits, over what only the module's own buffers have no room for, to what the lane cannot take.
  const rising = Array.from({ length: 14 }, (_, step) => ({ s: ['y'.repeat((step + 1) * 500_000)] }));
  for (const compression of ['none', 'snappy', 'zstd']) {
    const outcomes = [];
    for (const table of [...rising, ...long]) {
      const outcome = await writeParquetBytes(table, { compression }).then(
        () => 'written',
        (error) => error,
      );
      if (outcome !== 'written') {
        assert.ok(isCode('ERR_LIMIT')(outcome), String(outcome?.stack ?? outcome));
        assert.ok(!(outcome.cause instanceof WebAssembly.RuntimeError), `a trap: ${outcome.cause?.stack}`);
      }
      outcomes.push(outcome === 'written');
      assert.ok((await writeParquetBytes({ a: [1] })).length > 0);
    }
    assert.equal(outcomes[0], true);
    assert.equal(outcomes.at(-1), false);
  }
});

test('HC-134: importing does nothing; a script that wrote a file ends by itself', () => {
  const script = `
    globalThis.fetch = () => { throw new Error('fetch'); };
    const before = Object.keys(globalThis).join();
    const { writeParquet } = await import(${JSON.stringify(new URL('../../pkg/index.js', import.meta.url).href)});
    if (Object.keys(globalThis).join() !== before) throw new Error('a new global');
    const blob = await writeParquet({ a: Float64Array.from({ length: 3_000_000 }, Math.random) });
    console.log(blob.size);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 0, stderr);
  assert.ok(Number(stdout) > 1000);
});
