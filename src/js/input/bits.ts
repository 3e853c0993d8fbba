/** Booleans: from arrays, and from bits as they are. */

import { valueError } from '../errors.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import { PlainSource } from './source.js';
import { bytesOf, mustStillHold } from './views.js';

/** Bytes of `rows` booleans in PLAIN form, row by row exact enough: eight make a byte. */
const bitBytes = (from: number, to: number) => (to - from) / 8;

/** An array of booleans; null, undefined and holes are nulls. */
export class BooleanSource extends PlainSource {
  readonly #data: readonly unknown[];
  readonly #column: string;

  constructor(data: readonly unknown[], rows: number, hasNulls: boolean, column: string) {
    super(rows, Form.bits, hasNulls ? Nulls.dense : Nulls.none);
    this.#data = data;
    this.#column = column;
  }

  plainBytes(from: number, to: number): number {
    return bitBytes(from, to);
  }

  fill(lanes: Lanes, from: number, to: number): number {
    const data = this.#data;
    mustStillHold(data, to, this.#column);
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const values = lanes.clearBits(to - from);
    const { memory } = lanes;
    let slot = lanes.slots;
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (value === true) {
        memory[values + (slot >>> 3)] |= 1 << (slot & 7);
        slot++;
      } else if (value === false) {
        slot++;
      } else if ((value === null || value === undefined) && bits !== 0) {
        const bit = lanes.rows + row - from;
        memory[bits + (bit >>> 3)] &= ~(1 << (bit & 7));
      } else {
        const code = value === null || value === undefined ? 'ERR_NULL' : 'ERR_TYPE_MISMATCH';
        throw valueError(code, this.#column, row, 'bool', value);
      }
    }
    lanes.slots = slot;
    lanes.rows += to - from;
    return to;
  }
}

/** Bits, LSB-first, with or without a validity bitmap. */
export class BitsSource extends PlainSource {
  /** Bits are copied by bytes: rows that were left over would have to lie where they lay. */
  override readonly refills = true;
  readonly #bits: Uint8Array;
  readonly #validity: Uint8Array | undefined;
  readonly #column: string;

  constructor(bits: Uint8Array, rows: number, validity: Uint8Array | undefined, column: string) {
    super(rows, Form.bits, validity === undefined ? Nulls.none : Nulls.spaced);
    this.#bits = bits;
    this.#validity = validity;
    this.#column = column;
  }

  plainBytes(from: number, to: number): number {
    return bitBytes(from, to);
  }

  fill(lanes: Lanes, from: number, to: number): number {
    if (this.#validity !== undefined) lanes.copyValidity(this.#validity, from, to, this.#column);
    const first = from >>> 3;
    const end = (to + 7) >>> 3;
    mustStillHold(this.#bits, end, this.#column);
    const at = lanes.values(end - first);
    lanes.memory.set(bytesOf(this.#bits, first, end), at);
    lanes.valuesBit = from & 7;
    lanes.slots = to - from;
    lanes.rows = to - from;
    return to;
  }
}

/** Rows that are all null. */
export class NullSource extends PlainSource {
  readonly #data: readonly unknown[];
  readonly #column: string;

  constructor(data: readonly unknown[], rows: number, column: string) {
    super(rows, Form.plain, Nulls.dense);
    this.#data = data;
    this.#column = column;
  }

  plainBytes(): number {
    return 0;
  }

  fill(lanes: Lanes, from: number, to: number): number {
    mustStillHold(this.#data, to, this.#column);
    for (let row = from; row < to; row++) {
      const value = this.#data[row];
      if (value !== null && value !== undefined)
        throw valueError('ERR_TYPE_MISMATCH', this.#column, row, 'null', value);
    }
    const end = lanes.rows + to - from;
    const at = lanes.validity(end);
    lanes.memory.fill(0, at + (lanes.rows >>> 3), at + ((end + 7) >>> 3));
    lanes.rows = end;
    return to;
  }
}
