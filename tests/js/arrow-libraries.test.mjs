// Tables of apache-arrow and of flechette give what our own reader gives of the same bytes, and what pyarrow reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as apache from 'apache-arrow';
import * as flechette from '@uwdata/flechette';
import { expand, load, plain, readFixtures } from './arrow-expand.mjs';
import { checkChunk } from './arrow-patch.mjs';

const { columnsFromArrow, columnFromVector, tableFromArrowIPC } = await load('index.ts');
const all = readFixtures();
const libraries = { apache, flechette };

/** What a library itself does not read: a change of this list is news. */
const compressed = all.map(({ name }) => name).filter((name) => /_(lz4|zstd)$/.test(name));
const unread = {
  apache: [
    ...compressed,
    'dictionary_runs', 'large_list_view', 'list_view', 'list_view_order', 'run_end_encoded', 'struct_view',
  ],
  flechette: compressed,
};

for (const [library, { tableFromIPC }] of Object.entries(libraries)) {
  for (const { name, bytes, expected } of all) {
    if (unread[library].includes(name)) {
      test(`fixture ${name}: ${library} does not read it`, () => assert.throws(() => tableFromIPC(bytes)));
      continue;
    }
    test(`fixture ${name} through ${library}`, () => {
      const table = columnsFromArrow(tableFromIPC(bytes));
      assert.deepEqual(plain(table), expected);
      table.columns.forEach(({ chunks }) => chunks.forEach(checkChunk));
    });
  }
}

for (const { name, bytes, expected } of all.filter(({ name: other }) => !unread.apache.includes(other))) {
  test(`fixture ${name}, sliced by apache-arrow`, () => {
    const table = apache.tableFromIPC(bytes);
    const { rows } = expected;
    // Beyond its rows apache-arrow slices in its own way.
    const ranges = [[0, rows], [1, rows], [3, 11], [7, 8], [9, rows - 1], [4, 4]]
      .filter(([start, end]) => start <= end && end <= rows);
    for (const [start, end] of ranges) {
      const slice = (values) => values.slice(start, end);
      const sliced = columnsFromArrow(table.slice(start, end));
      assert.deepEqual(sliced.columns.map(expand), expected.columns.map(({ values }) => slice(values)));
      sliced.columns.forEach(({ chunks }) => chunks.forEach(checkChunk));
      // A slice of a slice has both offsets.
      if (end - start < 4) continue;
      const twice = columnsFromArrow(table.slice(start, end).slice(1, 4));
      assert.deepEqual(twice.columns.map(expand), expected.columns.map(({ values }) => slice(values).slice(1, 4)));
    }
  });
}

test('record batches of apache-arrow, one by one', () => {
  const { bytes, expected } = all.find(({ name }) => name === 'mixed_stream');
  const tables = apache.tableFromIPC(bytes).batches.map((batch) => columnsFromArrow(batch));
  assert.ok(tables.length > 1);
  expected.columns.forEach(({ type, values }, index) => {
    assert.deepEqual(tables.flatMap(({ columns }) => expand(columns[index])), values);
    assert.ok(tables.every(({ columns }) => columns[index].type === type));
  });
  assert.equal(tables[0].schema.metadata.get('pandas'), '{}');
});

test('vectors of both libraries, by themselves', () => {
  for (const name of ['int64', 'utf8', 'bool', 'struct', 'map', 'dictionary', 'decimal128_38_10', 'fixed_size_list']) {
    const { bytes, expected } = all.find((fixture) => fixture.name === name);
    for (const { tableFromIPC } of Object.values(libraries)) {
      const column = columnFromVector('v', tableFromIPC(bytes).getChildAt(0));
      assert.equal(column.type, expected.columns[0].type);
      assert.equal(column.nullable, true);
      assert.deepEqual(expand(column), expected.columns[0].values);
    }
  }
  assert.equal(columnFromVector('v', apache.vectorFromArray(new Int32Array(3))).nullable, false);
});

test('typed arrays of a table are not copied', () => {
  const values = Float64Array.of(1, 2, 3);
  const table = columnsFromArrow(apache.makeTable({ x: values }));
  assert.equal(table.columns[0].chunks[0].values.buffer, values.buffer);
});

/** Columns made in JavaScript: what is given, the type that apache-arrow infers, and its values. */
const made = {
  text: [['a', null, 'é'], 'string', ['a', null, 'é']],
  flags: [[true, null, false], 'bool', [true, null, false]],
  numbers: [[1.5, null, 2], 'float64', ['3ff8000000000000', null, '4000000000000000']],
  bigints: [[1n, null, -1n], 'int64', ['1', null, '-1']],
  times: [[new Date(0), null, new Date(1)], 'timestamp[ms]', ['0', null, '1']],
  list: [[[true], [false, true], [true]], 'list<bool>', [[true], [false, true], [true]]],
  struct: [[{ a: true }, { a: false }, { a: true }], 'struct<a: bool>', [{ a: true }, { a: false }, { a: true }]],
};

test('tables made in JavaScript, also as streams and files', () => {
  const table = new apache.Table(Object.fromEntries(
    Object.entries(made).map(([name, [values]]) => [name, apache.vectorFromArray(values)])));
  const direct = columnsFromArrow(table);
  assert.deepEqual(direct.columns.map((column) => [column.name, column.type, expand(column)]),
    Object.entries(made).map(([name, [, type, values]]) => [name, type, values]));
  for (const format of ['stream', 'file']) {
    assert.deepEqual(plain(tableFromArrowIPC(apache.tableToIPC(table, format))), plain(direct));
  }
  const other = flechette.tableFromArrays(
    Object.fromEntries(Object.entries(made).map(([name, [values]]) => [name, values])));
  const { columns } = columnsFromArrow(other);
  assert.deepEqual(columns.map(({ name }) => name), Object.keys(made));
  assert.deepEqual(expand(columns[0]), made.text[2]);
  for (const format of ['stream', 'file']) {
    assert.deepEqual(plain(tableFromArrowIPC(flechette.tableToIPC(other, { format }))), plain(columnsFromArrow(other)));
  }
});

test('HC-33: three nulls of bool, as apache-arrow makes them and writes them', () => {
  const table = new apache.Table({ x: apache.vectorFromArray([null, null, null], new apache.Bool()) });
  assert.deepEqual(plain(columnsFromArrow(table)).columns[0].values, [null, null, null]);
  assert.deepEqual(plain(tableFromArrowIPC(apache.tableToIPC(table))).columns[0].values, [null, null, null]);
});

test('HC-33: a bitmap that is short, and offsets beyond the rows', () => {
  const nullBitmap = new Uint8Array(4).fill(255);
  const values = { type: new apache.Int32(), length: 37, nullCount: 1, data: new Int32Array(37) };
  const data = apache.makeData({ ...values, nullBitmap });
  assert.throws(() => columnFromVector('x', new apache.Vector([data])), 
    { code: 'ERR_FORMAT', message: 'column "x": 37 rows need 5 bytes of validity, but there are 4' });
  const surplus = apache.makeData({
    type: new apache.Utf8(), length: 4, nullCount: 0, data: new TextEncoder().encode('abcd'),
    valueOffsets: Int32Array.of(0, 1, 2, 3, 4, 0),
  });
  assert.deepEqual(expand(columnFromVector('x', new apache.Vector([surplus]))), ['a', 'b', 'c', 'd']);
});

test('intervals in months, and in days and milliseconds', () => {
  const vector = (type, length, ...data) =>
    new apache.Vector([apache.makeData({ type, length, nullCount: 0, data: Int32Array.from(data) })]);
  const table = new apache.Table({
    months: vector(new apache.IntervalYearMonth(), 2, 14, 0),
    days: vector(new apache.IntervalDayTime(), 2, 3, 500, 0, 0),
  });
  const expected = [[['14', '0', '0'], ['0', '0', '0']], [['0', '3', '500'], ['0', '0', '0']]];
  for (const read of [columnsFromArrow(table), tableFromArrowIPC(apache.tableToIPC(table))]) {
    assert.deepEqual(read.columns.map(({ type }) => type), ['interval', 'interval']);
    assert.deepEqual(read.columns.map(expand), expected);
  }
  const negative = vector(new apache.IntervalYearMonth(), 1, -1);
  assert.throws(() => columnFromVector('x', negative), { code: 'ERR_OUT_OF_RANGE', column: 'x', row: 0 });
});

test('a union, with the types that are fine beside it', () => {
  const type = new apache.DenseUnion([0], [new apache.Field('a', new apache.Int32())]);
  const data = apache.makeData({
    type, length: 1, nullCount: 0, typeIds: Int8Array.of(0), valueOffsets: Int32Array.of(0),
    children: [apache.makeData({ type: new apache.Int32(), length: 1, data: Int32Array.of(1) })],
  });
  const table = new apache.Table({ fine: apache.vectorFromArray(['a']), u: new apache.Vector([data]) });
  assert.throws(() => columnsFromArrow(table),
    { code: 'ERR_TYPE_MISMATCH', column: 'u', message: /^column "u": is union/ });
});

test('what is no table is refused', () => {
  const withType = (type) => ({ schema: { fields: [{ name: 'a', type }] }, batches: [] });
  const values = [
    undefined, null, 1, 'text', [], {}, { schema: {} }, { schema: { fields: [] }, numRows: 0 },
    withType({}), withType({ typeId: 99 }),
  ];
  for (const value of values) {
    assert.throws(() => columnsFromArrow(value), { name: 'ParquetError', code: 'ERR_TYPE_MISMATCH' });
    assert.throws(() => columnFromVector('x', value), { name: 'ParquetError', code: 'ERR_TYPE_MISMATCH' });
  }
});
