// Arrow IPC by our own reader: every fixture that pyarrow wrote, and what its writers cannot make.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixtures, load, plain, readFixtures } from './arrow-expand.mjs';

const { tableFromArrowIPC, isArrowTable, columnsFromArrow, ParquetError } = await load('index.ts');
const read = (name) => new Uint8Array(readFileSync(new URL(name, fixtures)));

for (const { name, bytes, expected } of readFixtures()) {
  test(`fixture ${name}: types, nulls and values as pyarrow reads them`, () => {
    const table = tableFromArrowIPC(bytes);
    assert.deepEqual(plain(table), expected);
    assert.ok(table.columns.every(({ chunks }) => chunks.every(({ length }) => length > 0)), 'no empty chunk');
  });

  test(`fixture ${name} at every alignment`, () => {
    for (let shift = 1; shift < 8; shift++) {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      assert.deepEqual(plain(tableFromArrowIPC(moved.subarray(shift))), expected);
    }
  });
}

test('a table is marked as one, and columnsFromArrow gives it back', () => {
  const table = tableFromArrowIPC(read('mixed_stream.arrows'));
  assert.ok(isArrowTable(table));
  assert.equal(columnsFromArrow(table), table);
  assert.equal(isArrowTable({ schema: { fields: [] }, numRows: 0 }), false);
});

test('buffers that lie aligned and uncompressed are not copied', () => {
  const bytes = read('int64.arrows');
  const table = tableFromArrowIPC(bytes);
  for (const chunk of table.columns[0].chunks) assert.equal(chunk.values.buffer, bytes.buffer);
});

test('zone, duration unit, field metadata and extension names are kept in the field', () => {
  assert.equal(tableFromArrowIPC(read('timestamp_s_zone.arrows')).columns[0].field.type.zone, 'Europe/Vienna');
  assert.equal(tableFromArrowIPC(read('duration_us.arrows')).columns[0].field.type.unit, 2);
  assert.equal(tableFromArrowIPC(read('mixed_stream.arrows')).columns[1].field.metadata.get('unit'), 'none');
  const extension = tableFromArrowIPC(read('extension.arrows'));
  assert.deepEqual(extension.columns.map(({ field }) => field.metadata.get('ARROW:extension:name')),
    ['arrow.uuid', 'arrow.json', 'arrow.bool8', 'arrow.opaque']);
});

test('chunks of one dictionary share it, also when deltas let it grow', () => {
  for (const name of ['dictionary_deltas.arrows', 'dictionary_deltas_file.arrow', 'mixed_stream.arrows']) {
    const { chunks } = tableFromArrowIPC(read(name)).columns.at(-1);
    assert.ok(chunks.length > 1);
    assert.ok(chunks.every(({ dictionary }) => dictionary === chunks[0].dictionary), name);
  }
  const { chunks } = tableFromArrowIPC(read('dictionary_replaced.arrows')).columns[0];
  assert.notEqual(chunks[0].dictionary, chunks[1].dictionary);
});

test('HC-34: one error names every column that Parquet has no type for', () => {
  assert.throws(() => tableFromArrowIPC(read('refused.arrows')), (error) => {
    assert.ok(error instanceof ParquetError);
    assert.equal(error.code, 'ERR_TYPE_MISMATCH');
    assert.equal(error.column, 'sparse');
    assert.match(error.message, /5 columns/);
    const parts = [
      '"sparse" is union', '"dense" is union', '"digits" is decimal256(50, 0)', '"scale" is decimal128(5, -2)',
      '"empty" is a struct without fields',
    ];
    for (const part of parts) {
      assert.ok(error.message.includes(part), `${error.message} has ${part}`);
    }
    return true;
  });
});

test('what is no Arrow input is refused', () => {
  const bytes = read('int64.arrows');
  const file = read('mixed_file.arrow');
  const damaged = {
    'empty': new Uint8Array(0),
    'text': new TextEncoder().encode('id,name\n1,a\n2,b\n'),
    'a stream that is cut off': bytes.subarray(0, bytes.length - 20),
    'a file that is cut off': file.subarray(0, file.length - 20),
    'only the magic': file.subarray(0, 8),
    'end of stream only': Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0),
  };
  for (const [what, input] of Object.entries(damaged)) {
    assert.throws(() => tableFromArrowIPC(input), { code: 'ERR_FORMAT' }, what);
  }
  for (const input of [undefined, 'text', [1, 2], new ArrayBuffer(8), new Float64Array(4)]) {
    assert.throws(() => tableFromArrowIPC(input), { code: 'ERR_TYPE_MISMATCH' });
  }
});

test('a stream without its end mark, and one without marks of messages as before Arrow 0.15', () => {
  const bytes = read('utf8.arrows');
  const expected = plain(tableFromArrowIPC(bytes));
  assert.deepEqual(plain(tableFromArrowIPC(bytes.subarray(0, bytes.length - 8))), expected);
  const view = new DataView(bytes.buffer);
  const parts = [];
  for (let at = 0; at < bytes.length;) {
    const size = view.getInt32(at + 4, true);
    let next = at + 8 + size;
    if (size > 0) {
      const table = at + 8 + view.getUint32(at + 8, true);
      const vtable = table - view.getInt32(table, true);
      const field = view.getUint16(vtable, true) > 10 ? view.getUint16(vtable + 10, true) : 0;
      if (field > 0) next += Number(view.getBigInt64(table + field, true));
    }
    parts.push(bytes.subarray(at + 4, next));
    at = next;
  }
  assert.deepEqual(plain(tableFromArrowIPC(new Uint8Array(Buffer.concat(parts)))), expected);
});
