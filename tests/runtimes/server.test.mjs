/** Programs that render on a server: importing does nothing there, writing works there too. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { build } from 'esbuild';
import { program, project, proven, runIn, same, SCRIPT } from './stage.mjs';

/** Makes everything that a mere import must not touch fail. */
const WATCH = `
for (const name of ['fetch', 'WebAssembly', 'Worker', 'Blob', 'DecompressionStream', 'atob', 'navigator', 'window', 'document']) {
  Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error('importing touched ' + name); } });
}
`;

test('HC-134: importing touches nothing', async () => {
  for (const entry of ['parquill', 'parquill/sync', 'parquill/worker', 'parquill/inline']) {
    const folder = project('untouched', { 'watch.mjs': WATCH, 'main.mjs': `import './watch.mjs';\nawait import('${entry}');\nconsole.log('quiet');` });
    assert.match(await runIn(folder, process.execPath, ['main.mjs']), /quiet/);
  }
});

for (const format of ['cjs', 'esm']) {
  test(`HC-132: a server bundle as ${format}, run from elsewhere`, async () => {
    const folder = project('bundle', { 'main.mjs': format === 'cjs' ? SCRIPT.replace('await prove(parquill)', 'file').replace("console.log('", "prove(parquill).then((file) => console.log('").replace(/\);\n$/, '));\n') : SCRIPT });
    await build({
      absWorkingDir: folder, entryPoints: ['main.mjs'], bundle: true, platform: 'node', format, logLevel: 'silent',
      outfile: join('out', format === 'cjs' ? 'main.cjs' : 'main.mjs'),
    });
    const elsewhere = project('bundle-elsewhere');
    await runIn(elsewhere, 'cp', [join(folder, 'out', format === 'cjs' ? 'main.cjs' : 'main.mjs'), elsewhere]);
    await runIn(elsewhere, 'rm', ['-r', 'node_modules']);
    await proven(await runIn(elsewhere, process.execPath, [format === 'cjs' ? 'main.cjs' : 'main.mjs']));
  });
}

test('HC-134: Next.js, a page that imports and a route that writes', async () => {
  const folder = project('next', {
    'next.config.mjs': "import { fileURLToPath } from 'node:url';\nexport default { turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) } };\n",
    'app/layout.js': 'export default function Layout({ children }) { return <html><body>{children}</body></html>; }',
    'app/page.js': "import { writeParquet } from 'parquill';\nexport default function Page() { return <p>{typeof writeParquet}</p>; }",
    'app/button.js': "'use client';\nimport { writeParquet } from 'parquill';\nexport default () => <button onClick={() => writeParquet({ a: [1] })}>x</button>;",
    'app/file/route.js': "import * as parquill from 'parquill';\nimport { prove } from '../../table.js';\nexport const dynamic = 'force-dynamic';\nexport async function GET() { return new Response(await prove(parquill)); }",
  }, {});
  const env = { NEXT_TELEMETRY_DISABLED: '1', CI: '1' };
  await runIn(folder, program('next'), ['build'], env);
  const server = spawn(program('next'), ['start', '--port', '0'], { cwd: folder, env: { ...process.env, ...env }, detached: true });
  try {
    const address = await new Promise((resolve, reject) => {
      let said = '';
      for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => {
        said += bytes;
        const found = /http:\/\/localhost:(\d+)/.exec(said);
        if (found) resolve(found[0]);
      });
      server.on('close', () => reject(new Error(said)));
    });
    assert.match(await (await fetch(`${address}/`)).text(), /<p>function<\/p>/);
    await same(await (await fetch(`${address}/file`)).text());
  } finally {
    process.kill(-server.pid, 'SIGKILL');
  }
});
