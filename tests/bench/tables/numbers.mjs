import { cents, column } from './column.mjs';
import { rng, zipf } from './rng.mjs';

/** The readings of one sensor, a random walk: the first ten at full precision, the others to 2 decimals. */
export function sensor(index, n) {
  const r = rng(100 + index);
  const data = new Float64Array(n);
  let x = 20 + index;
  for (let i = 0; i < n; i++) {
    x += r.normal() * 0.05;
    data[i] = index < 10 ? x : cents(x);
  }
  return data;
}

/** 20 sensors. */
export const floats = (n) =>
  Array.from({ length: 20 }, (_, c) => column(`${c < 10 ? 'raw' : 'dec'}_${c}`, 'float64', sensor(c, n)));

/** Sorted int64 ids, timestamps, int32 categories. */
export function ints(n) {
  const r = rng(5);
  const id = new BigInt64Array(n);
  const ts = new BigInt64Array(n);
  const cat = new Int32Array(n);
  const store = new Int32Array(n);
  const cats = zipf(Array.from({ length: 50 }, (_, k) => k * 7 + 1));
  let k = 10_000_000;
  let t = Date.UTC(2024, 0, 1);
  for (let i = 0; i < n; i++) {
    k += r.int(1, 16);
    t += r.int(0, 40);
    id[i] = BigInt(k);
    ts[i] = BigInt(t);
    cat[i] = r.weighted(cats);
    store[i] = r.int(1, 5000);
  }
  return [
    column('id', 'int64', id),
    column('ts', 'timestamp_ms', ts),
    column('category', 'int32', cat),
    column('store', 'int32', store),
  ];
}
