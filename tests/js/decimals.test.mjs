// Decimals from numbers, bigints and text: exact, or refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);

test('HC-17: decimals are exact', async () => {
  const element = await assertStored([4.35, 8.2, 1.15, -0.29, '1.01', 12n, null], 'decimal(10, 2)', [
    435n,
    820n,
    115n,
    -29n,
    101n,
    1200n,
    null,
  ]);
  assert.deepEqual(
    [element.type, element.converted_type, element.precision, element.scale],
    ['INT64', 'DECIMAL', 10, 2],
  );
  await assertRefused(column([1, '1.005'], 'decimal(10, 2)'), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 1,
    message: /1\.005/,
  });
  await assertRefused(column([1.005], 'decimal(10, 2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('HC-18: a decimal that does not fit its precision', async () => {
  await assertStored(['9999.99'], 'decimal(6, 2)', [999999n]);
  await assertRefused(column(['9999.99', '54321.00'], 'decimal(6,2)'), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 1,
    message: /decimal\(6, 2\).*54321\.00/,
  });
  await assertRefused(column([10000], 'decimal(6,2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([-10000n], 'decimal(6,2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('decimal text in all its spellings', async () => {
  const cases = [
    ['0', 0n],
    ['-0', 0n],
    ['+7', 7000n],
    ['.5', 500n],
    ['5.', 5000n],
    ['1.5000000000000', 1500n],
    ['1e3', 1000000n],
    ['12.5E-1', 1250n],
    ['000000000000000000000001.25', 1250n],
    ['123456789012345.678', 123456789012345678n],
    ['-999999999999999.999', -999999999999999999n],
    ['0e999999999', 0n],
    ['100e-2', 1000n],
    ['0.000e-300', 0n],
  ];
  await assertStored(
    cases.map(([text]) => text),
    'decimal(18, 3)',
    cases.map(([, stored]) => stored),
  );
  for (const wrong of ['', '.', ' 1', '1 ', '1,5', '0x10', 'NaN', 'Infinity', '1e', '--1', '1e5000000000', '١']) {
    await assertRefused(column([wrong], 'decimal(18, 3)'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
  }
  for (const wrong of [
    '0.0001',
    '1e15',
    '1e999999999',
    '1e-999999999',
    '1000000000000000',
    NaN,
    Infinity,
    1e21,
    1e-7,
    true,
    null,
  ]) {
    if (wrong === null) continue;
    await assertRefused(
      column([wrong], 'decimal(18, 3)'),
      typeof wrong === 'boolean' ? 'ERR_TYPE_MISMATCH' : 'ERR_OUT_OF_RANGE',
      { column: 'c', row: 0 },
    );
  }
});

test('decimals from numbers are those of their shortest text', async () => {
  let state = 12345;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  console.log('seed 12345');
  for (const [precision, scale] of [
    [9, 4],
    [15, 2],
    [18, 6],
    [18, 0],
  ]) {
    const numbers = Array.from({ length: 2000 }, () => {
      const digits = 1 + Math.floor(random() * Math.min(precision, 16));
      return Number(`${random() < 0.5 ? '-' : ''}${Math.floor(random() * 10 ** digits)}e-${Math.min(scale, digits)}`);
    }).filter((value) => !/e/.test(String(value)));
    const expected = numbers.map((value) => {
      const [whole, fraction = ''] = String(value).split('.');
      return BigInt(whole.replace('-', '') + fraction.padEnd(scale, '0')) * (value < 0 ? -1n : 1n);
    });
    await assertStored(numbers, `decimal(${precision}, ${scale})`, expected);
  }
});
