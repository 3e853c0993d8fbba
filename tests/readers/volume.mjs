// Many values of a type: one file for each page version, in which a column for each encoding holds the same rows; beside
// them what they hold, once. Read by volume.py.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodingsOf } from './encoded.mjs';
import { Random, seedOf } from './random.mjs';
import { TYPES } from './types.mjs';

/** Rows and the share of them that are not null: 100,000 values are left, and some. */
const ROWS = 140_000;
const PRESENT = 0.8;
/** One of every physical type and width that encodings tell apart. */
const CHOSEN = ['bool', 'int32', 'int64', 'float16', 'float32', 'float64', 'string', 'fixed[5]'];

/** Stretches of many values, of few, of one, in order, and corners. */
function valuesOf(type, random) {
  const many = (count) => Array.from({ length: count }, () => type.random(random));
  const from = (pool, count) => Array.from({ length: count }, () => random.pick(pool));
  const values = [];
  while (values.length < ROWS) {
    const count = 1 + random.below(9000);
    const stretch = [
      () => many(count),
      () => many(count).sort(type.compare),
      () => from(many(1 + random.below(40)), count),
      () => Array(count).fill(type.random(random)),
      () => from(type.corners, count),
    ];
    values.push(...random.pick(stretch)());
  }
  return values.slice(0, ROWS);
}

/** Nulls here and there, and pages of them. */
function presenceOf(random) {
  const present = Array.from({ length: ROWS }, () => random.chance(0.9));
  for (let at = 0; at < (0.9 - PRESENT) * ROWS; at += 1500) {
    const start = random.below(ROWS - 1500);
    present.fill(false, start, start + 1500);
  }
  return present;
}

export async function writeVolume(writeParquetBytes, folder, seed) {
  mkdirSync(folder, { recursive: true });
  const failures = [];
  let passed = 0;
  for (const type of TYPES.filter(({ name }) => CHOSEN.includes(name))) {
    const random = new Random(seedOf(`${seed} volume ${type.name}`));
    const [values, present] = [valuesOf(type, random), presenceOf(random)];
    const stem = type.name.replace(/\W+/g, '_');
    const canonical = values.map((value, row) => (present[row] ? type.canonical(value) : null));
    writeFileSync(join(folder, `${stem}.json`), JSON.stringify({ type: type.name, values: canonical }));
    const data = values.map((value, row) => (present[row] ? type.cell(value) : null));
    for (const pageVersion of [1, 2]) {
      const columns = encodingsOf(type.name).map((encoding, index) => {
        const compression = ['none', 'zstd', 'snappy', 'lz4'][(index + pageVersion) % 4];
        return { name: encoding, type: type.name, nullable: true, data, encoding, compression };
      });
      try {
        const bytes = await writeParquetBytes(columns, { pageVersion, pageRows: 1000, rowGroupRows: 60_000 });
        writeFileSync(join(folder, `${stem}.v${pageVersion}.parquet`), bytes);
        passed++;
      } catch (error) {
        failures.push(`${type.name}, version ${pageVersion}: ${error.message}`);
      }
    }
  }
  return { passed, failed: failures.length, failures };
}
