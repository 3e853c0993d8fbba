// Arrays of numbers, bigints, booleans, Dates, bytes: conversion to each type, nulls, edges, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip, roundTripColumn } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);

const integerRanges = {
  int8: [-128, 127], int16: [-32768, 32767], int32: [-2147483648, 2147483647],
  uint8: [0, 255], uint16: [0, 65535], uint32: [0, 4294967295],
};

for (const [type, [least, most]] of Object.entries(integerRanges)) {
  test(`${type}: numbers and bigints of its range, −0 as 0, nothing else`, async () => {
    await assertStored([least, -0, null, 1, most, BigInt(least), BigInt(most)], type, [least, 0, null, 1, most, least, most]);
    for (const wrong of [least - 1, most + 1, 0.5, NaN, Infinity, 2 ** 53, BigInt(most) + 1n, BigInt(least) - 1n, 10n ** 400n]) {
      await assertRefused(column([0, null, wrong], type), 'ERR_OUT_OF_RANGE', { column: 'c', row: 2, message: new RegExp(`expected ${type}`) });
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
  await assertStored([9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 5, -0], 'int64', [9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 5n, 0n]);
  await assertRefused(column([2 ** 53 + 2], 'int64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0, message: /bigint/ });
  await assertRefused(column([0n, 2n ** 63n], 'int64'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1, message: /uint64 or decimal/ });
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
    [1, 1], [-0, -0], [65504, 65504], [65519.99, 65504], [2 ** -24, 2 ** -24], [2 ** -25, 0], [2 ** -25 * 1.0001, 2 ** -24],
    [2 ** -24 * 1.5, 2 ** -23], [2 ** -24 * 2.5, 2 ** -23], [2 ** -14, 2 ** -14], [2 ** -14 - 2 ** -26, 2 ** -14],
    [2049, 2048], [2051, 2052], [1 + 2 ** -11, 1], [1 + 3 * 2 ** -11, 1 + 2 ** -9], [1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -10],
    [NaN, NaN], [Infinity, Infinity], [-Infinity, -Infinity], [5e-324, 0], [-1.999999, -2], [0.1, 0.0999755859375],
  ];
  await assertStored(cases.map(([value]) => value), 'float16', cases.map(([, stored]) => stored));
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
  await assertStored(midpoints, 'float16', midpoints.map((_, bits) => of(bits % 2 === 0 ? bits : bits + 1)));
});

test('bool: booleans only', async () => {
  const rows = Array.from({ length: 100 }, (_, row) => [true, false, null, undefined][(row * row) % 4]);
  await assertStored(rows, 'bool', rows.map((value) => value ?? null));
  await assertStored([true, false, true], 'bool', [true, false, true]);
  for (const wrong of [0, 1, 'true', 1n, {}]) {
    await assertRefused(column([true, wrong], 'bool'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 1 });
  }
});

test('binary: any view or buffer, seen from its own offset', async () => {
  const buffer = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9).buffer;
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  shared.set([9, 8, 7, 6]);
  const data = [
    new Uint8Array(buffer, 2, 3), new DataView(buffer, 1, 2), new Uint16Array(buffer, 2, 1), buffer.slice(7), Buffer.from('hi'),
    shared.subarray(1), shared.buffer, new Uint8Array(0), null, new Uint8Array(1000).fill(3),
  ];
  const expected = [
    [2, 3, 4], [1, 2], [2, 3], [7, 8, 9], [104, 105], [8, 7, 6], [9, 8, 7, 6], [], null, Array(1000).fill(3),
  ].map((bytes) => bytes && Uint8Array.from(bytes));
  for (const options of [{}, { pageBytes: 8 }, { pageRows: 3 }]) await assertStored(data, 'binary', expected, options);
  await assertRefused(column([new Uint8Array(1), 'text'], 'binary'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 1 });
  await assertRefused(column([[1, 2]], 'binary'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
});

test('HC-22: fixed-size bytes of the wrong length', async () => {
  const element = await assertStored([Uint8Array.of(1, 2, 3, 4), null, new DataView(new ArrayBuffer(4))], 'fixed[4]',
    [Uint8Array.of(1, 2, 3, 4), null, new Uint8Array(4)]);
  assert.equal(element.type_length, 4);
  await assertRefused(column([new Uint8Array(4), new Uint8Array(3), new Uint8Array(5)], 'fixed[4]'), 'ERR_OUT_OF_RANGE',
    { column: 'c', row: 1, message: /fixed\[4\], got 3 bytes/ });
  await assertRefused(column(['abcd'], 'fixed[4]'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
  await assertRefused(column([], 'fixed[0]'), 'ERR_SCHEMA', { column: 'c' });
});

test('date: whole days, or the UTC day of a Date', async () => {
  const day = 86_400_000;
  await assertStored(
    [new Date(0), new Date(day - 1), new Date(-1), new Date(Date.UTC(2024, 1, 29, 23, 59)), null, 19000, -5n, 2 ** 31 - 1],
    'date', [0, 0, -1, 19782, null, 19000, -5, 2 ** 31 - 1]);
  await assertRefused(column([0.5], 'date'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([2 ** 31], 'date'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([new Date(NaN)], 'date'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column(['2024-01-02'], 'date'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
});

test('HC-10: microsecond timestamps do not pass through Date', async () => {
  const element = await assertStored(BigInt64Array.of(1751871600123456n, -1n, 0n), 'timestamp[us, UTC]', [1751871600123456n, -1n, 0n]);
  assert.deepEqual(element.logical_type, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' });
  assert.equal(element.converted_type, 'TIMESTAMP_MICROS');
  await assertStored([new Date(1751871600123)], 'timestamp[us, UTC]', [1751871600123000n]);
});

test('Dates in every unit, to the last one that fits', async () => {
  const times = [0, 1, -1, 999, -1001, 1751871600123, -(2 ** 40), 8.64e15, -8.64e15, 4.2e9 * 2 ** 20 + 7];
  for (let power = 1; power < 53; power++) times.push(2 ** power - 1, -(2 ** power), 2 ** power + 1);
  const fitting = times.filter((time) => Math.abs(time) <= 8.64e15);
  const dates = fitting.map((time) => new Date(time));
  await assertStored(dates, 'timestamp[ms]', fitting.map((time) => BigInt(time)));
  await assertStored(dates, 'timestamp[us]', fitting.map((time) => BigInt(time) * 1000n));
  const near = [...fitting.filter((time) => Math.abs(time) <= 9223372036854), 9223372036854, -9223372036854];
  await assertStored(near.map((time) => new Date(time)), 'timestamp[ns]', near.map((time) => BigInt(time) * 1000000n));
});

test('HC-12: dates too far away for nanoseconds', async () => {
  const far = new Date('9999-12-31T00:00:00Z');
  await assertRefused(column([far], 'timestamp[ns]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0, message: /1677-09-21.*2262-04-11/ });
  await assertRefused(column([new Date(9223372036855)], 'timestamp[ns]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertStored([far], 'timestamp[us]', [253402214400000000n]);
});

test('HC-13: an invalid Date is refused', async () => {
  const data = [new Date('2024-01-02'), new Date('rubbish')];
  for (const type of ['timestamp[ms]', 'timestamp[ns, UTC]', undefined]) {
    await assertRefused(column(data, type, { nullable: true }), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1, message: /Invalid Date/ });
  }
});

test('timestamps from integers in their unit', async () => {
  await assertStored([1, -5n, 2n ** 63n - 1n, null], 'timestamp[ns]', [1n, -5n, 2n ** 63n - 1n, null]);
  await assertRefused(column([0.5], 'timestamp[ms]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([2 ** 53], 'timestamp[ms]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([2n ** 63n], 'timestamp[ms]'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column(['2024-01-02T00:00:00Z'], 'timestamp[ms]'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
});

test('HC-17: decimals are exact', async () => {
  const element = await assertStored([4.35, 8.2, 1.15, -0.29, '1.01', 12n, null], 'decimal(10, 2)', [435n, 820n, 115n, -29n, 101n, 1200n, null]);
  assert.deepEqual([element.type, element.converted_type, element.precision, element.scale], ['INT64', 'DECIMAL', 10, 2]);
  await assertRefused(column([1, '1.005'], 'decimal(10, 2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1, message: /1\.005/ });
  await assertRefused(column([1.005], 'decimal(10, 2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('HC-18: a decimal that does not fit its precision', async () => {
  await assertStored(['9999.99'], 'decimal(6, 2)', [999999n]);
  await assertRefused(column(['9999.99', '54321.00'], 'decimal(6,2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1, message: /decimal\(6, 2\).*54321\.00/ });
  await assertRefused(column([10000], 'decimal(6,2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(column([-10000n], 'decimal(6,2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('decimal text in all its spellings', async () => {
  const cases = [
    ['0', 0n], ['-0', 0n], ['+7', 7000n], ['.5', 500n], ['5.', 5000n], ['1.5000000000000', 1500n], ['1e3', 1000000n], ['12.5E-1', 1250n],
    ['000000000000000000000001.25', 1250n], ['123456789012345.678', 123456789012345678n], ['-999999999999999.999', -999999999999999999n],
    ['0e999999999', 0n], ['100e-2', 1000n], ['0.000e-300', 0n],
  ];
  await assertStored(cases.map(([text]) => text), 'decimal(18, 3)', cases.map(([, stored]) => stored));
  for (const wrong of ['', '.', ' 1', '1 ', '1,5', '0x10', 'NaN', 'Infinity', '1e', '--1', '1e5000000000', '١']) {
    await assertRefused(column([wrong], 'decimal(18, 3)'), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
  }
  for (const wrong of ['0.0001', '1e15', '1e999999999', '1e-999999999', '1000000000000000', NaN, Infinity, 1e21, 1e-7, true, null]) {
    if (wrong === null) continue;
    await assertRefused(column([wrong], 'decimal(18, 3)'), typeof wrong === 'boolean' ? 'ERR_TYPE_MISMATCH' : 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  }
});

test('decimals from numbers are those of their shortest text', async () => {
  let state = 12345;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  console.log('seed 12345');
  for (const [precision, scale] of [[9, 4], [15, 2], [18, 6], [18, 0]]) {
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

test('nulls, undefined and holes are nulls in every type', async () => {
  const samples = {
    bool: [true], int8: [1], int64: [1n], uint64: [1n], float16: [1], float32: [1], float64: [1], string: ['x'], date: [1],
    'timestamp[ms]': [1n], 'decimal(5, 0)': [1n], 'decimal(15, 0)': [1n],
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
  const { message } = await assertRefused(column(colours, 'string', { nullable: false }), 'ERR_NULL', { column: 'c', row: 1 });
  assert.match(message, /string, not nullable, got null/);
  for (const [data, type] of [[[1, , 2], undefined], [[true, undefined], 'bool'], [[new Uint8Array(1), null], 'binary'], [[null], undefined]]) {
    await assertRefused(column(data, type, { nullable: false }), 'ERR_NULL', { column: 'c', row: data.findIndex((value) => value == null) });
  }
  await assertRefused(column({ values: Int32Array.of(1, 2), validity: Uint8Array.of(1) }, undefined, { nullable: false }), 'ERR_NULL', { column: 'c', row: 1 });
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
  const patterns = [(row) => row % 2, (row) => row % 7, (row) => row < 150, (row) => row >= 150, (row) => (row >> 3) % 2, (row) => row === 299, (row) => row === 0];
  for (const present of patterns) {
    const data = Array.from({ length: rows }, (_, row) => present(row) ? row : null);
    for (const options of [{}, { pageRows: 7 }, { pageRows: 8, rowGroupRows: 100 }, { dictionary: false, pageRows: 101 }]) {
      await assertStored(data, 'int32', data, options);
      await assertStored(data.map((value) => value === null ? null : `s${value}`), 'string', data.map((value) => value === null ? null : `s${value}`), options);
      await assertStored(data.map((value) => value === null ? null : value % 3 === 0), 'bool', data.map((value) => value === null ? null : value % 3 === 0), options);
    }
  }
});
