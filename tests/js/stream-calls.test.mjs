// Calls of a writer: their queue, what they take, and how a writer ends. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParquetWriter, writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, readBack } from './read-back.mjs';
import { errorOf, fileOf, keeper, tick } from './stream-tools.mjs';

const upTo = (count, make) => Array.from({ length: count }, (_, row) => make(row));
const read = async ({ blob }) => readBack(new Uint8Array(await blob.arrayBuffer()));

test('calls that nobody awaits keep their order and their rows', async () => {
  const writer = await ParquetWriter.open({ schema: { n: 'int32' }, rowGroupRows: 1000 });
  const calls = [];
  for (let call = 0; call < 60; call++) {
    const values = upTo(call % 4 === 0 ? 40_000 : call, (row) => call * 100_000 + row);
    calls.push(call % 2 === 0 ? writer.write({ n: values }) : writer.writeRows(values.map((n) => ({ n }))));
    if (call % 17 === 0) calls.push(writer.flushRowGroup());
  }
  const { columns } = await read(await writer.finish());
  await Promise.all(calls);
  const expected = upTo(60, (call) => upTo(call % 4 === 0 ? 40_000 : call, (row) => call * 100_000 + row)).flat();
  assert.deepEqual(columns.n, expected);
});

for (const size of [10, 6000]) {
  test(`${size} rows are taken as they are at the call, awaited or not`, async () => {
    const writer = await ParquetWriter.open({
      schema: {
        n: { type: 'int32', nullable: false }, s: 'string', b: 'binary', d: 'timestamp[ms]', l: 'list<int32>', v: 'int32',
        o: 'string',
      },
    });
    const n = new Int32Array(size);
    const s = new Array(size);
    const bytes = upTo(size, () => new Uint8Array(1));
    const dates = upTo(size, () => new Date(0));
    const lists = upTo(size, () => [0]);
    const values = new Int32Array(size);
    const validity = new Uint8Array(Math.ceil(size / 8));
    const offsets = Int32Array.from({ length: size + 1 }, (_, row) => row);
    const text = new Uint8Array(size);
    const calls = upTo(4, (call) => {
      n.fill(call);
      s.fill(`s${call}`);
      bytes.forEach((one) => one.fill(call));
      dates.forEach((one) => one.setTime(call));
      lists.forEach((one) => { one[0] = call; });
      values.fill(call);
      validity.fill(call === 2 ? 0 : 255);
      text.fill(97 + call);
      return writer.write({ n, s, b: bytes, d: dates, l: lists, v: { values, validity }, o: { offsets, bytes: text } });
    });
    n.fill(-1);
    s.fill('gone');
    bytes.forEach((one) => one.fill(99));
    lists.forEach((one) => one.push(9));
    values.fill(-1);
    text.fill(0);
    await Promise.all(calls);
    const { blob } = await writer.finish();
    const { columns } = await readBack(new Uint8Array(await blob.arrayBuffer()));
    const each = (make) => upTo(4, (call) => upTo(size, () => make(call))).flat();
    assert.deepEqual(columns.n, each((call) => call));
    assert.deepEqual(columns.s, each((call) => `s${call}`));
    assert.deepEqual(columns.b, each((call) => Uint8Array.of(call)));
    assert.deepEqual(columns.d, each((call) => BigInt(call)));
    assert.deepEqual(columns.l, each((call) => ({ list: [{ element: call }] })));
    assert.deepEqual(columns.v, each((call) => (call === 2 ? null : call)));
    assert.deepEqual(columns.o, each((call) => String.fromCharCode(97 + call)));
  });
}

test('rows are taken as they are at the call, too', async () => {
  const writer = await ParquetWriter.open();
  const row = { id: 0, at: { x: 0 }, tags: ['a'] };
  const calls = upTo(5, (call) => {
    row.id = call;
    row.at.x = call;
    row.tags[0] = `t${call}`;
    return writer.writeRows([row, row]);
  });
  row.at.x = -1;
  row.tags.length = 0;
  await Promise.all(calls);
  const file = new Uint8Array(await (await writer.finish()).blob.arrayBuffer());
  const each = (make) => upTo(10, (at) => make(at >> 1));
  const expected = { id: each((call) => call), at: each((x) => ({ x })), tags: each((call) => [`t${call}`]) };
  assert.deepEqual(file, await fileOf([expected]));
});

test('rows from an iterator: read as they are written, or whole where types are inferred', async () => {
  const made = { whole: 0, pieces: 0 };
  const rows = function* (how) {
    for (let id = 0; id < 10_000; id++) {
      made[how]++;
      yield id % 3 === 0 ? { id } : { id, text: `t${id}` };
    }
  };
  const onProgress = ({ rows: done }) => assert.ok(made.pieces - done <= 1024, `${made.pieces} rows made, ${done} done`);
  const writer = await ParquetWriter.open({ schema: { id: 'int32', text: 'string' }, onProgress });
  await writer.writeRows(rows('pieces'));
  await writer.writeRows((function* () {})());
  assert.equal(writer.rows, 10_000);
  const inferred = await ParquetWriter.open();
  await inferred.writeRows((function* () {})());
  await inferred.writeRows(rows('whole'));
  const one = await read(await writer.finish());
  const two = await read(await inferred.finish());
  assert.deepEqual(one.columns, two.columns);
  assert.deepEqual(one.columns.text.slice(0, 4), [null, 't1', 't2', null]);
});

test('rows that are none, keys that are no columns, iterators that throw', async () => {
  const columns = { a: [1, 2] };
  const open = async () => {
    const writer = await ParquetWriter.open();
    await writer.write(columns);
    return writer;
  };
  for (const [rows, code, about] of [
    [[{ a: 1 }, 5], 'ERR_TYPE_MISMATCH', { row: 3 }],
    [[{ a: 1 }, { b: 5 }], 'ERR_SCHEMA', { column: 'b', row: 3 }],
    [[{ a: 1 }, { a: 'x' }], 'ERR_TYPE_MISMATCH', { column: 'a', row: 3 }],
    [new Set([{ a: 1 }, { a: 2 }, { b: 1 }]), 'ERR_SCHEMA', { column: 'b', row: 4 }],
    [5, 'ERR_TYPE_MISMATCH', {}],
  ]) {
    await assertRefused(async () => (await open()).writeRows(rows), code, about);
  }
  const queued = await open();
  void queued.write(columns);
  await assertRefused(() => queued.writeRows([{ a: 1 }, 5]), 'ERR_TYPE_MISMATCH', { row: 5 });
  const writer = await open();
  const cause = new Error('no more');
  const error = await errorOf(writer.writeRows((function* () { yield { a: 1 }; throw cause; })()));
  assert.equal(error, cause);
  assert.equal((await errorOf(writer.finish())).cause, cause);
});

test('HC-123: the first failure ends the writer: the sink is aborted, every later call says why', async () => {
  const log = keeper();
  const writer = await ParquetWriter.open({ schema: { s: 'string' }, rowGroupRows: 10, sink: log.sink });
  await writer.write({ s: upTo(25, String) });
  const first = await errorOf(writer.write({ s: [1234] }));
  assert.equal(first.code, 'ERR_TYPE_MISMATCH');
  assert.equal(first.row, 25);
  const calls = ['write', 'writeRows', 'flushRowGroup', 'finish', 'finish'].map((name) => () => writer[name]([{ s: 'x' }]));
  for (const call of calls) {
    const later = await assertRefused(call, 'ERR_POISONED', { message: /failed before: column "s", row 25/ });
    assert.equal(later.cause, first);
  }
  assert.deepEqual(log.aborted, [first]);
  assert.equal(log.closed, false);
  await writer.abort();
  assert.equal(log.aborted.length, 1);
});

test('what nobody awaits comes again with finish, and ends no program', async () => {
  const unhandled = [];
  const note = (reason) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const writer = await ParquetWriter.open();
    void writer.write({ a: [1, 'x'] });
    void writer.write({ a: [2] });
    void writer.flushRowGroup();
    assert.equal((await errorOf(writer.finish())).cause.code, 'ERR_TYPE_MISMATCH');
    await tick(5);
    assert.deepEqual(unhandled, []);
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('finish twice, calls behind finish', async () => {
  const log = keeper();
  const writer = await ParquetWriter.open({ sink: log.sink });
  await writer.write({ a: [1] });
  const pending = writer.finish();
  await assertRefused(() => writer.write({ a: [2] }), 'ERR_FINISHED');
  await assertRefused(() => writer.finish(), 'ERR_FINISHED');
  const result = await pending;
  assert.deepEqual(result, { rows: 1, rowGroups: 1, byteLength: log.bytes.length });
  assert.equal(log.closed, true);
  for (const call of ['finish', 'write', 'writeRows', 'flushRowGroup'].map((name) => () => writer[name]([]))) {
    await assertRefused(call, 'ERR_FINISHED');
  }
  await writer.abort(new Error('too late'));
  assert.deepEqual(log.aborted, []);
  assert.deepEqual((await readBack(log.bytes)).columns.a, [1]);
});

test('await using: without finish the file is given up, a finish is waited for', async () => {
  const dispose = Symbol.asyncDispose;
  const lost = keeper();
  const writer = await ParquetWriter.open({ sink: lost.sink });
  void writer.write({ a: [1] });
  await writer[dispose]();
  assert.equal(lost.closed, false);
  assert.equal(lost.aborted[0].code, 'ERR_ABORTED');
  await assertRefused(() => writer.finish(), 'ERR_ABORTED', { message: /disposed of without finish/ });
  const kept = keeper({ write: () => tick(1) });
  const other = await ParquetWriter.open({ sink: kept.sink });
  void other.write({ a: [1] });
  void other.finish();
  await other[dispose]();
  assert.equal(kept.closed, true);
  assert.deepEqual(kept.aborted, []);
});

test('HC-128: abort by the caller, by call and by signal', async () => {
  const big = { s: upTo(200_000, (row) => `text ${row}`) };
  for (const bySignal of [true, false]) {
    let open;
    const gate = new Promise((resolve) => { open = resolve; });
    const log = keeper({ write: () => gate });
    const controller = new AbortController();
    const options = { schema: { s: 'string' }, rowGroupRows: 150_000, sink: log.sink, signal: controller.signal };
    const writer = await ParquetWriter.open(options);
    const reason = new Error('user left');
    const pending = [errorOf(writer.write(big)), errorOf(writer.write(big)), errorOf(writer.finish())];
    await tick();
    if (bySignal) controller.abort(reason);
    else await writer.abort(reason);
    const later = [errorOf(writer.write(big)), errorOf(writer.finish())];
    for (const error of await Promise.all([...pending, ...later])) {
      assert.equal(error.code, 'ERR_ABORTED');
      assert.equal(error.cause, reason);
    }
    open();
    await tick();
    assert.deepEqual(log.aborted, [reason]);
    assert.equal(log.closed, false);
  }
  const late = keeper();
  const reason = new Error('before');
  await assertRefused(() => ParquetWriter.open({ sink: late.sink, signal: AbortSignal.abort(reason) }), 'ERR_ABORTED');
  assert.equal(late.sink.locked, false);
});

test('abort in the middle of work comes soon', async () => {
  const writer = await ParquetWriter.open();
  const call = errorOf(writer.write({ s: upTo(2_000_000, (row) => `text ${row % 1000} ${row}`) }));
  await tick();
  const began = performance.now();
  void writer.abort();
  assert.equal((await call).code, 'ERR_ABORTED');
  // Work gives way every 12 ms; the rest is for busy machines.
  assert.ok(performance.now() - began < 150);
});

test('progress: rows and bytes never fall; an error of the callback ends the writer', async () => {
  const seen = [];
  const writer = await ParquetWriter.open({ rowGroupRows: 5000, onProgress: (progress) => seen.push(progress) });
  for (let batch = 0; batch < 4; batch++) await writer.write({ n: Int32Array.from({ length: 7000 }, (_, row) => row) });
  const { rows, byteLength } = await writer.finish();
  assert.deepEqual(seen.at(-1), { rows, bytes: byteLength });
  assert.ok(seen.length >= 5, String(seen.length));
  for (let at = 1; at < seen.length; at++) {
    assert.ok(seen[at].rows >= seen[at - 1].rows && seen[at].bytes >= seen[at - 1].bytes);
  }
  const cause = new Error('no');
  const failing = await ParquetWriter.open({ onProgress: () => { throw cause; } });
  assert.equal(await errorOf(failing.write({ n: [1] })), cause);
  assert.equal((await errorOf(failing.finish())).cause, cause);
});

test('code of the caller that runs in the middle of a batch may end the writer', async () => {
  const writer = await ParquetWriter.open({ schema: { j: 'json' } });
  const evil = { toJSON: () => { void writer.abort(new Error('from inside')); return 1; } };
  const error = await errorOf(writer.write({ j: [1, evil, { k: 2 }] }));
  assert.equal(error.code, 'ERR_ABORTED');
  assert.deepEqual((await readBack(await writeParquetBytes({ a: [1] }))).columns.a, [1]);
});
