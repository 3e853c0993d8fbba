// Timestamps from ISO text and Temporal values: exact, in range, with or without a zone as the type says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';
import { instant, plainDate, plainDateTime, plainTime, zonedDateTime } from './temporal-like.mjs';

const SEED = 90210;
const column = (data, type) => () => writeParquetBytes([{ name: 'c', data, type }]);
const refused = (value, type, code, message) =>
  assertRefused(column([value], type), code, { column: 'c', row: 0, message });
const mismatch = (value, type, message) => refused(value, type, 'ERR_TYPE_MISMATCH', message);
const outOfRange = (value, type, message) => refused(value, type, 'ERR_OUT_OF_RANGE', message);

const NS_LEAST = -(2n ** 63n);
const NS_MOST = 2n ** 63n - 1n;

test('nothing is rounded: what is finer than the unit is refused', async () => {
  const finer = /exactly: there is more behind the/;
  for (const [value, type] of [
    ['12:34:56.7891', 'time[ms]'],
    ['12:34:56.789000001', 'time[us]'],
    [plainTime(1, 2, 3, 4, 5), 'time[ms]'],
    [plainTime(1, 2, 3, 4, 5, 6), 'time[us]'],
    ['2024-02-29T12:34:56.7891', 'timestamp[ms]'],
    ['2024-02-29T12:34:56.789000001Z', 'timestamp[us, UTC]'],
    [instant(1_001n), 'timestamp[us, UTC]'],
    [instant(-1n), 'timestamp[us, UTC]'],
    [zonedDateTime(1_000_001n), 'timestamp[ms, UTC]'],
    [plainDateTime([2024, 2, 29], [0, 0, 0, 0, 0, 1]), 'timestamp[us]'],
  ]) {
    await outOfRange(value, type, finer);
  }
  await assertStored(['2024-02-29T12:34:56.789000000'], 'timestamp[ms]', [1709210096789n]);
});

test('timestamp: an instant has Z or an offset, a local time neither', async () => {
  const stored = 1709210096123456n;
  await assertStored(
    [
      '2024-02-29T12:34:56.123456Z',
      '2024-02-29 12:34:56.123456Z',
      '2024-02-29T18:04:56.123456+05:30',
      '2024-02-28T13:34:56.123456-23:00',
      '2024-02-29T12:34:56.123456+00:00',
      '2024-02-29T12:34:56.123456-00:00',
      instant(stored * 1000n),
      zonedDateTime(stored * 1000n),
      stored,
    ],
    'timestamp[us, UTC]',
    Array(9).fill(stored),
  );
  await assertStored(
    [
      '2024-02-29T12:34:56.123456',
      '2024-02-29 12:34:56.123456',
      plainDateTime([2024, 2, 29], [12, 34, 56, 123, 456]),
      stored,
    ],
    'timestamp[us]',
    Array(4).fill(stored),
  );
  await assertStored(['1970-01-01T00:00', '1970-01-01T00:00:00.5'], 'timestamp[ms]', [0n, 500n]);
  for (const value of [
    '2024-02-29T12:34:56',
    '2024-02-29',
    plainDateTime([2024, 2, 29], [0]),
    plainDate(2024, 2, 29),
    plainTime(1),
  ]) {
    await mismatch(value, 'timestamp[us, UTC]', /Z or an offset|Temporal\.Instant/);
  }
  for (const value of [
    '2024-02-29T12:34:56Z',
    '2024-02-29T12:34:56+00:00',
    instant(0n),
    zonedDateTime(0n),
    plainDate(2024, 2, 29),
  ]) {
    await mismatch(value, 'timestamp[us]', /no zone|Temporal\.PlainDateTime/);
  }
});

test('timestamp: text that is none, and moments that there are not', async () => {
  for (const text of [
    '',
    '2024',
    '2024-02-29',
    '2024-02-29T12:34:56z',
    '2024-02-29t12:34:56Z',
    '2024-02-29T12Z',
    '2024-02-29T12:34:56+0530',
    '2024-02-29T12:34:56+05',
    '2024-02-29T12:34:56.Z',
    '2024-02-29T12:34:56.1234567890Z',
    '2024-02-29T12:34:56,5Z',
    '2024-02-29T12:34:56Z[UTC]',
    '2024-02-29  12:34:56Z',
    '2024-02-29T12:34:56 Z',
    '2024-02-29T1:34:56Z',
    '2024-W09-4T12:34:56Z',
    '2024-060T12:34:56Z',
    '-000000-01-01T00:00:00Z',
    '1709210096',
    '2024-02-29T12:34.5Z',
  ]) {
    await mismatch(text, 'timestamp[us, UTC]');
  }
  for (const text of [
    '2023-02-29T12:34:56Z',
    '2024-02-29T24:00:00Z',
    '2024-02-29T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2024-02-29T12:34:56+24:00',
    '2024-02-29T12:34:56+01:60',
  ]) {
    await outOfRange(text, 'timestamp[us, UTC]', /that there is/);
  }
});

test('timestamp: as Date reads the same text, in every unit', async () => {
  console.log(`seed ${SEED}`);
  let state = SEED;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const times = Array.from(
    { length: 5000 },
    () => ((random(2 ** 32) * 2 ** 22 + random(2 ** 22)) % 8.64e15) * (random(2) ? 1 : -1),
  );
  const texts = times.map((time) => new Date(time).toISOString());
  await assertStored(texts, 'timestamp[ms, UTC]', times.map(BigInt));
  await assertStored(
    texts,
    'timestamp[us, UTC]',
    times.map((time) => BigInt(time) * 1000n),
  );
  await assertStored(
    texts.map((text) => text.slice(0, -1)),
    'timestamp[us]',
    times.map((time) => BigInt(time) * 1000n),
  );
  const near = times.map((time) => time % 9_000_000_000_000);
  const fractions = near.map(() => String(random(1_000_000)).padStart(6, '0'));
  await assertStored(
    near.map((time, row) => `${new Date(time).toISOString().slice(0, -1)}${fractions[row]}Z`),
    'timestamp[ns, UTC]',
    near.map((time, row) => BigInt(time) * 1_000_000n + BigInt(fractions[row])),
  );
});

test('HC-12: the first and last moments of each unit, and the ones beyond', async () => {
  await assertStored(
    [
      '1677-09-21T00:12:43.145224192Z',
      '2262-04-11T23:47:16.854775807Z',
      instant(NS_LEAST),
      instant(NS_MOST),
      new Date(-9223372036854),
      new Date(9223372036854),
    ],
    'timestamp[ns, UTC]',
    [NS_LEAST, NS_MOST, NS_LEAST, NS_MOST, -9223372036854000000n, 9223372036854000000n],
  );
  await assertStored(
    [
      plainDateTime([1677, 9, 21], [0, 12, 43, 145, 224, 192]),
      plainDateTime([2262, 4, 11], [23, 47, 16, 854, 775, 807]),
    ],
    'timestamp[ns]',
    [NS_LEAST, NS_MOST],
  );
  for (const value of [
    '1677-09-21T00:12:43.145224191Z',
    '2262-04-11T23:47:16.854775808Z',
    '9999-12-31T00:00:00Z',
    '0001-01-01T00:00:00Z',
    instant(NS_LEAST - 1n),
    instant(NS_MOST + 1n),
    new Date('9999-12-31T00:00:00Z'),
    new Date(-9223372036855),
    new Date(9223372036855),
  ]) {
    await outOfRange(value, 'timestamp[ns, UTC]', /1677-09-21 to 2262-04-11/);
  }
  await assertStored(
    ['-290308-12-21T19:59:05.224192', '+294247-01-10T04:00:54.775807', '9999-12-31T00:00:00'],
    'timestamp[us]',
    [NS_LEAST, NS_MOST, 253402214400000000n],
  );
  for (const value of ['-290308-12-21T19:59:05.224191', '+294247-01-10T04:00:54.775808', '+999999-01-01T00:00:00']) {
    await outOfRange(value, 'timestamp[us]', /294247/);
  }
  await assertStored(['+999999-12-31T23:59:59.999', '-999999-01-01T00:00:00.001'], 'timestamp[ms]', [
    31494784780799999n,
    -31619087596799999n,
  ]);
});

test('int96: nanoseconds of the day and the Julian day, as Impala has them', async () => {
  const noon = 1709208000000000000n;
  await assertStored(
    [
      new Date('2024-02-29T12:00:00Z'),
      noon,
      -1n,
      -1,
      0,
      instant(noon + 1n),
      zonedDateTime(noon),
      plainDateTime([2024, 2, 29], [12]),
      '2024-02-29T12:00:00.000000001Z',
      '2024-02-29T13:00:00+01:00',
      '2024-02-29T12:00:00',
      null,
    ],
    'int96',
    [noon, noon, -1n, -1n, 0n, noon + 1n, noon, noon, noon + 1n, noon, noon, null],
  );
  await assertStored(BigInt64Array.of(NS_LEAST, NS_MOST), 'int96', [NS_LEAST, NS_MOST]);
  await assertStored(['9999-12-31T00:00:00Z', new Date(8.64e15), '-004713-11-24T00:00:00'], 'int96', [
    253402214400n * 10n ** 9n,
    8640000000000n * 10n ** 9n,
    -2440588n * 86400n * 10n ** 9n,
  ]);
  for (const value of [
    '-004713-11-23T23:59:59',
    new Date(-8.64e15),
    2n ** 100n,
    -(2n ** 100n),
    0.5,
    NaN,
    new Date(NaN),
    '2024-02-30T00:00:00Z',
  ])
    await outOfRange(value, 'int96');
  for (const value of ['2024-02-29', 'x', plainDate(2024, 1, 1), plainTime(1), true, {}])
    await mismatch(value, 'int96');
});

test('HC-13: an invalid Date is refused in every type that takes Dates', async () => {
  for (const type of ['date', 'timestamp[ms]', 'timestamp[us, UTC]', 'timestamp[ns]', 'int96']) {
    await assertRefused(column([new Date(0), new Date('rubbish')], type), 'ERR_OUT_OF_RANGE', {
      column: 'c',
      row: 1,
      message: /Invalid Date/,
    });
  }
});
