// The reader oracles in one command: node tests/readers/run.mjs [--seed n] [--only text] [--nested count]
//
// Writes the matrix (matrix.mjs) with the built package, then has it read by pyarrow, DuckDB, Polars, DataFusion and
// hyparquet, and walked byte by byte (walk.py). One check is one file and one reader. Needs `pkg/` and `.venv` with
// requirements.txt of this folder; the files stay in tests/out/readers for a look.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeArrowFiles } from './arrow-input.mjs';
import { checkWithHyparquet } from './hyparquet.mjs';
import { writeMatrix } from './matrix.mjs';
import { writeBatch } from './nested/check.mjs';
import { writeVolume } from './volume.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = join(here, '../out/readers');
const python = ['../../.venv/bin/python', '../../.venv/Scripts/python.exe']
  .map((path) => join(here, path))
  .find(existsSync);
const SHOWN_FAILURES = 12;
/** Files of which one process writes so many while another reads as many. */
const NESTED_BATCH = 1000;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261130' },
    only: { type: 'string', default: '' },
    // Fewer at hand, so that a change is soon tried; CI looks harder.
    nested: { type: 'string', default: process.env.CI ? '20000' : '2000' },
  },
});
const total = { passed: 0, failed: 0 };

function report(name, { passed, failed, failures, seconds }) {
  total.passed += passed;
  total.failed += failed;
  console.log(
    `${failed ? 'FAIL' : 'ok  '} ${name}: ${passed} passed, ${failed} failed${seconds ? ` (${seconds} s)` : ''}`,
  );
  failures.slice(0, SHOWN_FAILURES).forEach((failure) => console.log(`       ${failure}`));
  if (failures.length > SHOWN_FAILURES) console.log(`       and ${failures.length - SHOWN_FAILURES} more`);
}

const secondsSince = (start) => ((performance.now() - start) / 1000).toFixed(1);

/** Runs a Python script that prints records of report.py; a script that ends badly is a failure of its own. */
async function runPython(script, args = [out, options.seed], tell = report) {
  let start = performance.now();
  const child = spawn(python, [join(here, script), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const ended = new Promise((resolve) => child.on('close', resolve));
  let failures = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const record = JSON.parse(line);
    if (record.failure) {
      failures.push(record.failure);
      continue;
    }
    tell(record.group, { ...record, failures, seconds: secondsSince(start) });
    failures = [];
    start = performance.now();
  }
  const code = await ended;
  if (code !== 0)
    tell(script, { passed: 0, failed: 1, failures: [`exit code ${code}`, ...stderr.trim().split('\n').slice(-8)] });
}

/** Counts of many batches, by what was counted. */
class Sums {
  #groups = new Map();

  add(name, { passed, failed, failures }) {
    const sum = this.#groups.get(name) ?? { passed: 0, failed: 0, failures: [] };
    this.#groups.set(name, {
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      failures: [...sum.failures, ...failures],
    });
  }

  report(seconds) {
    for (const [name, sum] of this.#groups) report(name, { ...sum, seconds });
  }
}

/** Random nested columns, see nested/check.mjs: while one batch is read, the next one is written. */
async function checkNested(writeParquetBytes) {
  const start = performance.now();
  const count = Number(options.nested);
  const sums = new Sums();
  let reading = Promise.resolve();
  for (let from = 0; from < count; from += NESTED_BATCH) {
    const batch = join(out, `nested-${(from / NESTED_BATCH) % 2}`);
    const to = Math.min(from + NESTED_BATCH, count);
    sums.add(
      'nested columns, one file from all forms',
      await writeBatch(writeParquetBytes, batch, options.seed, from, to),
    );
    await reading;
    reading = runPython('nested/oracle.py', [batch, '4'], (name, result) => sums.add(name, result));
    console.log(`     ${to} of ${count} nested files written (${secondsSince(start)} s)`);
  }
  await reading;
  sums.report(secondsSince(start));
}

/** Many values of a type in each of its encodings. */
async function checkVolume(writeParquetBytes) {
  const start = performance.now();
  const folder = join(out, 'volume');
  const written = await writeVolume(writeParquetBytes, folder, options.seed);
  report('many values of a type in each encoding, written', { ...written, seconds: secondsSince(start) });
  await runPython('volume.py', [folder]);
}

/** Arrow IPC files that pyarrow wrote. */
async function checkArrow(library) {
  const start = performance.now();
  const source = join(here, '../fixtures/arrow');
  const folder = join(out, 'arrow');
  const written = await writeArrowFiles(library, source, folder);
  report('Arrow IPC files written', { ...written, seconds: secondsSince(start) });
  for (const set of ['usual', 'tight', 'schema']) await runPython('arrow_input.py', [join(folder, set), source]);
}

async function main() {
  if (!python)
    throw new Error(
      'no .venv at the repository root: python3 -m venv .venv && .venv/bin/pip install -r tests/readers/requirements.txt',
    );
  const library = await import('../../pkg/index.js');
  const { writeParquetBytes } = library;
  console.log(`reader oracles, seed ${options.seed}`);
  const start = performance.now();
  const files = await writeMatrix(writeParquetBytes, out, options.seed, options.only);
  const failures = files.filter((file) => file.error).map((file) => `${file.name}: ${file.error.message}`);
  report('matrix written', {
    passed: files.length - failures.length,
    failed: failures.length,
    failures,
    seconds: secondsSince(start),
  });
  const hyparquet = async () => {
    const begun = performance.now();
    report('hyparquet', { ...(await checkWithHyparquet(out)), seconds: secondsSince(begun) });
  };
  await Promise.all([runPython('oracle.py'), runPython('check_walk.py').then(hyparquet)]);
  await checkVolume(writeParquetBytes);
  await checkNested(writeParquetBytes);
  await checkArrow(library);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed ? 1 : 0;
}

await main();
