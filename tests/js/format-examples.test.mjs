// Examples of the format's LogicalTypes.md, as what JavaScript values become. Those of other documents are bytes of pages
// and stand in worked_examples.rs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { schemaText, stored } from './pages.mjs';
import { assertRefused, assertStored } from './read-back.mjs';

const hex = (text) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

test('UUID: big-endian, as its text reads', async () => {
  const bytes = hex('00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff');
  await assertStored(['00112233-4455-6677-8899-aabbccddeeff'], 'uuid', [bytes]);
});

test('TIMESTAMP: two days are 172800000 ms, for an instant and for local time', async () => {
  const type = await assertStored(
    [new Date(172_800_000), '1970-01-03T00:00:00Z', '1970-01-03T00:00:00+01:00'],
    'timestamp[ms, UTC]',
    [172_800_000n, 172_800_000n, 169_200_000n],
  );
  assert.deepEqual(type.logical_type, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' });
  const local = await assertStored(['1970-01-03T00:00:00'], 'timestamp[ms]', [172_800_000n]);
  assert.deepEqual(local.logical_type, { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' });
  // Local time has the older annotation as well, nanoseconds have none.
  assert.deepEqual([type.converted_type, local.converted_type], ['TIMESTAMP_MILLIS', 'TIMESTAMP_MILLIS']);
  const nanos = await assertStored(['1970-01-03T00:00:00'], 'timestamp[ns]', [172_800_000_000_000n]);
  assert.equal(nanos.converted_type, undefined);
});

test('TIMESTAMP: nanoseconds go from 1677-09-21 00:12:43 to 2262-04-11 23:47:16', async () => {
  const within = ['1677-09-21T00:12:44', '2262-04-11T23:47:16'];
  await assertStored(within, 'timestamp[ns]', [-9223372036000000000n, 9223372036000000000n]);
  for (const beyond of ['1677-09-21T00:12:43', '2262-04-11T23:47:17']) {
    await assertRefused(() => writeParquetBytes([{ name: 't', type: 'timestamp[ns]', data: [beyond] }]), 'ERR_OUT_OF_RANGE', { row: 0 });
  }
});

test('TIMESTAMP: fields outside of their range are no timestamps', async () => {
  const wrong = ['1970-01-03T25:00:00', '1970-01-03T00:61:00', '1970-13-01T00:00:00', '1970-02-29T00:00:00'];
  for (const text of wrong) {
    const write = () => writeParquetBytes([{ name: 't', type: 'timestamp[us]', data: [text] }]);
    await assertRefused(write, 'ERR_OUT_OF_RANGE', { row: 0 });
  }
});

test('DATE, TIME and INTERVAL: days, units since midnight, three little-endian numbers', async () => {
  await assertStored(['1970-01-01', '1970-01-03', '1969-12-31'], 'date', [0, 2, -1]);
  await assertStored(['00:00:01'], 'time[ms]', [1000]);
  await assertStored(['00:00:01'], 'time[us]', [1_000_000n]);
  await assertStored(['00:00:01'], 'time[ns]', [1_000_000_000n]);
  const interval = hex('01 00 00 00 02 00 00 00 03 00 00 00');
  await assertStored([{ months: 1, days: 2, milliseconds: 3 }], 'interval', [interval]);
});

test('DECIMAL: unscaled, with as many bytes as the precision needs', async () => {
  const type = await assertStored(['123.45'], 'decimal(5, 2)', [12_345n]);
  assert.deepEqual([type.type, type.precision, type.scale], ['INT32', 5, 2]);
  assert.equal((await assertStored(['1.5'], 'decimal(18, 1)', [15n])).type, 'INT64');
  // floor(log10(2^(8n − 1) − 1)) digits fit into n bytes: 9 bytes hold 21 of them, 16 bytes 38.
  for (const [precision, width] of [[19, 9], [21, 9], [22, 10], [38, 16]]) {
    const wide = await assertStored(['-1'], `decimal(${precision}, 0)`, [-1n]);
    assert.deepEqual([wide.type, wide.type_length], ['FIXED_LEN_BYTE_ARRAY', width]);
  }
});

test('integers have the width and sign of their annotation, in both forms', async () => {
  for (const signed of [true, false]) {
    for (const bits of [8, 16, 32, 64]) {
      const name = `${signed ? '' : 'u'}int${bits}`;
      const type = await assertStored([1], name, [bits === 64 ? 1n : 1]);
      const implied = signed && bits >= 32;
      assert.equal(type.type, bits === 64 ? 'INT64' : 'INT32');
      if (implied && type.logical_type === undefined) continue;
      assert.deepEqual(type.logical_type, { type: 'INTEGER', bitWidth: bits, isSigned: signed });
      assert.equal(type.converted_type, `${signed ? '' : 'U'}INT_${bits}`);
    }
  }
});

test('LIST: three levels, whether the list or its elements may be null', async () => {
  const text = async (data, type, nullable) =>
    schemaText(await writeParquetBytes([{ name: 'my_list', data, type, nullable }], { compression: 'none' }));
  assert.equal(
    await text([['a', null]], 'list<string>', false),
    'required group my_list (LIST)\n  repeated group list\n    optional BYTE_ARRAY element (STRING)',
  );
  assert.equal(
    await text([['a'], null], 'list<string not null>', true),
    'optional group my_list (LIST)\n  repeated group list\n    required BYTE_ARRAY element (STRING)',
  );
  assert.equal(
    await text([[[1]]], 'list<list<int32 not null> not null>', true),
    [
      'optional group my_list (LIST)',
      '  repeated group list',
      '    required group element (LIST)',
      '      repeated group list',
      '        required INT32 element',
    ].join('\n'),
  );
});

test('MAP: keys that are required, values that may be null', async () => {
  const data = [new Map([['a', 1], ['b', null]])];
  const options = { compression: 'none', dictionary: false };
  const bytes = await writeParquetBytes([{ name: 'my_map', type: 'map<string, int32>', nullable: false, data }], options);
  assert.equal(
    schemaText(bytes),
    [
      'required group my_map (MAP)',
      '  repeated group key_value',
      '    required BYTE_ARRAY key (STRING)',
      '    optional INT32 value',
    ].join('\n'),
  );
  assert.deepEqual(stored(bytes, 'my_map.key_value.value'), { levels: '(0,2)(1,1)', values: [1] });
});
