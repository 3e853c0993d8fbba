/** How many rows a row group takes, known before its first column is written. */

import type { Source } from './input/source.js';
import type { FileOptions } from './options.js';

/** Rows that are measured at once. */
const BLOCK = 1 << 13;
/** A first look: as many slices of as many rows, and how often what they say must fit into the limit. */
const SLICES = 32;
const SLICE = 64;
const MARGIN = 4;
/** The share of the limit up to which sizes by the guess and the sample are good enough. */
const LIKELY = 0.9;

/**
 * The end of the row group that begins at `start`: at most `rowGroupRows` rows, and at most `rowGroupBytes` bytes in
 * PLAIN form, but at least one row. Where rows from all over promise a quarter of the limit or less, that is the answer.
 * Otherwise sizes of strings are first guessed from above, which is far cheaper than counting them. Where neither the
 * guess fits nor nine tenths of the limit hold what it comes to by the sample, they are counted, but only until what is
 * left fits by the guess.
 */
export function* rowGroupEnd(
  columns: readonly { readonly source: Source }[],
  start: number,
  rows: number,
  options: FileOptions,
): Generator<false, number> {
  const end = Math.min(rows, start + options.rowGroupRows);
  const limit = options.rowGroupBytes;
  const sample = sampled(columns, start, end);
  if (sample.bytes * MARGIN <= limit) return end;
  const guesses: number[] = [];
  let most = 0;
  let likely = 0;
  for (let from = start; from < end; from += BLOCK) {
    let guess = 0;
    columns.forEach(({ source }, column) => {
      const bytes = source.mostBytes(from, Math.min(from + BLOCK, end));
      guess += bytes;
      likely += bytes * sample.shares[column];
    });
    guesses.push(guess);
    most += guess;
    yield false;
  }
  if (likely <= limit * LIKELY) return end;
  let bytes = 0;
  for (let from = start; most > limit && from < end; from += BLOCK) {
    const to = Math.min(from + BLOCK, end);
    const block = plainBytes(columns, from, to);
    if (bytes + block > limit) return Math.max(start + 1, firstBeyond(columns, from, to, limit - bytes));
    bytes += block;
    most += block - guesses[(from - start) / BLOCK];
    yield false;
  }
  return end;
}

interface Sample {
  /** Of all rows, as far as slices from all over tell. */
  readonly bytes: number;
  /** How much of the guess from above it is, by column. */
  readonly shares: readonly number[];
}

/** Few rows say nothing. */
function sampled(columns: readonly { readonly source: Source }[], start: number, end: number): Sample {
  const rows = end - start;
  if (rows <= 4 * SLICES * SLICE) return { bytes: Infinity, shares: columns.map(() => Infinity) };
  let bytes = 0;
  const shares = columns.map(({ source }) => {
    let plain = 0;
    let most = 0;
    for (let slice = 0; slice < SLICES; slice++) {
      const from = start + Math.floor((slice * (rows - SLICE)) / (SLICES - 1));
      plain += source.plainBytes(from, from + SLICE);
      most += source.mostBytes(from, from + SLICE);
    }
    bytes += plain;
    return most === 0 ? 1 : plain / most;
  });
  return { bytes: (bytes * rows) / (SLICES * SLICE), shares };
}

/** The first row from `from` on that does not fit into `room` bytes any more; all rows before `to` together do not. */
export function firstBeyond(
  columns: readonly { readonly source: Source }[],
  from: number,
  to: number,
  room: number,
): number {
  let low = from;
  let high = to;
  let left = room;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    const half = plainBytes(columns, low, middle);
    if (half > left) {
      high = middle;
    } else {
      left -= half;
      low = middle;
    }
  }
  return low;
}

export function mostBytes(columns: readonly { readonly source: Source }[], from: number, to: number): number {
  return sum(columns, (source) => source.mostBytes(from, to));
}

export function plainBytes(columns: readonly { readonly source: Source }[], from: number, to: number): number {
  return sum(columns, (source) => source.plainBytes(from, to));
}

function sum(columns: readonly { readonly source: Source }[], size: (source: Source) => number): number {
  let total = 0;
  for (const { source } of columns) total += size(source);
  return total;
}
