/** How many rows a row group takes, known before its first column is written. */

import type { Source } from './input/source.js';
import type { FileOptions } from './options.js';

/** Rows that are measured at once. */
const BLOCK = 1 << 13;
/** A first look: as many slices of as many rows, and how often what they say must fit into the limit. */
const SLICES = 32;
const SLICE = 64;
const MARGIN = 4;

/**
 * The end of the row group that begins at `start`: at most `rowGroupRows` rows, and at most `rowGroupBytes` bytes in
 * PLAIN form, but at least one row. Where rows from all over promise a quarter of the limit or less, that is the answer.
 * Otherwise sizes of strings are first guessed from above, which is far cheaper than counting them; where the guess
 * goes over the limit they are counted, but only until what is left fits by the guess.
 */
export function* rowGroupEnd(
  columns: readonly { readonly source: Source }[],
  start: number,
  rows: number,
  options: FileOptions,
): Generator<false, number> {
  const end = Math.min(rows, start + options.rowGroupRows);
  const limit = options.rowGroupBytes;
  if (promised(columns, start, end) * MARGIN <= limit) return end;
  const guesses: number[] = [];
  let most = 0;
  for (let from = start; from < end; from += BLOCK) {
    const guess = mostBytes(columns, from, Math.min(from + BLOCK, end));
    guesses.push(guess);
    most += guess;
    yield false;
  }
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

/** Bytes of the rows from `start` to `end`, as far as slices from all over tell; of few rows they say nothing. */
function promised(columns: readonly { readonly source: Source }[], start: number, end: number): number {
  const rows = end - start;
  if (rows <= 4 * SLICES * SLICE) return Infinity;
  let bytes = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    const from = start + Math.floor((slice * (rows - SLICE)) / (SLICES - 1));
    bytes += plainBytes(columns, from, from + SLICE);
  }
  return (bytes * rows) / (SLICES * SLICE);
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
