// Filters: the same rows with and without statistics, page index and Bloom filters, for every type that has an order.
//
// <out>/<type>/<variant>.parquet: the same rows, written with what a reader may skip rows by, or without; <type>.json:
// the values of the columns and what is looked for. Enums, JSON and BSON are stored and bounded as strings and bytes
// are; intervals and int96 have no bounds.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random, seedOf } from '../random.mjs';
import { fileName } from './files.mjs';
import { TYPES } from './types.mjs';

const out = fileURLToPath(new URL('../../out/filters', import.meta.url));
const ENGINES = ['DuckDB', 'Polars', 'DataFusion', 'Spark'];
const ROWS = 160;
const PAGE_ROWS = 20;
const ABSENT = 3;
const UNORDERED = /^(enum|json|bson|interval|int96|null|list|struct|map)/;
/** Types of which the writer makes no Bloom filter, since readers have no or another hash of their values. */
const NO_BLOOM = /^(bool|float16|decimal\((25|38))/;

const BLOOM = { bloomFilter: { fpp: 0.01 } };
const VARIANTS = [
  ['none', { statistics: 'none' }],
  ['chunk', { statistics: 'chunk' }],
  ['page', { statistics: 'page' }],
  ['page-bloom', { statistics: 'page', ...BLOOM }],
  ['none-bloom', { statistics: 'none', ...BLOOM }],
];

/** `up` in order, `mixed` not, `gaps` with nulls, its second page all of them. */
function columnsOf(type, random) {
  const pool = [...type.corners, ...(type.far ?? [])];
  const all = Array.from({ length: ROWS }, (_, row) => pool[row] ?? type.random(random));
  const mixed = [...all];
  for (let row = ROWS - 1; row > 0; row--) {
    const other = random.below(row + 1);
    [mixed[row], mixed[other]] = [mixed[other], mixed[row]];
  }
  const isGap = (row) => (row >= PAGE_ROWS && row < 2 * PAGE_ROWS) || random.chance(0.2);
  return {
    up: [...all].sort(type.compare),
    mixed,
    gaps: mixed.map((value, row) => (isGap(row) ? null : value)),
  };
}

async function writeType(writeParquetBytes, type, seed) {
  const random = new Random(seedOf(`${seed} filters ${type.name}`));
  const folder = join(out, fileName(type));
  mkdirSync(folder, { recursive: true });
  const columns = columnsOf(type, random);
  const canonical = (value) => (value === null ? null : type.canonical(value));
  const probes = [...type.corners, ...(type.far ?? []), ...Array.from({ length: ABSENT }, () => type.random(random))];
  const told = Object.entries(columns).map(([name, values]) => ({ name, values: values.map(canonical) }));
  const variants = VARIANTS.filter(([, { bloomFilter }]) => !bloomFilter || !NO_BLOOM.test(type.name));
  writeFileSync(
    `${folder}.json`,
    JSON.stringify({
      type: type.name,
      variants: variants.length,
      columns: told,
      probes: [...new Set(probes.map(canonical))],
    }),
  );
  for (const [at, [name, options]] of variants.entries()) {
    const table = Object.entries(columns).map(([column, values]) => ({
      name: column,
      type: type.name,
      nullable: column === 'gaps',
      data: values.map((value) => (value === null ? null : type.cell(value))),
      ...options,
    }));
    const id = { name: 'id', type: 'int32', data: Int32Array.from({ length: ROWS }, (_, row) => at * 1000 + row) };
    const bytes = await writeParquetBytes([...table, id], { pageRows: PAGE_ROWS, rowGroupRows: ROWS / 2 });
    writeFileSync(join(folder, `${name}.parquet`), bytes);
  }
}

/** few: only every third type, as `npm test` has it. */
export async function checkFilters(writeParquetBytes, { chosen, seed, few, report, runPython }) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const types = TYPES.filter(({ name }) => !UNORDERED.test(name)).filter((_, at) => !few || at % 3 === 0);
  for (const type of types) await writeType(writeParquetBytes, type, seed);
  for (const name of ENGINES.filter((engine) => chosen.includes(engine))) {
    const start = performance.now();
    const records = await runPython(name, 'filters.py', [out, name]);
    const failures = records.flatMap(({ failures }) => failures);
    const passed = records.reduce((sum, record) => sum + record.passed, 0);
    const lacking = records.filter(({ lacks }) => lacks).map(({ type }) => type);
    report(`${name}, filters${lacking.length ? `, without ${lacking.join(', ')}` : ''}`, {
      passed,
      failures,
      seconds: (performance.now() - start) / 1000,
    });
  }
}
