/** The values of one key of row objects, kept while the rows come as they will be written. */

import { isSafe } from './input/value-runs.js';
import { timeOf } from './input/views.js';
import type { Column, TypedArray } from './types.js';

/** What all values of a key are so far. Nulls fit everywhere. */
const Kind = {
  /** Values as they are, looked at later. */
  any: 0,
  none: 1,
  text: 2,
  integers: 3,
  floats: 4,
  booleans: 5,
  times: 6,
} as const;

/**
 * Numbers, booleans and Dates are taken out of their objects at once: a second look at values of other objects costs
 * more than all of this. What fits no kind is kept as it is, for inference to judge.
 */
export class RowColumn {
  #kind: number;
  #room: number;
  /** Kinds `any` and `text`. Rows without a value are holes. */
  #values: unknown[] = [];
  /** Int32Array for integers, Float64Array for other numbers and times. */
  #numbers: Int32Array | Float64Array = new Int32Array(0);
  #bits = new Uint8Array(0);
  /** The row behind the last value of the other kinds, and which before it have one: nothing while all have. */
  #next = 0;
  #validity: Uint8Array | undefined;

  /** `plain`: values are kept as they are. */
  constructor(
    readonly name: string,
    readonly index: number,
    room: number,
    plain: boolean,
  ) {
    this.#room = room;
    this.#kind = plain ? Kind.any : Kind.none;
    // Growing by single rows would cost as much as all the rest.
    if (plain) this.#values = new Array<unknown>(room);
  }

  /** Rows come in their order, each at most once. */
  put(row: number, value: unknown): void {
    switch (this.#kind) {
      case Kind.any:
        this.#values[row] = value;
        return;
      case Kind.text:
        if (typeof value !== 'string') break;
        this.#values[row] = value;
        return;
      case Kind.integers:
        if (typeof value !== 'number' || (value | 0) !== value || (value === 0 && 1 / value < 0)) break;
        if (row !== this.#next) this.#skip(row);
        this.#next = row + 1;
        this.#numbers[row] = value;
        return;
      case Kind.floats:
        if (typeof value !== 'number') break;
        if (row !== this.#next) this.#skip(row);
        this.#next = row + 1;
        this.#numbers[row] = value;
        return;
      case Kind.booleans:
        if (typeof value !== 'boolean') break;
        if (row !== this.#next) this.#skip(row);
        this.#next = row + 1;
        if (value) this.#bits[row >>> 3] |= 1 << (row & 7);
        return;
      case Kind.times: {
        const time = typeof value === 'object' && value !== null ? timeOf(value) : undefined;
        if (time === undefined || time !== time) break;
        if (row !== this.#next) this.#skip(row);
        this.#next = row + 1;
        this.#numbers[row] = time;
        return;
      }
    }
    this.#turn(row, value);
  }

  /** A value that is not of the kind so far. */
  #turn(row: number, value: unknown): void {
    if (value === null || value === undefined) return;
    const kind = this.#kind;
    if (kind === Kind.none) this.#open(value);
    else if (kind === Kind.integers && typeof value === 'number') this.#widen();
    else this.#give(kind);
    this.put(row, value);
  }

  #open(value: unknown): void {
    const room = this.#room;
    switch (typeof value) {
      case 'number':
        this.#kind = Kind.integers;
        this.#numbers = new Int32Array(room);
        return;
      case 'boolean':
        this.#kind = Kind.booleans;
        this.#bits = new Uint8Array((room + 7) >>> 3);
        return;
      case 'object':
        if (!Number.isNaN(timeOf(value) ?? NaN)) {
          this.#kind = Kind.times;
          this.#numbers = new Float64Array(room);
          return;
        }
    }
    this.#kind = typeof value === 'string' ? Kind.text : Kind.any;
    this.#values = new Array<unknown>(room);
  }

  #widen(): void {
    this.#kind = Kind.floats;
    this.#numbers = copied(this.#numbers, new Float64Array(this.#room));
  }

  /** Gives the kind up: values as they were, but for nulls, of which one is like the other. */
  #give(kind: number): void {
    this.#kind = Kind.any;
    if (kind === Kind.text) return;
    const values = new Array<unknown>(this.#room);
    for (let row = 0; row < this.#next; row++) {
      if (this.#validity !== undefined && ((this.#validity[row >>> 3] >>> (row & 7)) & 1) === 0) continue;
      if (kind === Kind.booleans) values[row] = ((this.#bits[row >>> 3] >>> (row & 7)) & 1) === 1;
      else values[row] = kind === Kind.times ? new Date(this.#numbers[row]) : this.#numbers[row];
    }
    this.#values = values;
  }

  /** Rows up to `row` have no value. */
  #skip(row: number): void {
    const validity = (this.#validity ??= new Uint8Array((this.#room + 7) >>> 3).fill(0xff));
    for (let none = this.#next; none < row; none++) validity[none >>> 3] &= ~(1 << (none & 7));
    this.#next = row;
  }

  grow(room: number): void {
    this.#room = room;
    const bytes = (room + 7) >>> 3;
    if (this.#values.length > 0) this.#values.length = room;
    const Numbers = this.#kind === Kind.integers ? Int32Array : Float64Array;
    if (this.#numbers.length > 0) this.#numbers = copied(this.#numbers, new Numbers(room));
    if (this.#bits.length > 0) this.#bits = copied(this.#bits, new Uint8Array(bytes));
    if (this.#validity !== undefined) this.#validity = copied(this.#validity, new Uint8Array(bytes).fill(0xff));
  }

  /** The column of `rows` rows; to be called once. */
  column(rows: number): Column {
    const { name } = this;
    const kind = this.#kind;
    if (kind === Kind.any || kind === Kind.text || kind === Kind.none) {
      this.#values.length = rows;
      return kind === Kind.text ? { name, data: this.#values, type: 'string' } : { name, data: this.#values };
    }
    if (this.#next < rows) this.#skip(rows);
    const nulls = { validity: this.#validity, length: rows };
    if (kind === Kind.booleans) return { name, data: { bits: this.#bits, ...nulls } };
    let values: TypedArray = this.#numbers;
    if (kind !== Kind.integers && this.#numbers.subarray(0, rows).every(isSafe)) values = wholes(this.#numbers);
    const data = { values, ...nulls };
    return kind === Kind.times ? { name, data, type: 'timestamp[ms, UTC]' } : { name, data };
  }
}

function copied<Values extends Int32Array | Float64Array | Uint8Array>(from: ArrayLike<number>, to: Values): Values {
  to.set(from);
  return to;
}

/** Whole numbers of at most 2^53 as int64, by halves: a bigint each would cost ten times as much. */
function wholes(numbers: ArrayLike<number>): BigInt64Array {
  const halves = new Int32Array(numbers.length * 2);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index];
    halves[index * 2] = number | 0;
    halves[index * 2 + 1] = Math.floor(number / 0x1_0000_0000);
  }
  return new BigInt64Array(halves.buffer);
}
