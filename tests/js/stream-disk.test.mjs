// Pages of an open row group that wait in a temporary file.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ParquetWriter } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';
import { batchesOf, errorOf, fileOf, keeper, tick } from './stream-tools.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

async function held() {
  for (let attempt = 0; attempt < 5; attempt++) {
    collect();
    await tick(2);
  }
  return process.memoryUsage().arrayBuffers;
}

// A folder of its own: in the common one other programs come and go.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'parquill-test-'));
after(() => rmSync(process.env.TMPDIR, { recursive: true }));
const waiting = () => readdirSync(tmpdir());
const table = {
  n: Float64Array.from({ length: 60_000 }, (_, row) => Math.cos(row)),
  s: Array.from({ length: 60_000 }, (_, row) => (row % 50 === 0 ? null : `text ${row % 70}`)),
};

for (const options of [{}, { rowGroupRows: 7001 }, { rowGroupRows: 1000, compression: 'none' }]) {
  test(`the same bytes as by way of memory: ${JSON.stringify(options)}`, async () => {
    const batches = batchesOf(table, [5000, 17]);
    const expected = await fileOf(batches, options);
    assert.deepEqual(await fileOf(batches, { ...options, spill: 'disk' }), expected);
    const log = keeper();
    const writer = await ParquetWriter.open({ ...options, spill: 'disk', sink: log.sink });
    for (const batch of batches) await writer.write(batch);
    await writer.finish();
    assert.deepEqual(log.bytes, expected);
    assert.deepEqual(waiting(), []);
  });
}

test('nothing is left behind by a writer that fails', async () => {
  const count = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  const before = count();
  for (let round = 0; round < 20; round++) {
    const writer = await ParquetWriter.open({ spill: 'disk' });
    await writer.write(table);
    if (round % 2 === 0) await writer.abort();
    else await errorOf(writer.write({ n: ['x'], s: [null] }));
  }
  assert.equal(count(), before);
  assert.deepEqual(waiting(), []);
});

test('pages on disk are not in memory', async () => {
  const sink = new WritableStream();
  const writer = await ParquetWriter.open({ sink, spill: 'disk', compression: 'none', dictionary: false });
  const before = await held();
  for (let batch = 0; batch < 15; batch++) await writer.write({ n: table.n });
  const grown = (await held()) - before;
  await writer.abort();
  assert.ok(grown < 3_000_000, `${grown} bytes for ${15 * 480_000} bytes of pages`);
});

test('without a file system "disk" is refused', async () => {
  const { process: own } = globalThis;
  globalThis.process = undefined;
  try {
    await assertRefused(() => ParquetWriter.open({ spill: 'disk' }), 'ERR_OPTION', { message: /spill/ });
  } finally {
    globalThis.process = own;
  }
});
