// The walk over a module counts every byte.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './command.mjs';
import { loadFacts } from './facts.mjs';
import { moduleNames, modulePaths, namedModule } from './module.mjs';
import { functionSizes, groupOf, groupSizes, sectionSizes } from './sections.mjs';

const facts = loadFacts();
const sum = (list) => list.reduce((all, { bytes }) => all + bytes, 0);

for (const name of moduleNames(facts)) {
  test(`${name}: sections are the whole module`, () => {
    const bytes = readFileSync(join(root, modulePaths(facts, name).module));
    assert.equal(sum(sectionSizes(bytes)) + 8, bytes.length);
  });
}

test('functions are the whole code, each with its name', { timeout: 300_000 }, async () => {
  const bytes = await namedModule(facts, 'parquill');
  const functions = functionSizes(bytes);
  const { bytes: code } = sectionSizes(bytes).find(({ name }) => name === 'code');
  // Beside functions the section has its head and their count.
  assert.ok(code - sum(functions) < 12);
  assert.deepEqual(functions.filter(({ name }) => name === 'without name'), []);
  const groups = groupSizes(functions);
  assert.equal(sum(groups), sum(functions));
  for (const name of ['parquill::codec', 'parquill::chunk', 'lz4_flex', 'talc', 'wasm-bindgen']) {
    assert.ok(groups.some((group) => group.name === name), `${name} is not in ${groups.map((group) => group.name)}`);
  }
});

test('groups by name', () => {
  assert.equal(groupOf('parquill::codec::zstd::fast::find::h0a'), 'parquill::codec');
  assert.equal(groupOf('<parquill::wasm::JsSink as parquill::sink::Sink>::page'), 'parquill::wasm');
  assert.equal(groupOf('<core[c5930c85a12de822]::fmt::Formatter>::pad'), 'core');
  assert.equal(groupOf('wasmwriter_push'), 'wasm-bindgen');
  assert.equal(groupOf('log2f'), 'others');
});
