/** Slots of a leaf, from where they lie into the lanes. */

import { cellFor } from '../input/array.js';
import type { Cell } from '../input/cell.js';
import { Form, type Lanes } from '../input/lanes.js';
import { isByteString, isNumeric } from '../input/leaf.js';
import type { Offsets } from '../input/offsets.js';
import type { Shape } from '../input/shape.js';
import { LENGTH_BYTES, TextLane } from '../input/text-lane.js';
import { formOf } from '../input/typed.js';
import { bytesOf, mustStillHold } from '../input/views.js';
import type { LeafType } from '../schema.js';
import type { TypedArray } from '../types.js';
import { DecimalReader } from './decimal.js';

/** Reads one piece of a leaf's data. Between `open` and `close` nobody else touches the lanes. */
export interface SlotReader {
  readonly form: number;
  /** At most `count` slots will be taken. */
  open(lanes: Lanes, count: number): void;
  /**
   * Takes slots from `from` on: all before `to`, or as many as make more than `limit` bytes in PLAIN form together with
   * what lies in the lanes, where values have no fixed width. The first slot not taken.
   */
  take(from: number, to: number, limit: number): number;
  close(lanes: Lanes): void;
  /** Bytes in PLAIN form. */
  plainBytes(from: number, to: number): number;
}

/** Fewer elements than this are copied one by one: a call of `set` costs as much. */
const FEW = 24;

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
    if (end > source.length) mustStillHold(this.#values, (to * this.#stride) / this.#values.BYTES_PER_ELEMENT, this.#column);
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

/** Booleans as bits, LSB first. */
export class BitsReader implements SlotReader {
  readonly form = Form.bits;
  readonly #bits: Uint8Array;
  readonly #column: string;
  #memory = new Uint8Array(0);
  #address = 0;
  #slot = 0;

  constructor(bits: Uint8Array, column: string) {
    this.#bits = bits;
    this.#column = column;
  }

  open(lanes: Lanes, count: number): void {
    this.#address = lanes.clearBits(count);
    this.#memory = lanes.memory;
    this.#slot = lanes.slots;
  }

  take(from: number, to: number): number {
    const bits = this.#bits;
    mustStillHold(bits, (to + 7) >>> 3, this.#column);
    const memory = this.#memory;
    const address = this.#address;
    let slot = this.#slot;
    for (let at = from; at < to; at++, slot++) {
      memory[address + (slot >>> 3)] |= ((bits[at >>> 3] >>> (at & 7)) & 1) << (slot & 7);
    }
    this.#slot = slot;
    return to;
  }

  close(lanes: Lanes): void {
    lanes.slots = this.#slot;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) / 8;
  }
}

/** Byte strings: offsets into one run of bytes. */
export class BytesReader implements SlotReader {
  readonly form = Form.bytesChecked;
  readonly #offsets: Offsets;
  readonly #bytes: Uint8Array;
  readonly #column: string;
  #lanes: Lanes | undefined;
  #text: TextLane | undefined;

  constructor(offsets: Offsets, bytes: Uint8Array, column: string) {
    this.#offsets = offsets;
    this.#bytes = bytes;
    this.#column = column;
  }

  open(lanes: Lanes, count: number): void {
    this.#lanes = lanes;
    this.#text = new TextLane(lanes, count, 0);
  }

  take(from: number, to: number, limit: number): number {
    const text = this.#text as TextLane;
    const lanes = this.#lanes as Lanes;
    const { words } = lanes;
    const offsets = this.#offsets;
    mustStillHold(offsets, to + 1, this.#column);
    const start = Number(offsets[from]);
    const shift = text.bytes - start;
    let { index } = text;
    let lengths = text.slots * LENGTH_BYTES;
    let end = start;
    let slot = from;
    while (slot < to && end + shift + lengths <= limit) {
      end = Number(offsets[++slot]);
      words[++index] = end + shift;
      lengths += LENGTH_BYTES;
    }
    mustStillHold(this.#bytes, end, this.#column);
    text.reserve(end - start);
    const { memory } = lanes;
    if (end - start > FEW) memory.set(bytesOf(this.#bytes, start, end), text.at);
    else for (let at = start; at < end; at++) memory[text.at + at - start] = this.#bytes[at];
    text.at += end - start;
    text.index += slot - from;
    return slot;
  }

  close(lanes: Lanes): void {
    const text = this.#text as TextLane;
    lanes.slots = text.slots;
    lanes.bytes = text.bytes;
    this.#text = undefined;
  }

  plainBytes(from: number, to: number): number {
    return Number(this.#offsets[to]) - Number(this.#offsets[from]) + (to - from) * LENGTH_BYTES;
  }
}

/** The reader for a form of data; undefined where it cannot hold values of the type. */
export function leafReader(
  shape: Shape & { form: 'typed' | 'bits' | 'offsets' | 'fixed' },
  type: LeafType,
  column: string,
): SlotReader | undefined {
  switch (shape.form) {
    case 'bits':
      return type.kind === 'bool' ? new BitsReader(shape.values, column) : undefined;
    case 'offsets':
      return isByteString(type) ? new BytesReader(shape.offsets, shape.values, column) : undefined;
    case 'fixed':
      if (type.kind === 'decimal') return new DecimalReader(shape.values, shape.width, type, column);
      return type.width === shape.width ? new PlainReader(shape.values, shape.width, Form.plain, type, column) : undefined;
    case 'typed': {
      const { values } = shape;
      const form = formOf(shape.name, type);
      if (form !== undefined) return new PlainReader(values, values.BYTES_PER_ELEMENT, form, type, column);
      return isNumeric(type) ? new ConvertingReader(values, type, column) : undefined;
    }
  }
}
