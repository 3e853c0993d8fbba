// A large export through the demo page, written by the worker: the page stays at ease, shows how far it is, and can stop.
// ROWS=45000000 makes a file of more than 1 GB.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { download, exportFile, loaded, OUT, startStage } from './page.mjs';

const ROWS = Number(process.env.ROWS ?? 2_000_000);
/** Chromium without a window holds Blobs of at most 512 MiB. */
const BLOB_ROWS = Math.min(ROWS, 18_000_000);
const MINUTES = Math.ceil(2 + ROWS / 2_000_000);
const PYTHON = fileURLToPath(new URL('../../.venv/bin/python', import.meta.url));

let stage;
before(async () => {
  stage = await startStage();
});
after(() => stage?.stop());

/** A page with a made-up table, watched: tasks above 50 ms, gaps between frames, and texts of the status. */
async function open(rows) {
  const page = await stage.open();
  page.setDefaultTimeout(MINUTES * 60_000);
  await page.locator('#millions').fill(String(rows / 1e6));
  await page.getByRole('button', { name: 'Make', exact: true }).click();
  await loaded(page, `${rows.toLocaleString('en')} readings`);
  await page.evaluate(() => {
    window.seen = { tasks: [], frames: [], texts: 0, bar: [] };
    new PerformanceObserver((list) => window.seen.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
    new MutationObserver(() => {
      window.seen.texts++;
      window.seen.bar.push(document.getElementById('progress').value);
    }).observe(document.getElementById('status'), { childList: true, characterData: true, subtree: true });
    let last = performance.now();
    const frame = (now) => {
      window.seen.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return page;
}

/** Milliseconds of processor time of the longest task of the page's main thread, whatever else the machine does. */
function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace);
  const mains = new Set(traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur > 0 && mains.has(`${pid} ${tid}`));
  assert.ok(tasks.length > 100, `${tasks.length} tasks in the trace`);
  return tasks.reduce((most, { tdur }) => Math.max(most, tdur), 0) / 1000;
}

async function ease(page, what, trace) {
  const { tasks, frames, texts, bar } = await page.evaluate(() => window.seen);
  const most = Math.max(0, ...tasks);
  const [median] = [...frames].sort((a, b) => a - b).slice(frames.length >> 1);
  const busy = longestTask(trace);
  console.log(`${what}: longest task ${busy.toFixed(1)} ms of processor time, ${most === 0 ? 'below 50' : most} ms by the clock ` +
    `(${tasks.length} above 50); ${frames.length} frames, median gap ${median.toFixed(1)} ms, longest ${Math.max(...frames).toFixed(0)} ms; ` +
    `${texts} words on progress`);
  assert.ok(busy <= 50, `a task of ${busy} ms`);
  assert.ok(texts > 5, `${texts} words on progress`);
  assert.ok(bar.every((value, at) => at === 0 || value >= bar[at - 1]), 'the bar never goes back');
}

/** DuckDB finds all rows, and ids from 0 on. */
async function check(path, rows) {
  const code = `
import duckdb
duckdb.sql("SET enable_progress_bar = false")
for value in duckdb.sql("SELECT count(*), sum(id), count(level) FROM read_parquet('${path}')").fetchall()[0]: print(value)`;
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', code]);
  const sum = (BigInt(rows) * BigInt(rows - 1)) / 2n;
  assert.deepEqual(stdout.trim().split('\n'), [String(rows), String(sum), String(rows)]);
}

const PART = 1 << 22;

/** Copies the page's only private file to this machine. */
async function fetchPrivate(page, path) {
  const file = await openFile(path, 'w');
  await page.exposeFunction('give', async (base64) => {
    await file.write(Buffer.from(base64, 'base64'));
  });
  const size = await page.evaluate(async (part) => {
    const [handle] = await Array.fromAsync((await navigator.storage.getDirectory()).values());
    const all = await handle.getFile();
    for (let at = 0; at < all.size; at += part) {
      const reader = new FileReader();
      const read = new Promise((resolve, reject) => {
        reader.onload = resolve;
        reader.onerror = reject;
      });
      reader.readAsDataURL(all.slice(at, at + part));
      await read;
      await window.give(reader.result.slice(reader.result.indexOf(',') + 1));
    }
    return all.size;
  }, PART);
  await file.close();
  return size;
}

async function exportWatched(page, target) {
  await page.locator(`[value=${target}]`).check({ force: true });
  await stage.browser.startTracing(page, { categories: ['toplevel'] });
  await exportFile(page);
  const trace = await stage.browser.stopTracing();
  await ease(page, target, String(trace));
  console.log(`${target}: ${await page.locator('#status').innerText()}`);
  await page.screenshot({ path: join(OUT, `large-${target}.png`), animations: 'disabled' });
}

const named = (rows) => rows.toLocaleString('en');

test(`${named(BLOB_ROWS)} rows to a download`, { timeout: MINUTES * 60_000 }, async () => {
  const page = await open(BLOB_ROWS);
  await exportWatched(page, 'blob');
  const path = await download(page, stage.folder);
  await check(path, BLOB_ROWS);
  await rm(path);
  page.quiet();
});

test(`${named(ROWS)} rows to a private file`, { timeout: MINUTES * 60_000 }, async () => {
  const page = await open(ROWS);
  await exportWatched(page, 'private');
  const path = join(stage.folder, 'private.parquet');
  const size = await fetchPrivate(page, path);
  console.log(`private: ${size.toLocaleString('en')} bytes`);
  await check(path, ROWS);
  await rm(path);
  page.quiet();
});

test('Abort stops it in its midst, and the next export is whole', { timeout: MINUTES * 60_000 }, async () => {
  const page = await open(BLOB_ROWS);
  await page.locator('[value=private]').check({ force: true });
  await page.getByRole('button', { name: 'Export Parquet' }).click();
  await page.waitForFunction(() => document.getElementById('progress').value > 0);
  await page.screenshot({ path: join(OUT, 'large-running.png'), animations: 'disabled' });
  await page.evaluate(() => document.getElementById('abort').click());
  await page.getByText('Aborted. No file was made.').waitFor();
  assert.equal(await page.locator('#result').isVisible(), false);
  await page.locator('[value=blob]').check({ force: true });
  await exportFile(page);
  page.quiet();
});
