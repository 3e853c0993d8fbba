/** Values of one width: as they lie, or converted. */

import { cellFor } from '../input/array.js';
import type { Cell } from '../input/cell.js';
import { Form, type Lanes } from '../input/lanes.js';
import { mustStillHold } from '../input/views.js';
import type { LeafType } from '../schema.js';
import type { TypedArray } from '../types.js';
import { FEW, type SlotReader } from './reader.js';

type Words = Uint8Array | Uint16Array | Uint32Array;

/** Elements as they are, as unsigned words: floats must not go through numbers, which may change a NaN. */
function wordsOf(buffer: ArrayBufferLike, at: number, bytes: number, size: number): Words {
  switch (size) {
    case 1:
      return new Uint8Array(buffer, at, bytes);
    case 2:
      return new Uint16Array(buffer, at, bytes / 2);
    default:
      return new Uint32Array(buffer, at, bytes / 4);
  }
}

/** Typed arrays, and bytes of one width, that lie in memory as the column wants them. */
export class PlainReader implements SlotReader {
  readonly form: number;
  readonly #values: TypedArray;
  readonly #column: string;
  /** Bytes of a value here, and in the column. */
  readonly #stride: number;
  readonly #width: number;
  /** Words of a value. */
  readonly #step: number;
  #from: Words = new Uint8Array(0);
  #to: Words = new Uint8Array(0);
  #at = 0;

  /** `stride`: bytes of a value. */
  constructor(values: TypedArray, stride: number, form: number, type: LeafType, column: string) {
    this.form = form;
    this.#values = values;
    this.#column = column;
    this.#stride = stride;
    this.#width = type.width;
    this.#step = Math.ceil(stride / this.#wordBytes);
  }

  get #wordBytes(): number {
    return Math.min(this.#values.BYTES_PER_ELEMENT, 4);
  }

  open(lanes: Lanes, count: number): void {
    const values = this.#values;
    const bytes = (lanes.slots + count) * this.#stride;
    const address = lanes.values(bytes);
    const size = this.#wordBytes;
    this.#to = wordsOf(lanes.buffer, address, bytes, size);
    this.#from = wordsOf(values.buffer, values.byteOffset, values.byteLength, size);
    this.#at = lanes.slots * this.#step;
  }

  take(from: number, to: number): number {
    const source = this.#from;
    const target = this.#to;
    const step = this.#step;
    const end = to * step;
    if (end > source.length)
      mustStillHold(this.#values, (to * this.#stride) / this.#values.BYTES_PER_ELEMENT, this.#column);
    let at = this.#at;
    if (end - from * step > FEW) {
      target.set(source.subarray(from * step, end), at);
      this.#at = at + end - from * step;
      return to;
    }
    for (let index = from * step; index < end; index++) target[at++] = source[index];
    this.#at = at;
    return to;
  }

  close(lanes: Lanes): void {
    lanes.slots = this.#at / this.#step;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) * this.#width;
  }
}

/** Typed arrays of another type than the column. */
export class ConvertingReader implements SlotReader {
  readonly form = Form.plain;
  readonly #values: TypedArray;
  readonly #cell: Cell;
  readonly #column: string;
  #slot = 0;

  constructor(values: TypedArray, type: LeafType, column: string) {
    this.#values = values;
    this.#cell = cellFor(type, column);
    this.#column = column;
  }

  open(lanes: Lanes, count: number): void {
    const slots = lanes.slots + count;
    const address = lanes.values(slots * this.#cell.width);
    this.#cell.attach(lanes.buffer, address, slots);
    this.#slot = lanes.slots;
  }

  take(from: number, to: number): number {
    mustStillHold(this.#values, to, this.#column);
    this.#cell.putAll(this.#values as ArrayLike<unknown>, from, to, this.#slot);
    this.#slot += to - from;
    return to;
  }

  close(lanes: Lanes): void {
    lanes.slots = this.#slot;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) * this.#cell.width;
  }
}
