/** Rows as columns: one pass, in which keys and their values are met together. */

import { columnError, describe, ParquetError } from './errors.js';
import { timeOf } from './input/views.js';
import type { FileOptions } from './options.js';
import { Pause } from './pause.js';
import { RowColumn } from './row-column.js';
import type { Column, Row } from './types.js';

const prototypeOf = Object.getPrototypeOf as (value: object) => object | null;
const common = Object.prototype;

/** Rows that there is room for at first, when it is not known how many come. */
const FIRST_ROOM = 1 << 10;

/** Takes rows apart as they come. */
export class RowReader {
  rows = 0;
  readonly #columns: RowColumn[] = [];
  readonly #byKey = new Map<string, RowColumn>();
  /** Keys may only be those that the schema names. */
  readonly #closed: boolean;
  readonly #plain: boolean;
  #room: number;

  /** `plain`: values are kept as they are, for a schema or later rows to say what they are. */
  constructor(schema: Iterable<string> | undefined, rows = FIRST_ROOM, plain = true) {
    this.#room = rows;
    this.#plain = plain;
    for (const key of schema ?? []) this.#add(key);
    this.#closed = schema !== undefined;
  }

  #add(key: string): RowColumn {
    const column = new RowColumn(key, this.#columns.length, this.#room, this.#plain);
    this.#columns.push(column);
    this.#byKey.set(key, column);
    return column;
  }

  /** Rows `from` to `to` of a list. Errors: ERR_TYPE_MISMATCH, ERR_SCHEMA with the number of the row. */
  readAll(list: ArrayLike<unknown>, from: number, to: number): void {
    for (let index = from; index < to; index++) this.read(list[index]);
  }

  read(row: unknown): void {
    if (this.rows === this.#room) this.#grow();
    const prototype = typeof row === 'object' && row !== null ? prototypeOf(row) : undefined;
    if (prototype === common || prototype === null) this.#readPlain(row as Row);
    else this.#readOther(row);
    this.rows++;
  }

  /**
   * Key by key in the order of the object: rows of one make have the same order, and engines read a property whose name
   * they have just enumerated without looking it up.
   */
  #readPlain(row: Row): void {
    const columns = this.#columns;
    const number = this.rows;
    let next = 0;
    for (const key in row) {
      const value = row[key];
      let column = columns[next];
      if (column === undefined || column.name !== key) {
        const other = this.#columnOf(row, key);
        if (other === undefined) continue;
        column = other;
      }
      next = column.index + 1;
      column.put(number, value);
    }
  }

  /** Objects of a class: what they inherit does not count. */
  #readOther(row: unknown): void {
    if (!isRow(row)) {
      throw new ParquetError('ERR_TYPE_MISMATCH', `row ${this.rows}: expected an object, got ${describe(row)}`, {
        row: this.rows,
      });
    }
    for (const key of Object.keys(row)) {
      const column = this.#columnOf(row, key);
      column?.put(this.rows, row[key]);
    }
  }

  #grow(): void {
    this.#room = Math.max(FIRST_ROOM, this.#room * 2);
    for (const column of this.#columns) column.grow(this.#room);
  }

  /** The column of a key, which may be new; undefined when the row only inherits it, or has nothing under it. */
  #columnOf(row: Row, key: string): RowColumn | undefined {
    const column = this.#byKey.get(key);
    if (column !== undefined) return column;
    if (!Object.hasOwn(row, key) || (this.#closed && row[key] === undefined)) return undefined;
    if (!this.#closed) return this.#add(key);
    throw columnError('ERR_SCHEMA', key, this.rows, 'the row has it, but the schema does not name it');
  }

  /** All columns; to be called once. */
  columns(): Column[] {
    if (this.#columns.length === 0) {
      const text = this.rows === 0 ? 'no rows and no schema' : 'rows without any key';
      throw new ParquetError('ERR_SCHEMA', `${text}: a table needs at least one column`);
    }
    return this.#columns.map((column) => column.column(this.rows));
  }
}

/** Anything with keys of its own that is not a value of another kind. */
function isRow(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  return !(Symbol.iterator in value) && timeOf(value) === undefined;
}

/** Milliseconds of work between two pauses: within one frame of a page. */
const SLICE_MS = 12;
/** Rows between two looks at the clock. */
const STEP = 1 << 8;

/**
 * Reads all rows there are, in their order. Errors: those of RowReader; ERR_TYPE_MISMATCH when there is nothing to
 * iterate over; ERR_ABORTED. What the iterator throws goes through as it is.
 */
export async function readRows(rows: unknown, { schema, signal }: FileOptions, plain = true): Promise<Column[]> {
  const room = Array.isArray(rows) ? rows.length : FIRST_ROOM;
  const reader = new RowReader(schema?.keys(), room, plain);
  const pause = new Pause();
  let began = performance.now();
  const mayGoOn = () => {
    if (signal?.aborted) throw new ParquetError('ERR_ABORTED', 'the write was aborted', { cause: signal.reason });
    return performance.now() - began < SLICE_MS;
  };
  try {
    if (Array.isArray(rows)) {
      for (let from = 0; from < rows.length; from += STEP) {
        reader.readAll(rows, from, Math.min(from + STEP, rows.length));
        if (mayGoOn()) continue;
        await pause.next();
        began = performance.now();
      }
    } else {
      for await (const row of iterable(rows)) {
        reader.read(row);
        if (reader.rows % STEP !== 0 || mayGoOn()) continue;
        await pause.next();
        began = performance.now();
      }
    }
    return reader.columns();
  } finally {
    pause.close();
  }
}

function iterable(rows: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  const given = rows as { [Symbol.asyncIterator]?: unknown; [Symbol.iterator]?: unknown } | null | undefined;
  const isOne = typeof given?.[Symbol.asyncIterator] === 'function' || typeof given?.[Symbol.iterator] === 'function';
  if (isOne && typeof rows === 'object') return given as Iterable<unknown>;
  throw new ParquetError('ERR_TYPE_MISMATCH', `expected an iterable of rows, got ${describe(rows)}`);
}
