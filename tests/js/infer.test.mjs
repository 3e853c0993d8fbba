// Types inferred from what a column holds, as api promises: the whole column, never a prefix.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, roundTrip, roundTripColumn } from './read-back.mjs';

const infer = async (data) => {
  const { values, element } = await roundTripColumn(data);
  const logical = element.logical_type;
  return {
    values,
    type: element.type,
    logical: logical?.type,
    unit: logical?.unit,
    utc: logical?.isAdjustedToUTC,
    nullable: element.repetition_type === 'OPTIONAL',
  };
};

test('numbers: int32, int64, float64 by all of them', async () => {
  const cases = [
    [[1, 2, 3], 'INT32'],
    [[0, -(2 ** 31), 2 ** 31 - 1], 'INT32'],
    [[0, 2 ** 31], 'INT64'],
    [[-(2 ** 31) - 1], 'INT64'],
    [[2 ** 53 - 1], 'INT64'],
    [[1, 2 ** 53], 'DOUBLE'],
    [[1, 0.5], 'DOUBLE'],
    [[1, NaN], 'DOUBLE'],
    [[Infinity], 'DOUBLE'],
    [[0, -0], 'DOUBLE'],
    [[-0], 'DOUBLE'],
    [[2 ** 40, -0], 'DOUBLE'],
    [[2 ** 40, 0.5, 2 ** 40], 'DOUBLE'],
    [[1e21], 'DOUBLE'],
  ];
  for (const [data, type] of cases) {
    const found = await infer(data);
    assert.equal(found.type, type, String(data));
    assert.equal(found.logical, undefined);
    assert.equal(found.nullable, false);
    const expected = type === 'INT64' ? data.map(BigInt) : data;
    assert.deepEqual(found.values, expected);
  }
});

test('the last row counts as much as the first', async () => {
  const rows = 200_000;
  const data = Array.from({ length: rows }, (_, row) => row);
  data[rows - 1] = 0.5;
  assert.equal((await infer(data)).type, 'DOUBLE');
  data[rows - 1] = 2 ** 40;
  assert.equal((await infer(data)).type, 'INT64');
  data[rows - 1] = 'x';
  await assertRefused(() => writeParquetBytes({ c: data }), 'ERR_TYPE_MISMATCH', { column: 'c', row: rows - 1 });
  data[rows - 1] = null;
  assert.equal((await infer(data)).nullable, true);
});

test('booleans, strings, Dates, bytes, bigints', async () => {
  assert.deepEqual(await infer([true, null]), {
    values: [true, null],
    type: 'BOOLEAN',
    logical: undefined,
    unit: undefined,
    utc: undefined,
    nullable: true,
  });
  assert.deepEqual(await infer(['a']), {
    values: ['a'],
    type: 'BYTE_ARRAY',
    logical: 'STRING',
    unit: undefined,
    utc: undefined,
    nullable: false,
  });
  assert.deepEqual(await infer([new Date(5)]), {
    values: [5n],
    type: 'INT64',
    logical: 'TIMESTAMP',
    unit: 'MILLIS',
    utc: true,
    nullable: false,
  });
  for (const bytes of [
    Uint8Array.of(1),
    Uint8Array.of(1).buffer,
    new DataView(Uint8Array.of(1).buffer),
    Buffer.of(1),
  ]) {
    assert.deepEqual(await infer([bytes]), {
      values: [Uint8Array.of(1)],
      type: 'BYTE_ARRAY',
      logical: undefined,
      unit: undefined,
      utc: undefined,
      nullable: false,
    });
  }
  assert.deepEqual(await infer([null, 5n, 2n ** 63n - 1n]), {
    values: [null, 5n, 2n ** 63n - 1n],
    type: 'INT64',
    logical: undefined,
    unit: undefined,
    utc: undefined,
    nullable: true,
  });
});

test('HC-15: a Date without a type is no nanoseconds, a bigint is signed', async () => {
  const { elements } = await roundTrip({ t: [new Date(0)], n: [1n] });
  assert.equal(elements.t.converted_type, 'TIMESTAMP_MILLIS');
  assert.equal(elements.n.logical_type, undefined);
});

test('HC-16: timestamps, dates and strings carry their annotation, binary none', async () => {
  const table = [
    { name: 'd', data: [new Date(0)], type: 'date' },
    { name: 't', data: [new Date(0)] },
    { name: 's', data: ['x'] },
    { name: 'b', data: [Uint8Array.of(120)] },
  ];
  const { elements } = await roundTrip(table);
  assert.deepEqual(
    [elements.d.type, elements.d.logical_type.type, elements.d.converted_type],
    ['INT32', 'DATE', 'DATE'],
  );
  assert.deepEqual(
    [elements.t.type, elements.t.logical_type.type, elements.t.converted_type],
    ['INT64', 'TIMESTAMP', 'TIMESTAMP_MILLIS'],
  );
  assert.deepEqual(
    [elements.s.type, elements.s.logical_type.type, elements.s.converted_type],
    ['BYTE_ARRAY', 'STRING', 'UTF8'],
  );
  assert.deepEqual(
    [elements.b.type, elements.b.logical_type, elements.b.converted_type],
    ['BYTE_ARRAY', undefined, undefined],
  );
});

test('numbers beside bigints: int64 where every number is a safe integer, in either order', async () => {
  for (const data of [
    [1, 2n, 3],
    [2n, 1, null, 2 ** 53 - 1],
    [null, -5, 7n],
  ]) {
    const found = await infer(data);
    assert.equal(found.type, 'INT64');
    assert.deepEqual(
      found.values,
      data.map((value) => (value === null ? null : BigInt(value))),
    );
  }
  for (const [data, row] of [
    [[1, 2n, 0.5], 2],
    [[0.5, 1, 2n], 2],
    [[2n, -0], 1],
    [[-0, 2n], 1],
    [[2n, 2 ** 53], 1],
    [[1n, NaN], 1],
  ]) {
    await assertRefused(() => writeParquetBytes({ c: data }), 'ERR_TYPE_MISMATCH', {
      column: 'c',
      row,
      message: /bigint/,
    });
  }
});

test('a bigint outside of int64 names what would hold it', async () => {
  await assertRefused(() => writeParquetBytes({ c: [1n, 2n ** 63n] }), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 1,
    message: /uint64 or decimal/,
  });
});

test('HC-04: a column of nulls only', async () => {
  for (const data of [
    [null, null, null],
    [undefined, null, undefined],
    [, , ,],
  ]) {
    const { columns, elements, metadata } = await roundTrip({ a: data, b: [1, 2, 3] });
    assert.deepEqual(columns.a, [null, null, null]);
    assert.deepEqual([elements.a.type, elements.a.repetition_type], ['INT32', 'OPTIONAL']);
    assert.equal(elements.a.logical_type.type, 'NULL');
    const { statistics } = metadata.row_groups[0].columns[0].meta_data;
    assert.equal(Number(statistics.null_count), 3);
    assert.equal(statistics.min_value, undefined);
  }
  const typed = await roundTripColumn([null, null, null], 'string');
  assert.equal(typed.element.logical_type.type, 'STRING');
  const empty = await roundTrip({ a: [] });
  assert.equal(empty.elements.a.logical_type.type, 'NULL');
  const declared = await roundTripColumn([null, null], 'null');
  assert.deepEqual(declared.values, [null, null]);
  await assertRefused(() => writeParquetBytes([{ name: 'c', data: [null, 1], type: 'null' }]), 'ERR_TYPE_MISMATCH', {
    column: 'c',
    row: 1,
  });
});

test('mixed kinds name both and the row', async () => {
  const cases = [
    [[1, 'a'], 1, /number as in row 0.*"a" \(string\)/],
    [[null, 'a', 2], 2, /string as in row 1.*2 \(number\)/],
    [['a', true], 1, /string.*true \(boolean\)/],
    [[new Date(0), 5], 1, /Date.*5 \(number\)/],
    [[Uint8Array.of(1), 'a'], 1, /bytes.*string/],
    [[true, 1n], 1, /boolean.*1 \(bigint\)/],
    [[1n, 'x'], 1, /bigint.*string/],
  ];
  for (const [data, row, message] of cases) {
    await assertRefused(() => writeParquetBytes({ c: data }), 'ERR_TYPE_MISMATCH', { column: 'c', row, message });
  }
});

test('values without a column type', async () => {
  class Point {
    x = 1;
  }
  const cases = [
    [new Set(), /no column type/],
    [Symbol('s'), /no column type/],
    [() => 1, /no column type/],
    [new Error('e'), /no column type/],
    [new Point(), /Point.*no column type/],
    [/x/, /no column type/],
    [Promise.resolve(), /no column type/],
    [new Number(1), /no column type/],
    [{ [Symbol.toStringTag]: 'Temporal.Instant' }, /no column type/],
  ];
  for (const [value, message] of cases) {
    await assertRefused(() => writeParquetBytes({ c: [null, value] }), 'ERR_TYPE_MISMATCH', {
      column: 'c',
      row: 1,
      message,
    });
  }
});

test('an object that only claims to be a typed array is not believed', async () => {
  const fake = {
    [Symbol.toStringTag]: 'Int32Array',
    length: 1,
    0: 1,
    BYTES_PER_ELEMENT: 4,
    buffer: new ArrayBuffer(4),
    byteOffset: 0,
  };
  await assertRefused(() => writeParquetBytes({ c: fake }), 'ERR_TYPE_MISMATCH', { column: 'c' });
  const date = Object.setPrototypeOf({}, Date.prototype);
  await assertRefused(() => writeParquetBytes({ c: [date] }), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
});
