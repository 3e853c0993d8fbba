// Arrow bytes that somebody has damaged, or made to do damage.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixtures, load, plain, randomFrom, readFixtures } from './arrow-expand.mjs';
import { checkChunk, messages, mutate } from './arrow-patch.mjs';

const { tableFromArrowIPC, ParquetError } = await load('index.ts');
const read = (name) => new Uint8Array(readFileSync(new URL(name, fixtures)));
const all = readFixtures();

const MiB = 2 ** 20;
/** What a mutated input may end in beside a table: a type or value may become one that Parquet does not have. */
const CODES = ['ERR_FORMAT', 'ERR_TYPE_MISMATCH', 'ERR_OUT_OF_RANGE', 'ERR_LIMIT'];

/** Calls the reader; what it ended in, how long it took, and how much the buffers have grown. */
function attempt(bytes) {
  const before = process.memoryUsage().arrayBuffers;
  const start = performance.now();
  let end;
  try {
    const table = tableFromArrowIPC(bytes);
    end = 'table';
    table.columns.forEach(({ chunks }) => chunks.forEach(checkChunk));
  } catch (error) {
    if (!(error instanceof ParquetError) || !CODES.includes(error.code)) throw error;
    end = error.code;
  }
  return { end, ms: performance.now() - start, grown: process.memoryUsage().arrayBuffers - before };
}

test('10,000 mutated inputs end in an error or in a table that keeps its promises', (context) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  context.diagnostic(`SEED=${seed}`);
  const random = randomFrom(seed);
  const ends = {};
  let slowest = 0;
  let largest = 0;
  for (let round = 0; round < 10_000; round++) {
    const { name, bytes } = all[random(all.length)];
    let result;
    try {
      result = attempt(mutate(bytes, random));
    } catch (error) {
      throw new Error(`SEED=${seed}, round ${round}, ${name}: ${error.stack}`);
    }
    ends[result.end] = (ends[result.end] ?? 0) + 1;
    assert.ok(result.ms < 1000, `SEED=${seed}, round ${round}, ${name}: ${result.ms} ms`);
    slowest = Math.max(slowest, result.ms);
    largest = Math.max(largest, result.grown);
  }
  const grown = (largest / MiB).toFixed(1);
  context.diagnostic(`${JSON.stringify(ends)}, slowest ${slowest.toFixed(0)} ms, buffers grew by at most ${grown} MiB`);
  assert.ok(ends.ERR_FORMAT > 1000 && ends.table > 100);
  assert.ok(largest < 300 * MiB);
});

test('every fixture cut off at any byte is ERR_FORMAT, or a table of the batches before', () => {
  for (const { name, bytes, expected } of all.filter(({ bytes: { length } }) => length < 2500)) {
    for (let size = 0; size < bytes.length; size += 3) {
      const { end } = attempt(bytes.subarray(0, size));
      assert.ok(end === 'ERR_FORMAT' || end === 'table', `${name} at ${size}: ${end}`);
      if (end === 'table') assert.ok(tableFromArrowIPC(bytes.subarray(0, size)).numRows <= expected.rows);
    }
  }
});

/** The first batch of a fixture, to be changed in place. */
function batchOf(name) {
  const bytes = read(name);
  const batch = messages(bytes).find(({ kind }) => kind === 3);
  const nodes = batch.header.vector(1);
  const buffers = batch.header.vector(2);
  return {
    bytes, batch, flat: batch.header,
    setRows: (rows) => {
      batch.header.setLong(batch.header.field(0), rows);
      batch.header.setLong(nodes.at, rows);
    },
    setNode: (index, length, nulls) => {
      batch.header.setLong(nodes.at + index * 16, length);
      batch.header.setLong(nodes.at + index * 16 + 8, nulls);
    },
    buffer: (index) => batch.body + Number(batch.header.view.getBigInt64(buffers.at + index * 16, true)),
    setBuffer: (index, start, size) => {
      batch.header.setLong(buffers.at + index * 16, start);
      batch.header.setLong(buffers.at + index * 16 + 8, size);
    },
  };
}

function assertRefused(bytes, code, pattern) {
  const { ms, grown } = (() => {
    const before = process.memoryUsage().arrayBuffers;
    const start = performance.now();
    assert.throws(() => tableFromArrowIPC(bytes), (error) => {
      assert.ok(error instanceof ParquetError, error.stack);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, pattern);
      return true;
    });
    return { ms: performance.now() - start, grown: process.memoryUsage().arrayBuffers - before };
  })();
  assert.ok(ms < 1000, `${ms} ms`);
  assert.ok(grown < 200 * MiB, `${grown} bytes`);
}

test('billions of rows of a type that needs no bytes', () => {
  const nothing = batchOf('null.arrows');
  nothing.setRows(2n ** 40n);
  assertRefused(nothing.bytes, 'ERR_FORMAT', /column "c": a length must be/);
});

test('a run that stands for two billion rows', () => {
  const { bytes, batch, flat } = batchOf('run_end_encoded.arrows');
  const rows = 2n ** 31n - 1n;
  const nodes = flat.vector(1);
  flat.setLong(flat.field(0), rows);
  flat.setLong(nodes.at, rows);
  // The first column's run ends are the first buffer with bytes: 2, 3, 5.
  const view = new DataView(bytes.buffer);
  let at = batch.body;
  while (view.getInt32(at, true) !== 2) at += 4;
  view.setInt32(at + 8, Number(rows), true);
  assertRefused(bytes, 'ERR_LIMIT', /column "utf8" would grow/);
});

test('views of a few bytes that all show one long value', () => {
  // 200,000 views of 64 KiB each: 13 GB out of 3.3 MB.
  const { bytes, batch, flat } = batchOf('binary_view.arrows');
  const rows = 200_000;
  const long = 1 << 16;
  const body = new Uint8Array(rows * 16 + long);
  const view = new DataView(body.buffer);
  for (let row = 0; row < rows; row++) {
    view.setInt32(row * 16, long, true);
    view.setInt32(row * 16 + 8, 0, true);
    view.setInt32(row * 16 + 12, 0, true);
  }
  const made = new Uint8Array(Buffer.concat([bytes.subarray(0, batch.body), body]));
  const copy = (position, value) => new DataView(made.buffer).setBigInt64(position, BigInt(value), true);
  const nodes = flat.vector(1);
  const buffers = flat.vector(2);
  copy(flat.field(0), rows);
  copy(nodes.at, rows);
  copy(nodes.at + 8, 0);
  copy(buffers.at, 0);
  copy(buffers.at + 8, 0);
  copy(buffers.at + 16, 0);
  copy(buffers.at + 24, rows * 16);
  copy(buffers.at + 32, rows * 16);
  copy(buffers.at + 40, long);
  // The message's own body length stands in its root.
  const root = new DataView(made.buffer);
  const rootAt = batch.start + 8 + root.getUint32(batch.start + 8, true);
  const vtable = rootAt - root.getInt32(rootAt, true);
  copy(rootAt + root.getUint16(vtable + 10, true), body.length);
  assertRefused(made, 'ERR_LIMIT', /column "c"/);
});

test('buffers that overlap, or lie outside of the body', () => {
  const overlap = batchOf('utf8.arrows');
  const size = overlap.batch.end - overlap.batch.body;
  for (const index of [0, 1, 2]) overlap.setBuffer(index, 0, size);
  assertRefused(overlap.bytes, 'ERR_FORMAT', /message at byte \d+: its buffers overlap/);
  const outside = batchOf('utf8.arrows');
  outside.setBuffer(1, size - 8, 16);
  assertRefused(outside.bytes, 'ERR_FORMAT', /buffer 1 ends at/);
  const negative = batchOf('utf8.arrows');
  negative.setBuffer(1, -8, 16);
  assertRefused(negative.bytes, 'ERR_FORMAT', /a count or position is -8/);
});

test('offsets, indices, sizes and runs that lead outside name column and row', () => {
  const set = (name, index, at, value, pattern, code = 'ERR_FORMAT') => {
    const given = batchOf(name);
    given.flat.setInt(given.buffer(index) + at, value);
    assertRefused(given.bytes, code, pattern);
  };
  set('utf8.arrows', 1, 8, 1 << 30, /column "c", row \d: /);
  set('utf8.arrows', 1, 0, -4, /column "c", row 0: offset -4 is negative/);
  set('list.arrows', 1, 20, 1 << 20, /column "c", row \d: /);
  set('dictionary_replaced.arrows', 1, 0, 7, /column "d", row 0: index 7 points outside of the dictionary of 3 values/);
  set('dictionary_replaced.arrows', 1, 4, -1, /column "d", row 1: index -1 points outside/);
  set('large_utf8.arrows', 1, 12, 1, /column "c", row 1: offsets must be from 0 to 2\^32/);
  set('utf8_view.arrows', 1, 4 * 16, 1 << 20, /column "c", row 4: a view ends at/);
  set('utf8_view.arrows', 1, 4 * 16 + 8, 9, /column "c", row 4: a view points into buffer 9/);
  set('utf8_view.arrows', 1, 16, -1, /column "c", row 1: a view has the length -1/);
  set('timestamp_s.arrows', 1, 4, 1 << 30, /column "c", row 0: timestamp of \d+ s does not fit/, 'ERR_OUT_OF_RANGE');
  set('date64.arrows', 1, 0, 1, /column "c", row 0: date64 value 1 ms is not a whole day/, 'ERR_OUT_OF_RANGE');
  const interval = 'interval_month_day_nano.arrows';
  set(interval, 1, 0, -1, /column "c", row 0: interval\[month_day_nano\] of -1, 2, 3 /, 'ERR_OUT_OF_RANGE');
  set(interval, 1, 8, 1, /column "c", row 0: interval/, 'ERR_OUT_OF_RANGE');
});

test('a dictionary that refers to itself', () => {
  const bytes = read('dictionary_runs.arrows');
  const [{ header: schema }, ...others] = messages(bytes);
  const [field] = schema.tables(1);
  const encodings = [field.table(4), field.tables(5)[1].table(4)];
  const batches = others.filter(({ kind }) => kind === 2);
  const [own] = batches.filter(({ header }) => header.long(0) === encodings[0].long(0));
  // The number that is 0 is not in the bytes; the other becomes the same.
  for (const table of [...encodings, own.header]) if (table.long(0) !== 0n) table.setLong(table.field(0), 0);
  const made = [bytes.subarray(0, others[0].start), ...others.filter((message) => message.kind === 3 || message === own)
    .map(({ start, end }) => bytes.subarray(start, end))];
  assertRefused(new Uint8Array(Buffer.concat(made)), 'ERR_FORMAT', /its dictionary refers to itself/);
});

test('one dictionary number for two types', () => {
  const bytes = read('dictionary.arrows');
  const [{ header: schema }] = messages(bytes);
  const fields = schema.tables(1).map((field) => field.table(4));
  for (const field of fields) if (field.long(0) !== 0n) field.setLong(field.field(0), 0);
  assertRefused(bytes, 'ERR_FORMAT', /Arrow schema: dictionary 0 is string and int64/);
});

test('types nested without end, and fields that are shared to look like billions', () => {
  const nested = read('list_list.arrows');
  const [{ header }] = messages(nested);
  const [field] = header.tables(1);
  const children = field.vector(5);
  // The field's child is the field itself: a cycle.
  field.setInt(children.at, field.at - children.at);
  assertRefused(nested, 'ERR_FORMAT', /nested more than 64 deep|an offset leads to byte/);

  const shared = read('mixed_stream.arrows');
  const [{ header: schema }] = messages(shared);
  const fields = schema.tables(1);
  const struct = fields.find((candidate) => candidate.bytes[candidate.field(2)] === 12);
  const own = struct.vector(5);
  // A vector that says it has thousands of children, which all lie where its words happen to lead.
  struct.setInt(own.at - 4, 0x00ff_ffff);
  assertRefused(shared, 'ERR_FORMAT', /an offset leads to byte/);
});

test('a compressed buffer that claims more than its bytes can hold', () => {
  for (const [name, codec] of [['mixed_stream_zstd.arrows', 'zstd'], ['mixed_stream_lz4.arrows', 'LZ4']]) {
    const claims = [
      [2n ** 50n, 'cannot hold 1125899906842624'], [-2n, 'cannot hold -2'], [3n, `${codec}: they hold`],
    ];
    for (const [claim, message] of claims) {
      const given = batchOf(name);
      given.flat.setLong(given.buffer(3), claim);
      assertRefused(given.bytes, 'ERR_FORMAT', new RegExp(message));
    }
  }
});

test('blocks of a file that overlap, and those that lead to something else', () => {
  const bytes = read('mixed_file.arrow');
  const view = new DataView(bytes.buffer);
  const size = view.getInt32(bytes.length - 10, true);
  const start = bytes.length - 10 - size;
  const rootAt = start + view.getUint32(start, true);
  const vtable = rootAt - view.getInt32(rootAt, true);
  const blocks = rootAt + view.getUint16(vtable + 10, true);
  const first = blocks + view.getUint32(blocks, true) + 4;
  const count = view.getUint32(first - 4, true);
  assert.ok(count > 1);
  const wrong = bytes.slice();
  new DataView(wrong.buffer).setBigInt64(first, 16n, true);
  assertRefused(wrong, 'ERR_FORMAT', /footer at byte \d+: there is no message of kind 3 at byte 16|message at byte 16/);
  for (let index = 1; index < count; index++) view.setBigInt64(first + index * 24, view.getBigInt64(first, true), true);
  const { end } = attempt(bytes);
  assert.ok(end === 'table' || end === 'ERR_FORMAT');
});

test('big-endian, old versions, other messages', () => {
  const changed = (name, change) => {
    const bytes = read(name);
    change(bytes, messages(bytes));
    return bytes;
  };
  const version = changed('int64.arrows', (bytes) => {
    const view = new DataView(bytes.buffer);
    const root = 8 + view.getUint32(8, true);
    view.setInt16(root + view.getUint16(root - view.getInt32(root, true) + 4, true), 2, true);
  });
  assertRefused(version, 'ERR_FORMAT', /metadata version V3/);
  const tensor = changed('int64.arrows', (bytes) => {
    const view = new DataView(bytes.buffer);
    const root = 8 + view.getUint32(8, true);
    bytes[root + view.getUint16(root - view.getInt32(root, true) + 6, true)] = 4;
  });
  assertRefused(tensor, 'ERR_FORMAT', /messages of kind 4/);
  const [schema, batch] = messages(read('int64.arrows'));
  const bytes = read('int64.arrows');
  const twice = new Uint8Array(Buffer.concat([bytes.subarray(0, batch.start), bytes]));
  assertRefused(twice, 'ERR_FORMAT', /there is a second schema/);
  assertRefused(bytes.subarray(batch.start), 'ERR_FORMAT', /the schema must come first/);
  assert.equal(schema.kind, 1);
});

test('HC-33: bytes as JavaScript libraries make them', () => {
  // A bitmap that is a byte short is an error that says so; one that is missing where all are null is not.
  const short = batchOf('mixed_stream.arrows');
  const buffers = short.flat.vector(2);
  const start = Number(short.flat.view.getBigInt64(buffers.at + 2 * 16, true));
  short.setBuffer(2, start, 7);
  assertRefused(short.bytes, 'ERR_FORMAT', /column "text": 64 rows need 8 bytes of validity, but there are 7/);

  const missing = batchOf('bool.arrows');
  missing.setNode(0, 5, 5);
  missing.setBuffer(0, 0, 0);
  missing.setBuffer(1, 0, 0);
  const table = tableFromArrowIPC(missing.bytes);
  assert.deepEqual(plain(table).columns[0].values.slice(0, 5), [null, null, null, null, null]);

  // More offsets than rows: the length rules.
  const surplus = batchOf('utf8.arrows');
  surplus.setRows(3);
  surplus.setNode(0, 3, 0);
  assert.equal(tableFromArrowIPC(surplus.bytes).columns[0].chunks[0].length, 3);

  // Indices without a type are int32.
  const bytes = read('dictionary_replaced.arrows');
  const expected = plain(tableFromArrowIPC(bytes));
  const [{ header: schema }] = messages(bytes);
  schema.tables(1)[0].table(4).clear();
  assert.deepEqual(plain(tableFromArrowIPC(bytes)), expected);
});
