// `arrowSchema: true`: Arrow's own schema in the footer, and what it is refused for.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as apache from 'apache-arrow';
import * as flechette from '@uwdata/flechette';
import { parquetMetadata } from 'hyparquet';
import {
  init, ParquetWriter, tableFromArrowIPC, writeParquetBytes, writeParquetRows, writeParquetSync,
} from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';

// Arrow bytes are read at once.
await init();
const source = new URL('../fixtures/arrow/', import.meta.url);
const fixtures = readdirSync(source).filter((file) => /\.arrows?$/.test(file) && file !== 'refused.arrows');
const read = (name) => new Uint8Array(readFileSync(new URL(name, source)));

function keyValues(bytes) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return new Map((parquetMetadata(file).key_value_metadata ?? []).map(({ key, value }) => [key, value]));
}

/** The bytes of the schema's message. */
const message = (bytes) => new Uint8Array(Buffer.from(keyValues(bytes).get('ARROW:schema'), 'base64'));
const write = (table, options) => writeParquetBytes(table, { arrowSchema: true, ...options });

test('what our own reader gives of the schema is the schema that was given', async () => {
  for (const name of fixtures) {
    const table = tableFromArrowIPC(read(name));
    const { schema } = tableFromArrowIPC(message(await write(table)));
    // The numbers of dictionaries are the file's own.
    const plain = (value) => JSON.parse(JSON.stringify(value, (key, inner) => {
      if (key === 'dictionaryId') return undefined;
      return inner instanceof Map ? [...inner] : inner;
    }));
    assert.deepEqual(plain(schema.fields), plain(table.schema.fields), name);
    assert.deepEqual([...schema.metadata], [...table.schema.metadata], name);
  }
});

test('tables of apache-arrow and flechette: each reads its own types again', async () => {
  const { utf8, largeUtf8, dictionary, int8, timestamp, duration, fixedSizeList, map, struct, float32 } = flechette;
  const types = {
    plain: utf8(), large: largeUtf8(), coded: dictionary(utf8(), int8(), true), zoned: timestamp(2, 'Europe/Vienna'),
    wait: duration(1), pair: fixedSizeList(float32(), 2), map: map(utf8(), int8()), struct: struct({ x: int8() }),
  };
  const values = {
    plain: ['a', null], large: ['b', 'c'], coded: ['x', 'x'], zoned: [1e3, null], wait: [5n, 6n], pair: [[1, 2], null],
    map: [[['k', 1]], []], struct: [{ x: 1 }, { x: null }],
  };
  const table = flechette.tableFromArrays(values, { types });
  const again = flechette.tableFromIPC(message(await write(table)));
  assert.deepEqual(again.schema.fields.map(({ name }) => name), Object.keys(types));
  for (const [index, { type, nullable }] of again.schema.fields.entries()) {
    const given = table.schema.fields[index];
    assert.deepEqual({ ...type, id: 0 }, { ...given.type, id: 0 }, given.name);
    assert.equal(nullable, given.nullable, given.name);
  }

  const ipc = flechette.tableToIPC(table, { format: 'stream' });
  const other = apache.tableFromIPC(ipc);
  const typesOf = ({ schema }) => schema.fields.map(({ name, nullable, type }) => [name, nullable, String(type)]);
  assert.deepEqual(typesOf(apache.tableFromIPC(message(await write(other)))), typesOf(other));
  assert.equal(apache.tableFromIPC(message(await write(other.batches[0]))).schema.fields[2].type.isOrdered, true);
});

test('fields stand as the columns do, and keep their metadata and that of the schema', async () => {
  const metadata = new Map([['k', 'v'], ['ARROW:schema', 'not this']]);
  const field = (name, nullable) => new apache.Field(name, new apache.Int32(), nullable, new Map([['unit', name]]));
  const schema = new apache.Schema([field('a', true), field('ü', false)], metadata);
  const data = (values) => apache.vectorFromArray(values, new apache.Int32()).data[0];
  const children = [data([1, 2]), data([3, 4])];
  const struct = apache.makeData({ type: new apache.Struct(schema.fields), length: 2, nullCount: 0, children });
  const table = new apache.Table(schema, [new apache.RecordBatch(schema, struct)]);
  const bytes = await write(table, { schema: { ü: 'int32', a: { type: 'int32', nullable: true } } });
  const again = tableFromArrowIPC(message(bytes)).schema;
  assert.deepEqual(again.fields.map(({ name, nullable, metadata: own }) => [name, nullable, [...own]]), [
    ['ü', false, [['unit', 'ü']]],
    ['a', true, [['unit', 'a']]],
  ]);
  assert.equal(keyValues(bytes).get('k'), 'v');
  assert.equal(keyValues(await write(table, { metadata: { 'ARROW:schema': 'mine' } })).get('ARROW:schema'), 'mine');
  assert.equal(keyValues(await writeParquetBytes(table)).get('ARROW:schema'), 'not this');
});

test('the streaming writer keeps the schema of its first batch', async () => {
  const table = tableFromArrowIPC(read('mixed_stream.arrows'));
  const writer = await ParquetWriter.open({ arrowSchema: true });
  await writer.write(table);
  void writer.write(table);
  const { blob } = await writer.finish();
  assert.deepEqual(message(new Uint8Array(await blob.arrayBuffer())), message(await write(table)));

  const mixed = await ParquetWriter.open({ arrowSchema: true });
  await mixed.write(table);
  await assert.rejects(mixed.write({ a: [1] }), ({ code }) => code === 'ERR_OPTION');
  const empty = await ParquetWriter.open({ arrowSchema: true, schema: { a: 'int32' } });
  assert.equal((await empty.finish()).rows, 0);
});

test('only for Arrow input, and only where something can be loaded', async () => {
  const vector = apache.vectorFromArray([1, 2], new apache.Int32());
  for (const table of [{ a: [1] }, [{ name: 'a', data: [1] }], { a: vector }]) {
    await assertRefused(() => write(table), 'ERR_OPTION', { message: /arrowSchema/ });
  }
  await assertRefused(() => writeParquetRows([{ a: 1 }], { arrowSchema: true }), 'ERR_OPTION');
  await assertRefused(() => write(new apache.Table({ a: vector }), { arrowSchema: 'yes' }), 'ERR_OPTION');
  const table = tableFromArrowIPC(read('int32.arrows'));
  await assertRefused(async () => writeParquetSync(table, { arrowSchema: true }), 'ERR_OPTION', {
    message: /writeParquetBytes/,
  });
  assert.ok(writeParquetSync(table, { arrowSchema: false }).length > 0);
});

test('schemas of many columns, long names and deep types', async () => {
  const fields = Array.from({ length: 3000 }, (_, n) => new apache.Field(`${n}${'ä'.repeat(n % 90)}`, new apache.Int8()));
  const data = apache.makeData({ type: new apache.Int8(), length: 1, data: new Int8Array(1) });
  const schema = new apache.Schema(fields);
  const type = new apache.Struct(fields);
  const batch = new apache.RecordBatch(schema, apache.makeData({ type, length: 1, children: fields.map(() => data) }));
  const again = apache.tableFromIPC(message(await write(batch))).schema;
  assert.deepEqual(again.fields.map(({ name }) => name), fields.map(({ name }) => name));

  let deep = flechette.int32();
  for (let depth = 0; depth < 40; depth++) deep = depth % 2 ? flechette.list(deep) : flechette.struct({ f: deep });
  const table = flechette.tableFromArrays({ deep: [null] }, { types: { deep } });
  const { schema: found } = flechette.tableFromIPC(message(await write(table)));
  assert.deepEqual(found.fields[0].type, table.schema.fields[0].type);
});
