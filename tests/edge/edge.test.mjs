// workerd by way of miniflare: NDJSON in, Parquet on R2 by multipart upload, with the isolate's memory watched.
// MEGABYTES=200 asks for a larger stream. Memory: what the inspector of the isolate says of V8's heap and of the memory
// behind arrays, asked for after every part of the request, and the module's memory, which the Worker tells.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { writeRows } from './rows.mjs';

const MEGABYTES = Number(process.env.MEGABYTES ?? 12);
const MOST_BYTES = 128e6;
const LOOK_EVERY = 1 << 18;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const runtimes = createRequire(here('../runtimes/package.json'));
const { Miniflare } = runtimes('miniflare');
const { WebSocket } = createRequire(runtimes.resolve('miniflare'))('ws');

let folder;
let flare;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquill-edge-'));
  const script = join(folder, 'worker.mjs');
  await build({
    entryPoints: [here('worker.mjs')],
    outfile: script,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    plugins: [{
      name: 'module beside the script',
      setup: ({ onResolve }) => onResolve({ filter: /\.wasm$/ }, () => ({ path: './module.wasm', external: true })),
    }],
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  flare = new Miniflare({
    modules: [
      { type: 'ESModule', path: script },
      {
        type: 'CompiledWasm',
        path: join(folder, 'module.wasm'),
        contents: await readFile(here('../../pkg/parquill_bg.wasm')),
      },
    ],
    modulesRoot: folder,
    compatibilityDate: '2026-04-01',
    r2Buckets: ['BUCKET'],
    r2Persist: join(folder, 'r2'),
    inspectorPort: 0,
  });
  await flare.ready;
});
after(async () => {
  await flare?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Asks the isolate for its memory whenever it is told to; the largest answer, by what it is made of. */
async function watchIsolate() {
  const { host } = await flare.getInspectorURL();
  const targets = await (await fetch(`http://${host}/json`)).json();
  const { webSocketDebuggerUrl } = targets.find(({ id, title }) => /user|worker/i.test(`${id} ${title}`)) ?? targets[0];
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  const most = { sum: 0, answers: 0 };
  const waiting = new Map();
  socket.on('message', (text) => {
    const { id, result } = JSON.parse(text);
    if (result?.usedSize === undefined) return;
    const { usedSize, backingStorageSize = 0, embedderHeapUsedSize = 0 } = result;
    const sum = usedSize + backingStorageSize + embedderHeapUsedSize;
    most.answers++;
    if (sum > most.sum) Object.assign(most, { sum, usedSize, backingStorageSize, embedderHeapUsedSize });
    waiting.get(id)?.();
    waiting.delete(id);
  });
  let next = 0;
  return {
    most,
    look: () => new Promise((resolve) => {
      waiting.set(++next, resolve);
      socket.send(JSON.stringify({ id: next, method: 'Runtime.getHeapUsage' }));
    }),
    close: () => socket.close(),
  };
}

/** The file, of which no more is sent before the isolate's memory was looked at. */
function bodyOf(path, isolate) {
  const file = createReadStream(path, { highWaterMark: 1 << 16 })[Symbol.asyncIterator]();
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await file.next();
      if (done) {
        controller.close();
        return;
      }
      sent += value.length;
      controller.enqueue(value);
      if (sent < LOOK_EVERY) return;
      sent = 0;
      await isolate.look();
    },
  });
}

const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

test(`${MEGABYTES} MB of NDJSON become a file on R2, in an isolate of less than 128 MB`, { timeout: 900_000 }, async () => {
  const source = join(folder, 'rows.ndjson');
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  console.log(`seed of the rows: ${seed} (SEED=${seed} repeats it)`);
  const rows = await writeRows(source, MEGABYTES * 1e6, seed);
  const isolate = await watchIsolate();
  const response = await flare.dispatchFetch('http://localhost/rows.parquet', {
    method: 'POST', body: bodyOf(source, isolate), duplex: 'half',
  });
  const { most } = isolate;
  isolate.close();
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const done = JSON.parse(text);
  assert.equal(done.rows, rows);
  console.log(`${rows} rows, ${mb(done.byteLength)} of Parquet in ${done.rowGroups} row groups; at most, in ${most.answers} looks: ` +
    `heap ${mb(most.usedSize)} + arrays ${mb(most.backingStorageSize)} + runtime ${mb(most.embedderHeapUsedSize)} = ` +
    `${mb(most.sum)}; the module's memory: ${mb(done.wasmBytes)}`);
  assert.ok(most.answers > MEGABYTES, `${most.answers} answers`);
  assert.ok(most.sum + done.wasmBytes < MOST_BYTES);

  const bucket = await flare.getR2Bucket('BUCKET');
  const object = await bucket.get('rows.parquet');
  assert.equal(object.size, done.byteLength);
  assert.equal(object.httpMetadata.contentType, 'application/vnd.apache.parquet');
  const copy = join(folder, 'rows.parquet');
  await writeFile(copy, new Uint8Array(await object.arrayBuffer()));
  const { stdout } = await promisify(execFile)(here('../../.venv/bin/python'), [here('same_rows.py'), source, copy]);
  assert.equal(Number(stdout), rows);
});

test('a wrong row leaves no object', async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"id": 1}\n{"id": "no number"}\n'));
      controller.close();
    },
  });
  const response = await flare.dispatchFetch('http://localhost/broken.parquet', { method: 'POST', body, duplex: 'half' });
  assert.equal(response.status, 500);
  await response.text();
  assert.equal(await (await flare.getR2Bucket('BUCKET')).get('broken.parquet'), null);
});
