// Every kind of value in a column of every type: what the file holds, or the code of the refusal.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { init, writeParquetSync } from '../../pkg/index.js';
import { storedText } from './stored-text.mjs';
import { valueKinds } from './value-kinds.mjs';
import { groups, inferred } from './value-table.mjs';
import { inference, outcome, page, pageFile } from './values-page.mjs';

before(() => init());

const types = Object.values(groups).flatMap((group) => Object.entries(group));

for (const [type, expected] of types) {
  test(`${type}: every kind of value`, async () => {
    const found = [];
    for (const [label, value] of valueKinds) found.push([label, await storedText(value, type)]);
    assert.deepEqual(
      found,
      valueKinds.map(([label]) => [label, outcome(label, expected)]),
    );
  });
}

test('no type: every kind of value', async () => {
  const found = [];
  for (const [label, value] of valueKinds) found.push([label, await storedText(value, undefined)]);
  assert.deepEqual(
    found,
    valueKinds.map(([label]) => [label, inference(label)]),
  );
});

test('refusals name column, row and what came', () => {
  for (const [type, expected] of types) {
    for (const [label, value] of valueKinds) {
      if (!outcome(label, expected).startsWith('ERR_')) continue;
      try {
        writeParquetSync([{ name: 'c', data: [null, null, value], type }]);
        assert.fail(`${label} in ${type}`);
      } catch (error) {
        assert.equal(error.name, 'ParquetError', `${label} in ${type}: ${error.stack}`);
        assert.deepEqual([error.column, error.row], ['c', 2], `${label} in ${type}: ${error.message}`);
        assert.match(error.message, /^column "c", row 2: /);
      }
    }
  }
});

test('the table names no kind that there is not', () => {
  const labels = new Set(valueKinds.map(([label]) => label));
  assert.equal(labels.size, valueKinds.length);
  const named = types.flatMap(([, { written, outOfRange }]) => [...Object.keys(written), ...outOfRange]);
  assert.deepEqual(
    [...named, ...Object.keys(inferred)].filter((label) => !labels.has(label)),
    [],
  );
});

test('www/docs/values.md is what the table says', () => {
  assert.equal(readFileSync(pageFile, 'utf8'), page(), 'run node tests/js/values-page.mjs');
});
