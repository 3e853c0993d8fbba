// `codecs`: what the caller compresses with, and parquill/slim, which has fewer of its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { init, ParquetWriter, writeParquetBytes, writeParquetSync } from '../../pkg/index.js';
import * as slim from '../../pkg/slim.js';
import { fresh } from './fresh.mjs';

const table = {
  id: Int32Array.from({ length: 50_000 }, (_, row) => row * 7),
  name: Array.from({ length: 50_000 }, (_, row) => (row % 9 === 0 ? null : `name ${row % 1000}`)),
};
const fileOf = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const codecsOf = (bytes) => parquetMetadata(fileOf(bytes)).row_groups[0].columns.map(({ meta_data }) => meta_data.codec);

async function check(bytes, codec) {
  assert.deepEqual(codecsOf(bytes), [codec, codec]);
  const rows = await parquetReadObjects({ file: fileOf(bytes), compressors });
  assert.deepEqual(rows.map(({ id }) => id), [...table.id]);
  assert.deepEqual(rows.map(({ name }) => name ?? null), table.name);
}

for (const [compression, codec] of [['gzip', gzipSync], ['brotli', (page) => brotliCompressSync(page)]]) {
  test(`${compression} of the caller, read back by others`, async () => {
    const codecs = { [compression]: (page) => new Uint8Array(codec(page)) };
    for (const pageVersion of [1, 2]) {
      const options = { compression, codecs, pageVersion };
      const copy = await fresh();
      const bytes = await copy.writeParquetBytes(table, options);
      await check(bytes, compression.toUpperCase());
      await init();
      assert.deepEqual(writeParquetSync(table, options), bytes);
      const writer = await ParquetWriter.open({ ...options, schema: { id: 'int32', name: 'string' } });
      await writer.write(table);
      const { blob } = await writer.finish();
      await check(new Uint8Array(await blob.arrayBuffer()), compression.toUpperCase());
    }
  });
}

test('a codec of the caller goes before the built-in one, only where it is named', async () => {
  const calls = [];
  const codecs = { snappy: (page) => {
    calls.push(page.length);
    // A block of snappy that is one literal.
    const head = [];
    for (let left = page.length; ; left >>>= 7) {
      head.push(left < 128 ? left : (left & 127) | 128);
      if (left < 128) break;
    }
    return Uint8Array.from([...head, 63 << 2, ...new Uint8Array(Uint32Array.of(page.length - 1).buffer), ...page]);
  } };
  await writeParquetBytes(table, { codecs });
  assert.equal(calls.length, 0, 'never the default');
  await check(await writeParquetBytes(table, { codecs, compression: 'snappy' }), 'SNAPPY');
  assert.ok(calls.length > 3);
});

test('what is wrong with a codec is an error of the write', async () => {
  const cause = new Error('no');
  const wrong = [
    [() => { throw cause; }, /codecs\.gzip: it threw Error: no/],
    [() => 'text', /expected a Uint8Array from it, got "text"/],
    [() => undefined, /expected a Uint8Array/],
    [async (page) => page, /expected a Uint8Array/],
    [(page) => new Uint16Array(page.length), /expected a Uint8Array/],
  ];
  for (const [gzip, message] of wrong) {
    await assert.rejects(writeParquetBytes(table, { compression: 'gzip', codecs: { gzip } }), (error) => {
      assert.equal(error.code, 'ERR_OPTION');
      assert.equal(error.column, 'id');
      assert.match(error.message, message);
      if (/threw/.test(error.message)) assert.equal(error.cause, cause);
      return true;
    });
  }
  assert.ok((await writeParquetBytes(table)).length > 0);
  const refused = [
    [{ codecs: { zip: () => {} } }, /codecs\.zip/],
    [{ codecs: { none: (page) => page } }, /codecs\.none/],
    [{ codecs: { gzip: 1 } }, /codecs\.gzip: expected a function/],
    [{ codecs: [] }, /codecs/],
    [{ compression: 'gzip' }, /"gzip" is no codec of this package/],
    [{ compression: 'zstd', compressionLevel: 3, codecs: { zstd: (page) => page } }, /compressionLevel/],
  ];
  for (const [options, message] of refused) {
    await assert.rejects(writeParquetBytes(table, options),
      (error) => error.code === 'ERR_OPTION' && message.test(error.message));
  }
});

test('parquill/slim has snappy and none, and names what to import for others', async () => {
  await check(await slim.writeParquetBytes(table), 'SNAPPY');
  await check(await slim.writeParquetBytes(table, { compression: 'none' }), 'UNCOMPRESSED');
  assert.deepEqual(await slim.writeParquetBytes(table), await writeParquetBytes(table, { compression: 'snappy' }));
  for (const compression of ['zstd', 'lz4', 'gzip', 'brotli']) {
    await assert.rejects(slim.writeParquetBytes(table, { compression }),
      (error) => error.code === 'ERR_OPTION' && /is not in parquill\/slim: import parquill/.test(error.message));
  }
  const codecs = { gzip: (page) => new Uint8Array(gzipSync(page)) };
  await check(await slim.writeParquetBytes(table, { compression: 'gzip', codecs }), 'GZIP');
});
