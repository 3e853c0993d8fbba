/** The forms that a column's values can have, told apart and measured before anything is written. */

import { columnError, describe, ParquetError } from '../errors.js';
import { MOST_DEPTH as MOST_TYPE_DEPTH } from '../schema.js';
import type { TypedArray } from '../types.js';
import { checkOffsets, type Offsets } from './offsets.js';
import { type ArrayName, isGone, typedArrayName } from './views.js';

type Validity = Uint8Array | undefined;

/** Forms that flat columns have a source of their own for. */
export type FlatShape =
  | { form: 'array'; rows: number; values: readonly unknown[] }
  | { form: 'typed'; rows: number; name: ArrayName; values: TypedArray; validity: Validity }
  | { form: 'bits'; rows: number; values: Uint8Array; validity: Validity }
  | { form: 'offsets'; rows: number; offsets: Offsets; values: Uint8Array; validity: Validity };

export type Indices = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

export type Shape =
  | FlatShape
  /** Indices of rows that are there point into the dictionary. */
  | { form: 'dictionary'; rows: number; indices: Indices; dictionary: Shape; validity: Validity }
  | { form: 'list'; rows: number; offsets: Offsets; child: Shape; validity: Validity }
  | { form: 'struct'; rows: number; children: ReadonlyMap<string, Shape>; validity: Validity }
  /** From Arrow only: values of `width` bytes, rows that are null, and a column in pieces. */
  | { form: 'fixed'; rows: number; values: Uint8Array; width: number; validity: Validity }
  | { form: 'nulls'; rows: number }
  | { form: 'pieces'; rows: number; pieces: readonly Shape[] };

export function isFlat(shape: Shape): shape is FlatShape {
  return shape.form === 'array' || shape.form === 'typed' || shape.form === 'bits' || shape.form === 'offsets';
}

/** Keys of the object forms; the first is the one that tells them apart. */
const objectForms = [
  ['values', 'validity', 'length'],
  ['bits', 'validity', 'length'],
  ['bytes', 'offsets', 'validity', 'length'],
  ['child', 'offsets', 'validity', 'length'],
  ['children', 'validity', 'length'],
  ['indices', 'dictionary', 'validity', 'length'],
] as const;
const indexNames: readonly unknown[] = [
  'Int8Array',
  'Uint8Array',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
];
const offsetNames: readonly unknown[] = ['Int32Array', 'Uint32Array', 'BigInt64Array'];

class Parts {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #column: string;

  constructor(given: Readonly<Record<string, unknown>>, column: string) {
    this.#given = given;
    this.#column = column;
  }

  fail(key: string, expected: string): never {
    throw columnError(
      'ERR_TYPE_MISMATCH',
      this.#column,
      undefined,
      `${key} must be ${expected}, got ${describe(this.#given[key])}`,
    );
  }

  get(key: string): unknown {
    return this.#given[key];
  }

  typed(key: string): { name: ArrayName; array: TypedArray } {
    const array = this.#given[key];
    const name = typedArrayName(array) ?? this.fail(key, 'a typed array');
    mustBeThere(array as TypedArray, key, this.#column);
    return { name, array: array as TypedArray };
  }

  bytes(key: string): Uint8Array {
    const { name, array } = this.typed(key);
    return name === 'Uint8Array' ? (array as Uint8Array) : this.fail(key, 'a Uint8Array');
  }

  offsets(): Offsets {
    const { name, array } = this.typed('offsets');
    if (!offsetNames.includes(name)) this.fail('offsets', 'an Int32Array, Uint32Array or BigInt64Array');
    if (array.length === 0) this.short('offsets', 1, 0);
    return array as Offsets;
  }

  /** The declared length, or the one that `most` allows. */
  rows(most: number, needed: boolean): number {
    const { length } = this.#given;
    if (length === undefined && !needed) return most;
    if (!Number.isSafeInteger(length) || (length as number) < 0) this.fail('length', 'a whole number from 0 on');
    if ((length as number) > most) this.short('values', length as number, most);
    return length as number;
  }

  validity(rows: number): Uint8Array | undefined {
    if (this.#given.validity === undefined) return undefined;
    const bitmap = this.bytes('validity');
    const needed = Math.ceil(rows / 8);
    if (bitmap.length < needed) this.short('bytes of validity', needed, bitmap.length);
    return bitmap;
  }

  short(what: string, needed: number, there: number): never {
    throw columnError(
      'ERR_COLUMN_LENGTH',
      this.#column,
      undefined,
      `expected at least ${needed} ${what}, got ${there}`,
    );
  }
}

function mustBeThere(array: TypedArray, what: string, column: string): void {
  if (isGone(array)) throw columnError('ERR_TYPE_MISMATCH', column, undefined, `the buffer of ${what} is detached`);
}

/** Forms inside one another: what is deeper than any type can only be a circle. */
const MOST_DEPTH = 2 * MOST_TYPE_DEPTH;

/** Tells the form of a column's data and checks lengths, offsets and indices. */
export function shapeOf(data: unknown, column: string, depth = 0): Shape {
  const name = typedArrayName(data);
  if (name !== undefined) {
    const values = data as TypedArray;
    mustBeThere(values, 'the typed array', column);
    return { form: 'typed', rows: values.length, name, values, validity: undefined };
  }
  if (Array.isArray(data)) return { form: 'array', rows: data.length, values: data };
  if (typeof data !== 'object' || data === null) refuse(data, column);
  const given = data as Readonly<Record<string, unknown>>;
  const keys = objectForms.find(([key]) => Object.hasOwn(given, key)) ?? refuse(data, column);
  const unknown = Object.keys(given).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw columnError('ERR_TYPE_MISMATCH', column, undefined, `data with ${keys[0]} has no ${JSON.stringify(unknown)}`);
  }
  if (depth === MOST_DEPTH)
    throw columnError('ERR_SCHEMA', column, undefined, `data is nested more than ${MOST_DEPTH} deep`);
  return shapes[keys[0]](new Parts(given, column), column, depth + 1);
}

const shapes: Readonly<
  Record<(typeof objectForms)[number][0], (parts: Parts, column: string, depth: number) => Shape>
> = {
  values(parts) {
    const { name, array } = parts.typed('values');
    const rows = parts.rows(array.length, false);
    return { form: 'typed', rows, name, values: array, validity: parts.validity(rows) };
  },

  bits(parts) {
    const values = parts.bytes('bits');
    const rows = parts.rows(values.length * 8, true);
    return { form: 'bits', rows, values, validity: parts.validity(rows) };
  },

  bytes(parts, column) {
    const offsets = parts.offsets();
    const values = parts.bytes('bytes');
    const rows = parts.rows(offsets.length - 1, false);
    checkOffsets(offsets, rows, values.length, column);
    return { form: 'offsets', rows, offsets, values, validity: parts.validity(rows) };
  },

  child(parts, column, depth) {
    const offsets = parts.offsets();
    const child = innerShape('child', parts.get('child'), column, depth);
    const rows = parts.rows(offsets.length - 1, false);
    checkOffsets(offsets, rows, child.rows, column, 'values of child');
    return { form: 'list', rows, offsets, child, validity: parts.validity(rows) };
  },

  children(parts, column, depth) {
    const given = parts.get('children');
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return parts.fail('children', 'data by field name');
    const children = new Map(
      Object.entries(given).map(([name, data]) => [name, innerShape(`child ${name}`, data, column, depth)] as const),
    );
    const rows = parts.rows(Math.min(...[...children.values()].map((child) => child.rows)), true);
    return { form: 'struct', rows, children, validity: parts.validity(rows) };
  },

  indices(parts, column, depth) {
    const { name, array } = parts.typed('indices');
    if (!indexNames.includes(name)) parts.fail('indices', 'a typed array of integers of 8 to 32 bits');
    const indices = array as Indices;
    const dictionary = innerShape('dictionary', parts.get('dictionary'), column, depth);
    const rows = parts.rows(indices.length, false);
    const validity = parts.validity(rows);
    checkIndices(indices, rows, validity, dictionary.rows, column);
    return { form: 'dictionary', rows, indices, dictionary, validity };
  },
};

/** Data inside other data, whose slots are not rows of the column. */
function innerShape(key: string, data: unknown, column: string, depth: number): Shape {
  try {
    return shapeOf(data, column, depth);
  } catch (error) {
    if (!(error instanceof ParquetError) || error.row === undefined) throw error;
    const text = error.message.slice(error.message.indexOf(': ') + 2);
    throw columnError(error.code, column, undefined, `${key}, slot ${error.row}: ${text}`);
  }
}

/** Under a null any index may stand. */
function checkIndices(indices: Indices, rows: number, validity: Validity, entries: number, column: string): void {
  for (let row = 0; row < rows; row++) {
    const index = indices[row];
    if (index >= 0 && index < entries) continue;
    if (validity !== undefined && ((validity[row >>> 3] >>> (row & 7)) & 1) === 0) continue;
    throw columnError(
      'ERR_OUT_OF_RANGE',
      column,
      row,
      `index ${index} is outside of the ${entries} entries of dictionary`,
    );
  }
}

function refuse(data: unknown, column: string): never {
  throw columnError(
    'ERR_TYPE_MISMATCH',
    column,
    undefined,
    `expected an array, a typed array or an object such as { values, validity }, got ${describe(data)}`,
  );
}
