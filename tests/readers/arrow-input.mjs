// Arrow IPC files of tests/fixtures/arrow as Parquet, for arrow_input.py to compare.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** All that Parquet cannot hold; its refusal has a test of its own. */
const REFUSED = ['refused.arrows'];

/** Writes every file by usual and by tight options, which must not matter, and with its schema; counts what fails. */
export async function writeArrowFiles({ tableFromArrowIPC, writeParquetBytes }, source, folder) {
  const failures = [];
  let passed = 0;
  for (const name of readdirSync(source).filter((file) => /\.arrows?$/.test(file) && !REFUSED.includes(file))) {
    const table = tableFromArrowIPC(new Uint8Array(readFileSync(join(source, name))));
    for (const [set, options] of Object.entries({
      usual: {},
      tight: { pageRows: 3, rowGroupRows: 5, pageBytes: 40 },
      schema: { arrowSchema: true },
    })) {
      try {
        mkdirSync(join(folder, set), { recursive: true });
        writeFileSync(join(folder, set, `${basename(name)}.parquet`), await writeParquetBytes(table, options));
        passed++;
      } catch (error) {
        failures.push(`${name}: ${error.stack}`);
      }
    }
  }
  return { passed, failed: failures.length, failures };
}
