// Bits, offsets and bytes, and object forms that are none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored } from './read-back.mjs';

test('bits: booleans LSB-first, over several pages and row groups', async () => {
  const rows = 997;
  const expected = Array.from({ length: rows }, (_, row) => (row * row) % 3 === 0);
  const bits = new Uint8Array(Math.ceil(rows / 8));
  expected.forEach((value, row) => {
    if (value) bits[row >> 3] |= 1 << (row & 7);
  });
  for (const options of [{}, { pageRows: 13 }, { rowGroupRows: 101, pageRows: 50 }]) {
    await assertStored({ bits, length: rows }, undefined, expected, options);
    const validity = bits.map((byte) => ~byte);
    await assertStored(
      { bits, length: rows, validity },
      'bool',
      expected.map((value) => (value ? null : false)),
      options,
    );
  }
});

test('offsets and bytes: strings and binary, every kind of offsets, first offset not 0', async () => {
  const bytes = new TextEncoder().encode('..añ🙂ccc..');
  const ends = [2, 3, 5, 5, 9, 12];
  const expected = ['a', 'ñ', '', '🙂', 'ccc'];
  for (const offsets of [Int32Array.from(ends), Uint32Array.from(ends), BigInt64Array.from(ends.map(BigInt))]) {
    for (const options of [{}, { pageRows: 2 }, { pageBytes: 6 }, { rowGroupRows: 2 }]) {
      const element = await assertStored({ offsets, bytes }, 'string', expected, options);
      assert.equal(element.converted_type, 'UTF8');
      await assertStored(
        { offsets, bytes, validity: Uint8Array.of(0b10110) },
        'string',
        [null, 'ñ', '', null, 'ccc'],
        options,
      );
    }
    const element = await assertStored(
      { offsets, bytes },
      undefined,
      expected.map((text) => new TextEncoder().encode(text)),
    );
    assert.equal(element.logical_type, undefined);
  }
});

test('offsets and bytes: many pages, nulls, dictionary given up and kept', async () => {
  const rows = 5000;
  for (const distinct of [3, 5000]) {
    const texts = Array.from({ length: rows }, (_, row) => `value ${(row * 7919) % distinct}`.repeat(row % 3));
    const bytes = new TextEncoder().encode(texts.join(''));
    const offsets = new Int32Array(rows + 1);
    texts.forEach((text, row) => {
      offsets[row + 1] = offsets[row] + text.length;
    });
    const validity = Uint8Array.from({ length: rows / 8 }, (_, at) => at * 37);
    const expected = texts.map((text, row) => ((validity[row >> 3] >> (row & 7)) & 1 ? text : null));
    for (const options of [
      {},
      { pageBytes: 1000 },
      { pageRows: 99, rowGroupRows: 1234 },
      { dictionaryBytes: 500, pageRows: 100 },
    ]) {
      await assertStored({ offsets, bytes }, 'string', texts, options);
      await assertStored({ offsets, bytes, validity }, 'string', expected, options);
    }
  }
});

test('offsets that descend, are negative or leave the bytes; bytes that are not UTF-8', async () => {
  const bytes = Uint8Array.of(97, 0xc3, 98);
  const write =
    (data, type = 'binary') =>
    () =>
      writeParquetBytes([{ name: 'c', data, type }]);
  await assertRefused(write({ offsets: Int32Array.of(0, 2, 1), bytes }), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
  await assertRefused(write({ offsets: Int32Array.of(-1, 2), bytes }), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  await assertRefused(write({ offsets: Int32Array.of(0, 3, 4), bytes }), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
  await assertRefused(write({ offsets: BigInt64Array.of(0n, 2n ** 40n), bytes }), 'ERR_OUT_OF_RANGE', {
    column: 'c',
    row: 0,
  });
  await assertRefused(write({ offsets: Int32Array.of(0, 1, 2, 3), bytes }, 'string'), 'ERR_TYPE_MISMATCH', {
    column: 'c',
    row: 1,
    message: /UTF-8/,
  });
  await assertRefused(
    write({ offsets: Int32Array.of(0, 1, 2, 3), bytes, validity: Uint8Array.of(3) }, 'string'),
    'ERR_TYPE_MISMATCH',
    { column: 'c', row: 1 },
  );
  await assertStored({ offsets: Int32Array.of(0, 1, 2, 3), bytes, validity: Uint8Array.of(5) }, 'string', [
    'a',
    null,
    'b',
  ]);
});

test('object forms that lack something or have something else', async () => {
  const cases = [
    [{ values: [1, 2] }, 'ERR_TYPE_MISMATCH'],
    [{ values: Int32Array.of(1), valid: Uint8Array.of(1) }, 'ERR_TYPE_MISMATCH'],
    [{ values: Int32Array.of(1), validity: [1] }, 'ERR_TYPE_MISMATCH'],
    [{ values: Int32Array.of(1), validity: Int8Array.of(1) }, 'ERR_TYPE_MISMATCH'],
    [{ values: new Int32Array(9), validity: Uint8Array.of(1) }, 'ERR_COLUMN_LENGTH'],
    [{ values: Int32Array.of(1), length: 2 }, 'ERR_COLUMN_LENGTH'],
    [{ values: Int32Array.of(1), length: -1 }, 'ERR_TYPE_MISMATCH'],
    [{ values: Int32Array.of(1), length: 0.5 }, 'ERR_TYPE_MISMATCH'],
    [{ bits: Uint8Array.of(1) }, 'ERR_TYPE_MISMATCH'],
    [{ bits: Uint8Array.of(1), length: 9 }, 'ERR_COLUMN_LENGTH'],
    [{ bits: [true], length: 1 }, 'ERR_TYPE_MISMATCH'],
    [{ bytes: Uint8Array.of(1) }, 'ERR_TYPE_MISMATCH'],
    [{ offsets: Int32Array.of(0), bytes: [1] }, 'ERR_TYPE_MISMATCH'],
    [{ offsets: new Int32Array(0), bytes: new Uint8Array(0) }, 'ERR_COLUMN_LENGTH'],
    [{ offsets: Float64Array.of(0), bytes: new Uint8Array(0) }, 'ERR_TYPE_MISMATCH'],
    [{ offsets: Int32Array.of(0, 1), bytes: Uint8Array.of(1), length: 2 }, 'ERR_COLUMN_LENGTH'],
    [{ indices: Float64Array.of(0), dictionary: ['a'] }, 'ERR_TYPE_MISMATCH'],
    [{ indices: BigInt64Array.of(0n), dictionary: ['a'] }, 'ERR_TYPE_MISMATCH'],
    [{ indices: [0], dictionary: ['a'] }, 'ERR_TYPE_MISMATCH'],
    [{ indices: Int32Array.of(0) }, 'ERR_TYPE_MISMATCH'],
    [{ indices: Int32Array.of(0), dictionary: ['a'], length: 2 }, 'ERR_COLUMN_LENGTH'],
    [{ offsets: Int32Array.of(0), child: 5 }, 'ERR_TYPE_MISMATCH'],
    [{ child: [] }, 'ERR_TYPE_MISMATCH'],
    [{ offsets: Float32Array.of(0), child: [] }, 'ERR_TYPE_MISMATCH'],
    [{ offsets: Int32Array.of(0, 1), child: Int8Array.of(1), length: 2 }, 'ERR_COLUMN_LENGTH'],
    [{ children: [], length: 0 }, 'ERR_TYPE_MISMATCH'],
    [{ children: {}, length: 0 }, 'ERR_SCHEMA'],
    [{ children: { a: Int8Array.of(1) } }, 'ERR_TYPE_MISMATCH'],
    [{ children: { a: Int8Array.of(1), b: Int8Array.of(1, 2) }, length: 2 }, 'ERR_COLUMN_LENGTH'],
    [{ children: { a: Int8Array.of(1) }, length: 1, offsets: Int32Array.of(0) }, 'ERR_TYPE_MISMATCH'],
    [new Set([1]), 'ERR_TYPE_MISMATCH'],
    [new Map(), 'ERR_TYPE_MISMATCH'],
    ['text', 'ERR_TYPE_MISMATCH'],
    [null, 'ERR_TYPE_MISMATCH'],
    [undefined, 'ERR_TYPE_MISMATCH'],
    [7, 'ERR_TYPE_MISMATCH'],
    [new ArrayBuffer(8), 'ERR_TYPE_MISMATCH'],
    [new DataView(new ArrayBuffer(8)), 'ERR_TYPE_MISMATCH'],
    [{ length: 1, 0: 1 }, 'ERR_TYPE_MISMATCH'],
    [() => [], 'ERR_TYPE_MISMATCH'],
    [
      (function* () {
        yield 1;
      })(),
      'ERR_TYPE_MISMATCH',
    ],
    [{}, 'ERR_TYPE_MISMATCH'],
  ];
  for (const [data, code] of cases) await assertRefused(() => writeParquetBytes({ c: data }), code, { column: 'c' });
});
