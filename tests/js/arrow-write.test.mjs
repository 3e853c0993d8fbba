// Arrow input written: the same file whichever way the same data comes, also in batches, slices and single vectors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as flechette from '@uwdata/flechette';
import * as apache from 'apache-arrow';
import { parquetMetadata } from 'hyparquet';
import { tableFromArrowIPC, writeParquetBytes } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';

const fixtures = new URL('../fixtures/arrow/', import.meta.url);
const read = (name) => new Uint8Array(readFileSync(new URL(name, fixtures)));

const rows = 5000;
const pick = (row, value) => (row % 7 === 3 ? null : value);
const columns = {
  i: Int32Array.from({ length: rows }, (_, row) => row * 3),
  f: Array.from({ length: rows }, (_, row) => pick(row, row / 4)),
  t: Array.from({ length: rows }, (_, row) => pick(row, `text ${row % 90}`)),
  b: Array.from({ length: rows }, (_, row) => pick(row, row % 3 === 0)),
  l: Array.from({ length: rows }, (_, row) =>
    pick(
      row,
      Array.from({ length: row % 4 }, (_, k) => pick(row + k, row + k)),
    ),
  ),
  s: Array.from({ length: rows }, (_, row) => pick(row, { x: pick(row + 1, row), y: [`y${row % 5}`] })),
};
const types = {
  i: ['int32', new apache.Int32(), false],
  f: ['float64', new apache.Float64(), true],
  t: ['string', new apache.Utf8(), true],
  b: ['bool', new apache.Bool(), true],
  l: ['list<int32>', listOf(new apache.Int32()), true],
  s: [
    'struct<x: int32, y: list<string>>',
    new apache.Struct([field('x', new apache.Int32()), field('y', listOf(new apache.Utf8()))]),
    true,
  ],
};

function field(name, type, nullable = true) {
  return new apache.Field(name, type, nullable);
}

function listOf(type) {
  return new apache.List(field('element', type));
}

/** The table in batches that end at these rows. */
function inBatches(ends, names = Object.keys(columns)) {
  const schema = new apache.Schema(names.map((name) => field(name, types[name][1], types[name][2])));
  const batches = ends.slice(1).map((end, index) => {
    const start = ends[index];
    const children = names.map((name) => {
      const vector = apache.vectorFromArray(Array.from(columns[name]).slice(start, end), types[name][1]);
      return vector.data[0];
    });
    const data = apache.makeData({
      type: new apache.Struct(schema.fields),
      length: end - start,
      nullCount: 0,
      children,
    });
    return new apache.RecordBatch(schema, data);
  });
  return new apache.Table(schema, batches);
}

const expected = (options) =>
  writeParquetBytes(
    Object.entries(columns).map(([name, data]) => ({ name, data, type: types[name][0], nullable: types[name][2] })),
    options,
  );

for (const [what, ends] of Object.entries({
  'one batch': [0, rows],
  'batches that end inside of bytes': [0, 1, 12, 13, 700, 2049, 2049, rows],
  'many batches': Array.from({ length: 101 }, (_, k) => Math.round((k * rows) / 100)),
})) {
  test(`a table in ${what} gives the file of its columns`, async () => {
    const table = inBatches(ends);
    for (const options of [{}, { pageRows: 333, rowGroupRows: 1500 }, { dictionary: false, compression: 'none' }]) {
      assert.deepEqual(await writeParquetBytes(table, options), await expected(options));
    }
    assert.deepEqual(await writeParquetBytes(tableFromArrowIPC(apache.tableToIPC(table, 'stream'))), await expected());
    assert.deepEqual(
      await writeParquetBytes(flechette.tableFromIPC(apache.tableToIPC(table, 'file'))),
      await expected(),
    );
  });
}

test('slices, record batches and single vectors', async () => {
  const table = inBatches([0, 100, rows]);
  const sliced = Object.entries(columns).map(([name, data]) => {
    return { name, data: data.slice(33, 4001), type: types[name][0], nullable: types[name][2] };
  });
  assert.deepEqual(await writeParquetBytes(table.slice(33, 4001)), await writeParquetBytes(sliced));
  const first = sliced.map(({ name, ...column }) => ({ name, ...column, data: columns[name].slice(0, 100) }));
  assert.deepEqual(await writeParquetBytes(table.batches[0]), await writeParquetBytes(first));
  for (const name of ['f', 'l', 's']) {
    const [type] = types[name];
    const vector = table.getChild(name);
    assert.deepEqual(
      await writeParquetBytes({ [name]: vector }),
      await writeParquetBytes([{ name, data: columns[name], type }]),
    );
    assert.deepEqual(
      await writeParquetBytes([{ name, data: vector, type }]),
      await writeParquetBytes({ [name]: vector }),
    );
    await assertRefused(() => writeParquetBytes([{ name, data: vector, type: 'int8' }]), 'ERR_SCHEMA', {
      column: name,
    });
  }
});

test('HC-32, HC-64: dictionaries with nulls, repeated and unused entries, several to a column', async () => {
  for (const name of [
    'dictionary.arrows',
    'dictionary_deltas.arrows',
    'dictionary_replaced.arrows',
    'dictionary_nested.arrows',
  ]) {
    const table = tableFromArrowIPC(read(name));
    const whole = await writeParquetBytes(table, { pageRows: 2 });
    assert.deepEqual(await writeParquetBytes(apache.tableFromIPC(read(name)), { pageRows: 2 }), whole);
  }
});

test('key-values of the schema go to the footer, and those of the options before them', async () => {
  const schema = new apache.Schema(
    [field('i', new apache.Int32())],
    new Map([
      ['geo', '{}'],
      ['mine', 'old'],
    ]),
  );
  const data = apache.makeData({
    type: new apache.Struct(schema.fields),
    length: 1,
    nullCount: 0,
    children: [apache.vectorFromArray([1], new apache.Int32()).data[0]],
  });
  const table = new apache.Table(schema, [new apache.RecordBatch(schema, data)]);
  const { buffer } = await writeParquetBytes(table, { metadata: { mine: 'new' } });
  assert.deepEqual(parquetMetadata(buffer).key_value_metadata, [
    { key: 'geo', value: '{}' },
    { key: 'mine', value: 'new' },
  ]);
});

test('a schema goes with Arrow input where they agree', async () => {
  const table = inBatches([0, rows], ['i', 't']);
  const { buffer } = await writeParquetBytes(table, { schema: { t: { type: 'string', fieldId: 7 }, i: 'int32' } });
  assert.deepEqual(
    parquetMetadata(buffer)
      .schema.slice(1)
      .map(({ name, field_id: id }) => [name, id]),
    [
      ['t', 7],
      ['i', undefined],
    ],
  );
  await assertRefused(() => writeParquetBytes(table, { schema: { i: 'int64', t: 'string' } }), 'ERR_SCHEMA', {
    column: 'i',
  });
  await assertRefused(() => writeParquetBytes(table, { schema: { i: 'int32' } }), 'ERR_SCHEMA', { column: 't' });
});

test('types that Parquet has no place for are named all at once; bytes that are no Arrow are refused', async () => {
  const error = await assertRefused(() => tableFromArrowIPC(read('refused.arrows')), 'ERR_TYPE_MISMATCH', {});
  for (const name of ['sparse', 'dense', 'digits']) assert.ok(error.message.includes(`"${name}"`));
  await assertRefused(() => tableFromArrowIPC(new Uint8Array(100)), 'ERR_FORMAT');
});

test('nulls in an Arrow field that is not nullable', async () => {
  const type = listOf(new apache.Int32());
  const strict = new apache.List(field('element', new apache.Int32(), false));
  const vector = apache.vectorFromArray([[1], [2, null]], type);
  const data = vector.data[0].clone(strict);
  await assertRefused(() => writeParquetBytes({ c: new apache.Vector([data]) }), 'ERR_NULL', { column: 'c', row: 1 });
});

test('decimals with more digits than their type, though they fit its bytes', async () => {
  const type = new apache.Decimal(2, 5, 128);
  const vector = (...words) =>
    new apache.Vector([apache.makeData({ type, length: words.length / 4, data: Uint32Array.from(words) })]);
  const all = 0xffff_ffff;
  await writeParquetBytes({ c: vector(99_999, 0, 0, 0, -99_999 >>> 0, all, all, all) });
  await assertRefused(() => writeParquetBytes({ c: vector(1, 0, 0, 0, 100_000, 0, 0, 0) }), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 1,
  });
  await assertRefused(() => writeParquetBytes({ c: vector(-100_000 >>> 0, all, all, all) }), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 0,
  });
});
