/** Deno and Bun: run, bundled, without permissions. */

import { test } from 'node:test';
import { join } from 'node:path';
import { program, project, proven, runIn, SCRIPT } from './stage.mjs';

const [deno, bun] = [program('deno'), program('bun')];
const QUIET = { DENO_NO_UPDATE_CHECK: '1', DENO_NO_PROMPT: '1', NO_COLOR: '1' };

test('HC-136: Deno, with no permission at all', async () => {
  const folder = project('deno-run', { 'main.mjs': SCRIPT });
  await proven(await runIn(folder, deno, ['run', '--no-prompt', '--no-remote', '--cached-only', 'main.mjs'], QUIET));
});

test('Deno type-checks the declarations', async () => {
  const folder = project('deno-check', { 'main.ts': "import { writeParquetBytes } from 'parquill';\nconst bytes: Uint8Array = await writeParquetBytes({ a: [1] });\nconsole.log(bytes.length > 0);\n" });
  await runIn(folder, deno, ['check', '--no-remote', '--cached-only', 'main.ts'], QUIET);
});

test('HC-136: a bundle runs in Deno from a folder without the package', async () => {
  const folder = project('deno-bundle', { 'main.mjs': SCRIPT });
  await runIn(folder, bun, ['build', 'main.mjs', '--target=browser', '--outfile', 'out/bundle.mjs']);
  const elsewhere = project('deno-elsewhere');
  await runIn(folder, 'cp', ['out/bundle.mjs', join(elsewhere, 'bundle.mjs')]);
  await runIn(elsewhere, 'rm', ['-r', 'node_modules']);
  await proven(await runIn(elsewhere, deno, ['run', '--no-prompt', '--no-remote', 'bundle.mjs'], QUIET));
});

test('HC-136: Bun, import and require', async () => {
  const folder = project('bun-run', {
    'main.mjs': SCRIPT,
    'main.cjs': "const parquill = require('parquill');\nimport('./table.js').then(async ({ prove }) => console.log('proof:' + await prove(parquill)));",
  });
  await proven(await runIn(folder, bun, ['run', 'main.mjs']));
  await proven(await runIn(folder, bun, ['run', 'main.cjs']));
});

test('HC-136: bun test', async () => {
  const folder = project('bun-test', {
    'parquill.test.js': "import { test } from 'bun:test';\nimport * as parquill from 'parquill';\nimport { prove } from './table.js';\ntest('writes', async () => console.log('proof:' + await prove(parquill)));\n",
  });
  await proven(await runIn(folder, bun, ['test']));
});

test('HC-136: bun build, run in Bun and Node from a folder without the package', async () => {
  const folder = project('bun-build', { 'main.mjs': SCRIPT });
  await runIn(folder, bun, ['build', 'main.mjs', '--target=bun', '--outfile', 'out/main.mjs']);
  await runIn(folder, bun, ['build', 'main.mjs', '--target=node', '--outfile', 'out/node.mjs']);
  const elsewhere = project('bun-elsewhere');
  await runIn(folder, 'cp', ['out/main.mjs', 'out/node.mjs', elsewhere]);
  await runIn(elsewhere, 'rm', ['-r', 'node_modules']);
  await proven(await runIn(elsewhere, bun, ['run', 'main.mjs']));
  await proven(await runIn(elsewhere, process.execPath, ['node.mjs']));
});

test('HC-136: bun build --compile makes one program that holds all', async () => {
  const folder = project('bun-compile', { 'main.mjs': SCRIPT });
  await runIn(folder, bun, ['build', 'main.mjs', '--compile', '--outfile', 'program']);
  await runIn(folder, 'rm', ['-r', 'node_modules']);
  await proven(await runIn(folder, './program', []));
});
