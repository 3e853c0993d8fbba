// The package itself in Chromium: waiting pages in the private file system, and the worker.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';
import { FLAGS } from './page.mjs';

let server;
let browser;
let page;
before(async () => {
  server = await serve(fileURLToPath(new URL('../../pkg', import.meta.url)));
  browser = await chromium.launch({ executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium', args: FLAGS });
  page = await (await browser.newContext()).newPage();
  await page.goto(`${server.url}package.json`);
  await page.evaluate(() => {
    window.batch = (from, rows) => ({
      x: Float64Array.from({ length: rows }, (_, row) => Math.cos(from + row)),
      s: Array.from({ length: rows }, (_, row) => (row % 50 === 0 ? null : `text ${(from + row) % 70}`)),
    });
    window.files = async () => {
      const names = [];
      for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
      return names.filter((name) => name.startsWith('parquill-') && !name.endsWith('.crswap'));
    };
    window.write = async (script, options, { sink = false, end = 'finish', rows = 60_000 } = {}) => {
      const { ParquetWriter } = await import(script);
      const chunks = [];
      const stream = sink ? new WritableStream({ write: (chunk) => { chunks.push(chunk); } }) : undefined;
      const writer = await ParquetWriter.open({ ...options, ...(sink ? { sink: stream } : {}) });
      let during = [];
      for (let from = 0; from < rows; from += 5000) {
        await writer.write(window.batch(from, 5000));
        during = await window.files();
      }
      if (end === 'fail') await writer.write({ x: ['x'], s: [null] }).catch(() => {});
      if (end === 'abort') await writer.abort();
      const blob = end === 'finish' ? (await writer.finish()).blob ?? new Blob(chunks) : new Blob([]);
      const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
      // The worker ends a file behind the answer to the call that failed.
      for (let turn = 0; turn < 50 && (await window.files()).length > 0; turn++) await new Promise((go) => setTimeout(go, 20));
      return { hash: Array.from(new Uint8Array(hash)).join(), during: during.length, left: await window.files() };
    };
  });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const write = (...args) => page.evaluate((given) => window.write(...given), args);

for (const script of ['/index.js', '/worker.js']) {
  for (const sink of [false, true]) {
    test(`${script}: spill "disk" gives the same bytes, ${sink ? 'to a sink' : 'as a Blob'}, and leaves no file`, async () => {
      for (const options of [{}, { rowGroupRows: 7001 }, { rowGroupBytes: 100_000, compression: 'none' }]) {
        const expected = await write('/index.js', options);
        const found = await write(script, { ...options, spill: 'disk' }, { sink });
        assert.equal(found.hash, expected.hash, JSON.stringify(options));
        assert.equal(found.during, 1);
        assert.deepEqual(found.left, []);
      }
    });
  }

  for (const end of ['abort', 'fail']) {
    test(`${script}: no file is left behind by ${end}`, async () => {
      const found = await write(script, { spill: 'disk', rowGroupRows: 9000 }, { end });
      assert.equal(found.during, 1);
      assert.deepEqual(found.left, []);
    });
  }
}

test('what a closed tab has left is removed by the next writer; a file in use stays', async () => {
  const other = await page.context().newPage();
  await other.goto(`${server.url}package.json`);
  await other.evaluate(async () => {
    const { ParquetWriter } = await import('/index.js');
    window.writer = await ParquetWriter.open({ spill: 'disk' });
    await window.writer.write({ a: [1, 2, 3] });
  });
  const used = await write('/index.js', { spill: 'disk' });
  assert.equal(used.during, 2);
  assert.equal(used.left.length, 1);
  await other.close();
  // The browser takes locks and files from a closed tab in its own time, later on a busy machine.
  await page.waitForFunction(async () => (await navigator.locks.query()).held.length === 0);
  let found = await write('/index.js', { spill: 'disk' });
  for (let tries = 1; found.during > 1 && tries < 50; tries++) found = await write('/index.js', { spill: 'disk' });
  assert.equal(found.during, 1);
  assert.deepEqual(found.left, []);
});

test('the worker writes the same file as the page, and the page has no long task meanwhile', async () => {
  const { same, longest, size } = await page.evaluate(async () => {
    const here = await import('/index.js');
    const { writeParquet, init } = await import('/worker.js');
    await init();
    const table = {
      x: Float64Array.from({ length: 3_000_000 }, (_, row) => Math.sin(row)),
      s: Array.from({ length: 500_000 }, (_, row) => `text number ${row}`).concat(Array(2_500_000).fill(null)),
    };
    await new Promise((go) => setTimeout(go, 300));
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ type: 'longtask' });
    const blob = await writeParquet(table);
    await new Promise((go) => setTimeout(go, 100));
    observer.disconnect();
    const [a, b] = await Promise.all([blob, await here.writeParquet(table)].map((file) => file.arrayBuffer()));
    const hash = async (bytes) => String(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
    return { same: (await hash(a)) === (await hash(b)), longest, size: blob.size };
  });
  console.log(`${size} bytes; the longest task of the page above 50 ms: ${longest} ms`);
  assert.ok(same);
});

test('the worker of a package that lies on another origin', async () => {
  const types = { js: 'text/javascript', wasm: 'application/wasm' };
  const elsewhere = createServer(async ({ url }, response) => {
    try {
      const body = await readFile(new URL(`../../pkg${url}`, import.meta.url));
      const type = types[url.split('.').at(-1)];
      response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  try {
    const size = await page.evaluate(async (port) => {
      const { writeParquetBytes } = await import(`http://127.0.0.1:${port}/worker.js`);
      return (await writeParquetBytes({ a: [1, 2, 3] })).length;
    }, elsewhere.address().port);
    assert.ok(size > 100);
  } finally {
    elsewhere.closeAllConnections();
    elsewhere.close();
  }
});

test('a page that may have no worker says so, and works without', async () => {
  const context = await browser.newContext();
  const strict = await context.newPage();
  await strict.route('**/package.json', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': "worker-src 'none'" };
    await route.fulfill({ response, headers });
  });
  await strict.goto(`${server.url}package.json`);
  const { code, size } = await strict.evaluate(async () => {
    const { writeParquet } = await import('/worker.js');
    const here = await import('/index.js');
    const error = await writeParquet({ a: [1] }).catch((thrown) => thrown);
    return { code: error.code, size: (await here.writeParquet({ a: [1] })).size };
  });
  assert.equal(code, 'ERR_NOT_INITIALIZED');
  assert.ok(size > 100);
  await context.close();
});
