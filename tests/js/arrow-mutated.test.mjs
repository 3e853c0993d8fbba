// Damaged Arrow bytes all the way to a file: an error of ours, or a file that is whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import { init, ParquetError, tableFromArrowIPC, writeParquetBytes } from '../../pkg/index.js';
import { randomFrom, readFixtures } from './arrow-expand.mjs';
import { mutate } from './arrow-patch.mjs';
import { readBack } from './read-back.mjs';

/** What is wrong with values shows only when they are written. */
const CODES = [
  'ERR_FORMAT', 'ERR_TYPE_MISMATCH', 'ERR_OUT_OF_RANGE', 'ERR_LIMIT', 'ERR_NULL', 'ERR_SCHEMA', 'ERR_COLUMN_LENGTH',
];
const MOST_ROWS = 100_000;

// Before it, bytes are read when they are written.
await init();

async function attempt(bytes, readAll) {
  let table;
  let file;
  try {
    table = tableFromArrowIPC(bytes);
    // A few bytes may stand for a billion nulls.
    if (table.numRows > MOST_ROWS) return 'many rows';
    // The reader parses what GeoParquet says.
    const options = { arrowSchema: true, pageRows: 7, compression: 'none', metadata: { geo: '{}' } };
    file = await writeParquetBytes(table, options);
  } catch (error) {
    if (error instanceof ParquetError && CODES.includes(error.code)) return error.code;
    throw error;
  }
  const metadata = parquetMetadata(file.buffer);
  assert.equal(Number(metadata.num_rows), table.numRows);
  const kept = metadata.key_value_metadata.find(({ key }) => key === 'ARROW:schema').value;
  const { schema } = tableFromArrowIPC(new Uint8Array(Buffer.from(kept, 'base64')));
  assert.deepEqual(schema.fields.map(({ name }) => name), table.columns.map(({ name }) => name));
  if (readAll && metadata.schema.every(({ num_children: children }, index) => index === 0 || !children)) {
    const { columns } = await readBack(file);
    for (const values of Object.values(columns)) assert.equal(values.length, table.numRows);
  }
  return 'file';
}

test('10,000 mutated inputs end in an error, or in a file that is whole', async (context) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  context.diagnostic(`SEED=${seed}`);
  const random = randomFrom(seed);
  const all = readFixtures();
  const ends = {};
  for (let round = 0; round < 10_000; round++) {
    const { name, bytes } = all[random(all.length)];
    try {
      const end = await attempt(mutate(bytes, random), round % 10 === 0);
      ends[end] = (ends[end] ?? 0) + 1;
    } catch (error) {
      throw new Error(`SEED=${seed}, round ${round}, ${name}: ${error.stack}`);
    }
  }
  context.diagnostic(JSON.stringify(ends));
  assert.ok(ends.file > 100 && ends.ERR_FORMAT > 1000);
});
