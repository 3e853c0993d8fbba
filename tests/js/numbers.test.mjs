// Arrays of numbers, bigints and booleans: what each type takes, its edges, and what it refuses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);

const integerRanges = {
  int8: [-128, 127],
  int16: [-32768, 32767],
  int32: [-2147483648, 2147483647],
  uint8: [0, 255],
  uint16: [0, 65535],
  uint32: [0, 4294967295],
};

for (const [type, [least, most]] of Object.entries(integerRanges)) {
  test(`${type}: numbers and bigints of its range, −0 as 0, nothing else`, async () => {
    await assertStored([least, -0, null, 1, most, BigInt(least), BigInt(most)], type, [
      least,
      0,
      null,
      1,
      most,
      least,
      most,
    ]);
    for (const wrong of [
      least - 1,
      most + 1,
      0.5,
      NaN,
      Infinity,
      2 ** 53,
      BigInt(most) + 1n,
      BigInt(least) - 1n,
      10n ** 400n,
    ]) {
      await assertRefused(column([0, null, wrong], type), 'ERR_OUT_OF_RANGE', {
        column: 'c',
        row: 2,
        message: new RegExp(`expected ${type}`),
      });
    }
    for (const wrong of ['1', true, new Date(0), {}, [], Symbol('s'), () => 1, new Number(1)]) {
      await assertRefused(column([0, wrong], type), 'ERR_TYPE_MISMATCH', { column: 'c', row: 1 });
    }
  });
}

test('HC-09: fractions and NaN sent to an integer column', async () => {
  const { message } = await assertRefused(column([1, 2.5, 3], 'int32'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
  assert.match(message, /^column "c", row 1: expected int32 .*, got 2\.5 \(number\)$/);
  await assertRefused(column([1, NaN], 'int32'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
  await assertRefused(column([1, 2147483648], 'int32'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
  await assertRefused(column([-1], 'uint8'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertStored([-0], 'int32', [0]);
});

test('HC-07: 64-bit integers beyond 2^53', async () => {
  await assertStored([9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 5, -0], 'int64', [
    9007199254740993n,
    -(2n ** 63n),
    2n ** 63n - 1n,
    5n,
    0n,
  ]);
  await assertRefused(column([2 ** 53 + 2], 'int64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0, message: /bigint/ });
  await assertRefused(column([0n, 2n ** 63n], 'int64'), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 1,
    message: /uint64 or decimal/,
  });
  await assertRefused(column([-(2n ** 63n) - 1n], 'int64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertStored([0n, 2n ** 64n - 1n, 2 ** 53 - 1], 'uint64', [0n, 2n ** 64n - 1n, 2n ** 53n - 1n]);
  await assertRefused(column([2n ** 64n], 'uint64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([-1n], 'uint64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([-1], 'uint64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('numbers in int64: every power of two and its neighbours, both signs', async () => {
  const numbers = [];
  for (let power = 0; power <= 53; power++) {
    for (const value of [2 ** power - 1, 2 ** power, 2 ** power + 1]) {
      if (Number.isSafeInteger(value)) numbers.push(value, -value);
    }
  }
  const expected = numbers.map((value) => BigInt(value));
  await assertStored(numbers, 'int64', expected);
  await assertStored(Float64Array.from(numbers), 'int64', expected);
  await assertStored(numbers, 'timestamp[us]', expected);
});

test('HC-08: decimal text is no int64', async () => {
  for (const text of ['9007199254740993', '-7', ' 8', '12.0', '']) {
    await assertRefused(column([1n, text], 'int64'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 1, message: /BigInt/ });
  }
});

test('float64 and float32: numbers as they are or rounded, bigints only exactly', async () => {
  await assertStored([-0, NaN, 0.1, null, Infinity, 2n ** 60n], 'float64', [-0, NaN, 0.1, null, Infinity, 2 ** 60]);
  await assertStored([-0, NaN, 0.1, null, -Infinity, 7n], 'float32', [-0, NaN, Math.fround(0.1), null, -Infinity, 7]);
  await assertRefused(column([2n ** 53n + 1n], 'float64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([10n ** 400n], 'float64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([0, 1e39], 'float32'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1, message: /infinity/ });
  for (const wrong of ['1', true, new Date(0), []]) {
    await assertRefused(column([wrong], 'float64'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
  }
});

test('float16: to nearest, halves to even, subnormals, edges', async () => {
  const cases = [
    [1, 1],
    [-0, -0],
    [65504, 65504],
    [65519.99, 65504],
    [2 ** -24, 2 ** -24],
    [2 ** -25, 0],
    [2 ** -25 * 1.0001, 2 ** -24],
    [2 ** -24 * 1.5, 2 ** -23],
    [2 ** -24 * 2.5, 2 ** -23],
    [2 ** -14, 2 ** -14],
    [2 ** -14 - 2 ** -26, 2 ** -14],
    [2049, 2048],
    [2051, 2052],
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -10],
    [NaN, NaN],
    [Infinity, Infinity],
    [-Infinity, -Infinity],
    [5e-324, 0],
    [-1.999999, -2],
    [0.1, 0.0999755859375],
  ];
  await assertStored(
    cases.map(([value]) => value),
    'float16',
    cases.map(([, stored]) => stored),
  );
  await assertRefused(column([65520], 'float16'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0, message: /infinity/ });
});

test('float16: every finite value comes back, and so does every midpoint by the rule', async () => {
  const of = (bits) => {
    const exponent = bits >> 10;
    return exponent === 0 ? bits * 2 ** -24 : (1024 + (bits & 1023)) * 2 ** (exponent - 25);
  };
  const values = Array.from({ length: 0x7c00 }, (_, bits) => of(bits));
  await assertStored(values, 'float16', values);
  const midpoints = values.slice(1).map((value, bits) => (value + values[bits]) / 2);
  await assertStored(
    midpoints,
    'float16',
    midpoints.map((_, bits) => of(bits % 2 === 0 ? bits : bits + 1)),
  );
});

test('bool: booleans only', async () => {
  const rows = Array.from({ length: 100 }, (_, row) => [true, false, null, undefined][(row * row) % 4]);
  await assertStored(
    rows,
    'bool',
    rows.map((value) => value ?? null),
  );
  await assertStored([true, false, true], 'bool', [true, false, true]);
  for (const wrong of [0, 1, 'true', 1n, {}]) {
    await assertRefused(column([true, wrong], 'bool'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 1 });
  }
});
