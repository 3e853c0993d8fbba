/** The type of an array by what it holds: the whole column is looked at, never a prefix. */

import { columnError, describe } from './errors.js';
import { needsNanoseconds, type TemporalKind } from './input/temporal-values.js';
import { valueKind, type ValueKind } from './input/value-kind.js';
import { isSafe, runOf, runOfDates, runOfIntegers, runOfSafeIntegers, runOfStrings } from './input/value-runs.js';
import type { ArrayName } from './input/views.js';
import { type LeafType, list, map, MOST_DEPTH, plainTypes, struct, time, timestamp, type Type } from './schema.js';

/** Rows between two chances for other work: plain values, and values that hold others. */
const STEP = 1 << 16;
const NESTED_STEP = 1 << 11;

/** Most characters of a path that messages show. */
const LONGEST_PATH = 200;

/** The types of typed arrays' elements. */
export const typesOfArrays: Readonly<Record<ArrayName, LeafType>> = {
  Int8Array: plainTypes.int8,
  Uint8Array: plainTypes.uint8,
  Uint8ClampedArray: plainTypes.uint8,
  Int16Array: plainTypes.int16,
  Uint16Array: plainTypes.uint16,
  Int32Array: plainTypes.int32,
  Uint32Array: plainTypes.uint32,
  BigInt64Array: plainTypes.int64,
  BigUint64Array: plainTypes.uint64,
  Float16Array: plainTypes.float16,
  Float32Array: plainTypes.float32,
  Float64Array: plainTypes.float64,
};

/** What a look at all rows found. */
interface Found {
  type: Type;
  /** Row of the first null, −1 when there is none. */
  firstNull: number;
}

/**
 * Looks at all rows of an array without a declared type. Errors: ERR_TYPE_MISMATCH; ERR_SCHEMA for what the format cannot
 * hold; ERR_LIMIT for values that are nested too deep, or hold themselves.
 */
export function* inferArray(data: readonly unknown[], rows: number, column: string): Generator<void, Found> {
  const place = new Place(column, column, 0);
  for (let from = 0; from < rows;) {
    const to = Math.min(from + (place.isNested ? NESTED_STEP : STEP), rows);
    place.scan(data, from, to, OWN_ROW);
    from = to;
    yield;
  }
  return { type: place.type(), firstNull: place.firstNull };
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

/** In the place of a row: values are rows themselves, and their index is the row. */
const OWN_ROW = -1;

/** What was seen at one place of a column: of its rows, or of elements, fields, keys or values inside of them. */
class Place {
  firstNull = -1;
  readonly #column: string;
  /** As in options: `tags.list.element`. */
  readonly #path: string;
  readonly #depth: number;
  #kind: ValueKind | undefined;
  /** Row of the first value. */
  #first = 0;
  /** An integer beyond 32 bits was there; a number that is no integer of 53 bits was there. */
  #wide = false;
  #float = false;
  #nanoseconds = false;
  /** Places inside: the element of arrays, fields of objects, key and value of Maps. */
  readonly #inside: Place[] = [];
  readonly #names: string[] = [];
  readonly #byName = new Map<string, Place>();

  constructor(column: string, path: string, depth: number) {
    this.#column = column;
    this.#path = path;
    this.#depth = depth;
  }

  get isNested(): boolean {
    return this.#inside.length > 0;
  }

  /** Looks at a range of values, which are all of one row where one is given. */
  scan(data: readonly unknown[], from: number, to: number, row: number): void {
    let index = from;
    while (index < to) {
      index = this.#run(data, index, to);
      if (index < to) this.look(data[index], row === OWN_ROW ? index : row);
      index++;
    }
  }

  /** Goes past values that change nothing; the index of the first that may. */
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

  look(value: unknown, row: number): void {
    if (value === null || value === undefined) {
      if (this.firstNull < 0) this.firstNull = row;
      return;
    }
    const kind = valueKind(value) ?? this.#refuse(value, row);
    if (this.#kind === undefined) {
      this.#kind = kind;
      this.#first = row;
    }
    if (kind === 'number') this.#lookAtNumber(value as number, row);
    else if (kind === 'bigint' && this.#kind === 'number' && !this.#float) this.#kind = 'bigint';
    else if (kind !== this.#kind) this.#mixed(value, row);
    else this.#lookInside(kind, value, row);
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

  #lookInside(kind: ValueKind, value: unknown, row: number): void {
    switch (kind) {
      case 'array': {
        const element = this.#inside[0] ?? this.#open('list.element', row);
        element.scan(value as readonly unknown[], 0, (value as readonly unknown[]).length, row);
        return;
      }
      case 'object':
        this.#lookAtFields(value as Readonly<Record<string, unknown>>, row);
        return;
      case 'Map': {
        const key = this.#inside[0] ?? this.#open('key_value.key', row);
        const content = this.#inside[1] ?? this.#open('key_value.value', row);
        // A Map of another realm, or of a class of its own, may have another forEach.
        Map.prototype.forEach.call(value, (itsValue: unknown, itsKey: unknown) => {
          key.look(itsKey, row);
          content.look(itsValue, row);
        });
        return;
      }
    }
    if (!this.#nanoseconds && kind.startsWith('Temporal.') && kind !== 'Temporal.PlainDate') {
      this.#nanoseconds = needsNanoseconds(kind.slice('Temporal.'.length) as TemporalKind, value);
    }
  }

  #lookAtFields(value: Readonly<Record<string, unknown>>, row: number): void {
    const keys = Object.keys(value);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index];
      // Objects of one kind have their keys in one order.
      const member = this.#names[index] === key ? this.#inside[index] : this.#field(key, row);
      member.look(value[key], row);
    }
  }

  #field(name: string, row: number): Place {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    if (/\p{Surrogate}/u.test(name)) {
      this.#fail('ERR_SCHEMA', row, `the name of a field holds half a surrogate pair: ${JSON.stringify(name)}`);
    }
    const member = this.#open(name, row);
    this.#names.push(name);
    this.#byName.set(name, member);
    return member;
  }

  #open(name: string, row: number): Place {
    if (this.#depth === MOST_DEPTH) {
      this.#fail('ERR_LIMIT', row, `values are nested more than ${MOST_DEPTH} deep, or hold themselves`);
    }
    const place = new Place(this.#column, `${this.#path}.${name}`, this.#depth + 1);
    this.#inside.push(place);
    return place;
  }

  #fail(code: 'ERR_TYPE_MISMATCH' | 'ERR_SCHEMA' | 'ERR_LIMIT', row: number | undefined, text: string): never {
    const path = this.#path.length > LONGEST_PATH ? `${this.#path.slice(0, LONGEST_PATH)}…` : this.#path;
    throw columnError(code, this.#column, row, this.#depth === 0 ? text : `at ${path}: ${text}`);
  }

  #mixed(value: unknown, row: number): never {
    const beside =
      this.#kind === 'bigint' || (typeof value === 'bigint' && this.#kind === 'number')
        ? '; numbers beside bigints must be integers up to 2^53'
        : '';
    const expected = `expected ${this.#kind} as in row ${this.#first}, got ${describe(value)}${beside}`;
    this.#fail('ERR_TYPE_MISMATCH', row, `${expected}; give the column a type or values of one kind`);
  }

  #refuse(value: unknown, row: number): never {
    this.#fail('ERR_TYPE_MISMATCH', row, `${describe(value)} has no column type`);
  }

  type(): Type {
    const kind = this.#kind;
    switch (kind) {
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
      case 'Temporal.Instant':
      case 'Temporal.ZonedDateTime':
        return timestamp(this.#nanoseconds ? 'ns' : 'us', true);
      case 'Temporal.PlainDateTime':
        return timestamp(this.#nanoseconds ? 'ns' : 'us', false);
      case 'Temporal.PlainTime':
        return time(this.#nanoseconds ? 'ns' : 'us', false);
      case 'Temporal.PlainDate':
        return plainTypes.date;
      case 'array':
        return list(this.#inside[0].type());
      case 'Map': {
        const [key, value] = this.#inside.map((place) => place.type());
        // Where no Map has a key, text is as good as any other type of keys, and readers know it.
        return map(key.kind === 'null' ? plainTypes.string : key, value);
      }
      case 'object':
        if (this.#names.length === 0) {
          const help = 'leave the column out, or give it a type';
          this.#fail('ERR_SCHEMA', undefined, `all objects are empty, but a struct needs at least one field: ${help}`);
        }
        return struct(this.#names.map((name, index) => ({ name, type: this.#inside[index].type() })));
      default:
        return list(typesOfArrays[kind]);
    }
  }
}
