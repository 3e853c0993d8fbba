/** Tables that the page makes up: sensors that never sleep, as many rows as asked for, a batch at a time. */

const BATCH = 1 << 14;
/** Random numbers of which every batch takes another stretch. */
const POOL = 1 << 18;
/** Microseconds. */
const START = 1_735_689_600_000_000;
const STEP = 40_000;
const SHOWN = 10;

export const MADE_TYPES = { id: 'int64', time: 'timestamp[us, UTC]', level: 'float64', flow: 'float64', heat: 'float64' };
const ROW_BYTES = 8 * Object.keys(MADE_TYPES).length;

let pool;

function randomNumbers() {
  // The same table each time: of such a generator only the upper bits are good enough, so each number takes two.
  let state = 1;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  pool ??= Float64Array.from({ length: POOL + BATCH }, () => ((next() >>> 6) * 2 ** 26 + (next() >>> 6)) / 2 ** 45);
  return pool;
}

/** Safe integers as two halves each: bigints would be garbage for the collector. */
function putNumbers(target, start, step) {
  const halves = new Uint32Array(target.buffer);
  for (let at = 0, number = start; at < halves.length; at += 2, number += step) {
    halves[at] = number >>> 0;
    halves[at + 1] = number / 2 ** 32;
  }
}

function batch(first, rows) {
  const numbers = randomNumbers();
  const from = (step) => ((first / BATCH + 1) * step) % POOL;
  const id = new BigInt64Array(rows);
  const time = new BigInt64Array(rows);
  putNumbers(id, first, 1);
  putNumbers(time, START + first * STEP, STEP);
  const part = (step) => numbers.slice(from(step), from(step) + rows);
  return { id, time, level: part(7919), flow: part(104_729), heat: part(131_071) };
}

/** A table for the preview, whose rows come from `batches()`. */
export function makeTable(rows) {
  const first = batch(0, Math.min(SHOWN, rows));
  const columns = Object.entries(first).map(([name, values]) => Array.from(values, (value) => {
    return name === 'time' ? new Date(Number(value / 1000n)).toISOString() : value;
  }));
  return {
    names: Object.keys(MADE_TYPES),
    types: Object.values(MADE_TYPES),
    columns,
    rows,
    bytes: rows * ROW_BYTES,
    format: 'values',
    * batches() {
      for (let at = 0; at < rows; at += BATCH) yield batch(at, Math.min(BATCH, rows - at));
    },
  };
}
