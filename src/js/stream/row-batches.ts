/** Rows as tables: an array at once, an iterable as far as is known what its columns are. */

import { ParquetError } from '../errors.js';
import type { FileOptions } from '../options.js';
import { RowReader, readRows } from '../rows.js';
import { readTable, type Table } from '../table.js';
import { moved } from './moved.js';

/** Rows that are taken from an iterator before they are encoded. */
const ROWS_AT_ONCE = 1 << 10;

/** Names of columns, where they are known. */
export type Names = ReadonlyMap<string, unknown> | undefined;

/** At least one row, read at once. Errors: ERR_TYPE_MISMATCH, ERR_SCHEMA with the number of the row. */
export function tableOfRows(rows: readonly unknown[], names: Names, options: FileOptions): Table {
  const reader = new RowReader(names?.keys(), rows.length);
  reader.readAll(rows, 0, rows.length);
  return readTable(reader.columns(), options);
}

/**
 * All rows, where types still have to be inferred from them; else a thousand at a time, read when the last are written.
 * `row` tells how many were written before. What the iterator throws goes through as it is.
 */
export async function* rowBatches(
  rows: unknown,
  names: Names,
  options: FileOptions,
  row: () => number,
): AsyncGenerator<Table, void> {
  const given = rows as Iterable<unknown> | null | undefined;
  const isIterable = typeof given === 'object' && typeof given?.[Symbol.iterator] === 'function';
  if (!isIterable || names === undefined || Array.isArray(rows)) {
    const all = isIterable ? unlessEmpty(given) : rows;
    if (all !== undefined) yield await tableOfAll(all, names, options, row());
    return;
  }
  const open = () => new RowReader(names.keys(), ROWS_AT_ONCE);
  let reader = open();
  for (const one of given) {
    try {
      reader.read(one);
    } catch (error) {
      throw located(error, row());
    }
    if (reader.rows < ROWS_AT_ONCE) continue;
    yield readTable(reader.columns(), options);
    reader = open();
  }
  if (reader.rows > 0) yield readTable(reader.columns(), options);
}

async function tableOfAll(rows: unknown, names: Names, options: FileOptions, base: number): Promise<Table> {
  try {
    return readTable(await readRows(rows, { ...options, schema: names }), options);
  } catch (error) {
    throw located(error, base);
  }
}

/** The same values, or undefined when there are none. */
function unlessEmpty(values: Iterable<unknown>): Iterable<unknown> | undefined {
  if (Array.isArray(values)) return values.length > 0 ? values : undefined;
  const iterator = values[Symbol.iterator]();
  const first = iterator.next();
  if (first.done) return undefined;
  return (function* () {
    yield first.value;
    yield* { [Symbol.iterator]: () => iterator };
  })();
}

/** Of errors about rows of a batch that begins at row `base` of the file. */
export function located(error: unknown, base: number): unknown {
  return error instanceof ParquetError ? moved(error, base) : error;
}
