// Where values lie: shared, resizable, windowed, detached buffers; objects of other realms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip } from './read-back.mjs';

const detach = (buffer) => structuredClone(buffer, { transfer: [buffer] });

test('windows on larger buffers, odd byte offsets for the bytes', async () => {
  const buffer = new ArrayBuffer(80);
  new Float64Array(buffer).set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await assertStored(new Float64Array(buffer, 16, 3), undefined, [2, 3, 4]);
  const bytes = Uint8Array.of(255, 1, 2, 3, 255);
  await assertStored(bytes.subarray(1, 4), undefined, [1, 2, 3]);
  await assertStored({ offsets: Int32Array.of(9, 0, 1, 3).subarray(1), bytes: bytes.subarray(1, 4) }, 'binary', [
    Uint8Array.of(1),
    Uint8Array.of(2, 3),
  ]);
});

test('HC-142: shared and resizable buffers are taken', async () => {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  shared.set([1, 2, 3]);
  const resizable = new Int32Array(new ArrayBuffer(12, { maxByteLength: 64 }));
  resizable.set([4, 5, 6]);
  const growable = new Float64Array(new SharedArrayBuffer(24, { maxByteLength: 64 }));
  growable.set([7, 8, 9]);
  const validity = new Uint8Array(new SharedArrayBuffer(1));
  validity[0] = 0b101;
  const table = {
    shared,
    resizable,
    growable,
    nulls: { values: shared, validity },
    bits: { bits: validity, length: 3 },
    converted: { values: growable, validity },
  };
  const schema = {
    shared: 'int32',
    resizable: 'int32',
    growable: 'float64',
    nulls: 'int32',
    bits: 'bool',
    converted: 'int64',
  };
  const { columns } = await roundTrip(table, { schema });
  assert.deepEqual(columns, {
    shared: [1, 2, 3],
    resizable: [4, 5, 6],
    growable: [7, 8, 9],
    nulls: [1, null, 3],
    bits: [true, false, true],
    converted: [7n, null, 9n],
  });
  const text = new Uint8Array(new SharedArrayBuffer(3));
  text.set([97, 98, 99]);
  await assertStored({ offsets: Int32Array.of(0, 1, 3), bytes: text }, 'string', ['a', 'bc']);
});

test('HC-142: a detached buffer is no column of 0 rows', async () => {
  const detached = new Float64Array(2);
  detach(detached.buffer);
  const gone = new Uint8Array(2);
  detach(gone.buffer);
  const outside = new ArrayBuffer(16, { maxByteLength: 16 });
  const shrunk = new Float64Array(outside, 8, 1);
  outside.resize(8);
  for (const data of [
    detached,
    shrunk,
    { values: detached },
    { values: Int32Array.of(1), validity: gone },
    { bits: gone, length: 0 },
    { offsets: Int32Array.of(0), bytes: gone },
  ]) {
    await assertRefused(() => writeParquetBytes({ c: data }), 'ERR_TYPE_MISMATCH', {
      column: 'c',
      message: /detached/,
    });
  }
  for (const value of [gone, gone.buffer]) {
    await assertRefused(
      () => writeParquetBytes([{ name: 'c', data: [Uint8Array.of(1), value], type: 'binary' }]),
      'ERR_TYPE_MISMATCH',
      { column: 'c', row: 1, message: /detached/ },
    );
  }
  await assertStored(new Float64Array(0), undefined, []);
});

test('a buffer that goes or shrinks while the file is written ends the write, never a wrong file', async () => {
  const rows = 3_000_000;
  const noise = Float64Array.from({ length: rows }, (_, row) => Math.sin(row));
  const late = {
    detached: () => {
      const values = new Float64Array(rows);
      return [values, () => detach(values.buffer)];
    },
    shrunk: () => {
      const buffer = new ArrayBuffer(rows * 8, { maxByteLength: rows * 8 });
      return [new Float64Array(buffer), () => buffer.resize(64)];
    },
    converted: () => {
      const values = new Float64Array(rows);
      return [{ values, validity: new Uint8Array(rows / 8) }, () => detach(values.buffer)];
    },
    validity: () => {
      const validity = new Uint8Array(rows / 8);
      return [{ values: noise, validity }, () => detach(validity.buffer)];
    },
    bits: () => {
      const bits = new Uint8Array(rows / 8);
      return [{ bits, length: rows }, () => detach(bits.buffer)];
    },
    offsets: () => {
      const offsets = new Int32Array(rows + 1);
      return [{ offsets, bytes: new Uint8Array(8) }, () => detach(offsets.buffer)];
    },
    text: () => {
      const bytes = new Uint8Array(rows);
      return [{ offsets: Int32Array.from({ length: rows + 1 }, (_, row) => row), bytes }, () => detach(bytes.buffer)];
    },
  };
  for (const [name, make] of Object.entries(late)) {
    const [data, spoil] = make();
    let calls = 0;
    const write = writeParquetBytes(
      [
        { name: 'first', data: noise },
        { name: 'c', data, ...(name === 'converted' ? { type: 'float32' } : {}) },
      ],
      {
        onProgress: () => {
          if (calls++ === 0) spoil();
        },
        rowGroupRows: 1_000_000,
      },
    );
    await assertRefused(() => write, 'ERR_COLUMN_LENGTH', { column: 'c' });
    assert.ok(calls > 0, name);
  }
});

test('an array that is changed while the file is written: nulls and other kinds are still refused', async () => {
  const rows = 2_000_000;
  for (const [value, code] of [
    [null, 'ERR_NULL'],
    ['x', 'ERR_TYPE_MISMATCH'],
  ]) {
    const data = Array.from({ length: rows }, (_, row) => row);
    let calls = 0;
    const write = writeParquetBytes(
      { c: data },
      {
        rowGroupRows: 1_000_000,
        // Behind the first row group: on a busy machine there is progress before types are inferred.
        onProgress: ({ rows: done }) => {
          if (done > 0 && calls++ === 0) data[rows - 1] = value;
        },
      },
    );
    await assertRefused(() => write, code, { column: 'c', row: rows - 1 });
  }
});

test('an array that becomes shorter while the file is written is no array of nulls', async () => {
  const rows = 2_000_000;
  for (const value of [1, 'x', true, new Uint8Array(1), null]) {
    const data = Array(rows).fill(value);
    data[0] = null;
    let calls = 0;
    const onProgress = ({ rows: done }) => {
      if (done > 0 && calls++ === 0) data.length = 1_000_100;
    };
    const write = writeParquetBytes({ c: data }, { rowGroupRows: 1_000_000, onProgress });
    await assertRefused(() => write, 'ERR_COLUMN_LENGTH', { column: 'c' });
  }
});

test('HC-143: values of another realm are what they are', async () => {
  const realm = createContext({});
  const make = (text) => runInContext(`(${text})`, realm);
  const text = `{
    t: new Int32Array([1, 2]), d: [new Date(0), null], b: [new Uint8Array([1]), new DataView(new ArrayBuffer(2))],
    a: [new ArrayBuffer(1), null], v: { values: new Float64Array([1, 2]), validity: new Uint8Array([1]) },
    o: { offsets: new Int32Array([0, 1, 2]), bytes: new Uint8Array([97, 98]) },
    n: [1, null], s: ['x', 'y'], g: [1n, 2n], l: { bits: new Uint8Array([1]), length: 2 }
  }`;
  const foreign = await writeParquetBytes(make(text));
  const own = await writeParquetBytes(eval(`(${text})`));
  assert.deepEqual(foreign, own);
  const list = make('[{ name: "a", data: [1] }]');
  assert.deepEqual(await writeParquetBytes(list), await writeParquetBytes([{ name: 'a', data: [1] }]));
  await assertRefused(() => writeParquetBytes(make('{ c: [new Set()] }')), 'ERR_TYPE_MISMATCH', {
    column: 'c',
    row: 0,
    message: /Set/,
  });
});
