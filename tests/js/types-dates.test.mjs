// Dates and times of day from ISO text and Temporal values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';
import { buddhistDate, instant, other, plainDate, plainDateTime, plainTime, zonedDateTime } from './temporal-like.mjs';

const column = (data, type) => () => writeParquetBytes([{ name: 'c', data, type }]);
const refused = (value, type, code, message) =>
  assertRefused(column([value], type), code, { column: 'c', row: 0, message });
const mismatch = (value, type, message) => refused(value, type, 'ERR_TYPE_MISMATCH', message);
const outOfRange = (value, type, message) => refused(value, type, 'ERR_OUT_OF_RANGE', message);

const DAY_MS = 86_400_000;

test('date: text of every day of 800 years, and of years with six digits', async () => {
  const first = Date.UTC(1600, 0, 1) / DAY_MS;
  const days = Array.from({ length: 800 * 366 }, (_, index) => first + index);
  await assertStored(
    days.map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
    'date',
    days,
  );
  const far = [-100_000_000, -719_529, -719_528, -719_162, 0, 2_932_896, 2_932_897, 100_000_000];
  await assertStored(
    far.map((day) => new Date(day * DAY_MS).toISOString().split('T')[0]),
    'date',
    far,
  );
  await assertStored(
    ['0000-01-01', '+000000-01-01', '+002024-02-29', '-000001-12-31'],
    'date',
    [-719528, -719528, 19782, -719529],
  );
  await assertStored(['+999999-12-31', '-999999-01-01'], 'date', [364522971, -365961662]);
});

test('date: text that is none, and days that there are not', async () => {
  for (const text of [
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-00-01',
    '2024-13-01',
    '2024-01-00',
    '2024-01-32',
  ]) {
    await outOfRange(text, 'date', /date that there is/);
  }
  for (const text of [
    '',
    '2024',
    '2024-02',
    '2024-2-9',
    '20240229',
    '24-02-29',
    '02024-02-29',
    '2024-02-29 ',
    ' 2024-02-29',
    '2024/02/29',
    '2024-02-29T00:00:00Z',
    '-000000-01-01',
    '-2024-01-01',
    '+2024-01-01',
    '2024-02-2９',
    '2024-0a-01',
    'rubbish',
    '2024-02-29Z',
  ]) {
    await mismatch(text, 'date', /as text: 2024-02-29/);
  }
});

test('date: a PlainDate of any calendar', async () => {
  await assertStored([plainDate(2024, 2, 29), plainDate(-271821, 4, 19), buddhistDate(1970, 1, 2), null], 'date', [
    19782,
    -100000001,
    1,
    null,
  ]);
  for (const value of [
    plainTime(1),
    plainDateTime([2024, 1, 1], [0]),
    instant(0n),
    zonedDateTime(0n),
    other('PlainYearMonth'),
    plainDate(2024, 13, 1),
    plainDate(2024, 1.5, 1),
    {},
    true,
    [2024, 1, 1],
  ]) {
    await mismatch(value, 'date');
  }
});

test('time: text, PlainTime and counts in every unit', async () => {
  const last = { ms: '23:59:59.999', us: '23:59:59.999999', ns: '23:59:59.999999999' };
  const perSecond = { ms: 1000, us: 1_000_000, ns: 1_000_000_000 };
  for (const unit of ['ms', 'us', 'ns']) {
    const wrap = unit === 'ms' ? Number : BigInt;
    const type = `time[${unit}]`;
    const day = 86_400 * perSecond[unit];
    await assertStored(
      [
        '00:00',
        '00:00:00',
        '12:34:56',
        '12:34:56.5',
        '12:34:56.500000000',
        last[unit],
        plainTime(1, 2, 3, 4),
        0,
        -0,
        7,
        7n,
        day - 1,
        null,
      ],
      type,
      [
        0,
        0,
        45296 * perSecond[unit],
        45296.5 * perSecond[unit],
        45296.5 * perSecond[unit],
        day - 1,
        3723.004 * perSecond[unit],
        0,
        0,
        7,
        7,
        day - 1,
        null,
      ].map((value) => (value === null ? null : wrap(Math.round(value)))),
    );
    for (const value of [
      -1,
      -1n,
      day,
      BigInt(day),
      0.5,
      NaN,
      Infinity,
      2n ** 64n,
      '24:00:00',
      '23:60:00',
      '23:59:60',
      '99:00',
    ]) {
      await outOfRange(value, type);
    }
    for (const value of [
      '',
      '1:00',
      '12',
      '12:3',
      '12:34:5',
      '12:34.5',
      '12:34:56.',
      '12:34:56,5',
      '12:34:56.1234567890',
      '12:34:56Z',
      '12:34:56+00:00',
      'T12:34:56',
      '12:34:56 ',
      '１2:34',
      new Date(0),
      instant(0n),
      plainDate(2024, 1, 1),
      true,
      {},
    ]) {
      await mismatch(value, type);
    }
  }
  await assertStored([plainTime(23, 59, 59, 999, 999, 999)], 'time[ns]', [86_399_999_999_999n]);
  await assertStored(BigInt64Array.of(5n, 0n), 'time[us]', [5n, 0n]);
  await assertStored(Int32Array.of(5, 0), 'time[ms]', [5, 0]);
  await assertRefused(column(BigInt64Array.of(0n, -1n), 'time[us]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
});

test('time: with a zone text ends in Z, and a PlainTime says too little', async () => {
  await assertStored(['12:34:56.789Z', '00:00Z', 5], 'time[ms, UTC]', [45296789, 0, 5]);
  for (const value of ['12:34:56', '12:34:56+01:00', '12:34:56z', plainTime(1)]) await mismatch(value, 'time[us, UTC]');
});

test('HC-16: an inferred time carries its annotation', async () => {
  const element = await assertStored([plainTime(1)], undefined, [3_600_000_000n]);
  assert.deepEqual(element.logical_type, { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' });
});
