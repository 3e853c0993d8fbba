// concatParquet and appendParquet: footers are written anew, pages are not looked at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendParquet, concatParquet, writeParquet, writeParquetBytes } from '../../pkg/index.js';
import { changed, encode, footerOf, get, put, withFooter } from './compact.mjs';
import { assertRefused, readBack } from './read-back.mjs';

const [I32, I64, BINARY, STRUCT] = [5, 6, 8, 12];
const text = (string) => new TextEncoder().encode(string);
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());
const back = async (blob) => readBack(await bytesOf(blob));
const concat = (...files) => concatParquet(files.map((file) => new Blob([file])));

const schema = { id: { type: 'int32', nullable: false }, name: { type: 'string', nullable: true } };
const write = (ids, options = {}) =>
  writeParquetBytes({ id: ids, name: ids.map((id) => (id % 3 ? `n${id}` : null)) }, { schema, ...options });
const count = (from, rows) => Array.from({ length: rows }, (_, row) => from + row);

/** A Blob that counts what is read of it. */
class Counted extends Blob {
  static read = 0;

  slice(start, end) {
    const part = super.slice(start, end);
    part.arrayBuffer = async () => {
      Counted.read += part.size;
      return Blob.prototype.arrayBuffer.call(part);
    };
    return part;
  }

  arrayBuffer() {
    throw new Error('all of it was read');
  }
}

test('files of other settings are joined, and one file stays as it is', async () => {
  const options = [
    { rowGroupRows: 40 }, { compression: 'snappy', pageVersion: 2, pageRows: 7 }, { dictionary: false },
    { columns: { name: { bloomFilter: true } } },
  ];
  const files = await Promise.all(options.map((option, index) => write(count(index * 100, 100), option)));
  const { columns, metadata } = await back(await concat(...files));
  assert.deepEqual(columns.id, count(0, 400));
  assert.deepEqual(columns.name, count(0, 400).map((id) => (id % 3 ? `n${id}` : null)));
  assert.deepEqual(metadata.row_groups.map(({ ordinal }) => ordinal), [0, 1, 2, 3, 4, 5]);
  for (const file of files) assert.deepEqual(await bytesOf(await concat(file)), file);
  const twice = await concat(await bytesOf(await concat(files[0], files[1])), await bytesOf(await concat(files[2], files[3])));
  assert.deepEqual(await bytesOf(twice), await bytesOf(await concat(...files)));
});

test('append takes the types of the file, and reads little of it', async () => {
  const rows = 400_000;
  const table = { a: Float64Array.from({ length: rows }, Math.random), b: Array.from({ length: rows }, (_, row) => row % 5) };
  const types = { a: { type: 'float64', nullable: false }, b: { type: 'uint16', nullable: true, fieldId: 7 } };
  const file = new Counted([await writeParquetBytes(table, { schema: types })]);
  Counted.read = 0;
  const longer = await appendParquet(file, { a: [1, 2.5], b: [null, 65535] });
  assert.ok(Counted.read < Math.max(file.size / 100, 2 ** 16 + 4 + 2 ** 13), `${Counted.read} of ${file.size} read`);
  const { columns, elements, metadata } = await back(longer);
  assert.deepEqual(columns.a.slice(-2), [1, 2.5]);
  assert.deepEqual(columns.b.slice(-3), [4, null, 65535]);
  assert.equal(columns.a.length, rows + 2);
  assert.equal(elements.b.field_id, 7);
  assert.equal(metadata.row_groups.length, 2);
  await assertRefused(() => appendParquet(file, { a: [1], b: [70000] }), 'ERR_OUT_OF_RANGE', { column: 'b', row: 0 });
  await assertRefused(() => appendParquet(file, { a: [1] }), 'ERR_SCHEMA', { column: 'b' });
  await assertRefused(() => appendParquet(file, { a: [1], b: [1] }, { schema: { a: 'float64', b: 'uint16' } }), 'ERR_SCHEMA');
});

test('append knows every type that is written here', async () => {
  const types = {
    bool: 'bool', int8: 'int8', int16: 'int16', int32: 'int32', int64: 'int64', uint8: 'uint8', uint16: 'uint16',
    uint32: 'uint32', uint64: 'uint64', float16: 'float16', float32: 'float32', float64: 'float64', string: 'string',
    binary: 'binary', fixed: 'fixed[3]', enum: 'enum', json: 'json', bson: 'bson', uuid: 'uuid', small: 'decimal(5, 2)',
    large: 'decimal(12, 0)', huge: 'decimal(38, 10)', date: 'date', time: 'time[ms]', timeUs: 'time[us, UTC]',
    timeNs: 'time[ns]', ms: 'timestamp[ms]', us: 'timestamp[us, UTC]', ns: 'timestamp[ns]', interval: 'interval',
    int96: 'int96', nothing: 'null', list: 'list<int32 not null>', lists: 'list<list<string>>',
    struct: 'struct<a: int32 not null, "odd name": string>', map: 'map<string, list<int64>>',
  };
  const table = Object.fromEntries(Object.keys(types).map((name) => [name, [null, null]]));
  const file = await writeParquet(table, { schema: types });
  const { rows, elements } = await back(await appendParquet(file, table));
  assert.equal(rows, 4);
  assert.deepEqual(Object.keys(elements).filter((name) => name in types), Object.keys(types));
});

test('key-values: the first file that has a key wins, the caller wins over all; created_by names all', async () => {
  const a = await write([1], { metadata: { x: 'a', only: 'a' }, createdBy: 'a version 1' });
  const b = await write([2], { metadata: { x: 'b', other: 'b' }, createdBy: 'b version 2' });
  const pairs = (metadata) => Object.fromEntries(metadata.key_value_metadata.map(({ key, value }) => [key, value]));
  const { metadata } = await back(await concat(a, b, a));
  assert.deepEqual(pairs(metadata), { x: 'a', only: 'a', other: 'b' });
  assert.equal(metadata.created_by, 'a version 1; b version 2');
  const appended = await appendParquet(new Blob([a]), { id: [3], name: ['c'] }, { metadata: { x: 'c' } });
  const { metadata: after } = await back(appended);
  assert.deepEqual(pairs(after), { x: 'c', only: 'a' });
  assert.match(after.created_by, /^a version 1; parquill version /);
});

test('schemas must agree in what they mean, not in how they say it', async () => {
  const file = await write([1, 2]);
  const alike = changed(file, (tree) => {
    const [root, id, name] = get(tree, 2).items;
    put(root, 4, BINARY, text('another root'));
    put(id, 6, I32, 17n); // INT_32
    put(name, 10, STRUCT, undefined); // ConvertedType alone
  });
  assert.equal((await back(await concat(file, alike, file))).rows, 6);
  const other = changed(file, (tree) => put(get(tree, 2, 1), 9, I32, 5n));
  assert.equal((await back(await concat(file, other))).rows, 4);
  const third = changed(file, (tree) => put(get(tree, 2, 1), 9, I32, 6n));
  await assertRefused(() => concat(other, third), 'ERR_SCHEMA', { message: /^file 1: .*field id 5 in file 0.*id 6 here/ });
  const json = await writeParquetBytes({ id: [1], name: ['{}'] }, { schema: { ...schema, name: { type: 'json', nullable: true } } });
  const error = await assertRefused(() => concat(file, json), 'ERR_SCHEMA', { message: /^file 1: column "name".*string.*json/ });
  assert.equal(error.column, 'name');
});

test('what cannot be moved is refused, with the reason', async () => {
  const file = await write(count(0, 50), { pageRows: 10 });
  const refuse = (damaged, message) =>
    assertRefused(() => concat(file, damaged), 'ERR_FORMAT', { message: new RegExp(`^file 1: .*${message}`) });
  const chunk = (tree) => get(tree, 4, 0, 1, 0);
  const edit = (message, change) => refuse(changed(file, change), message);
  await refuse(new Uint8Array(11), 'no Parquet file');
  await refuse(file.subarray(0, file.length - 1), 'torn');
  await refuse(file.subarray(3), 'does not begin');
  await refuse(Uint8Array.from([...file.subarray(0, -4), ...text('PARE')]), 'encrypted');
  await refuse(Uint8Array.from([...file.subarray(0, 4), ...file.subarray(-60)]), 'torn');
  await edit('encrypted', (tree) => put(tree, 8, STRUCT, []));
  await edit('encrypted', (tree) => put(chunk(tree), 8, STRUCT, []));
  await edit('another file', (tree) => put(chunk(tree), 1, BINARY, text('part-0')));
  await edit('field 10, unknown', (tree) => put(tree, 10, I32, 1n));
  await edit('field 18, unknown', (tree) => put(get(chunk(tree), 3), 18, I64, 4n));
  await edit('has 51 rows', (tree) => put(tree, 3, I64, 51n));
  await edit('has 50 values in a row group of 49', (tree) => {
    put(tree, 3, I64, 49n);
    put(get(tree, 4, 0), 3, I64, 49n);
  });
  await edit('torn', (tree) => put(get(chunk(tree), 3), 9, I64, BigInt(file.length)));
  await edit('fewer columns', (tree) => get(tree, 4, 0, 1).items.pop());
  await edit('another type or path', (tree) => get(tree, 4, 0, 1).items.reverse());
  await edit('more columns', (tree) => put(tree, 2, BINARY, undefined));
  await edit('lacks schema', (tree) => put(tree, 4, BINARY, undefined));
  await edit('not whole', (tree) => get(tree, 2).items.pop());
  await edit('lie|take', (tree) => put(chunk(tree), 5, I32, BigInt(file.length - 100)));
  await edit('ends too early', (tree) => (get(tree, 4).count = 2 ** 31));
  await edit('is -5', (tree) => put(get(chunk(tree), 3), 7, I64, -5n));
  const { tree } = footerOf(file);
  await refuse(withFooter(file, Uint8Array.from([...encode(tree), 0])), 'before its length');
  await refuse(withFooter(file, new Uint8Array(100).fill(0x1c)), '');
  await assertRefused(() => concatParquet([]), 'ERR_OPTION');
  await assertRefused(() => concatParquet([file]), 'ERR_OPTION', { message: /file 0: expected a Blob/ });
  await assertRefused(() => concatParquet(new Blob([file])), 'ERR_OPTION');
});

test('fields that nobody knows stay where they cannot be offsets; extensions of private use go', async () => {
  const file = await write([1, 2]);
  const strange = changed(file, (tree) => {
    put(get(tree, 4, 0, 1, 0, 3, 12), 20, BINARY, text('kept'));
    put(tree, 32767, BINARY, text('dropped'));
  });
  const joined = await bytesOf(await concat(strange, file));
  const { tree } = footerOf(joined);
  assert.deepEqual(get(tree, 4, 0, 1, 0, 3, 12, 20), text('kept'));
  assert.equal(get(tree, 32767), undefined);
});

test('bounds of old stay with their writer, and those in another order go', async () => {
  const [a, b] = [await write([1, 5]), await write([2, 3], { createdBy: 'other' })];
  const old = (file) => changed(file, (tree) => {
    const statistics = get(tree, 4, 0, 1, 0, 3, 12);
    put(statistics, 1, BINARY, Uint8Array.of(5, 0, 0, 0));
    put(statistics, 2, BINARY, Uint8Array.of(1, 0, 0, 0));
  });
  const statistics = async (...files) => {
    const { tree } = footerOf(await bytesOf(await concat(...files)));
    return get(tree, 4, 0, 1, 0, 3, 12).map(({ id }) => id);
  };
  assert.deepEqual(await statistics(old(a), old(a)), [1, 2, 3, 5, 6, 7, 8]);
  assert.deepEqual(await statistics(old(a), old(b)), [3, 5, 6, 7, 8]);
  assert.deepEqual(await statistics(old(a), a), [3, 5, 6, 7, 8]);
  const unordered = changed(a, (tree) => put(tree, 7, BINARY, undefined));
  assert.deepEqual(await statistics(a, unordered), [3]);
  const { tree } = footerOf(await bytesOf(await concat(a, unordered)));
  assert.equal(get(tree, 4, 1, 1, 0, 6), undefined);
  assert.ok(get(tree, 4, 1, 1, 0, 4) > 0n);
});
