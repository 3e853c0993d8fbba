/** Chromium and Firefox: every way in which a page, a bundler or a worker brings the package in. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { program, project, runIn, same } from './stage.mjs';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const MAIN = `
import * as parquill from 'parquill';
import { prove } from './table.js';
globalThis.proof = prove(parquill);
`;
const html = (script, head = '') => `<!doctype html><meta charset="utf-8">${head}<title>t</title>${script}`;
const MODULE = '<script type="module" src="./main.js"></script>';
/** How a plain page names a package: the browser's own import map. */
const MAP = '<script type="importmap">{"imports":{"parquill":"./node_modules/parquill/index.js"}}</script>';

/** A server of a folder. headers: for every answer; types: overrides by ending (null: no type at all); lost: paths answered with a page. */
async function serve(folder, { headers = {}, types = {}, lost } = {}) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    asked.push(path);
    try {
      if (lost?.test(path)) {
        response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end('<!doctype html>no such page');
        return;
      }
      const body = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path));
      const type = { ...TYPES, ...types }[extname(path.endsWith('/') ? '.html' : path)];
      response.writeHead(200, { ...(type ? { 'Content-Type': type } : {}), ...headers }).end(body);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    asked,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium', args: FLAGS });
});
after(() => browser.close());

/** Opens a page and returns what its promise `proof` gives, with all that the console said. */
async function visit(url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  try {
    await page.goto(url);
    await page.waitForFunction(() => globalThis.proof !== undefined, undefined, { timeout: 60_000 })
      .catch((error) => assert.fail(`${error}\n${said.join('\n')}`));
    return await page.evaluate(() => globalThis.proof.then((file) => ({ file }), (error) => ({ error: String(error), code: error.code })));
  } finally {
    await context.close();
  }
}

async function proves(folder, options) {
  const server = await serve(folder, options);
  try {
    const { file, error } = await visit(server.url);
    assert.equal(error, undefined);
    await same(file);
    return server.asked;
  } finally {
    await server.close();
  }
}

test('a plain page with script type=module', async () => {
  const folder = project('plain', { 'index.html': html(MAP + MODULE), 'main.js': MAIN });
  const asked = await proves(folder);
  assert.ok(asked.some((path) => path.endsWith('.wasm')), 'the module was not fetched');
  assert.ok(!asked.some((path) => path.endsWith('.base64.js')), 'the inlined copy was fetched without need');
});

test('a server that does not know the type of .wasm', async () => {
  const folder = project('no-type', { 'index.html': html(MAP + MODULE), 'main.js': MAIN });
  await proves(folder, { types: { '.wasm': null } });
  await proves(folder, { types: { '.wasm': 'application/octet-stream' } });
});

test('a server that answers a page in place of the module', async () => {
  const folder = project('lost', { 'index.html': html(MAP + MODULE), 'main.js': MAIN });
  const asked = await proves(folder, { lost: /\.wasm$/ });
  assert.ok(asked.some((path) => path.endsWith('.base64.js')));
});

test('HC-139: the module from an address of its own, on another host', async () => {
  const files = project('cdn-files');
  const cdn = await serve(join(files, 'node_modules/parquill'), { headers: { 'Access-Control-Allow-Origin': '*' } });
  try {
    const folder = project('cdn', {
      'index.html': html(`<script type="importmap">{"imports":{"parquill":"${cdn.url}index.js"}}</script>${MODULE}`),
      'main.js': `${MAIN.replace('globalThis.proof = ', `globalThis.proof = parquill.init('${cdn.url}parquill_bg.wasm').then(() => `)
        .replace('prove(parquill);', 'prove(parquill));')}`,
    });
    await proves(folder);
  } finally {
    await cdn.close();
  }
});

for (const base of ['', '/deep/down/']) {
  test(`Vite build${base && `, below ${base}`}`, async () => {
    const folder = project('vite-build', { 'index.html': html(MODULE), 'main.js': MAIN });
    await runIn(folder, program('vite'), ['build', '--outDir', `dist${base}`, ...(base ? ['--base', base] : []), '--logLevel', 'warn']);
    const server = await serve(join(folder, 'dist'));
    try {
      const { file, error } = await visit(`${server.url}${base.slice(1)}`);
      assert.equal(error, undefined);
      await same(file);
    } finally {
      await server.close();
    }
  });
}

test('Vite dev server, nothing set', async () => {
  const folder = project('vite-dev', { 'index.html': html(MODULE), 'main.js': MAIN });
  const { createServer: vite } = await import('vite');
  const server = await vite({ root: folder, configFile: false, logLevel: 'error', cacheDir: join(folder, '.vite'), server: { port: 0, host: '127.0.0.1' } });
  try {
    await server.listen();
    const { file, error } = await visit(server.resolvedUrls.local[0]);
    assert.equal(error, undefined);
    await same(file);
  } finally {
    await server.close();
  }
});

for (const mode of ['production', 'development']) {
  test(`webpack 5, ${mode}`, async () => {
    const folder = project('webpack', { 'dist/index.html': html('<script src="./main.js"></script>'), 'src/index.js': MAIN.replace('./table.js', '../table.js') });
    const said = await runIn(folder, program('webpack'), ['--mode', mode, '--entry', './src/index.js', '--output-path', 'dist']);
    assert.doesNotMatch(said, /WARNING in (?!asset size|entrypoint size|webpack performance)/);
    await proves(join(folder, 'dist'));
  });
}

test('esbuild, which leaves the module behind', async () => {
  const folder = project('esbuild', { 'dist/index.html': html('<script type="module" src="./main.js"></script>'), 'main.js': MAIN });
  const { build } = await import('esbuild');
  const made = await build({ absWorkingDir: folder, entryPoints: ['main.js'], bundle: true, format: 'esm', splitting: true, outdir: 'dist', logLevel: 'silent' });
  assert.deepEqual(made.warnings, []);
  await proves(join(folder, 'dist'));
});

test('HC-132: esbuild to one classic script', async () => {
  const folder = project('iife', { 'dist/index.html': html('<script src="./main.js"></script>'), 'main.js': MAIN });
  const { build } = await import('esbuild');
  await build({ absWorkingDir: folder, entryPoints: ['main.js'], bundle: true, format: 'iife', outdir: 'dist', logLevel: 'silent' });
  await proves(join(folder, 'dist'));
});

test('Rollup', async () => {
  const folder = project('rollup', { 'dist/index.html': html(MODULE), 'main.js': MAIN });
  const [{ rollup }, { nodeResolve }] = await Promise.all([import('rollup'), import('@rollup/plugin-node-resolve')]);
  const warnings = [];
  const bundle = await rollup({ input: join(folder, 'main.js'), plugins: [nodeResolve({ browser: true })], onwarn: (warning) => warnings.push(warning.message) });
  await bundle.write({ dir: join(folder, 'dist'), format: 'es' });
  await bundle.close();
  assert.deepEqual(warnings, []);
  await proves(join(folder, 'dist'));
});

test('Parcel', async () => {
  const folder = project('parcel', { 'index.html': html(MODULE), 'main.js': MAIN });
  await runIn(folder, program('parcel'), ['build', 'index.html', '--dist-dir', 'dist', '--public-url', './', '--no-cache'], { PARCEL_WORKERS: '0', CI: 'true' });
  await proves(join(folder, 'dist'));
});

const SWITCHED = MAIN.replace("'parquill'", "'parquill/worker'");

test('parquill/worker after Vite build', async () => {
  const folder = project('vite-worker', { 'index.html': html(MODULE), 'main.js': SWITCHED });
  await runIn(folder, program('vite'), ['build', '--logLevel', 'warn']);
  await proves(join(folder, 'dist'));
});

test('parquill/worker after webpack', async () => {
  const folder = project('webpack-worker', {
    'dist/index.html': html('<script src="./main.js"></script>'), 'src/index.js': SWITCHED.replace('./table.js', '../table.js'),
  });
  await runIn(folder, program('webpack'), ['--mode', 'development', '--entry', './src/index.js', '--output-path', 'dist']);
  await proves(join(folder, 'dist'));
});

test('parquill/worker on a plain page', async () => {
  const map = MAP.replace('"}', '","parquill/worker":"./node_modules/parquill/worker.js"}');
  await proves(project('plain-worker', { 'index.html': html(map + MODULE), 'main.js': SWITCHED }));
});

const IN_WORKER = `
import * as parquill from '/node_modules/parquill/index.js';
import { prove } from './table.js';
prove(parquill).then((file) => postMessage({ file }), (error) => postMessage({ error: String(error) }));
`;
test('a module Web Worker', async () => {
  const folder = project('worker', {
    'index.html': html(MODULE),
    'main.js': `
      globalThis.proof = new Promise((resolve, reject) => {
        const worker = new Worker('./thread.js', { type: 'module' });
        worker.onmessage = ({ data }) => (data.error ? reject(data.error) : resolve(data.file));
        worker.onerror = (event) => reject(event.message);
      });`,
    'thread.js': IN_WORKER,
  });
  await proves(folder);
});

test('parquill/inline in a service worker, which may import nothing later on', async () => {
  const folder = project('service', {
    'index.html': html(MODULE),
    'main.js': `
      globalThis.proof = (async () => {
        await navigator.serviceWorker.register('./service.js', { type: 'module' });
        const { active } = await navigator.serviceWorker.ready;
        const { port1, port2 } = new MessageChannel();
        const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
        active.postMessage('write', [port2]);
        const { file, error } = await answer;
        if (error) throw new Error(error);
        return file;
      })();`,
    'service.js': `
      import * as parquill from '/node_modules/parquill/inline.js';
      import { prove } from './table.js';
      addEventListener('activate', (event) => event.waitUntil(clients.claim()));
      addEventListener('message', (event) => event.waitUntil(prove(parquill).then(
        (file) => event.ports[0].postMessage({ file }), (error) => event.ports[0].postMessage({ error: String(error) }))));`,
  });
  await proves(folder);
});

const policy = (sources) => ({ headers: { 'Content-Security-Policy': `default-src 'none'; script-src ${sources}; connect-src 'self'; worker-src 'self'` } });

test("HC-138: a policy with 'wasm-unsafe-eval'", async () => {
  const folder = project('policy', { 'index.html': html(MODULE), 'main.js': MAIN.replace("'parquill'", "'./node_modules/parquill/index.js'") });
  await proves(folder, policy("'self' 'wasm-unsafe-eval'"));
});

test("HC-138: a policy without it: an error that names the directive", async () => {
  const folder = project('policy-none', { 'index.html': html(MODULE), 'main.js': MAIN.replace("'parquill'", "'./node_modules/parquill/index.js'") });
  const server = await serve(folder, policy("'self'"));
  try {
    const { error, code } = await visit(server.url);
    assert.equal(code, 'ERR_NOT_INITIALIZED');
    assert.match(error, /Content-Security-Policy must have 'wasm-unsafe-eval' in script-src/);
  } finally {
    await server.close();
  }
});
