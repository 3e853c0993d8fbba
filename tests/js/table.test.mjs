// Tables and schemas: names, order, lengths, and types as text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, roundTrip } from './read-back.mjs';

test('columns by name and as a list give the same file', async () => {
  const a = Int32Array.of(1, 2);
  const b = ['x', null];
  const record = await writeParquetBytes({ a, b });
  const list = await writeParquetBytes([
    { name: 'a', data: a },
    { name: 'b', data: b },
  ]);
  assert.deepEqual(record, list);
});

test('keys that objects are born with are ordinary names', async () => {
  const table = JSON.parse('{"__proto__": [1], "constructor": [2], "toString": [3], "hasOwnProperty": [4]}');
  const { elements } = await roundTrip(table);
  assert.deepEqual(Object.keys(elements).length, 4);
  const bare = Object.assign(Object.create(null), { constructor: ['x'] });
  assert.deepEqual((await roundTrip(bare)).columns.constructor, ['x']);
  const inherited = Object.create({ ghost: [1] }, { a: { value: [1], enumerable: true }, hidden: { value: [1] } });
  assert.deepEqual(Object.keys((await roundTrip(inherited)).elements), ['a']);
  const schema = JSON.parse(
    '{"__proto__": "int64", "constructor": "int64", "toString": "int64", "hasOwnProperty": "int64"}',
  );
  const { metadata } = await roundTrip(table, { schema });
  assert.ok(metadata.schema.slice(1).every(({ type }) => type === 'INT64'));
});

test('HC-28: columns of different length', async () => {
  await assertRefused(() => writeParquetBytes({ a: new Int32Array(3), b: ['x', 'y'] }), 'ERR_COLUMN_LENGTH', {
    column: 'b',
    message: /column "b": has 2 rows, but column "a" has 3/,
  });
  await assertRefused(() => writeParquetBytes({ a: [], b: [1] }), 'ERR_COLUMN_LENGTH', { column: 'b' });
});

test('HC-30: duplicate names; names that differ in case', async () => {
  await assertRefused(
    () =>
      writeParquetBytes([
        { name: 'v', data: [1] },
        { name: 'v', data: [2] },
      ]),
    'ERR_SCHEMA',
    { column: 'v' },
  );
  assert.deepEqual((await roundTrip({ v: [1], V: [2] })).columns, { v: [1], V: [2] });
});

test('tables that are none', async () => {
  for (const table of [
    {},
    [],
    null,
    undefined,
    7,
    'text',
    new Map([['a', [1]]]),
    new Set(),
    Int32Array.of(1),
    () => ({}),
  ]) {
    await assertRefused(() => writeParquetBytes(table), 'ERR_SCHEMA');
  }
  for (const list of [
    [[1, 2]],
    [{ a: 1 }],
    [null],
    [{ name: 'a' }],
    [{ data: [1] }],
    [{ name: 1, data: [1] }],
    ['a'],
  ]) {
    await assertRefused(() => writeParquetBytes(list), 'ERR_SCHEMA');
  }
  await assertRefused(() => writeParquetBytes({ schema: { fields: [] }, numRows: 0, batches: [] }), 'ERR_SCHEMA', {
    message: /at least one column/,
  });
  await assertRefused(() => writeParquetBytes([{ name: 'a', data: [1], typ: 'int32' }]), 'ERR_OPTION', {
    message: /typ/,
  });
  await assertRefused(() => writeParquetBytes([{ name: 'a', data: [1], nullable: 'no' }]), 'ERR_SCHEMA', {
    column: 'a',
  });
});

test('HC-80: no rows at all', async () => {
  const { rows, metadata, elements } = await roundTrip([
    { name: 'a', data: new Int32Array(0) },
    { name: 's', data: [], type: 'string' },
  ]);
  assert.equal(rows, 0);
  assert.equal(Number(metadata.num_rows), 0);
  assert.equal(metadata.row_groups.length, 0);
  assert.deepEqual(Object.keys(elements), ['a', 's']);
});

test('the schema decides order, types, nullability and field ids', async () => {
  const table = { a: [1, 2], b: [1, 2], c: ['x', 'y'] };
  const { elements, columns } = await roundTrip(table, {
    schema: { c: 'string', b: { type: 'float', nullable: true, fieldId: 7 }, a: { type: 'int64' } },
  });
  assert.deepEqual(Object.keys(elements), ['c', 'b', 'a']);
  assert.deepEqual([elements.b.type, elements.b.repetition_type, elements.b.field_id], ['FLOAT', 'OPTIONAL', 7]);
  assert.deepEqual(columns.a, [1n, 2n]);
  assert.equal(elements.a.repetition_type, 'REQUIRED');
});

test('HC-27: a type for one column only; a schema that misses or adds a column', async () => {
  const { elements } = await roundTrip([
    { name: 'a', data: [1, 2] },
    { name: 'b', data: [1, 2], type: 'float32' },
  ]);
  assert.deepEqual([elements.a.type, elements.b.type], ['INT32', 'FLOAT']);
  await assertRefused(() => writeParquetBytes({ a: [1] }, { schema: { a: 'int32', zz: 'float32' } }), 'ERR_SCHEMA', {
    column: 'zz',
  });
  await assertRefused(() => writeParquetBytes({ a: [1], b: [1] }, { schema: { a: 'int32' } }), 'ERR_SCHEMA', {
    column: 'b',
  });
  await assertRefused(
    () => writeParquetBytes({ a: [1] }, { schema: { a: { type: 'int32', nulable: true } } }),
    'ERR_SCHEMA',
    { column: 'a', message: /nulable/ },
  );
  await assertRefused(() => writeParquetBytes({ a: [1] }, { schema: { a: null } }), 'ERR_SCHEMA', { column: 'a' });
  await assertRefused(
    () => writeParquetBytes({ a: [1] }, { schema: { a: { type: 'int32', fieldId: -2 } } }),
    'ERR_SCHEMA',
    { column: 'a' },
  );
  await assertRefused(
    () => writeParquetBytes([{ name: 'a', data: [1], type: 'int32' }], { schema: { a: 'int64' } }),
    'ERR_SCHEMA',
    { column: 'a' },
  );
  await assertRefused(
    () =>
      writeParquetBytes([{ name: 'a', data: [1], nullable: true }], {
        schema: { a: { type: 'int32', nullable: false } },
      }),
    'ERR_SCHEMA',
    { column: 'a' },
  );
  await assertRefused(() => writeParquetBytes({ a: [1] }, { schema: ['a'] }), 'ERR_OPTION', { message: /schema/ });
});

test('types as text: spellings and annotations', async () => {
  const data = [null];
  const cases = [
    ['bool', 'BOOLEAN'],
    ['int8', 'INT32', 'INT_8'],
    ['int16', 'INT32', 'INT_16'],
    ['int32', 'INT32'],
    ['int64', 'INT64'],
    ['uint8', 'INT32', 'UINT_8'],
    ['uint16', 'INT32', 'UINT_16'],
    ['uint32', 'INT32', 'UINT_32'],
    ['uint64', 'INT64', 'UINT_64'],
    ['float16', 'FIXED_LEN_BYTE_ARRAY'],
    ['float', 'FLOAT'],
    ['double', 'DOUBLE'],
    ['string', 'BYTE_ARRAY', 'UTF8'],
    ['binary', 'BYTE_ARRAY'],
    ['fixed[16]', 'FIXED_LEN_BYTE_ARRAY'],
    [' fixed[ 16 ] ', 'FIXED_LEN_BYTE_ARRAY'],
    ['date', 'INT32', 'DATE'],
    ['timestamp[ms]', 'INT64'],
    ['timestamp[ms, UTC]', 'INT64', 'TIMESTAMP_MILLIS'],
    ['timestamp[us,Europe/Berlin]', 'INT64', 'TIMESTAMP_MICROS'],
    ['timestamp[ns, +02:00]', 'INT64'],
    ['decimal(9, 2)', 'INT32', 'DECIMAL'],
    ['decimal(10,2)', 'INT64', 'DECIMAL'],
    ['decimal(18,18)', 'INT64', 'DECIMAL'],
    ['decimal( 1 , 0 )', 'INT32', 'DECIMAL'],
  ];
  for (const [type, physical, converted] of cases) {
    const { elements } = await roundTrip([{ name: 'c', data, type }]);
    assert.equal(elements.c.type, physical, type);
    if (converted !== undefined) assert.equal(elements.c.converted_type, converted, type);
  }
});

test('types as text: what is wrong and where', async () => {
  const cases = [
    ['', /position 0: expected the name/],
    ['int', /position 0: there is no type "int"/],
    ['Int32', /no type "Int32"/],
    ['int32 ?', /position 6: expected the end/],
    ['constructor', /no type "constructor"/],
    ['__proto__', /no type "__proto__"/],
    ['fixed', /position 5: expected "\["/],
    ['fixed[]', /position 6/],
    ['fixed[0]', /position 6: the length/],
    ['fixed[-1]', /position 6/],
    ['fixed[99999999999]', /position 6: the length/],
    ['fixed[16', /position 8: expected "\]"/],
    ['decimal(10 2)', /position 11: expected ","/],
    ['decimal(39, 2)', /position 8: the precision must be 1 to 38/],
    ['decimal(0, 0)', /position 8/],
    ['decimal(5, 6)', /position 11: the scale/],
    ['decimal(5,-1)', /position 10/],
    ['timestamp', /position 9: expected "\["/],
    ['timestamp[s]', /position 10: expected a unit/],
    ['timestamp[us,]', /position 13: expected a time zone/],
    ['timestamp[us UTC]', /position 13: expected "\]"/],
  ];
  for (const [type, message] of cases) {
    await assertRefused(() => writeParquetBytes([{ name: 'c', data: [], type }]), 'ERR_SCHEMA', {
      column: 'c',
      message,
    });
  }
  for (const type of [null, 32, {}, []]) {
    await assertRefused(() => writeParquetBytes([{ name: 'c', data: [], type }]), 'ERR_SCHEMA', {
      column: 'c',
      message: /a type is a text/,
    });
  }
});
