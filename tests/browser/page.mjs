/** The demo page in a real Chromium, for the suites of this folder: built anew, served plainly, watched for complaints. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { buildPage } from '../../www/build.mjs';
import { serve } from '../tools/serve.mjs';

export const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Where screenshots stay for whoever wants to look. */
export const OUT = here('../out');

/**
 * Starts server and browser. `open(options, prepare)` gives a page after `prepare` had its browser context;
 * `page.quiet()` fails on whatever the page wrote to the console as a warning or error, breaches of its policy included.
 */
export async function startStage() {
  await mkdir(OUT, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'parquill-page-'));
  const server = await serve(await buildPage(join(folder, 'dist')));
  const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium', args: FLAGS });
  return {
    folder,
    browser,
    async open(options = {}, prepare = () => {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      await prepare(context);
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const complaints = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.quiet = () => assert.deepEqual(complaints, []);
      await page.goto(server.url);
      return page;
    },
    async stop() {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A real drop event with a file in its DataTransfer, on the element under `selector`. */
export async function drop(page, selector, name, text) {
  const transfer = await page.evaluateHandle(([fileName, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], fileName));
    return data;
  }, [name, text]);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent(selector, type, { dataTransfer: transfer });
  }
}

export async function loaded(page, name) {
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** Presses Export and waits for the outcome; an alert becomes a failure that quotes it. */
export async function exportFile(page) {
  await page.getByRole('button', { name: 'Export Parquet' }).click();
  await page.locator('#result:not([hidden]), #alert:not([hidden])').first().waitFor();
  if (await page.locator('#alert').isVisible()) assert.fail(await page.locator('#alert').innerText());
}

/** Follows the download link to a file in `folder`. */
export async function download(page, folder) {
  const [event] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download / }).click(),
  ]);
  const path = join(folder, `${Date.now()}-${event.suggestedFilename()}`);
  await event.saveAs(path);
  return path;
}

const PYTHON = process.platform === 'win32' ? '../../.venv/Scripts/python.exe' : '../../.venv/bin/python';

/** DuckDB's rows against the CSV's; resolves to `{ rows, types, codecs }` or rejects with the first difference. */
export async function compareWithCsv(csvPath, parquetPath) {
  const { stdout } = await promisify(execFile)(here(PYTHON), [here('read_csv_and_parquet.py'), csvPath, parquetPath]);
  return JSON.parse(stdout);
}
