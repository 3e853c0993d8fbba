// Levels of lists, structs and maps, and the values that are stored under them. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { writeParquetBytes } from '../../pkg/index.js';
import { pagesOf, schemaText, stored } from './pages.mjs';

const plain = { compression: 'none', dictionary: false };

const write = (data, type, options = {}) => writeParquetBytes([{ name: 'c', data, type }], { ...plain, ...options });
const fileOf = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const rowsOf = (bytes) => parquetReadObjects({ file: fileOf(bytes), compressors });
const chunk = (bytes, path) =>
  parquetMetadata(fileOf(bytes)).row_groups[0].columns.find(
    ({ meta_data: { path_in_schema: names } }) => names.join('.') === path,
  ).meta_data;

test('HC-37: a null list between two filled lists', async () => {
  const bytes = await write([['elm'], null, ['oak'], ['fir', 'yew']], 'list<string>');
  assert.deepEqual(stored(bytes, 'c.list.element'), {
    levels: '(0,3)(0,0)(0,3)(0,3)(1,3)',
    values: ['elm', 'oak', 'fir', 'yew'],
  });
});

test('null, empty and filled lists are told apart on every floor', async () => {
  const bytes = await write([null, [], [null], [[]], [[null]], [[1, null], [2]], [[3], null, []]], 'list<list<int32>>');
  assert.deepEqual(stored(bytes, 'c.list.element.list.element'), {
    levels: '(0,0)(0,1)(0,2)(0,3)(0,4)(0,5)(2,4)(1,5)(0,5)(1,2)(1,3)',
    values: [1, 2, 3],
  });
});

test('HC-38: a null struct and a struct with a null field', async () => {
  const bytes = await write([{ x: 1, y: 'a' }, null, { x: null }, undefined], 'struct<x: int32, y: string>');
  assert.equal(stored(bytes, 'c.x').levels, '(0,2)(0,0)(0,1)(0,0)');
  assert.equal(stored(bytes, 'c.y').levels, '(0,2)(0,0)(0,1)(0,0)');
  assert.deepEqual(
    (await rowsOf(bytes)).map(({ c }) => c),
    [{ x: 1, y: 'a' }, null, { x: null, y: null }, null],
  );
});

test('HC-39: values under null structs are not stored', async () => {
  const rows = Array.from({ length: 12 }, (_, k) => (k === 2 || k === 9 ? null : { a: 50 + k }));
  const bytes = await write(rows, 'struct<a: int32>');
  assert.deepEqual(stored(bytes, 'c.a').values, [50, 51, 53, 54, 55, 56, 57, 58, 60, 61]);
  assert.equal(chunk(bytes, 'c.a').statistics.null_count, 2n);
});

test('HC-40: hidden values under a null list appear nowhere', async () => {
  const data = {
    offsets: Int32Array.of(0, 2, 4, 5),
    validity: Uint8Array.of(0b101),
    child: Int32Array.of(1, 2, 98, 99, 5),
  };
  for (const dictionary of [false, true]) {
    const bytes = await write(data, undefined, { dictionary });
    assert.deepEqual(
      (await rowsOf(bytes)).map(({ c }) => c),
      [[1, 2], null, [5]],
    );
    assert.equal(chunk(bytes, 'c.list.element').statistics.max_value, 5);
    const words = Array.from({ length: bytes.length - 3 }, (_, at) =>
      new DataView(bytes.buffer, bytes.byteOffset).getInt32(at, true),
    );
    assert.ok(!words.includes(98) && !words.includes(99));
  }
});

test('HC-42: placeholders of fixed-size lists under nulls are not stored', async () => {
  const data = {
    offsets: Int32Array.of(0, 2, 4, 6),
    validity: Uint8Array.of(0b101),
    child: Int32Array.of(5, 6, 0, 0, 7, 8),
  };
  const bytes = await write(data, 'list<int32>');
  const { statistics, num_values: entries } = chunk(bytes, 'c.list.element');
  assert.deepEqual(stored(bytes, 'c.list.element').values, [5, 6, 7, 8]);
  assert.deepEqual([entries, statistics.null_count, statistics.min_value], [5n, 1n, 5]);
});

for (const nulls of [349_525, 350_000, 900_000]) {
  test(`HC-43: ${nulls} null lists, then one value`, async () => {
    const rows = Array(nulls).fill(null);
    rows.push([1, 2]);
    const bytes = await write(rows, 'list<uint32>');
    const found = await rowsOf(bytes);
    assert.equal(found.length, nulls + 1);
    assert.deepEqual(found.at(-1), { c: [1, 2] });
    assert.deepEqual(
      pagesOf(bytes, 'c.list.element').flatMap(({ values }) => values),
      [1, 2],
    );
  });
}

test('HC-43: every string survives tiny pages', async () => {
  const rows = Array.from({ length: 300 }, (_, k) => (k % 4 ? null : [`a${k}`, null, `some longer text ${k}`]));
  for (const dictionary of [false, true]) {
    const bytes = await write(rows, 'list<string>', { dictionary, pageBytes: 64 });
    assert.deepEqual(
      (await rowsOf(bytes)).map(({ c }) => c),
      rows,
    );
  }
});

test('HC-44: fields of a struct with different numbers of entries', async () => {
  const rows = [
    { n: 1, h: [4, 9], z: { p: [6] } },
    { n: 2, h: [], z: { p: null } },
    { n: 3, h: [1, 2, 3], z: null },
  ];
  const bytes = await write(rows);
  const entries = ['c.n', 'c.h.list.element', 'c.z.p.list.element'].map((path) => chunk(bytes, path).num_values);
  assert.deepEqual(entries, [3n, 6n, 3n]);
  assert.deepEqual(
    (await rowsOf(bytes)).map(({ c }) => c),
    rows,
  );
});

test('HC-46: lists and maps have the layout that all readers know', async () => {
  const bytes = await writeParquetBytes({ tags: [['x'], null], m: [new Map([['k', 1]])].concat(null) }, plain);
  assert.equal(
    schemaText(bytes),
    [
      'optional group tags (LIST)',
      '  repeated group list',
      '    optional BYTE_ARRAY element (STRING)',
      'optional group m (MAP)',
      '  repeated group key_value',
      '    required BYTE_ARRAY key (STRING)',
      '    optional INT32 value',
    ].join('\n'),
  );
});

test('HC-47: counts are of entries in chunks and pages, of rows in groups', async () => {
  const options = { ...plain, pageRows: 2, rowGroupRows: 100 };
  const bytes = await writeParquetBytes({ id: [1, 2, 3], l: [[1, 2, 3], [], null] }, options);
  assert.equal(chunk(bytes, 'id').num_values, 3n);
  assert.equal(chunk(bytes, 'l.list.element').num_values, 5n);
  const pages = pagesOf(bytes, 'l.list.element');
  assert.deepEqual(
    pages.map(({ entries }) => entries),
    [4, 1],
  );
  assert.equal(pages.flatMap(({ levels }) => levels).filter(([repetition]) => repetition === 0).length, 3);
});

test('HC-76: no row is torn between two pages', async () => {
  const bytes = await write([[7, null, 8], [null, 9], Array(500).fill(3)], 'list<int32>', { pageBytes: 8 });
  const pages = pagesOf(bytes, 'c.list.element');
  assert.deepEqual(
    pages.map(({ entries }) => entries),
    [3, 2, 500],
  );
  for (const { levels } of pages) assert.equal(levels[0][0], 0);
});

test('maps: null, empty, null values; keys are required', async () => {
  const rows = [
    new Map([
      ['a', 1],
      ['b', null],
    ]),
    null,
    new Map(),
    { c: 3 },
    [
      ['d', 4],
      ['d', 5],
    ],
    {},
    [],
  ];
  const bytes = await write(rows, 'map<string, int32>');
  assert.deepEqual(stored(bytes, 'c.key_value.key'), {
    levels: '(0,2)(1,2)(0,0)(0,1)(0,2)(0,2)(1,2)(0,1)(0,1)',
    values: ['a', 'b', 'c', 'd', 'd'],
  });
  assert.deepEqual(stored(bytes, 'c.key_value.value'), {
    levels: '(0,3)(1,2)(0,0)(0,1)(0,3)(0,3)(1,3)(0,1)(0,1)',
    values: [1, 3, 4, 5],
  });
});

test('what cannot be null has no level of its own', async () => {
  const bytes = await writeParquetBytes(
    [
      {
        name: 'c',
        nullable: false,
        type: 'list<struct<a: int32 not null> not null>',
        data: [[{ a: 1 }, { a: 2 }], []],
      },
    ],
    plain,
  );
  assert.deepEqual(stored(bytes, 'c.list.element.a'), { levels: '(0,1)(1,1)(0,0)', values: [1, 2] });
});

for (const depth of [20, 60, 100]) {
  test(`lists ${depth} deep`, async () => {
    const at = (value) => Array.from({ length: depth }).reduce((inner) => [inner], value);
    const type = `${'list<'.repeat(depth)}int32${'>'.repeat(depth)}`;
    const bytes = await write([at(7), null, at(null), []], type);
    const path = `c${'.list.element'.repeat(depth)}`;
    assert.deepEqual(stored(bytes, path), { levels: `(0,${2 * depth + 1})(0,0)(0,${2 * depth})(0,1)`, values: [7] });
  });
}

test('structs and maps 25 deep, told apart by name', async () => {
  let type = 'string';
  let value = 'deep';
  for (let floor = 0; floor < 25; floor++) {
    type = floor % 2 ? `struct<"f ${floor}": ${type}>` : `map<string, ${type}>`;
    value = floor % 2 ? { [`f ${floor}`]: value } : { [`k${floor}`]: value };
  }
  const bytes = await write([value, null], type);
  assert.deepEqual(
    (await rowsOf(bytes)).map(({ c }) => c),
    [value, null],
  );
});

test('one row larger than a page, and than all that is read at once', async () => {
  const long = Array.from({ length: 300_000 }, (_, k) => (k % 7 ? k : null));
  const rows = [[1], long, [2], null, long, [3]];
  const bytes = await write(rows, 'list<int32>', { pageBytes: 1000 });
  const pages = pagesOf(bytes, 'c.list.element');
  assert.deepEqual(
    pages.map(({ entries }) => entries),
    [1, 300_000, 2, 300_000, 1],
  );
  const texts = await write([long.map((value) => value && `t${value}`), ['end']], 'list<string>', { pageBytes: 1000 });
  assert.deepEqual(stored(texts, 'c.list.element').values.length, long.filter((value) => value !== null).length + 1);
});

test('booleans in lists go on where the page before ended', async () => {
  const rows = Array.from({ length: 500 }, (_, k) => Array.from({ length: k % 5 }, (_, j) => (k * j) % 3 === 1));
  for (const pageRows of [1, 7, 100]) {
    const bytes = await write(rows, 'list<bool>', { pageRows });
    assert.deepEqual(
      (await rowsOf(bytes)).map(({ c }) => c),
      rows,
    );
  }
});
