// What would be published: each file by its name, without a complaint of npm, by a workflow that needs no secret.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './command.mjs';
import { loadFacts } from './facts.mjs';

const folder = `./${loadFacts().package.folder}`;
const text = (path) => readFileSync(join(root, path), 'utf8');

/** npm without a registry: nothing leaves this machine. */
function npm(...args) {
  const offline = ['--offline', '--ignore-scripts', '--registry=http://127.0.0.1:9', '--no-audit', '--no-fund'];
  const { status, stdout, stderr } = spawnSync('npm', [...args, ...offline], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
}

// Names are made by the build; where the list should change, it is changed by hand, a hash being `*`.
test('the packed files are those of packed-files.txt', () => {
  const [{ files }] = JSON.parse(npm('pack', folder, '--dry-run', '--json').stdout);
  const names = files.map(({ path }) => path.replace(/-[A-Z0-9]{8}\.js$/, '-*.js'));
  assert.deepEqual([...new Set(names)].sort(), text('tests/tools/packed-files.txt').trim().split('\n'));
  for (const { path, size, mode } of files) {
    assert.ok(size > 0, `${path} is empty`);
    assert.equal(mode & 0o111, 0, `${path} is a program`);
  }
});

test('npm publish --dry-run has nothing to say about the package', () => {
  const { stderr } = npm('publish', folder, '--dry-run');
  const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/i.test(line));
  // That nobody is logged in here is no fault of the package.
  assert.deepEqual(warnings.filter((line) => !/requires you to be logged in/.test(line)), []);
  assert.match(stderr, /Publishing to .* \(dry-run\)/);
});

test('the release workflow publishes with provenance and without a secret', () => {
  const workflow = text('.github/workflows/release.yml');
  assert.match(workflow, /^\s+id-token: write$/m);
  assert.match(workflow, /^\s+contents: read$/m);
  assert.doesNotMatch(workflow, /secrets\.|_TOKEN/);
  assert.match(workflow, new RegExp(`npm publish \\${folder} --provenance`));
  const { scripts } = JSON.parse(text('package.json'));
  for (const [, name] of workflow.matchAll(/npm run ([\w:]+)/g)) assert.ok(name in scripts, name);
});
