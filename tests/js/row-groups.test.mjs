// Row groups: by rows, by bytes, whichever limit comes first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTrip } from './read-back.mjs';

const groups = ({ metadata }) => metadata.row_groups.map(({ num_rows: rows }) => Number(rows));

test('HC-82: limits by rows and by bytes', async () => {
  const s = Array.from({ length: 40_000 }, (_, row) => row + 'y'.repeat(1_995));
  const file = await roundTrip({ s }, { rowGroupBytes: 8_000_000 });
  const rows = groups(file);
  assert.ok(rows.length >= 10 && rows.length <= 11, String(rows));
  let at = 0;
  for (const count of rows) {
    const bytes = s.slice(at, at + count).reduce((sum, text) => sum + text.length + 4, 0);
    assert.ok(bytes <= 8_000_000);
    const more = s[at + count];
    if (more !== undefined) assert.ok(bytes + more.length + 4 > 8_000_000);
    at += count;
  }
  assert.deepEqual(groups(await roundTrip({ i: new Int32Array(10) }, { rowGroupRows: 3 })), [3, 3, 3, 1]);
});

test('bytes are those of PLAIN values of all columns together', async () => {
  const rows = 1000;
  const table = {
    i: new Int32Array(rows),
    d: new Float64Array(rows),
    n: new Uint8Array(rows),
    b: Array(rows).fill(true),
    s: Array(rows).fill('é🙂'),
    x: Array(rows).fill(new Uint8Array(3)),
    o: { offsets: Int32Array.from({ length: rows + 1 }, (_, row) => row * 2), bytes: new Uint8Array(rows * 2) },
  };
  const each = 4 + 8 + 4 + 1 / 8 + (6 + 4) + (3 + 4) + (2 + 4);
  for (const count of [1, 7, 100, 250, 999]) {
    const found = groups(await roundTrip(table, { rowGroupBytes: Math.ceil(each * count) }));
    assert.equal(found[0], count);
    assert.equal(
      found.reduce((sum, value) => sum + value),
      rows,
    );
    assert.ok(
      found.slice(0, -1).every((value) => value === count),
      String(found),
    );
  }
});

test('a row larger than the limit stands alone; nulls of strings weigh nothing', async () => {
  const s = ['a', 'b'.repeat(5000), 'c', null, null, 'd'.repeat(5000), 'e'.repeat(5000), 'f'];
  const file = await roundTrip({ s }, { rowGroupBytes: 100 });
  assert.deepEqual(groups(file), [1, 1, 3, 1, 1, 1]);
  assert.deepEqual(file.columns.s, s);
  assert.deepEqual(groups(await roundTrip({ a: new Float64Array(3) }, { rowGroupBytes: 1 })), [1, 1, 1]);
});

test('limits that meet inside and between the blocks that are measured at once', async () => {
  const rows = 30_000;
  const s = Array.from({ length: rows }, (_, row) => 'x'.repeat(row % 11));
  for (const rowGroupBytes of [8192 * 9, 8192 * 9 + 1, 50_000, 100_001, 10_000_000]) {
    const file = await roundTrip({ s }, { rowGroupBytes });
    let at = 0;
    for (const count of groups(file)) {
      const size = (from, to) => s.slice(from, to).reduce((sum, text) => sum + text.length + 4, 0);
      assert.ok(size(at, at + count) <= rowGroupBytes);
      if (at + count < rows) assert.ok(size(at, at + count + 1) > rowGroupBytes);
      at += count;
    }
    assert.equal(at, rows);
    assert.deepEqual(file.columns.s, s);
  }
});

test('values come back over many row groups and pages, nulls at every place', async () => {
  const rows = 2003;
  const table = {
    i: Array.from({ length: rows }, (_, row) => (row % 5 === 0 ? null : row)),
    s: Array.from({ length: rows }, (_, row) => (row % 7 === 0 ? null : `s${row % 50}`)),
    b: Array.from({ length: rows }, (_, row) => (row % 3 === 0 ? null : row % 2 === 0)),
    t: Array.from({ length: rows }, (_, row) => BigInt(row) ** 5n),
  };
  for (const options of [
    { rowGroupRows: 1 },
    { rowGroupRows: 97, pageRows: 10 },
    { rowGroupRows: 1000, pageBytes: 100 },
  ]) {
    assert.deepEqual((await roundTrip(table, options)).columns, table);
  }
});

test('text that fits is not cut, also where no byte of it is ASCII and where only its end is long', async () => {
  const rows = 20_000;
  const bytes = (values) => values.reduce((sum, text) => sum + Buffer.byteLength(text) + 4, 0);
  for (const text of [(row) => `${row} ${'日本'.repeat(20)}`, (row) => 'x'.repeat(row > 19_000 ? 2000 : 3)]) {
    const s = Array.from({ length: rows }, (_, row) => text(row));
    const size = bytes(s);
    assert.deepEqual(groups(await roundTrip({ s }, { rowGroupBytes: size })), [rows]);
    assert.deepEqual(groups(await roundTrip({ s }, { rowGroupBytes: Math.ceil(size * 1.5) })), [rows]);
    const [first, ...rest] = groups(await roundTrip({ s }, { rowGroupBytes: size - 1 }));
    assert.equal(first, rows - 1);
    assert.deepEqual(rest, [1]);
    const half = groups(await roundTrip({ s }, { rowGroupBytes: Math.ceil(size / 2) }));
    let at = 0;
    for (const count of half) {
      assert.ok(bytes(s.slice(at, at + count)) <= Math.ceil(size / 2));
      at += count;
    }
  }
});
