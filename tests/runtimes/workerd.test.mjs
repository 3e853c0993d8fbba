/** Cloudflare's workerd, which refuses to compile bytes: the module must come in compiled. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Miniflare } from 'miniflare';
import { program, project, runIn, same } from './stage.mjs';

const WORKER = `
import * as parquill from 'parquill';
import { prove } from './table.js';
export default { async fetch() { return new Response(await prove(parquill)); } };
`;
const DATE = '2026-04-01';
const QUIET = { WRANGLER_SEND_METRICS: 'false', WRANGLER_SEND_ERROR_REPORTS: 'false', CI: 'true' };

/** What wrangler would upload, in a folder. */
async function bundled(name, files, extra = {}) {
  const folder = project(name, {
    'worker.js': WORKER,
    'wrangler.json': JSON.stringify({ name, main: 'worker.js', compatibility_date: DATE, ...extra }),
    ...files,
  });
  await runIn(folder, program('wrangler'), ['deploy', '--dry-run', '--outdir', 'out'], QUIET);
  return join(folder, 'out');
}

/** Runs the uploaded files in workerd and returns the answer to one request, and to one after it. */
async function answers(out) {
  const names = readdirSync(out).filter((name) => /\.(js|wasm)$/.test(name));
  const modules = names.sort((a, b) => Number(b === 'worker.js') - Number(a === 'worker.js')).map((name) => ({
    type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
    path: join(out, name),
    contents: readFileSync(join(out, name)),
  }));
  const worker = new Miniflare({ modules, modulesRoot: out, compatibilityDate: DATE });
  try {
    return [await (await worker.dispatchFetch('http://localhost/')).text(), await (await worker.dispatchFetch('http://localhost/')).text()];
  } finally {
    await worker.dispose();
  }
}

test("workerd: what wrangler bundles, without any setting", async () => {
  for (const file of await answers(await bundled('wrangler'))) await same(file);
});

test('parquill/slim and parquill/inline in workerd', async () => {
  for (const entry of ['slim', 'inline']) {
    const out = await bundled(`wrangler-${entry}`, {
      'worker.js': WORKER.replace("'parquill'", `'parquill/${entry}'`),
      'table.js': (await readFile(new URL('consumer/table.js', import.meta.url), 'utf8')).replace("'zstd'", "'snappy'"),
    });
    const [first, second] = await answers(out);
    assert.equal(first, second);
    assert.equal(Buffer.from(first, 'base64').subarray(0, 4).toString(), 'PAR1', first.slice(0, 200));
  }
});

test('workerd with nodejs_compat, as most projects have it', async () => {
  for (const file of await answers(await bundled('wrangler-node', {}, { compatibility_flags: ['nodejs_compat'] }))) await same(file);
});

test('what wrangler uploads holds the module once and no inlined copy', async () => {
  const out = await bundled('wrangler-size');
  const names = readdirSync(out);
  assert.equal(names.filter((name) => name.endsWith('.wasm')).length, 1, names.join());
  const script = names.filter((name) => name.endsWith('.js')).reduce((sum, name) => sum + readFileSync(join(out, name)).length, 0);
  const module = readFileSync(join(out, names.find((name) => name.endsWith('.wasm')))).length;
  assert.ok(script < module * 4, `${script} bytes of script, ${module} of module`);
});
