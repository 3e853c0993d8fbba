// parquill/worker where workers are others than in Node.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bin = (name) => here(`../runtimes/node_modules/.bin/${name}`);

for (const [name, program, args] of [
  ['Node', process.execPath, []],
  ['Deno', bin('deno'), ['run', '--allow-all', '--no-config']],
  ['Bun', bin('bun'), []],
]) {
  test(`parquill/worker in ${name}`, async () => {
    const { stdout } = await promisify(execFile)(program, [...args, here('elsewhere.mjs')], { timeout: 120_000 });
    assert.equal(stdout.trim(), 'fine');
  });
}
