// Every reader on every kind of file:
//   node tests/readers/support/run.mjs [--defaults] [--update] [--seed n] [--readers a,b]
//
// Writes the files (files.mjs), has them read (check.py, hyparquet.mjs) and compares the results with support.md, cell
// by cell; --update writes support.md from the run. --defaults: only files without options but the codec, and fewer
// filters, as `npm test` does.
// Files that the writer chose the encodings of must be read by all, save where a reader lacks the type itself.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSupportFiles } from './files.mjs';
import { checkFilters } from './filters.mjs';
import { readWithHyparquet, version } from './hyparquet.mjs';
import { readWithParquetWasm } from './parquet-wasm.mjs';
import { cellsOf, readTable, supportTable } from './table.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../../..');
const out = join(root, 'tests/out/support');
const TABLE = join(here, 'support.md');
const SHOWN_FAILURES = 15;
// Two lanes, since Spark takes as long as all others.
const LANES = [
  ['Spark'],
  ['pyarrow', 'DuckDB', 'Polars', 'DataFusion', 'parquet-wasm', 'hyparquet', 'ClickHouse', 'fastparquet'],
];
const ORDER = [
  'pyarrow',
  'DuckDB',
  'Polars',
  'DataFusion',
  'ClickHouse',
  'Spark',
  'fastparquet',
  'hyparquet',
  'parquet-wasm',
];
const APART = ['ClickHouse', 'fastparquet', 'Spark'];

const { values: options } = parseArgs({
  options: {
    defaults: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261130' },
    readers: { type: 'string', default: ORDER.join(',') },
  },
});
const total = { passed: 0, failed: 0 };

export function report(name, { passed, failures, seconds }) {
  total.passed += passed;
  total.failed += failures.length;
  const time = seconds === undefined ? '' : ` (${seconds.toFixed(0)} s)`;
  console.log(`${failures.length ? 'FAIL' : 'ok  '} ${name}: ${passed} passed, ${failures.length} failed${time}`);
  failures.slice(0, SHOWN_FAILURES).forEach((failure) => console.log(`       ${failure}`));
  if (failures.length > SHOWN_FAILURES) console.log(`       and ${failures.length - SHOWN_FAILURES} more`);
}

/** Lines of JSON that a script of this folder prints, run in the environment that a reader lives in. */
export async function runPython(reader, script, args) {
  const python = join(root, APART.includes(reader) ? '.venv-readers' : '.venv', 'bin/python');
  if (!existsSync(python)) throw new Error(`${python} is missing: node tests/tools/setup.mjs python readers java`);
  const env = { ...process.env, PYSPARK_PYTHON: python, RUST_BACKTRACE: '0', POLARS_VERBOSE: '0' };
  const child = spawn(python, [join(here, script), ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr = (stderr + text).slice(-4000)));
  const ended = new Promise((resolve) => child.on('close', resolve));
  const records = [];
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('{')) records.push(JSON.parse(line));
  const code = await ended;
  if (code !== 0)
    throw new Error(`${script} with ${reader} ended with ${code}: ${stderr.trim().split('\n').slice(-8).join('\n')}`);
  return records;
}

async function recordsOf(name, files) {
  if (name === 'hyparquet') {
    const records = [];
    for await (const record of readWithHyparquet(out, files)) records.push(record);
    return { name, version, records };
  }
  if (name === 'parquet-wasm') readWithParquetWasm(out, files);
  const [head, ...records] = await runPython(name, 'check.py', [out, name]);
  return { name, version: head.version, records };
}

/** Compares a reader's cells with the table. */
function compare({ name, records }, files, expected, seconds) {
  const failures = [];
  let passed = 0;
  for (const record of records) {
    for (const cell of cellsOf(record, files.get(record.file))) {
      const wanted = expected(name, cell);
      if (cell.result === wanted) passed++;
      else
        failures.push(
          `${record.file}, ${cell.column}: ${JSON.stringify(record.columns[cell.column])}, the table: "${wanted}"`,
        );
    }
  }
  if (records.length !== files.size) failures.push(`${records.length} files read of ${files.size}`);
  report(name, { passed, failures, seconds });
}

/** Where the writer chose the encodings, a failure must be one of the type itself: in PLAIN the same. */
function checkChoice(readers, files) {
  const failures = [];
  let passed = 0;
  for (const { name, records } of readers) {
    const bad = new Set();
    const cells = records.flatMap((record) => cellsOf(record, files.get(record.file)));
    const key = ({ type, column }) => `${type}, ${column}`;
    for (const cell of cells) {
      if (cell.result !== '' && cell.encoding === 'PLAIN' && cell.pages === '1') bad.add(key(cell));
    }
    for (const cell of cells) {
      const chosen = cell.encoding === 'defaults' || (cell.encoding === 'auto' && cell.pages === '1');
      if (!chosen) continue;
      if (cell.result === '' || bad.has(key(cell))) passed++;
      else failures.push(`${name}, ${key(cell)}, ${cell.encoding}: ${cell.result}`);
    }
  }
  report("the writer's choice is read wherever PLAIN is", { passed, failures });
}

async function checkReaders(writeParquetBytes, chosen) {
  let start = performance.now();
  const only = options.defaults ? 'defaults' : '';
  const { files: list, failures } = await writeSupportFiles(writeParquetBytes, out, options.seed, only);
  report('files written', { passed: list.length, failures, seconds: (performance.now() - start) / 1000 });
  const files = new Map(list.map((file) => [file.name, file]));
  const expected = readTable(existsSync(TABLE) ? readFileSync(TABLE, 'utf8') : '');
  const done = new Map();
  await Promise.all(
    LANES.map(async (names) => {
      for (const name of names.filter((one) => chosen.includes(one))) {
        start = performance.now();
        const begun = performance.now();
        done.set(name, await recordsOf(name, list));
        const seconds = (performance.now() - begun) / 1000;
        if (!options.update) compare(done.get(name), files, expected, seconds);
        else console.log(`read ${name} (${seconds.toFixed(0)} s)`);
      }
    }),
  );
  const readers = ORDER.filter((name) => done.has(name)).map((name) => done.get(name));
  if (options.defaults) return;
  checkChoice(readers, files);
  if (readers.length < ORDER.length) return;
  const text = `${supportTable(readers, list).join('\n')}\n`;
  if (options.update) writeFileSync(TABLE, text);
  const same = readFileSync(TABLE, 'utf8') === text;
  report('the table is that of this run', { passed: Number(same), failures: same ? [] : ['support.md: see --update'] });
}

async function main() {
  const { writeParquetBytes } = await import('../../../pkg/index.js');
  const start = performance.now();
  const chosen = options.readers.split(',');
  console.log(`further readers, seed ${options.seed}`);
  await checkReaders(writeParquetBytes, chosen);
  await checkFilters(writeParquetBytes, { chosen, seed: options.seed, few: options.defaults, report, runPython });
  console.log(`in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed ? 1 : 0;
}

await main();
