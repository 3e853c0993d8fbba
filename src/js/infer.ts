/** The type of an array by what it holds: the whole column is looked at, never a prefix. */

import { columnError, describe } from './errors.js';
import { isBuffer, timeOf, typedArrayName } from './input/views.js';
import { type LeafType, plainTypes, timestamp } from './schema.js';

/** Rows between two chances for other work. */
const STEP = 1 << 16;

type ValueKind = 'number' | 'bigint' | 'string' | 'boolean' | 'Date' | 'bytes';

/** What a look at all rows found. */
interface Found {
  type: LeafType;
  /** Row of the first null, −1 when there is none. */
  firstNull: number;
}

/** Looks at all rows of an array without a declared type. Errors: ERR_TYPE_MISMATCH. */
export function* inferArray(data: readonly unknown[], rows: number, column: string): Generator<void, Found> {
  const look = new Inference(column);
  for (let from = 0; from < rows; from += STEP) {
    look.scan(data, from, Math.min(from + STEP, rows));
    yield;
  }
  return { type: look.type(), firstNull: look.firstNull };
}

/** The row of the first null, undefined or hole; −1 when there is none. */
export function* findNull(data: readonly unknown[], rows: number): Generator<void, number> {
  for (let from = 0; from < rows; from += STEP) {
    const to = Math.min(from + STEP, rows);
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (value === null || value === undefined) return row;
    }
    yield;
  }
  return -1;
}

class Inference {
  firstNull = -1;
  readonly #column: string;
  #kind: ValueKind | undefined;
  /** Row of the first value. */
  #first = 0;
  /** An integer beyond 32 bits was there; a number that is no integer of 53 bits was there. */
  #wide = false;
  #float = false;

  constructor(column: string) {
    this.#column = column;
  }

  scan(data: readonly unknown[], from: number, to: number): void {
    let row = from;
    while (row < to) {
      row = this.#run(data, row, to);
      if (row < to) this.#look(data[row], row++);
    }
  }

  /** Goes past values that change nothing; the row of the first that may. */
  #run(data: readonly unknown[], from: number, to: number): number {
    switch (this.#kind) {
      case 'number':
        if (this.#float) return runOf('number', data, from, to);
        return this.#wide ? runOfSafeIntegers(data, from, to) : runOfIntegers(data, from, to);
      case 'string':
        return runOfStrings(data, from, to);
      case 'Date':
        return runOfDates(data, from, to);
      case 'bigint':
      case 'boolean':
        return runOf(this.#kind, data, from, to);
      default:
        return from;
    }
  }

  #look(value: unknown, row: number): void {
    if (value === null || value === undefined) {
      if (this.firstNull < 0) this.firstNull = row;
      return;
    }
    const kind = kindOf(value) ?? this.#refuse(value, row);
    if (this.#kind === undefined) {
      this.#kind = kind;
      this.#first = row;
    }
    if (kind === 'number') this.#lookAtNumber(value as number, row);
    else if (kind === 'bigint' && this.#kind === 'number' && !this.#float) this.#kind = 'bigint';
    else if (kind !== this.#kind) this.#mixed(value, row);
  }

  #lookAtNumber(value: number, row: number): void {
    const integer = isSafe(value);
    if (this.#kind === 'number') {
      this.#float ||= !integer;
      this.#wide ||= (value | 0) !== value;
    } else if (this.#kind !== 'bigint' || !integer) {
      this.#mixed(value, row);
    }
  }

  #mixed(value: unknown, row: number): never {
    const beside =
      this.#kind === 'bigint' || (typeof value === 'bigint' && this.#kind === 'number')
        ? '; numbers beside bigints must be integers up to 2^53'
        : '';
    throw columnError(
      'ERR_TYPE_MISMATCH',
      this.#column,
      row,
      `expected ${this.#kind} as in row ${this.#first}, got ${describe(value)}${beside}; give values of one kind`,
    );
  }

  #refuse(value: unknown, row: number): never {
    throw columnError('ERR_TYPE_MISMATCH', this.#column, row, `${describe(value)} ${whyNot(value)}`);
  }

  type(): LeafType {
    switch (this.#kind) {
      case undefined:
        return plainTypes.null;
      case 'number':
        if (this.#float) return plainTypes.float64;
        return this.#wide ? plainTypes.int64 : plainTypes.int32;
      case 'bigint':
        return plainTypes.int64;
      case 'string':
        return plainTypes.string;
      case 'boolean':
        return plainTypes.bool;
      case 'Date':
        return timestamp('ms', true);
      case 'bytes':
        return plainTypes.binary;
    }
  }
}

/** Integers that an int64 column takes from numbers: −0 is none, it would lose its sign. */
function isSafe(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

// One loop for each kind, so that each sees few kinds of arrays and stays fast.

function runOfIntegers(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    const value = data[row];
    if (typeof value !== 'number' || (value | 0) !== value || (value === 0 && 1 / value < 0)) return row;
  }
  return to;
}

function runOfSafeIntegers(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    const value = data[row];
    if (typeof value !== 'number' || !isSafe(value)) return row;
  }
  return to;
}

function runOfStrings(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    if (typeof data[row] !== 'string') return row;
  }
  return to;
}

function runOfDates(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    if (timeOf(data[row]) === undefined) return row;
  }
  return to;
}

function runOf(kind: 'number' | 'bigint' | 'boolean', data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    if (typeof data[row] !== kind) return row;
  }
  return to;
}

function kindOf(value: unknown): ValueKind | undefined {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'string':
    case 'boolean':
      return typeof value as ValueKind;
    case 'object': {
      const name = typedArrayName(value);
      if (name !== undefined) return name === 'Uint8Array' ? 'bytes' : undefined;
      if (timeOf(value) !== undefined) return 'Date';
      return ArrayBuffer.isView(value) || isBuffer(value as object) ? 'bytes' : undefined;
    }
    default:
      return undefined;
  }
}

/** Why a value of no known kind cannot be in a column. */
function whyNot(value: unknown): string {
  if (typeof value === 'object') {
    const tag = Object.prototype.toString.call(value);
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return 'would be a list; lists are not in this version';
    if (tag === '[object Map]') return 'would be a map; maps are not in this version';
    if (tag.startsWith('[object Temporal.'))
      return 'is not in this version; give a Date, or a number or bigint with a declared type';
    const prototype = Object.getPrototypeOf(value) as object | null;
    if (prototype === null || Object.getPrototypeOf(prototype) === null)
      return 'would be a struct; structs are not in this version';
  }
  return 'has no column type';
}
