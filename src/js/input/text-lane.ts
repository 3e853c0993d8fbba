/** Byte strings of varying length on their way into the VALUES and OFFSETS lanes. */

import type { Lanes } from './lanes.js';
import { encodeLong, encodeShort, LONG } from './utf8.js';

/** In PLAIN form a length stands before every value. */
export const LENGTH_BYTES = 4;

/** Most bytes of a string shorter than LONG. */
const SHORT_BYTES = LONG * 3;

/** Room for a value to begin with. */
const USUAL_BYTES = 32;

/** Where the next value goes. Positions are addresses in wasm memory, and change whenever the lane grows. */
export class TextLane {
  /** Address of the lane, and of the next byte when the lane was opened. */
  start = 0;
  readonly at: number;
  /** Before this address there is room for any short string. */
  safe = 0;
  /** Place of the lane's first offset among the words of the memory, and of the last one that is there already. */
  readonly first: number;
  readonly index: number;
  readonly #lanes: Lanes;
  #size: number;

  /** Opens the lanes for `count` more values of at most about `bytes` bytes together. */
  constructor(lanes: Lanes, count: number, bytes: number) {
    this.#lanes = lanes;
    this.first = lanes.offsets(lanes.slots + count + 1) >>> 2;
    this.index = this.first + lanes.slots;
    // A small table needs no whole page; doubling finds the size of larger values.
    this.#size = lanes.bytes + Math.min(bytes, count * USUAL_BYTES) + 2 * SHORT_BYTES;
    this.#open();
    this.at = this.start + lanes.bytes;
    lanes.words[this.index] = lanes.bytes;
  }

  #open(): void {
    this.start = this.#lanes.values(this.#size);
    this.safe = this.start + this.#size - SHORT_BYTES;
  }

  /** Makes room for `bytes` bytes from `at` on; where `at` is then. */
  reserve(at: number, bytes: number): number {
    const used = at - this.start;
    if (used + bytes > this.#size) {
      this.#size = Math.max(used + bytes, this.#size * 2);
      this.#open();
    }
    return this.start + used;
  }

  /** Writes a string of any length at `at`; the position behind it. */
  put(text: string, at: number): number {
    if (text.length < LONG) return encodeShort(text, this.#lanes.memory, this.reserve(at, SHORT_BYTES));
    let from = at;
    let rest = text;
    // Text is taken for ASCII first: three bytes per unit would ask for far more memory than most texts need.
    for (let bytes = text.length + SHORT_BYTES; ; bytes = rest.length * 3) {
      from = this.reserve(from, bytes);
      const { read, written } = encodeLong(rest, this.#lanes.memory, from, this.start + this.#size);
      from += written;
      if (read === rest.length) return from;
      rest = rest.slice(read);
    }
  }

  /** Copies bytes to `at`; the position behind them. */
  copy(bytes: Uint8Array, at: number): number {
    const to = this.reserve(at, bytes.length);
    this.#lanes.memory.set(bytes, to);
    return to + bytes.length;
  }
}
