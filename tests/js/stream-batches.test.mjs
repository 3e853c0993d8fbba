// Batches of any size: the same values and the same pages as one large write. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary, Field, Int32, List, Table as ArrowTable, Utf8, vectorFromArray } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ParquetWriter, writeParquetBytes } from '../../pkg/index.js';
import { pagesOf } from './pages.mjs';
import { assertRefused, readBack } from './read-back.mjs';
import { batchesOf, cut, errorOf, fileOf, sum } from './stream-tools.mjs';

const odd = [3, 6, 1, 990, 2000];
const rows = sum(odd);
const upTo = (count, make) => Array.from({ length: count }, (_, row) => make(row));
const rowCounts = (bytes) => parquetMetadata(bytes.buffer).row_groups.map((group) => Number(group.num_rows));

/** Columns of many forms, with what must come back. */
const table = {
  flag: upTo(rows, (row) => (row % 7 === 3 ? null : (row * 7919) % 13 < 6)),
  required: upTo(rows, (row) => row % 3 === 0),
  float: Float64Array.from({ length: rows }, (_, row) => row / 7),
  int: upTo(rows, (row) => (row % 5 === 0 ? null : row * row)),
  text: upTo(rows, (row) => (row % 11 === 0 ? undefined : `text ${row % 90}`)),
  bytes: upTo(rows, (row) => Uint8Array.of(row & 127, 1)),
  when: upTo(rows, (row) => new Date(row * 1e6)),
  tags: upTo(rows, (row) => (row % 6 === 0 ? null : upTo(row % 4, (tag) => (tag === 2 ? null : `t${row % 10}`)))),
  place: upTo(rows, (row) => (row % 9 === 0 ? null : { x: row, on: row % 2 === 0 })),
  counts: upTo(rows, (row) => new Map(upTo(row % 3, (key) => [`k${key}`, row]))),
};
const schema = {
  flag: 'bool', required: { type: 'bool', nullable: false }, float: { type: 'float64', nullable: false }, int: 'int64',
  text: 'string', bytes: 'binary', when: 'timestamp[ms, UTC]', tags: 'list<string>', place: 'struct<x: int32, on: bool>',
  counts: 'map<string, int32>',
};

/** Values as the reader shows them. */
const asRead = {
  int: (value) => (value === null ? null : BigInt(value)),
  bytes: (value) => String.fromCharCode(...value),
  counts: (value) => Object.fromEntries(value),
};

for (const [what, options] of [
  ['usual pages', {}],
  ['pages of 3 rows', { pageRows: 3 }],
  ['pages of 700 rows and 500 bytes', { pageRows: 700, pageBytes: 500 }],
  ['row groups of 1,000 rows', { rowGroupRows: 1000, pageRows: 64 }],
  ['row groups of 20,000 bytes', { rowGroupBytes: 20_000 }],
]) {
  test(`HC-55: batches of odd sizes are the bytes of one write, ${what}`, async () => {
    const whole = await fileOf([table], { schema, ...options });
    for (const sizes of [odd, [1], [8], [13, 64], [1500]]) {
      assert.deepEqual(await fileOf(batchesOf(table, sizes), { schema, ...options }), whole, `batches of ${sizes}`);
    }
    const file = whole.buffer;
    const found = await parquetReadObjects({ file, compressors });
    assert.equal(found.length, rows);
    for (const name of Object.keys(schema)) {
      const stored = [...table[name]].map(asRead[name] ?? ((value) => value ?? null));
      assert.deepEqual(found.map((row) => row[name]), stored, name);
    }
  });
}

test('batches give the row groups of one call', async () => {
  for (const options of [{ rowGroupRows: 700 }, { rowGroupBytes: 9_001 }, { rowGroupBytes: 1 }]) {
    const few = Object.fromEntries(Object.entries(table).map(([name, values]) => [name, values.slice(0, 1500)]));
    const streamed = rowCounts(await fileOf(batchesOf(few, [31, 400, 7]), { schema, ...options }));
    assert.deepEqual(streamed, rowCounts(await writeParquetBytes(few, { schema, ...options })), JSON.stringify(options));
  }
});

test('HC-56: BYTE_STREAM_SPLIT over several batches and nulls', async () => {
  const values = upTo(500, (row) => (row % 3 === 1 ? null : row * 1.5e300));
  for (const type of ['float64', 'float32', 'int32', 'int64']) {
    const data = type === 'float64' ? values : upTo(500, (row) => (row % 3 === 1 ? null : row));
    const options = { schema: { x: type }, encoding: 'BYTE_STREAM_SPLIT', pageRows: 100 };
    const parts = cut(data, [3, 2, 61]).map((x) => ({ x }));
    assert.deepEqual(await fileOf(parts, options), await writeParquetBytes({ x: data }, options), type);
  }
});

test('HC-79: no empty pages; an empty batch changes nothing', async () => {
  const nulls = upTo(12, () => ({ x: [null] }));
  const options = { schema: { x: 'int32' }, pageRows: 4, compression: 'none', dictionary: false };
  const bytes = await fileOf([...nulls, { x: [] }], options);
  assert.deepEqual(bytes, await fileOf([{ x: [] }, ...nulls], options));
  assert.deepEqual(pagesOf(bytes, 'x').map(({ entries }) => entries), [4, 4, 4]);
  assert.deepEqual((await readBack(bytes)).columns.x, upTo(12, () => null));
});

test('HC-80: no rows at all', async () => {
  const writer = await ParquetWriter.open({ schema: { a: 'int32', s: { type: 'string', nullable: false } } });
  await writer.flushRowGroup();
  const { blob, ...result } = await writer.finish();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  assert.deepEqual(result, { rows: 0, rowGroups: 0, byteLength: bytes.length });
  const { metadata } = await readBack(bytes);
  assert.deepEqual(metadata.schema.slice(1).map(({ name }) => name), ['a', 's']);
  assert.equal(metadata.row_groups.length, 0);
  const typed = await readBack(await fileOf([{ a: new Int16Array(0) }, { a: new Int16Array(0) }]));
  assert.equal(typed.elements.a.type, 'INT32');
  const nothing = await ParquetWriter.open();
  await assertRefused(() => nothing.finish(), 'ERR_SCHEMA');
});

test('HC-80: a row group ends early, once', async () => {
  const writer = await ParquetWriter.open();
  await writer.write({ a: [1] });
  await writer.flushRowGroup();
  await writer.flushRowGroup();
  await writer.write({ a: [2, 3] });
  const { blob, rowGroups } = await writer.finish();
  assert.equal(rowGroups, 2);
  assert.deepEqual(rowCounts(new Uint8Array(await blob.arrayBuffer())), [1, 2]);
});

test('HC-82: row groups limited by rows and by bytes', async () => {
  const text = upTo(4000, (row) => row + 'y'.repeat(1995));
  const counts = rowCounts(await fileOf(cut(text, [17, 300]).map((s) => ({ s })), { rowGroupBytes: 800_000 }));
  assert.equal(sum(counts), 4000);
  assert.ok(counts.length >= 10 && counts.length <= 11, String(counts));
  assert.deepEqual(rowCounts(await fileOf([{ i: new Int32Array(10) }], { rowGroupRows: 3 })), [3, 3, 3, 1]);
  for (const limit of [0, -1]) await assertRefused(() => ParquetWriter.open({ rowGroupRows: limit }), 'ERR_OPTION');
});

test('HC-83: more than 32,767 row groups', async () => {
  const schema = { i: { type: 'int32', nullable: false } };
  const writer = await ParquetWriter.open({ schema, rowGroupRows: 1, statistics: 'none' });
  for (let from = 0; from < 32_770; from += 1000) {
    await writer.write({ i: Int32Array.from({ length: Math.min(1000, 32_770 - from) }, (_, row) => from + row) });
  }
  const { blob, rowGroups } = await writer.finish();
  assert.equal(rowGroups, 32_770);
  const groups = parquetMetadata(await blob.arrayBuffer()).row_groups;
  assert.equal(groups.length, 32_770);
  assert.ok(groups.every(({ ordinal }) => ordinal === undefined || ordinal >= 0));
});

for (const compression of ['none', 'zstd']) {
  test(`HC-121: the file grows in line with rows appended one at a time, ${compression}`, async () => {
    const size = async (count) => {
      const writer = await ParquetWriter.open({ compression });
      for (let row = 0; row < count; row++) await writer.writeRows([{ id: row, text: `${'text '.repeat(18)}${row}` }]);
      const { rows: written, byteLength } = await writer.finish();
      assert.equal(written, count);
      return byteLength;
    };
    const [first, ...rest] = await Promise.all([4095, 4096, 4097, 4200].map(size));
    // More rows are never fewer bytes; a codec may find a row more easily said with the next one.
    const least = compression === 'none' ? first : first * 0.999;
    for (const other of rest) assert.ok(other >= least && other < first * 1.1, `${other} after ${first}`);
  });
}

test('batches of one column in different forms', async () => {
  const number = [
    [1, null, 3], Int8Array.of(-4, 5), { values: Int16Array.of(6, 7, 8), validity: Uint8Array.of(0b101) },
    Int32Array.of(9, 10), [11n, 12],
  ];
  const text = [
    ['a', 'bb', null],
    { offsets: Int32Array.of(1, 2, 4), bytes: new TextEncoder().encode('xcdd') },
    { offsets: Int32Array.of(0, 1, 2, 3), bytes: new TextEncoder().encode('efg'), validity: Uint8Array.of(0b011) },
    { indices: Uint8Array.of(1, 0), dictionary: ['h', 'i'] },
    ['ä', ''],
  ];
  const flag = [
    [true, null, false], { bits: Uint8Array.of(0b10), length: 2 },
    { bits: Uint8Array.of(0b110), validity: Uint8Array.of(0b011), length: 3 }, [false, true], [null, true],
  ];
  const batches = number.map((_, index) => ({ number: number[index], text: text[index], flag: flag[index] }));
  const schema = { number: 'int32', text: 'string', flag: 'bool' };
  const { columns } = await readBack(await fileOf(batches, { schema }));
  assert.deepEqual(columns.number, [1, null, 3, -4, 5, 6, null, 8, 9, 10, 11, 12]);
  assert.deepEqual(columns.text, ['a', 'bb', null, 'c', 'dd', 'e', 'f', null, 'i', 'h', 'ä', '']);
  assert.deepEqual(columns.flag, [true, null, false, false, true, false, true, null, false, true, null, true]);
});

test('object forms with nulls in the middle of bytes and pages, cut anywhere', async () => {
  const count = 1003;
  const present = upTo(count, (row) => row % 3 !== 1);
  const bitmap = (from, to, bit) => {
    const bits = new Uint8Array(Math.ceil((to - from) / 8));
    for (let row = from; row < to; row++) if (bit(row)) bits[(row - from) >> 3] |= 1 << ((row - from) & 7);
    return bits;
  };
  const valid = (from, to) => bitmap(from, to, (row) => present[row]);
  const batch = (from, to) => ({
    n: { values: Int32Array.from({ length: to - from }, (_, row) => from + row), validity: valid(from, to) },
    b: { bits: bitmap(from, to, (row) => row % 4 < 2), validity: valid(from, to), length: to - from },
  });
  for (const step of [1, 5, 8, 100, 1003]) {
    const batches = [];
    for (let from = 0; from < count; from += step) batches.push(batch(from, Math.min(count, from + step)));
    const { columns } = await readBack(await fileOf(batches, { pageRows: 77, schema: { n: 'int32', b: 'bool' } }));
    assert.deepEqual(columns.n, present.map((there, row) => (there ? row : null)));
    assert.deepEqual(columns.b, present.map((there, row) => (there ? row % 4 < 2 : null)));
  }
});

test('record batches of Arrow: dictionaries, nulls, lists and structs', async () => {
  const list = new List(new Field('item', new Utf8(), true));
  const arrow = (from, to) => {
    const range = (make) => upTo(to - from, (row) => make(from + row));
    return new ArrowTable({
      id: vectorFromArray(range((row) => row), new Int32()),
      word: vectorFromArray(range((row) => (row % 5 === 0 ? null : `w${row % 3}`)), new Dictionary(new Utf8(), new Int32())),
      tags: vectorFromArray(range((row) => (row % 4 === 0 ? null : upTo(row % 3, String))), list),
    });
  };
  const cuts = [0, 3, 3, 40, 41, 600];
  const batches = cuts.slice(1).map((to, index) => arrow(cuts[index], to));
  const whole = await fileOf([arrow(0, 600)], { pageRows: 50 });
  assert.deepEqual(await fileOf(batches, { pageRows: 50 }), whole);
  const found = await parquetReadObjects({ file: whole.buffer, compressors });
  assert.deepEqual(found.slice(0, 6), [
    { id: 0, word: null, tags: null }, { id: 1, word: 'w1', tags: ['0'] }, { id: 2, word: 'w2', tags: ['0', '1'] },
    { id: 3, word: 'w0', tags: [] }, { id: 4, word: 'w1', tags: null }, { id: 5, word: null, tags: ['0', '1'] },
  ]);
});

test('the first batch settles names, types and nulls', async () => {
  const writer = await ParquetWriter.open();
  await writer.write({ i: Int16Array.of(1), s: ['x'], d: [1.5] });
  await writer.write({ d: [null], s: [null], i: Int16Array.of(2) });
  const { blob } = await writer.finish();
  const { elements, columns } = await readBack(new Uint8Array(await blob.arrayBuffer()));
  assert.equal(elements.i.repetition_type, 'REQUIRED');
  assert.equal(elements.s.repetition_type, 'OPTIONAL');
  assert.deepEqual(columns, { i: [1, 2], s: ['x', null], d: [1.5, null] });
});

test('nothing but nulls in the first batch needs a declared type', async () => {
  for (const x of [[null, undefined], [[], null], [{ a: null }], [new Map([['k', null]])]]) {
    const writer = await ParquetWriter.open();
    await assertRefused(() => writer.write({ x }), 'ERR_SCHEMA', { column: 'x', message: /declare the type/ });
  }
  const file = await fileOf([{ x: [null] }, { x: ['late'] }], { schema: { x: 'string' } });
  assert.deepEqual((await readBack(file)).columns.x, [null, 'late']);
});

test('batches that do not fit are refused with the row of the file', async () => {
  const first = { a: [1, 2, 3], b: ['x', 'y', 'z'] };
  for (const [second, code, about] of [
    [{ a: [4] }, 'ERR_SCHEMA', { column: 'b', row: 3 }],
    [{ a: [4], b: ['v'], c: [1] }, 'ERR_SCHEMA', { column: 'c', row: 3 }],
    [{ a: [4, 'five'], b: ['v', 'w'] }, 'ERR_TYPE_MISMATCH', { column: 'a', row: 4 }],
    [{ a: [4, 2.5], b: ['v', 'w'] }, 'ERR_OUT_OF_RANGE', { column: 'a', row: 4 }],
    [{ a: [4], b: [5] }, 'ERR_TYPE_MISMATCH', { column: 'b', row: 3 }],
    [{ a: [4], b: ['v', 'w'] }, 'ERR_COLUMN_LENGTH', { column: 'b' }],
    [[{ name: 'a', data: [4], type: 'int64' }, { name: 'b', data: ['v'] }], 'ERR_SCHEMA', { column: 'a', row: 3 }],
    [
      [{ name: 'a', data: [4], compression: 'none' }, { name: 'b', data: ['v'] }],
      'ERR_OPTION', { column: 'a', row: 3 },
    ],
  ]) {
    const writer = await ParquetWriter.open();
    await writer.write(first);
    await assertRefused(() => writer.write(second), code, about);
  }
  const required = await ParquetWriter.open();
  await required.write({ a: Int32Array.of(1, 2) });
  await assertRefused(() => required.write({ a: [3, null] }), 'ERR_NULL', { column: 'a', row: 3 });
  const bytes = await ParquetWriter.open();
  await bytes.write({ s: ['x'] });
  const bad = { offsets: Int32Array.of(0, 1, 2), bytes: Uint8Array.of(65, 0xff) };
  await bytes.write({ s: bad });
  assert.equal((await errorOf(bytes.finish())).row, 2);
});

test('what is wrong with options or schema is said before the first batch', async () => {
  for (const [options, code] of [
    [{ schema: { a: 'int33' } }, 'ERR_SCHEMA'],
    [{ schema: { a: 'int32' }, columns: { b: { dictionary: false } } }, 'ERR_OPTION'],
    [{ spill: 'tape' }, 'ERR_OPTION'],
    [{ sink: {} }, 'ERR_OPTION'],
    [{ colour: 1 }, 'ERR_OPTION'],
    [5, 'ERR_OPTION'],
  ]) {
    await assertRefused(() => ParquetWriter.open(options), code);
  }
});
