/** The forms that a column's values can have, told apart and measured before anything is written. */

import { columnError, describe } from '../errors.js';
import type { TypedArray } from '../types.js';
import { checkOffsets, type Offsets } from './offsets.js';
import { type ArrayName, isGone, typedArrayName } from './views.js';

export type Shape =
  | { form: 'array'; rows: number; values: readonly unknown[] }
  | { form: 'typed'; rows: number; name: ArrayName; values: TypedArray; validity: Uint8Array | undefined }
  | { form: 'bits'; rows: number; values: Uint8Array; validity: Uint8Array | undefined }
  | { form: 'offsets'; rows: number; offsets: Offsets; values: Uint8Array; validity: Uint8Array | undefined };

/** Keys of the object forms; the first is the one that tells them apart. */
const objectForms = [
  ['values', 'validity', 'length'],
  ['bits', 'validity', 'length'],
  ['bytes', 'offsets', 'validity', 'length'],
] as const;
const laterForms = ['indices', 'child', 'children'];
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

/** Tells the form of a column's data and checks lengths and offsets. */
export function shapeOf(data: unknown, column: string): Shape {
  const name = typedArrayName(data);
  if (name !== undefined) {
    const values = data as TypedArray;
    mustBeThere(values, 'the typed array', column);
    return { form: 'typed', rows: values.length, name, values, validity: undefined };
  }
  if (Array.isArray(data)) return { form: 'array', rows: data.length, values: data };
  if (typeof data !== 'object' || data === null) refuse(data, column);
  const given = data as Readonly<Record<string, unknown>>;
  const later = laterForms.find((key) => Object.hasOwn(given, key));
  if (later !== undefined) {
    throw columnError('ERR_TYPE_MISMATCH', column, undefined, `data with ${later} is not in this version`);
  }
  const keys = objectForms.find(([key]) => Object.hasOwn(given, key)) ?? refuse(data, column);
  const unknown = Object.keys(given).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw columnError('ERR_TYPE_MISMATCH', column, undefined, `data with ${keys[0]} has no ${JSON.stringify(unknown)}`);
  }
  return objectShape(new Parts(given, column), keys[0], column);
}

function objectShape(parts: Parts, form: 'values' | 'bits' | 'bytes', column: string): Shape {
  if (form === 'values') {
    const { name, array } = parts.typed('values');
    const rows = parts.rows(array.length, false);
    return { form: 'typed', rows, name, values: array, validity: parts.validity(rows) };
  }
  if (form === 'bits') {
    const values = parts.bytes('bits');
    const rows = parts.rows(values.length * 8, true);
    return { form, rows, values, validity: parts.validity(rows) };
  }
  const offsets = parts.offsets();
  const values = parts.bytes('bytes');
  const rows = parts.rows(offsets.length - 1, false);
  checkOffsets(offsets, rows, values.length, column);
  return { form: 'offsets', rows, offsets, values, validity: parts.validity(rows) };
}

function refuse(data: unknown, column: string): never {
  throw columnError(
    'ERR_TYPE_MISMATCH',
    column,
    undefined,
    `expected an array, a typed array or an object such as { values, validity }, got ${describe(data)}`,
  );
}
