// Dates and timestamps: from Dates, and from integers in their unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);

test('date: whole days, or the UTC day of a Date', async () => {
  const day = 86_400_000;
  await assertStored(
    [
      new Date(0),
      new Date(day - 1),
      new Date(-1),
      new Date(Date.UTC(2024, 1, 29, 23, 59)),
      null,
      19000,
      -5n,
      2 ** 31 - 1,
    ],
    'date',
    [0, 0, -1, 19782, null, 19000, -5, 2 ** 31 - 1],
  );
  await assertRefused(column([0.5], 'date'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([2 ** 31], 'date'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([new Date(NaN)], 'date'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('HC-10: microsecond timestamps do not pass through Date', async () => {
  const element = await assertStored(BigInt64Array.of(1751871600123456n, -1n, 0n), 'timestamp[us, UTC]', [
    1751871600123456n,
    -1n,
    0n,
  ]);
  assert.deepEqual(element.logical_type, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' });
  assert.equal(element.converted_type, 'TIMESTAMP_MICROS');
  await assertStored([new Date(1751871600123)], 'timestamp[us, UTC]', [1751871600123000n]);
});

test('Dates in every unit, to the last one that fits', async () => {
  const times = [0, 1, -1, 999, -1001, 1751871600123, -(2 ** 40), 8.64e15, -8.64e15, 4.2e9 * 2 ** 20 + 7];
  for (let power = 1; power < 53; power++) times.push(2 ** power - 1, -(2 ** power), 2 ** power + 1);
  const fitting = times.filter((time) => Math.abs(time) <= 8.64e15);
  const dates = fitting.map((time) => new Date(time));
  await assertStored(
    dates,
    'timestamp[ms]',
    fitting.map((time) => BigInt(time)),
  );
  await assertStored(
    dates,
    'timestamp[us]',
    fitting.map((time) => BigInt(time) * 1000n),
  );
  const near = [...fitting.filter((time) => Math.abs(time) <= 9223372036854), 9223372036854, -9223372036854];
  await assertStored(
    near.map((time) => new Date(time)),
    'timestamp[ns]',
    near.map((time) => BigInt(time) * 1000000n),
  );
});

test('HC-12: dates too far away for nanoseconds', async () => {
  const far = new Date('9999-12-31T00:00:00Z');
  await assertRefused(column([far], 'timestamp[ns]'), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 0,
    message: /1677-09-21.*2262-04-11/,
  });
  await assertRefused(column([new Date(9223372036855)], 'timestamp[ns]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertStored([far], 'timestamp[us]', [253402214400000000n]);
});

test('HC-13: an invalid Date is refused', async () => {
  const data = [new Date('2024-01-02'), new Date('rubbish')];
  for (const type of ['timestamp[ms]', 'timestamp[ns, UTC]', undefined]) {
    await assertRefused(column(data, type, { nullable: true }), 'ERR_OUT_OF_RANGE', {
      column: 'c',
      row: 1,
      message: /Invalid Date/,
    });
  }
});

test('timestamps from integers in their unit', async () => {
  await assertStored([1, -5n, 2n ** 63n - 1n, null], 'timestamp[ns]', [1n, -5n, 2n ** 63n - 1n, null]);
  await assertRefused(column([0.5], 'timestamp[ms]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([2 ** 53], 'timestamp[ms]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([2n ** 63n], 'timestamp[ms]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column(['2024-01-02T00:00:00Z'], 'timestamp[ms]'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
});
