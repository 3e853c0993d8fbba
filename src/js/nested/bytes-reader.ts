/** Byte strings, and bits. */

import { Form, type Lanes } from '../input/lanes.js';
import type { Offsets } from '../input/offsets.js';
import { LENGTH_BYTES, TextLane } from '../input/text-lane.js';
import { bytesOf, mustStillHold } from '../input/views.js';
import { FEW, type SlotReader } from './reader.js';

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
