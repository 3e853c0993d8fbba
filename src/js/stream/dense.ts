/** Typed arrays and bits with a validity bitmap, packed: batches of any number of rows follow each other within a page. */

import { Form, type Lanes, Nulls } from '../input/lanes.js';
import { putBits } from '../input/put-bits.js';
import { PlainSource } from '../input/source.js';
import { mustStillHold } from '../input/views.js';
import type { TypedArray } from '../types.js';

type Words = Uint8Array | Uint16Array | Uint32Array;

/** Values as unsigned words, as many as `step` each: through numbers, floats may lose the payload of a NaN. */
function wordsOf(buffer: ArrayBufferLike, offset: number, length: number, size: number): { words: Words; step: number } {
  if (size === 1) return { words: new Uint8Array(buffer, offset, length), step: 1 };
  if (size === 2) return { words: new Uint16Array(buffer, offset, length), step: 1 };
  return { words: new Uint32Array(buffer, offset, (length * size) / 4), step: size / 4 };
}

/** Values of rows that are there; every value of the array is one of the column as it is. */
export class PackedSource extends PlainSource {
  readonly #values: TypedArray;
  readonly #validity: Uint8Array;
  readonly #width: number;
  readonly #column: string;

  constructor(values: TypedArray, rows: number, validity: Uint8Array, form: number, width: number, column: string) {
    super(rows, form, Nulls.dense);
    this.#values = values;
    this.#validity = validity;
    this.#width = width;
    this.#column = column;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) * this.#width;
  }

  fill(lanes: Lanes, from: number, to: number): number {
    const values = this.#values;
    const validity = this.#validity;
    mustStillHold(values, to, this.#column);
    mustStillHold(validity, (to + 7) >>> 3, this.#column);
    lanes.appendBits(validity, from, to);
    const size = values.BYTES_PER_ELEMENT;
    const count = to - from;
    const at = lanes.values((lanes.slots + count) * size) + lanes.slots * size;
    const { words: source, step } = wordsOf(values.buffer, values.byteOffset + from * size, count, size);
    const { words: target } = wordsOf(lanes.buffer, at, count, size);
    const packed = step === 1 ? pack(source, target, validity, from, to) : packPairs(source, target, validity, from, to);
    lanes.slots += packed;
    lanes.rows += count;
    return to;
  }
}

/** Each value goes where the next is wanted, and stays when its row is there: no branch to be guessed wrong. */
function pack(source: Words, target: Words, validity: Uint8Array, from: number, to: number): number {
  let packed = 0;
  for (let row = from; row < to; row++) {
    target[packed] = source[row - from];
    packed += (validity[row >>> 3] >>> (row & 7)) & 1;
  }
  return packed;
}

function packPairs(source: Words, target: Words, validity: Uint8Array, from: number, to: number): number {
  let packed = 0;
  for (let row = from; row < to; row++) {
    const at = (row - from) * 2;
    target[packed] = source[at];
    target[packed + 1] = source[at + 1];
    packed += ((validity[row >>> 3] >>> (row & 7)) & 1) * 2;
  }
  return packed / 2;
}

/** Booleans as bits; without a bitmap all rows are there. `nullable`: whether other batches may have nulls. */
export class PackedBitsSource extends PlainSource {
  readonly #bits: Uint8Array;
  readonly #validity: Uint8Array | undefined;
  readonly #column: string;

  constructor(bits: Uint8Array, rows: number, validity: Uint8Array | undefined, nullable: boolean, column: string) {
    super(rows, Form.bits, nullable ? Nulls.dense : Nulls.none);
    this.#bits = bits;
    this.#validity = validity;
    this.#column = column;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) / 8;
  }

  fill(lanes: Lanes, from: number, to: number): number {
    const bits = this.#bits;
    const validity = this.#validity;
    mustStillHold(bits, (to + 7) >>> 3, this.#column);
    if (validity !== undefined) {
      mustStillHold(validity, (to + 7) >>> 3, this.#column);
      lanes.appendBits(validity, from, to);
    } else if (this.nulls === Nulls.dense) {
      lanes.setValid(to - from);
    }
    const at = lanes.clearBits(to - from);
    if (validity === undefined) {
      putBits(lanes.memory, at, lanes.slots, bits, from, to);
      lanes.slots += to - from;
    } else {
      this.#pack(lanes, at, validity, from, to);
    }
    lanes.rows += to - from;
    return to;
  }

  #pack(lanes: Lanes, at: number, validity: Uint8Array, from: number, to: number): void {
    const bits = this.#bits;
    const { memory } = lanes;
    let { slots } = lanes;
    for (let row = from; row < to; row++) {
      const there = (validity[row >>> 3] >>> (row & 7)) & 1;
      memory[at + (slots >>> 3)] |= ((bits[row >>> 3] >>> (row & 7)) & there) << (slots & 7);
      slots += there;
    }
    lanes.slots = slots;
  }
}
