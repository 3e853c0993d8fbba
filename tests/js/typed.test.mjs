// Typed arrays: every array to every type that takes it, with and without a validity bitmap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip } from './read-back.mjs';

const edges = {
  Int8Array: [-128, -1, 0, 1, 127],
  Uint8Array: [0, 1, 127, 128, 255],
  Uint8ClampedArray: [0, 1, 127, 128, 255],
  Int16Array: [-32768, -1, 0, 1, 32767],
  Uint16Array: [0, 1, 32767, 32768, 65535],
  Int32Array: [-2147483648, -1, 0, 1, 2147483647],
  Uint32Array: [0, 1, 2147483647, 2147483648, 4294967295],
  BigInt64Array: [-(2n ** 63n), -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n],
  BigUint64Array: [0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n],
  Float32Array: [-Infinity, -0, 0, Math.fround(0.1), Infinity, NaN],
  Float64Array: [-Infinity, -0, 0, 5e-324, 0.1, Infinity, NaN],
  // Where the engine has it.
  ...(globalThis.Float16Array && { Float16Array: [-Infinity, -0, 0, 2 ** -24, 0.0999755859375, 65504, NaN] }),
};

const own = {
  Int8Array: ['int8', 'INT32'],
  Uint8Array: ['uint8', 'INT32'],
  Uint8ClampedArray: ['uint8', 'INT32'],
  Int16Array: ['int16', 'INT32'],
  Uint16Array: ['uint16', 'INT32'],
  Int32Array: ['int32', 'INT32'],
  Uint32Array: ['uint32', 'INT32'],
  BigInt64Array: ['int64', 'INT64'],
  BigUint64Array: ['uint64', 'INT64'],
  Float32Array: ['float32', 'FLOAT'],
  Float64Array: ['float64', 'DOUBLE'],
  Float16Array: ['float16', 'FIXED_LEN_BYTE_ARRAY'],
};

const integers = ['int8', 'int16', 'int32', 'uint8', 'uint16', 'uint32', 'int64', 'uint64'];

const others = [
  'float32',
  'float64',
  'date',
  'timestamp[ms]',
  'timestamp[us, UTC]',
  'timestamp[ns]',
  'decimal(4, 0)',
  'decimal(18, 2)',
];

const isBig = (type) => type === 'int64' || type === 'uint64' || type.startsWith('timestamp');

/** What the type stores for a small whole number. */
function stored(type, value) {
  if (type === 'decimal(18, 2)') return BigInt(value) * 100n;
  if (isBig(type) || type.startsWith('decimal')) return BigInt(value);
  return value;
}

for (const [name, values] of Object.entries(edges)) {
  const array = globalThis[name].from(values);
  const [type, physical] = own[name];

  test(`${name} as it is: ${type}, edges of its range`, async () => {
    for (const declared of [undefined, type]) {
      const element = await assertStored(array, declared, values);
      assert.equal(element.type, physical);
      assert.equal(element.repetition_type, 'REQUIRED');
    }
    for (const compression of ['none', 'snappy', 'zstd']) await assertStored(array, undefined, values, { compression });
  });

  test(`${name} converted to every type that takes small whole numbers`, async () => {
    const whole = [0, 1, 2, 100];
    const small = globalThis[name].from(
      array instanceof BigInt64Array || array instanceof BigUint64Array ? whole.map(BigInt) : whole,
    );
    for (const target of [...integers, ...others]) {
      await assertStored(
        small,
        target,
        whole.map((value) => stored(target, value)),
      );
      await assertStored({ values: small, validity: Uint8Array.of(0b1101) }, target, [
        stored(target, 0),
        null,
        stored(target, 2),
        stored(target, 100),
      ]);
    }
  });

  test(`${name} is no column of bool, string, binary, fixed or null`, async () => {
    for (const target of ['bool', 'string', 'binary', 'fixed[4]', 'null']) {
      await assertRefused(() => writeParquetBytes([{ name: 'c', data: array, type: target }]), 'ERR_TYPE_MISMATCH', {
        column: 'c',
      });
    }
  });
}

test('values out of the declared range are refused with their row', async () => {
  const cases = [
    [Int32Array.of(1, 128), 'int8', 1],
    [Int32Array.of(-129), 'int8', 0],
    [Int16Array.of(0, 0, -1), 'uint16', 2],
    [Uint32Array.of(0, 2 ** 31), 'int32', 1],
    [Float64Array.of(1, 2.5), 'int32', 1],
    [Float64Array.of(NaN), 'int64', 0],
    [Float64Array.of(2 ** 53), 'int64', 0],
    [BigInt64Array.of(0n, -1n), 'uint64', 1],
    [BigUint64Array.of(2n ** 63n), 'int64', 0],
    [BigUint64Array.of(2n ** 63n), 'timestamp[us]', 0],
    [Float64Array.of(1e300), 'float32', 0],
    [BigInt64Array.of(2n ** 53n + 1n), 'float64', 0],
    [Int32Array.of(9999, 10000), 'decimal(4, 0)', 1],
    [Float64Array.of(0.5), 'date', 0],
    [Uint32Array.of(2 ** 31), 'date', 0],
  ];
  for (const [data, type, row] of cases) {
    await assertRefused(() => writeParquetBytes([{ name: 'c', data, type }]), 'ERR_OUT_OF_RANGE', { column: 'c', row });
  }
});

test('what lies under a null is not looked at', async () => {
  const data = { values: Float64Array.of(1, NaN, 3), validity: Uint8Array.of(0b101) };
  await assertStored(data, 'int32', [1, null, 3]);
  await assertStored(data, undefined, [1, null, 3]);
});

test('HC-06: uint32 from 2^31 upward', async () => {
  const values = [0, 2147483647, 2147483648, 4294967295];
  const { metadata, elements } = await roundTrip({ u: Uint32Array.from(values) });
  assert.deepEqual(elements.u.logical_type, { type: 'INTEGER', bitWidth: 32, isSigned: false });
  assert.equal(elements.u.converted_type, 'UINT_32');
  const { min_value: min, max_value: max } = metadata.row_groups[0].columns[0].meta_data.statistics;
  assert.deepEqual([min >>> 0, max >>> 0], [0, 4294967295]);
});

test('a validity bitmap: nullable even when all bits are set; any bit offset; longer than needed', async () => {
  const rows = 1003;
  const values = Int32Array.from({ length: rows }, (_, row) => row);
  const validity = new Uint8Array(200);
  const expected = Array.from(values, (value) => ((value * 7) % 5 === 0 ? null : value));
  expected.forEach((value, row) => {
    if (value !== null) validity[row >> 3] |= 1 << (row & 7);
  });
  const offset = new Uint8Array(203);
  offset.set(validity, 3);
  for (const options of [
    {},
    { pageRows: 13 },
    { rowGroupRows: 101 },
    { rowGroupRows: 77, pageRows: 10, dictionary: false },
  ]) {
    await assertStored({ values, validity }, undefined, expected, options);
    await assertStored(
      { values, validity: offset.subarray(3) },
      'int64',
      expected.map((value) => (value === null ? null : BigInt(value))),
      options,
    );
  }
  const element = await assertStored(
    { values: values.subarray(0, 3), validity: Uint8Array.of(255) },
    undefined,
    [0, 1, 2],
  );
  assert.equal(element.repetition_type, 'OPTIONAL');
});

test('length takes the first rows', async () => {
  await assertStored({ values: Int32Array.of(1, 2, 3), length: 2 }, undefined, [1, 2]);
  await assertStored({ values: Int32Array.of(1, 2, 3), length: 0 }, undefined, []);
  await assertStored({ offsets: Int32Array.of(0, 1, 2, 0), bytes: Uint8Array.of(97, 98), length: 2 }, 'string', [
    'a',
    'b',
  ]);
});
