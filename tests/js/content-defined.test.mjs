// Pages that end where their content says so: edits, other files and batches leave equal stretches as equal pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetHeader } from 'hyparquet/src/column.js';
import { writeParquetBytes } from '../../pkg/index.js';
import { batchesOf, fileOf } from './stream-tools.mjs';

/** Numbers of a seeded sequence, below `end`. */
function sequence(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Entries and stored bytes of the data pages of every leaf, by its path. */
function pagesOf(bytes) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const pages = {};
  for (const group of parquetMetadata(file).row_groups) {
    for (const { meta_data: chunk } of group.columns) {
      const found = (pages[chunk.path_in_schema.join('.')] ??= []);
      let at = Number(chunk.data_page_offset);
      const end = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset) + Number(chunk.total_compressed_size);
      while (at < end) {
        const reader = { view: new DataView(file, at), offset: 0 };
        const header = parquetHeader(reader);
        const { num_values: entries } = header.data_page_header ?? header.data_page_header_v2;
        at += reader.offset + header.compressed_page_size;
        const body = Buffer.from(file, at - header.compressed_page_size, header.compressed_page_size);
        found.push({ entries, body: body.toString('base64') });
      }
    }
  }
  return pages;
}

const ROWS = 60_000;
const limits = { minBytes: 4096, maxBytes: 32_768 };
const options = { contentDefinedChunking: limits, dictionary: false };

function table(seed = 1) {
  const random = sequence(seed);
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  return {
    id: Int32Array.from(rows, (row) => row * 50 + random(40)),
    price: Float64Array.from(rows, () => random(1e6) / 100),
    name: rows.map(() => (random(9) === 0 ? null : `name ${random(1e9)}`)),
    flag: rows.map(() => random(4) === 0),
    tags: rows.map(() => Array.from({ length: random(4) }, () => (random(9) === 0 ? null : random(1e9)))),
    at: rows.map(() => ({ x: random(1e9), y: random(3) === 0 ? null : `${random(1e9)}` })),
  };
}

const edited = (data, edit) =>
  Object.fromEntries(
    Object.entries(data).map(([name, values]) => {
      const list = Array.from(values);
      edit(list);
      return [name, ArrayBuffer.isView(values) ? values.constructor.from(list) : list];
    }),
  );

test('rows that are put in, taken out or changed cost a page or two of each column', async () => {
  const data = table();
  const before = pagesOf(await writeParquetBytes(data, options));
  const changed = edited(data, (list) => {
    list.splice(50_000, 1, list[7]);
    list.splice(30_000, 4);
    list.splice(9000, 0, list[3], list[4], list[5]);
  });
  const bytes = await writeParquetBytes(changed, options);
  let [all, fresh] = [0, 0];
  for (const [path, pages] of Object.entries(pagesOf(bytes))) {
    const known = new Set(before[path].map(({ body }) => body));
    const count = pages.filter(({ body }) => !known.has(body)).length;
    assert.ok(count <= 9, `${path}: ${count} of ${pages.length} pages are new`);
    all += pages.length;
    fresh += count;
  }
  assert.ok(fresh >= 8 && fresh <= all / 4, `${fresh} of ${all} pages are new`);
  const rows = await parquetReadObjects({ file: bytes.buffer, compressors, rowStart: 8990, rowEnd: 9010 });
  assert.deepEqual(rows.map(({ name }) => name ?? null), changed.name.slice(8990, 9010));
});

test('sizes of pages, and what they are without numbers', async () => {
  const { id } = table();
  const pages = pagesOf(await writeParquetBytes({ id }, options)).id;
  assert.ok(pages.length > 12);
  assert.ok(pages.every(({ entries }) => entries * 4 <= limits.maxBytes));
  assert.ok(pages.slice(0, -1).every(({ entries }) => entries * 4 >= limits.minBytes));
  // A quarter of pageBytes and pageBytes itself; pageRows only where it is given.
  const large = BigInt64Array.from({ length: 400_000 }, (_, row) => BigInt(row) * 7919n);
  const usual = pagesOf(await writeParquetBytes({ large }, { ...options, contentDefinedChunking: true })).large;
  assert.ok(usual.every(({ entries }) => entries * 8 <= 2 ** 20));
  assert.ok(usual.length > 3 && usual.slice(0, -1).every(({ entries }) => entries * 8 >= 2 ** 18));
  const some = { ...options, contentDefinedChunking: true, pageBytes: 65_536 };
  const smaller = pagesOf(await writeParquetBytes({ large }, some)).large;
  assert.ok(smaller.slice(0, -1).every(({ entries }) => entries * 8 >= 2 ** 14 && entries * 8 <= 2 ** 16));
  const few = pagesOf(await writeParquetBytes({ id }, { ...options, pageRows: 500 })).id;
  assert.ok(few.every(({ entries }) => entries === 500));
  const off = await writeParquetBytes({ id }, { contentDefinedChunking: false });
  assert.deepEqual(off, await writeParquetBytes({ id }));
});

test('batches of any size give the bytes of one call', async () => {
  const data = table(2);
  const schema = {
    id: { type: 'int32', nullable: false },
    price: { type: 'float64', nullable: false },
    name: 'string',
    flag: { type: 'bool', nullable: false },
    tags: { type: 'list<int32>', nullable: true },
    at: { type: 'struct<x: int32, y: string>', nullable: true },
  };
  for (const extra of [{}, { pageVersion: 2, rowGroupRows: 25_000 }]) {
    const settings = { ...options, ...extra, schema };
    const whole = await writeParquetBytes(data, settings);
    for (const sizes of [[ROWS], [7000, 1, 333], [1999]]) {
      assert.ok(Buffer.from(await fileOf(batchesOf(data, sizes), settings)).equals(whole), String(sizes));
    }
  }
});

test('row groups move no end', async () => {
  const data = table(3);
  const ends = (pages) => {
    let row = 0;
    return pages.map(({ entries }) => (row += entries));
  };
  const whole = pagesOf(await writeParquetBytes(data, options));
  const grouped = pagesOf(await writeParquetBytes(data, { ...options, rowGroupRows: 17_000 }));
  for (const path of ['id', 'price', 'name', 'flag']) {
    const expected = [...new Set([...ends(whole[path]), 17_000, 34_000, 51_000])].sort((a, b) => a - b);
    assert.deepEqual(ends(grouped[path]), expected, path);
  }
});

test('strings that come as codes end where the strings themselves do', async () => {
  const random = sequence(5);
  const words = Array.from({ length: 300 }, () => `word ${random(1e12)}`);
  const s = Array.from({ length: 40_000 }, () => words[random(300)]);
  const entries = async (settings) => {
    const pages = pagesOf(await writeParquetBytes({ s }, { contentDefinedChunking: limits, ...settings })).s;
    return pages.map((page) => page.entries);
  };
  const plain = await entries({ dictionary: false });
  assert.ok(plain.length > 20);
  assert.deepEqual(await entries({}), plain);
  assert.deepEqual(await entries({ encoding: 'DELTA_LENGTH_BYTE_ARRAY' }), plain);
  // Batches come as strings: the same codes, in as many bits.
  const settings = { contentDefinedChunking: limits, schema: { s: { type: 'string', nullable: false } } };
  const whole = await writeParquetBytes({ s }, settings);
  assert.ok(Buffer.from(await fileOf(batchesOf({ s }, [9000, 50]), settings)).equals(whole));
});

test('bitmaps and bits of any form', async () => {
  const rows = 20_000;
  const random = sequence(9);
  const values = Float64Array.from({ length: rows }, () => random(1e9));
  const present = Array.from({ length: rows }, () => random(3) > 0);
  const flags = Array.from({ length: rows }, () => random(3) > 0);
  const bitsOf = (list) => {
    const bits = new Uint8Array((list.length + 7) >> 3);
    list.forEach((bit, row) => (bits[row >> 3] |= Number(bit) << (row & 7)));
    return bits;
  };
  const validity = bitsOf(present);
  const narrow = Int8Array.from(values);
  const forms = {
    values: { values, validity },
    narrow: { values: narrow, validity },
    flags: { bits: bitsOf(flags), length: rows, validity },
    full: { bits: bitsOf(flags), length: rows },
  };
  const nulls = (list) => Array.from(list, (value, row) => (present[row] ? value : null));
  const cells = { values: nulls(values), narrow: nulls(narrow), flags: nulls(flags), full: flags };
  for (const maxBytes of [333, 3000]) {
    const settings = { ...options, contentDefinedChunking: { minBytes: 100, maxBytes }, rowGroupRows: 7777 };
    const schema = { values: 'float64', narrow: 'int8', flags: 'bool', full: 'bool' };
    const bytes = await writeParquetBytes(forms, { ...settings, schema });
    const found = await parquetReadObjects({ file: bytes.buffer, compressors });
    for (const name of Object.keys(cells)) {
      assert.deepEqual(found.map((row) => row[name] ?? null), cells[name], `${name}, ${maxBytes}`);
    }
    assert.deepEqual(bytes, await writeParquetBytes(cells, { ...settings, schema }));
    const batches = [0, 1001, 1007, 9000, 17_000].map((from, index, all) => {
      const part = (list) => list.slice(from, all[index + 1]);
      const length = part(flags).length;
      return {
        values: { values: part(values), validity: bitsOf(part(present)) },
        narrow: { values: part(narrow), validity: bitsOf(part(present)) },
        flags: { bits: bitsOf(part(flags)), length, validity: bitsOf(part(present)) },
        full: { bits: bitsOf(part(flags)), length },
      };
    });
    const required = { ...schema, full: { type: 'bool', nullable: false } };
    assert.ok(Buffer.from(await fileOf(batches, { ...settings, schema: required })).equals(bytes), `batches, ${maxBytes}`);
  }
});

test('bytes under nulls make no page, and stop none', async () => {
  const rows = 3000;
  const encoder = new TextEncoder();
  const texts = Array.from({ length: rows }, (_, row) => encoder.encode(`${row} `.repeat(30)));
  const offsets = Int32Array.from({ length: rows + 1 });
  texts.forEach((text, row) => (offsets[row + 1] = offsets[row] + text.length));
  const bytes = Buffer.concat(texts);
  const validity = new Uint8Array(rows / 8 + 1).fill(0);
  for (let row = 0; row < rows; row++) if (row % 40 === 0 || row > 2500) validity[row >> 3] |= 1 << (row & 7);
  const present = texts.map((text, row) => (row % 40 === 0 || row > 2500 ? Buffer.from(text).toString() : null));
  const column = (data) => [{ name: 's', type: 'string', nullable: true, data }];
  for (const settings of [options, { encoding: 'DELTA_BYTE_ARRAY', pageBytes: 300 }]) {
    const file = await writeParquetBytes(column({ offsets, bytes, validity, length: rows }), settings);
    const found = await parquetReadObjects({ file: file.buffer, compressors });
    assert.deepEqual(found.map(({ s }) => s ?? null), present);
    assert.deepEqual(file, await writeParquetBytes(column(present), settings));
  }
});

test('strings larger than a page share what they begin with', async () => {
  // HC-66.
  const base = 'x'.repeat(40_000);
  const s = Array.from({ length: 64 }, (_, row) => base + row);
  const settings = { encoding: 'DELTA_BYTE_ARRAY', pageBytes: 16_384, compression: 'none' };
  const bytes = await writeParquetBytes({ s }, settings);
  assert.ok(bytes.length < 125_000, `${bytes.length} bytes`);
  const rows = await parquetReadObjects({ file: bytes.buffer, compressors });
  assert.deepEqual(rows.map((row) => row.s), s);
  const schema = { s: { type: 'string', nullable: false } };
  const streamed = await fileOf(batchesOf({ s }, [5, 11]), { ...settings, schema });
  assert.ok(Buffer.from(streamed).equals(await writeParquetBytes({ s }, { ...settings, schema })));
  const lists = [s.slice(0, 30), [], null, s.slice(30)];
  const nested = await writeParquetBytes({ lists }, settings);
  assert.deepEqual((await parquetReadObjects({ file: nested.buffer, compressors })).map((row) => row.lists ?? null), lists);
});
