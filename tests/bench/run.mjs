/** Parquet writers side by side: one process per contender, writing in turn. README.md says how to use and read it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { defaultContenders, isSlow, knows, quickContenders, takes } from './contenders/index.mjs';
import { chartOf } from './lib/chart.mjs';
import { Contender, Native } from './lib/contestants.mjs';
import { printGoals } from './lib/goals.mjs';
import { printCells, printRatios } from './lib/report.mjs';
import { buildPackage, here, installPeers, pythonWith } from './lib/setup.mjs';
import { makeTable, rowsAt } from './tables/index.mjs';
import { packedBytes } from './tables/packed.mjs';

const { values: given } = parseArgs({
  options: {
    tables: { type: 'string', default: 'floats,ints,lineitem,taxi,events,nested,rows,strings,small' },
    codecs: { type: 'string', default: 'none,snappy,zstd' },
    contenders: { type: 'string' },
    native: { type: 'string' },
    rounds: { type: 'string' },
    scale: { type: 'string' },
    quick: { type: 'boolean', default: false },
    'row-group-rows': { type: 'string' },
    tag: { type: 'string' },
    chart: { type: 'string' },
  },
});
const names = given.contenders?.split(',') ?? (given.quick ? quickContenders : defaultContenders);
const chosen = given.contenders !== undefined;
const codecs = given.codecs.split(',');
const rounds = Number(given.rounds ?? (given.quick ? 3 : 5));
const scale = Number(given.scale ?? (given.quick ? 0.25 : 1));
const rowGroupRows = given['row-group-rows'] && Number(given['row-group-rows']);

installPeers();
if (names.some((name) => name.startsWith('parquill'))) buildPackage();
const { writeArrowFile } = await import('./lib/arrow-file.mjs');
const { verifyWithHyparquet, verifyWithPython } = await import('./lib/verify.mjs');

const python = pythonWith('pyarrow');
const natives = (given.native ?? (python ? 'pyarrow' : 'none')).split(',').filter((name) => name !== 'none');
if (natives.length > 0 && !python) throw new Error('--native needs the .venv of the repository: run npm test once');
mkdirSync(here('out/files'), { recursive: true });

/** The writes of one codec, in turn: for the file, for the memory (both warm up), then on the clock. */
async function measure(all, table, codec) {
  const contestants = all.filter(({ name }) => knows(name, codec));
  const cells = contestants.map(({ name }) => ({
    codec,
    contender: name,
    path: here(`out/files/${table.name}-${codec}-${name.replace(' ', '-')}.parquet`),
    rounds: [],
  }));
  const repeat = table.name === 'small' ? 100 : 1;
  const options = { codec, rowGroupRows };
  for (const [i, contestant] of contestants.entries()) {
    const { bytes, wasmBytes } = await contestant.write(options, repeat, cells[i].path);
    Object.assign(cells[i], { bytes, wasmBytes });
  }
  for (const [i, contestant] of contestants.entries()) Object.assign(cells[i], await contestant.growth(options));
  for (let round = 0; round < rounds; round++) {
    for (const [i, contestant] of contestants.entries()) {
      const { wall, cpu, allThreads } = await contestant.write(options, repeat);
      cells[i].rounds.push({ wall, cpu, allThreads });
    }
  }
  return cells;
}

async function runTable(name, share, contenders, natives) {
  const table = { name, rows: rowsAt(name, scale * share), source: here(`out/files/${name}.arrow`) };
  const bytes = packedBytes(await makeTable(name, table.rows));
  const result = { name, rows: table.rows, share, packedBytes: bytes, cells: [] };
  if (python) await writeArrowFile(name, table.rows, table.source);
  const contestants = [
    ...contenders.map((contender) => new Contender(contender)),
    ...natives.map((native) => new Native(native, python)),
  ];
  try {
    for (const contestant of contestants) await contestant.load(table);
    for (const codec of codecs) result.cells.push(...(await measure(contestants, table, codec)));
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.end()));
  }
  printCells(result);
  const written = result.cells.filter(({ contender }) => contender !== 'copy-only');
  const paths = written.map(({ path }) => path);
  const problems = python
    ? verifyWithPython(python, table.source, paths)
    : await verifyWithHyparquet(table.rows, paths);
  rmSync(table.source, { force: true });
  for (const cell of result.cells) {
    cell.problems = problems[cell.path] ?? [];
    for (const problem of cell.problems) console.log(`WRONG ${cell.contender} ${cell.codec}: ${problem}`);
    if (cell.problems.length === 0) rmSync(cell.path);
    delete cell.path;
  }
  return result;
}

const slow = names.filter(isSlow);
const tables = [];
const slowTables = [];
for (const name of given.tables.split(',')) {
  const contenders = names.filter((one) => !isSlow(one) && takes(one, name, chosen));
  if (contenders.length > 0) tables.push(await runTable(name, 1, contenders, natives));
  if (slow.length > 0) slowTables.push(await runTable(name, name === 'small' ? 1 : 0.1, ['parquill', ...slow], []));
}
printRatios(tables);
printGoals(tables, slowTables);
const chart = chartOf(tables);
for (const file of [here('out/bench.svg'), ...(given.chart === undefined ? [] : [given.chart])]) {
  if (chart !== undefined) writeFileSync(file, chart);
}

const wrong = [...tables, ...slowTables].flatMap(({ cells }) => cells).filter(({ problems }) => problems.length > 0).length;
console.log(`\n${wrong} wrong files, by ${python ? 'every value in pyarrow' : 'the number of rows in hyparquet'}`);
const report = here(`out/bench${given.tag ? `-${given.tag}` : ''}.json`);
writeFileSync(
  report,
  JSON.stringify({ node: process.version, cpu: cpus()[0].model, rounds, scale, rowGroupRows, tables, slowTables }, null, 1),
);
if (wrong > 0) process.exitCode = 1;
