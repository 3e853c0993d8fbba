/** Byte strings of varying length on their way into the VALUES and OFFSETS lanes. */

import type { Lanes } from './lanes.js';
import { encodeLong, encodeShort, LONG } from './utf8.js';

/** In PLAIN form a length stands before every value. */
export const LENGTH_BYTES = 4;

/** Most bytes of a string shorter than LONG. */
const SHORT_BYTES = LONG * 3;

const FEW = 48;

/** Room for a value to begin with. */
const USUAL_BYTES = 32;

/** Where the next value goes. Positions are addresses in wasm memory, and change whenever the lane grows. */
export class TextLane {
  /** Address of the next byte. */
  at: number;
  /** Place of the last offset among the words of the memory. */
  index: number;
  readonly #lanes: Lanes;
  readonly #firstIndex: number;
  #start = 0;
  #size: number;

  /** Opens the lanes for `count` more values of at most about `bytes` bytes together. */
  constructor(lanes: Lanes, count: number, bytes: number) {
    this.#lanes = lanes;
    this.#firstIndex = lanes.offsets(lanes.slots + count + 1) >>> 2;
    this.index = this.#firstIndex + lanes.slots;
    // A small table needs no whole page; doubling finds the size of larger values.
    this.#size = lanes.bytes + Math.min(bytes, count * USUAL_BYTES) + SHORT_BYTES;
    this.#start = lanes.values(this.#size);
    this.at = this.#start + lanes.bytes;
    lanes.words[this.index] = lanes.bytes;
  }

  /** Values in the lanes. */
  get slots(): number {
    return this.index - this.#firstIndex;
  }

  /** Bytes in the VALUES lane. */
  get bytes(): number {
    return this.at - this.#start;
  }

  /** Bytes of the values in PLAIN form. */
  get plainBytes(): number {
    return this.bytes + this.slots * LENGTH_BYTES;
  }

  /** Makes room for `bytes` more bytes. */
  reserve(bytes: number): void {
    const used = this.bytes;
    if (used + bytes <= this.#size) return;
    this.#size = Math.max(used + bytes, this.#size * 2);
    this.#start = this.#lanes.values(this.#size);
    this.at = this.#start + used;
  }

  /** Puts a string. */
  put(text: string): void {
    if (text.length < LONG) {
      this.reserve(SHORT_BYTES);
      this.at = encodeShort(text, this.#lanes.memory, this.at);
    } else {
      this.#putLong(text);
    }
    this.#end();
  }

  /** Puts a byte string. */
  copy(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    const { memory } = this.#lanes;
    const { length } = bytes;
    // For a handful of bytes the call of `set` costs more than they do.
    if (length > FEW) memory.set(bytes, this.at);
    else for (let index = 0; index < length; index++) memory[this.at + index] = bytes[index];
    this.at += length;
    this.#end();
  }

  #putLong(text: string): void {
    let rest = text;
    // Text is taken for ASCII first: three bytes per unit would ask for far more memory than most texts need.
    for (let bytes = text.length + SHORT_BYTES; ; bytes = rest.length * 3) {
      this.reserve(bytes);
      const { read, written } = encodeLong(rest, this.#lanes.memory, this.at, this.#start + this.#size);
      this.at += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
    }
  }

  #end(): void {
    this.#lanes.words[++this.index] = this.bytes;
  }
}
