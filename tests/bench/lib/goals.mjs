/** What the benchmark is to show: each goal with the figure of this run. */
import { geometricMean, printTable, timeRatio } from './report.mjs';

const LEADERS = ['hyparquet-writer', 'parquet-wasm-fast'];

/** parquill / other in every cell of the tables that has both, worst first. `names`: the fastest of these counts. */
function ratios(tables, names) {
  return tables
    .flatMap(({ name, cells }) =>
      cells.filter(({ contender }) => contender === 'parquill').flatMap((mine) => {
        const others = cells.filter(({ codec, contender }) => codec === mine.codec && names.includes(contender));
        if (others.length === 0) return [];
        const ratio = Math.max(...others.map((other) => timeRatio(mine, other)));
        return [{ table: name, codec: mine.codec, ratio, heap: mine.heap, otherHeap: others[0].heap }];
      }),
    )
    .sort((a, b) => b.ratio - a.ratio);
}

const only = (tables, ...names) => tables.filter(({ name }) => names.includes(name));
const verdict = (holds) => (holds ? 'holds' : 'DOES NOT HOLD');

function worst(what, cells, most) {
  if (cells.length === 0) return [];
  const [{ table, codec, ratio }] = cells;
  return [[`${what}, every cell`, `≤ ${most}`, `${ratio.toFixed(2)} (${table}, ${codec})`, verdict(ratio <= most)]];
}

function mean(what, cells, most) {
  if (cells.length === 0) return [];
  const value = geometricMean(cells.map(({ ratio }) => ratio));
  return [[`${what}, geometric mean`, `≤ ${most}`, value.toFixed(2), verdict(value <= most)]];
}

function timesAsFast(what, cells, least) {
  return worst(what, cells, 1 / least).map(([name, , , holds]) => {
    const [{ table, codec, ratio }] = cells;
    return [name, `≥ ${least} ×`, `${(1 / ratio).toFixed(2)} × (${table}, ${codec})`, holds];
  });
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** `slowTables`: the same tables with fewer rows, for contenders that are too slow for all of them. */
export function printGoals(tables, slowTables) {
  const leaders = ratios(tables, LEADERS);
  const native = ratios(tables, ['native pyarrow']);
  const copy = (table) => ratios(only(tables, table), ['copy-only']).filter(({ codec }) => codec === 'none');
  const nested = ratios(only(tables, 'rows', 'nested'), ['hyparquet-writer']);
  const strings = ratios(only(tables, 'strings'), ['parquet-wasm']);
  const rows = [
    ...worst('cpu / best of hyparquet-writer and parquet-wasm-fast', leaders, 0.5),
    ...mean('cpu / best of hyparquet-writer and parquet-wasm-fast', leaders, 0.3),
    ...worst('cpu / duckdb-wasm', ratios(tables, ['duckdb-wasm']), 0.25),
    ...worst('cpu / parquetjs, a tenth of the rows', ratios(slowTables, ['parquetjs']), 0.25),
    ...mean('cpu / native pyarrow, one thread', native, 1.3),
    ...worst('cpu / native pyarrow, one thread', native, 2),
    ...worst('cpu / copy-only, floats', copy('floats'), 2),
    ...worst('cpu / copy-only, ints', copy('ints'), 3),
    ...timesAsFast('rows and nested, as fast as hyparquet-writer', nested, 3),
    ...timesAsFast('unique strings, as fast as parquet-wasm from arrays', strings, 5),
  ];
  if (rows.length === 0) return;
  console.log('\ngoals\n');
  printTable([['figure', 'goal', 'this run', ''], ...rows]);
  for (const { table, codec, heap, otherHeap } of [...nested, ...strings]) {
    console.log(`heap growth, ${table}, ${codec}: ${megabytes(heap)}, the other ${megabytes(otherHeap)}`);
  }
}
