// Types of text and bytes beyond string and binary: enum, bson, uuid, interval.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip } from './read-back.mjs';

const column = (data, type, more) => () => writeParquetBytes([{ name: 'c', data, type, ...more }]);
const refused = (value, type, code, message) =>
  assertRefused(column([null, value], type), code, { column: 'c', row: 1, message });
const bytes = (...values) => Uint8Array.from(values);

test('HC-21: a UUID is 16 bytes, from text in any case', async () => {
  const expected = bytes(
    0x0f,
    0x1e,
    0x2d,
    0x3c,
    0x4b,
    0x5a,
    0x69,
    0x78,
    0x87,
    0x96,
    0xa5,
    0xb4,
    0xc3,
    0xd2,
    0xe1,
    0xf0,
  );
  const last = bytes(255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  const element = await assertStored(
    [
      '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0',
      'FFFFFFFF-0000-0000-0000-000000000001',
      'ffffFFFF-0000-0000-0000-000000000001',
      new Uint8Array(16),
      new DataView(expected.buffer),
      null,
    ],
    'uuid',
    [expected, last, last, new Uint8Array(16), expected, null],
  );
  assert.deepEqual(
    [element.type, element.type_length, element.logical_type, element.converted_type],
    ['FIXED_LEN_BYTE_ARRAY', 16, { type: 'UUID' }, undefined],
  );
  await assertRefused(column(['not-a-uuid'], 'uuid'), 'ERR_TYPE_MISMATCH', {
    column: 'c',
    row: 0,
    message: /uuid \(as text: /,
  });
  const good = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';
  const wrong = [
    '',
    good.replaceAll('-', ''),
    `{${good}}`,
    `urn:uuid:${good}`,
    ` ${good}`,
    good.replace('0f', '0g'),
    good.replace('0f', '0@'),
    good.replace('0f', '0`'),
    good.replace('0f', '0ｆ'),
    good.replace('-', '0'),
    good.replace('0f', '0-'),
    `${good.slice(0, -1)}-`,
    good.replace('3c-4', '3-c4'),
  ];
  for (const text of wrong) await refused(text, 'uuid', 'ERR_TYPE_MISMATCH');
  for (let at = 0; at < good.length; at++)
    await refused(`${good.slice(0, at)}x${good.slice(at + 1)}`, 'uuid', 'ERR_TYPE_MISMATCH');
  for (const length of [0, 15, 17, 36])
    await refused(new Uint8Array(length), 'uuid', 'ERR_OUT_OF_RANGE', new RegExp(`got ${length} bytes`));
  for (const value of [1, 1n, {}, [], true]) await refused(value, 'uuid', 'ERR_TYPE_MISMATCH');
});

test('every byte of a UUID, in both cases', async () => {
  const texts = Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, '0').repeat(16);
    return [8, 12, 16, 20, 32].map((end, index, ends) => digits.slice(ends[index - 1] ?? 0, end)).join('-');
  });
  const expected = texts.map((_, byte) => new Uint8Array(16).fill(byte));
  await assertStored(texts, 'uuid', expected);
  await assertStored(
    texts.map((text) => text.toUpperCase()),
    'uuid',
    expected,
  );
});

test('enum: strings only', async () => {
  const data = ['RED', 'GREEN', null, 'RED', 'größe', ''];
  const element = await assertStored(data, 'enum', data);
  assert.deepEqual(
    [element.type, element.converted_type, element.logical_type],
    ['BYTE_ARRAY', 'ENUM', { type: 'ENUM' }],
  );
  for (const value of [1, true, {}, bytes(1), Symbol('RED'), new String('RED')])
    await refused(value, 'enum', 'ERR_TYPE_MISMATCH', /expected enum/);
  await assertRefused(column(['RED', null], 'enum', { nullable: false }), 'ERR_NULL', {
    column: 'c',
    row: 1,
    message: /enum/,
  });
});

test('bson: bytes as they are', async () => {
  const empty = bytes(5, 0, 0, 0, 0);
  const element = await assertStored([empty, null, empty.buffer], 'bson', [empty, null, empty]);
  assert.deepEqual([element.type, element.logical_type], ['BYTE_ARRAY', { type: 'BSON' }]);
  for (const value of ['{}', {}, [5, 0, 0, 0, 0], 5])
    await refused(value, 'bson', 'ERR_TYPE_MISMATCH', /expected bson/);
});

test('text and bytes by their offsets, for all types that are either', async () => {
  const data = { offsets: Int32Array.of(0, 2, 4, 4), bytes: new TextEncoder().encode('{}[]'), validity: bytes(0b011) };
  for (const type of ['string', 'enum', 'json']) await assertStored(data, type, ['{}', '[]', null]);
  for (const type of ['binary', 'bson']) await assertStored(data, type, [bytes(123, 125), bytes(91, 93), null]);
  const broken = { offsets: Int32Array.of(0, 1), bytes: bytes(0xff) };
  for (const type of ['string', 'enum', 'json'])
    await assertRefused(column(broken, type), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0, message: /UTF-8/ });
});

test('interval: months, days and milliseconds, each of 32 bits without a sign', async () => {
  const most = 2 ** 32 - 1;
  const element = await assertStored(
    [
      { months: 1, days: 2, milliseconds: 3 },
      { days: 40 },
      { milliseconds: most, months: most, days: most },
      { months: 0 },
      { months: undefined, days: 1 },
      null,
      Object.assign(Object.create(null), { days: 258 }),
    ],
    'interval',
    [
      bytes(1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0),
      bytes(0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0),
      new Uint8Array(12).fill(255),
      new Uint8Array(12),
      bytes(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
      null,
      bytes(0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0),
    ],
  );
  assert.deepEqual(
    [element.type, element.type_length, element.converted_type, element.logical_type],
    ['FIXED_LEN_BYTE_ARRAY', 12, 'INTERVAL', undefined],
  );
  for (const value of [{ days: -1 }, { days: 0.5 }, { days: 2 ** 32 }, { days: NaN }])
    await refused(value, 'interval', 'ERR_OUT_OF_RANGE', /whole days from 0/);
  for (const value of [
    {},
    { day: 1 },
    { days: 1, hours: 2 },
    { days: '1' },
    { days: 1n },
    { days: null },
    [1, 2, 3],
    'P1D',
    5,
    new Uint8Array(12),
    new Date(0),
    new Map([['days', 1]]),
  ]) {
    await refused(value, 'interval', 'ERR_TYPE_MISMATCH');
  }
  await refused({ days: 1, hours: 2 }, 'interval', 'ERR_TYPE_MISMATCH', /not "hours"/);
  await refused(JSON.parse('{"days": 1, "__proto__": 2}'), 'interval', 'ERR_TYPE_MISMATCH', /not "__proto__"/);
});

test('typed arrays for types that hold no numbers', async () => {
  for (const type of ['uuid', 'interval', 'enum', 'json', 'bson']) {
    await assertRefused(column(Int32Array.of(1), type), 'ERR_TYPE_MISMATCH', {
      column: 'c',
      message: new RegExp(`values for ${type}, got Int32Array`),
    });
  }
});

test('no bounds where the format defines no order', async () => {
  const table = [
    { name: 'interval', data: [{ days: 1 }, { days: 2 }], type: 'interval' },
    { name: 'int96', data: [1n, 2n], type: 'int96' },
    { name: 'uuid', data: [new Uint8Array(16), new Uint8Array(16).fill(1)], type: 'uuid' },
  ];
  const { metadata } = await roundTrip(table);
  const [interval, int96, uuid] = metadata.row_groups[0].columns.map(({ meta_data: { statistics } }) => statistics);
  assert.deepEqual(
    [interval.min_value, interval.max_value, int96.min_value, int96.max_value],
    Array(4).fill(undefined),
  );
  assert.notEqual(uuid.min_value, undefined);
  assert.deepEqual(
    [interval, int96, uuid].map(({ null_count: nulls }) => Number(nulls)),
    [0, 0, 0],
  );
});
