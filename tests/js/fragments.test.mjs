// Fragments: row groups made apart, joined without being read.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { assembleEnvelope, assembleParquet, encodeRowGroup, ParquetWriter } from '../../pkg/index.js';
import { assertRefused, readBack } from './read-back.mjs';

const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

const schema = {
  id: { type: 'int64', nullable: false },
  name: 'string',
  x: 'float64',
  tags: 'list<string>',
  ok: 'bool',
};

function table(from, rows) {
  const column = (value) => Array.from({ length: rows }, (_, index) => value(from + index));
  return {
    id: column((row) => row),
    name: column((row) => (row % 7 === 0 ? null : `name ${row % 50}`)),
    x: column((row) => row / 3),
    tags: column((row) => ['a', 'b', 'c'].slice(0, row % 4)),
    ok: column((row) => row % 3 === 0),
  };
}

const fragments = (sizes, options) => {
  let from = 0;
  return Promise.all(
    sizes.map((rows) => {
      from += rows;
      return encodeRowGroup(table(from - rows, rows), { schema, ...options });
    }),
  );
};

for (const [name, options] of [
  ['nothing said', {}],
  ['Bloom filters', { columns: { name: { bloomFilter: true }, id: { bloomFilter: true } } }],
  ['page version 2, snappy', { pageVersion: 2, compression: 'snappy' }],
  ['many pages', { pageRows: 13, compression: 'none' }],
  ['no statistics', { statistics: 'none' }],
  ['sorting columns', { sortingColumns: [{ column: 'id' }] }],
  ['key-values and a name', { metadata: { a: 'b', c: 'd' }, createdBy: 'me version 1.0.0' }],
]) {
  test(`fragments become the very file that one writer writes: ${name}`, async () => {
    const joined = await assembleParquet(await fragments([300, 300, 300, 100], options), options);
    const writer = await ParquetWriter.open({ schema, rowGroupRows: 300, ...options });
    await writer.write(table(0, 1000));
    const { blob: whole } = await writer.finish();
    assert.equal(joined.type, 'application/vnd.apache.parquet');
    assert.deepEqual(await bytesOf(joined), await bytesOf(whole));
  });
}

test('a fragment beyond the limits of a row group has several', async () => {
  const made = await fragments([700, 300], { rowGroupRows: 350 });
  assert.deepEqual(made.map(({ rows }) => rows), [700, 300]);
  const { metadata, columns } = await readBack(await bytesOf(await assembleParquet(made)));
  assert.deepEqual(metadata.row_groups.map((group) => Number(group.num_rows)), [350, 350, 300]);
  assert.deepEqual(columns.id, Array.from({ length: 1000 }, (_, row) => BigInt(row)));
});

test('a fragment can be cloned; its body may be elsewhere; order is that of the list', async () => {
  const made = await fragments([10, 20, 30], {});
  const cloned = structuredClone(made.toReversed?.() ?? [...made].reverse());
  const { columns } = await readBack(await bytesOf(await assembleParquet(cloned)));
  const range = (from, rows) => Array.from({ length: rows }, (_, row) => BigInt(from + row));
  assert.deepEqual(columns.id, [...range(30, 30), ...range(10, 20), ...range(0, 10)]);

  const { head, tail } = assembleEnvelope(made.map(({ byteLength, rows, footer }) => ({ byteLength, rows, footer })));
  const whole = new Blob([head, ...made.map(({ body }) => body), tail]);
  assert.deepEqual(await bytesOf(whole), await bytesOf(await assembleParquet(made)));
});

test('no rows are rows too', async () => {
  const made = await fragments([0, 5, 0], {});
  assert.equal((await readBack(await bytesOf(await assembleParquet(made)))).rows, 5);
  assert.equal((await readBack(await bytesOf(await assembleParquet([made[0]])))).rows, 0);
});

test('padded bodies are parts of one size, the first too', async () => {
  const padToBytes = 8192;
  const made = await fragments([300, 9000, 300], { padToBytes });
  for (const { body, byteLength } of made) {
    assert.equal(body.size, byteLength);
    assert.equal(byteLength % padToBytes, 0);
  }
  assert.ok(made[1].byteLength > made[0].byteLength);
  const { head } = assembleEnvelope(made);
  assert.equal(head.length, 0);
  const padded = await readBack(await bytesOf(await assembleParquet(made)));
  const plain = await readBack(await bytesOf(await assembleParquet(await fragments([300, 9000, 300], {}))));
  assert.deepEqual(padded.columns, plain.columns);
  // With others in front or behind.
  const mixed = await assembleParquet([(await fragments([300], {}))[0], made[1]]);
  assert.equal((await readBack(await bytesOf(mixed))).rows, 9300);
  await assertRefused(() => encodeRowGroup(table(0, 1), { padToBytes: 0 }), 'ERR_OPTION');
});

test('beyond 32,767 row groups and 4 GiB', async () => {
  const padToBytes = 150_000;
  const [one, last] = await fragments([2, 3], { padToBytes, pageChecksum: false });
  const count = 33_000;
  const { head, tail } = assembleEnvelope([...Array.from({ length: count }, () => one), last]);
  assert.equal(head.length, 0);
  const [bodies, end] = [await Promise.all([one, last].map(({ body }) => bytesOf(body))), (count + 1) * padToBytes];
  assert.ok(end > 2 ** 32);
  // The file as it would be, without its gigabytes.
  const source = {
    byteLength: end + tail.length,
    slice(from, to) {
      if (from >= end) return tail.slice(from - end, to - end).buffer;
      const part = Math.floor(from / padToBytes);
      assert.ok(to <= (part + 1) * padToBytes);
      return bodies[part === count ? 1 : 0].slice(from - part * padToBytes, to - part * padToBytes).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(source, { initialFetchSize: 2 ** 16 });
  assert.equal(metadata.num_rows, BigInt(count * 2 + 3));
  assert.equal(metadata.row_groups.length, count + 1);
  assert.equal(metadata.row_groups[32_767].ordinal, 32_767);
  assert.equal(metadata.row_groups[32_768].ordinal, undefined);
  const rows = await parquetReadObjects({
    file: source, metadata, compressors, rowStart: count * 2 - 1, rowEnd: count * 2 + 3, columns: ['id', 'name'],
  });
  const expected = table(0, 5);
  assert.deepEqual(rows.map(({ id, name }) => [Number(id), name]), [1, 2, 3, 4].map((row) => [row, expected.name[row]]));
});

test('bounds are those of all row groups that hold values, or of none', async () => {
  const types = { schema: { x: 'float64', s: 'string' } };
  const part = (x, s) => encodeRowGroup({ x, s }, types);
  const parts = [await part([1, 2], ['a', 'b']), await part([NaN, NaN], [null, null]), await part([3, 4], ['c', null])];
  const { metadata } = await readBack(await bytesOf(await assembleParquet(parts)));
  const bounds = metadata.row_groups.map((group) =>
    group.columns.map(({ meta_data: { statistics } }) => [statistics.min_value, statistics.max_value]));
  assert.deepEqual(bounds.map(([x]) => x), [[undefined, undefined], [undefined, undefined], [undefined, undefined]]);
  assert.deepEqual(bounds.map(([, s]) => s), [['a', 'b'], [undefined, undefined], ['c', 'c']]);
});

test('schemas must be equal: the error names field and fragment', async () => {
  const part = (spec, row) => encodeRowGroup([row].length ? Object.fromEntries(Object.entries(row).map(([k, v]) => [k, [v]])) : {}, { schema: spec });
  const base = await part({ a: 'int32', b: 'struct<x: int32, y: string>' }, { a: 1, b: { x: 1, y: 'z' } });
  const cases = [
    [{ a: 'int64', b: 'struct<x: int32, y: string>' }, { a: 1, b: null }, 'a', /fragment 1.*int32.*fragment 0.*int64/],
    [{ a: 'int32', b: 'struct<x: int32, y: json>' }, { a: 1, b: null }, 'b.y', /"b\.y" differs.*string.*json/],
    [{ a: { type: 'int32', nullable: false }, b: 'struct<x: int32, y: string>' }, { a: 1, b: null }, 'a', /optional.*required/],
    [{ a: 'int32', c: 'struct<x: int32, y: string>' }, { a: 1, c: null }, 'c', /"b".*"c"/],
  ];
  for (const [spec, row, column, message] of cases) {
    const error = await assertRefused(async () => assembleParquet([base, await part(spec, row)]), 'ERR_SCHEMA', { message });
    assert.equal(error.column, column);
  }
  const fewer = await part({ a: 'int32' }, { a: 1 });
  await assertRefused(() => assembleParquet([base, fewer]), 'ERR_SCHEMA', { message: /number of columns differs/ });
});

test('options: what is said of the file counts, what is unknown is refused', async () => {
  const made = await fragments([5], { metadata: { a: 'fragment', b: 'fragment' } });
  const file = await assembleParquet(made, { metadata: { a: 'file' }, createdBy: 'someone', compression: 'snappy' });
  const { metadata } = await readBack(await bytesOf(file));
  assert.equal(metadata.created_by, 'someone');
  const pairs = metadata.key_value_metadata.map(({ key, value }) => [key, value]).sort();
  assert.deepEqual(pairs, [['a', 'file'], ['b', 'fragment']]);
  await assertRefused(() => assembleParquet(made, { metdata: {} }), 'ERR_OPTION', { message: /metdata/ });
  await assertRefused(() => assembleParquet(made, { metadata: { a: 1 } }), 'ERR_OPTION');
  await assertRefused(() => assembleParquet(made, { createdBy: 5 }), 'ERR_OPTION');
  await assertRefused(() => assembleParquet(made, { signal: AbortSignal.abort() }), 'ERR_ABORTED');
  for (const nothing of [undefined, [], {}, 'x', [undefined], [{}]]) {
    await assertRefused(() => assembleParquet(nothing), 'ERR_OPTION');
  }
  await assertRefused(() => assembleParquet([{ ...made[0], body: made[0].footer }]), 'ERR_OPTION');
});

test('a damaged fragment is refused, wherever the damage is', async () => {
  const [one] = await fragments([40], { pageRows: 10 });
  const { byteLength, rows, footer } = one;
  const refuse = (fragment, message) => assertRefused(() => assembleParquet([fragment]), 'ERR_FORMAT', { message });
  for (let at = 0; at < footer.length; at++) {
    const damaged = footer.slice();
    damaged[at] ^= 1 << at % 8;
    await refuse({ ...one, footer: damaged });
  }
  for (let length = 0; length < footer.length; length += 7) await refuse({ ...one, footer: footer.slice(0, length) });
  await refuse({ ...one, byteLength: byteLength + 1 }, /its body has/);
  await refuse({ ...one, rows: rows + 1 }, /rows/);
  await refuse({ ...one, body: one.body.slice(1) }, /its body has/);
  const next = footer.slice();
  next[4] = 2;
  await refuse({ ...one, footer: next }, /version 2/);
});

test('parquill/fragments is ready at once and loads nothing else', () => {
  const program = `
    import { assembleEnvelope } from '${new URL('../../pkg/fragments.js', import.meta.url)}';
    try { assembleEnvelope([{}]); } catch (error) { console.log(error.code); }
  `;
  const early = `
    import { assembleEnvelope, ParquetError } from '${new URL('../../pkg/index.js', import.meta.url)}';
    try { assembleEnvelope([{}]); } catch (error) { console.log(error instanceof ParquetError, error.code); }
  `;
  const run = (text) => execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' }).trim();
  assert.equal(run(program), 'ERR_OPTION');
  assert.equal(run(early), 'true ERR_NOT_INITIALIZED');
});
