// Nulls in arrays: what counts as one, where there may be none, and every pattern over pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip, roundTripColumn } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);

test('nulls, undefined and holes are nulls in every type', async () => {
  const samples = {
    bool: [true],
    int8: [1],
    int64: [1n],
    uint64: [1n],
    float16: [1],
    float32: [1],
    float64: [1],
    string: ['x'],
    date: [1],
    'timestamp[ms]': [1n],
    'decimal(5, 0)': [1n],
    'decimal(15, 0)': [1n],
  };
  for (const [type, [value]] of Object.entries(samples)) {
    const data = [value, null, undefined, , value, null];
    const { values, element } = await roundTripColumn(data, type);
    assert.deepEqual(values, [value, null, null, null, value, null], type);
    assert.equal(element.repetition_type, 'OPTIONAL');
    const none = await roundTripColumn([null, undefined, ,], type);
    assert.deepEqual(none.values, [null, null, null], type);
    const empty = await roundTripColumn([], type);
    assert.equal(empty.element.repetition_type, 'REQUIRED');
    const full = await roundTripColumn([value, value], type, {});
    assert.equal(full.element.repetition_type, 'REQUIRED');
  }
});

test('HC-05: null in a column that is not nullable', async () => {
  const colours = ['red', null, 'blue', 'red'];
  const { message } = await assertRefused(column(colours, 'string', { nullable: false }), 'ERR_NULL', {
    column: 'c',
    row: 1,
  });
  assert.match(message, /string, not nullable, got null/);
  for (const [data, type] of [
    [[1, , 2], undefined],
    [[true, undefined], 'bool'],
    [[new Uint8Array(1), null], 'binary'],
    [[null], undefined],
  ]) {
    await assertRefused(column(data, type, { nullable: false }), 'ERR_NULL', {
      column: 'c',
      row: data.findIndex((value) => value == null),
    });
  }
  await assertRefused(
    column({ values: Int32Array.of(1, 2), validity: Uint8Array.of(1) }, undefined, { nullable: false }),
    'ERR_NULL',
    { column: 'c', row: 1 },
  );
  const schema = { c: { type: 'int32', nullable: false } };
  await assertRefused(() => writeParquetBytes({ c: [1, null] }, { schema }), 'ERR_NULL', { column: 'c', row: 1 });
});

test('nullable: true holds without a null too', async () => {
  for (const data of [[1, 2], Int32Array.of(1, 2)]) {
    const { columns } = await roundTrip([{ name: 'c', data, nullable: true }]);
    assert.deepEqual(columns.c, [1, 2]);
  }
});

test('nulls in every pattern over pages that end anywhere', async () => {
  const rows = 300;
  const patterns = [
    (row) => row % 2,
    (row) => row % 7,
    (row) => row < 150,
    (row) => row >= 150,
    (row) => (row >> 3) % 2,
    (row) => row === 299,
    (row) => row === 0,
  ];
  for (const present of patterns) {
    const data = Array.from({ length: rows }, (_, row) => (present(row) ? row : null));
    for (const options of [
      {},
      { pageRows: 7 },
      { pageRows: 8, rowGroupRows: 100 },
      { dictionary: false, pageRows: 101 },
    ]) {
      await assertStored(data, 'int32', data, options);
      await assertStored(
        data.map((value) => (value === null ? null : `s${value}`)),
        'string',
        data.map((value) => (value === null ? null : `s${value}`)),
        options,
      );
      await assertStored(
        data.map((value) => (value === null ? null : value % 3 === 0)),
        'bool',
        data.map((value) => (value === null ? null : value % 3 === 0)),
        options,
      );
    }
  }
});
