/** Bytes of parquill's files beside those of other writers: README.md says how to use it and what must hold. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Contender, Native } from './lib/contestants.mjs';
import { buildPackage, here, installPeers, pythonWith } from './lib/setup.mjs';
import { printSizes } from './lib/size-report.mjs';
import { rowsAt } from './tables/index.mjs';

const { values: given } = parseArgs({
  options: {
    tables: { type: 'string', default: 'lineitem,taxi,events,floats,ints,flights,zipcodes,birdstrikes' },
    codecs: { type: 'string', default: 'none,snappy,zstd' },
    'peers-from': { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const tables = given.tables.split(',');
const codecs = given.codecs.split(',');
// Of all writers that can be told; parquet-wasm is at 1 and cannot.
const ZSTD_LEVEL = 3;
const OURS = ['broad', 'modern'];

installPeers();
buildPackage();
const { writeArrowFile } = await import('./lib/arrow-file.mjs');
const { verifyWithPython } = await import('./lib/verify.mjs');
const python = pythonWith('pyarrow');
if (!python) throw new Error('needs the .venv of the repository: run npm test once');
const earlier = given['peers-from'] && JSON.parse(readFileSync(given['peers-from']));
mkdirSync(here('out/files'), { recursive: true });

/** All files of one writer; one writer at a time holds the table in memory. */
async function write(contestant, table, variants) {
  const cells = [];
  try {
    await contestant.load(table);
    for (const codec of codecs) {
      for (const variant of variants) {
        const contender = variant ?? contestant.name;
        const path = here(`out/files/${table.name}-${codec}-${contender.replace(' ', '-')}.parquet`);
        const level = codec === 'zstd' ? ZSTD_LEVEL : undefined;
        const { bytes } = await contestant.write({ codec, level, compatibility: variant }, 1, path);
        cells.push({ table: table.name, codec, contender, bytes, path });
      }
    }
  } finally {
    await contestant.end();
  }
  return cells;
}

async function sizesOf(name) {
  const table = { name, rows: rowsAt(name, 1), source: here(`out/files/${name}.arrow`) };
  await writeArrowFile(name, table.rows, table.source);
  const cells = await write(new Contender('parquill'), table, OURS);
  if (!earlier) {
    for (const peer of ['hyparquet-writer', 'parquet-wasm-fast']) {
      cells.push(...(await write(new Contender(peer), table, [undefined])));
    }
    for (const native of ['pyarrow', 'duckdb', 'polars']) {
      cells.push(...(await write(new Native(native, python), table, [undefined])));
    }
  }
  const problems = verifyWithPython(python, table.source, cells.map(({ path }) => path));
  for (const cell of cells) {
    cell.problems = problems[cell.path];
    for (const problem of cell.problems) console.log(`WRONG ${cell.table} ${cell.codec} ${cell.contender}: ${problem}`);
    if (cell.problems.length === 0 && !given.keep) rmSync(cell.path);
    delete cell.path;
  }
  rmSync(table.source);
  const known = earlier?.filter((cell) => cell.table === name && !OURS.includes(cell.contender)) ?? [];
  return [...cells, ...known];
}

const cells = [];
for (const name of tables) cells.push(...(await sizesOf(name)));
writeFileSync(here('out/size.json'), JSON.stringify(cells, null, 1));
const missed = printSizes(cells);
const wrong = cells.filter(({ problems }) => problems.length > 0).length;
console.log(`\n${wrong} wrong files, by every value in pyarrow`);
if (wrong > 0 || missed > 0) process.exitCode = 1;
