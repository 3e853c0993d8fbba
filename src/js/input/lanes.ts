/** The writer's input lanes in wasm memory, and the forms in which values lie there. */

import type { WasmWriter } from '#wasm';
import { putBits } from './put-bits.js';
import { bytesOf, mustStillHold } from './views.js';

export const Form = {
  plain: 0,
  int8: 1,
  uint8: 2,
  int16: 3,
  uint16: 4,
  bits: 5,
  bytes: 6,
  bytesChecked: 7,
  codes: 8,
} as const;

export const Nulls = {
  /** Every row is present. */
  none: 0,
  /** Values of the present rows only. */
  dense: 1,
  /** A slot for every row. */
  spaced: 2,
  /** Definition levels, a row each; values of present rows only. */
  definition: 3,
  /** Definition and repetition levels; values of the entries that hold one. */
  levels: 4,
} as const;

const VALUES = 0;
const OFFSETS = 1;
const VALIDITY = 2;
const CODES = 3;
const DEFINITION = 4;
const REPETITION = 5;

/**
 * Rows on their way into the module. Counters say what lies in the lanes; sources put rows behind it.
 * Views of the memory are good until the next call for a lane, and after a push only behind such a call: every call
 * into the module may move lanes or grow the memory.
 */
export class Lanes {
  rows = 0;
  /** Slots in the VALUES (or CODES) lane: present rows, or rows where nulls are spaced. */
  slots = 0;
  /** Bytes in the VALUES lane, where values have no fixed width. */
  bytes = 0;
  /** Levels in the DEFINITION and REPETITION lanes. */
  entries = 0;
  /** Where the first row's bit lies in the VALIDITY lane, and the first boolean's in the VALUES lane. */
  validityBit = 0;
  valuesBit = 0;
  /** The whole memory by address, and as 32-bit words by address / 4. */
  memory = new Uint8Array(0);
  words = new Uint32Array(0);
  readonly #writer: WasmWriter;
  readonly #memory: WebAssembly.Memory;

  constructor(writer: WasmWriter, memory: WebAssembly.Memory) {
    this.#writer = writer;
    this.#memory = memory;
  }

  clear(): void {
    this.rows = 0;
    this.slots = 0;
    this.bytes = 0;
    this.entries = 0;
    this.validityBit = 0;
    this.valuesBit = 0;
  }

  /** What a push left over: `rows` rows, moved to the start of the lanes, with `bytes` bytes of values. */
  keep(rows: number, dense: boolean, bytes: number): void {
    this.clear();
    this.rows = rows;
    this.slots = dense ? this.#present(rows) : rows;
    this.bytes = bytes;
  }

  /** The same where levels say which values are there: as many as entries of the level `present`. */
  keepLevels(rows: number, entries: number, present: number, bytes: number): void {
    this.clear();
    this.rows = rows;
    this.entries = entries;
    this.bytes = bytes;
    const at = this.#reserve(DEFINITION, entries);
    for (let entry = 0; entry < entries; entry++) if (this.memory[at + entry] === present) this.slots++;
  }

  /** Appends levels, one pair an entry; repetition levels only where something repeats. */
  putLevels(definition: Uint8Array, repetition: Uint8Array | undefined): void {
    const end = this.entries + definition.length;
    let at = this.#reserve(DEFINITION, end);
    this.memory.set(definition, at + this.entries);
    if (repetition !== undefined) {
      at = this.#reserve(REPETITION, end);
      this.memory.set(repetition, at + this.entries);
    }
    this.entries = end;
  }

  #present(rows: number): number {
    const at = this.validity(rows);
    let present = 0;
    for (let row = 0; row < rows; row++) present += (this.memory[at + (row >>> 3)] >>> (row & 7)) & 1;
    return present;
  }

  /** The module's memory as it is now. */
  get buffer(): ArrayBuffer {
    return this.memory.buffer;
  }

  /** Makes the VALUES lane `bytes` long; its address, a multiple of 8. */
  values(bytes: number): number {
    // A lane without any room lies nowhere in particular.
    return this.#reserve(VALUES, Math.max(bytes, 8));
  }

  /** Makes the VALUES lane hold `count` more bits, all 0; its address. */
  clearBits(count: number): number {
    const end = this.slots + count;
    const at = this.values((end + 7) >>> 3);
    const first = at + (this.slots >>> 3);
    // What a push carried over may share its last byte with the new bits.
    if ((this.slots & 7) !== 0) this.memory[first] &= 0xff >>> (8 - (this.slots & 7));
    this.memory.fill(0, (this.slots & 7) === 0 ? first : first + 1, at + ((end + 7) >>> 3));
    return at;
  }

  /** Makes room for `count` offsets; their address. */
  offsets(count: number): number {
    return this.#reserve(OFFSETS, count * 4);
  }

  /** Makes room for the bits of `rows` rows; the address of the first byte. */
  validity(rows: number): number {
    return this.#reserve(VALIDITY, (rows + 7) >>> 3);
  }

  /** Makes room for `count` codes; their address. */
  codes(count: number): number {
    return this.#reserve(CODES, count * 4);
  }

  #reserve(lane: number, bytes: number): number {
    const address = this.#writer.lane(lane, bytes) >>> 0;
    // Here and not in getters of the views: asking the memory for its buffer costs more than a short string.
    const { buffer } = this.#memory;
    if (this.memory.buffer !== buffer) {
      this.memory = new Uint8Array(buffer);
      this.words = new Uint32Array(buffer);
    }
    return address;
  }

  /** Copies the bits of rows `from` to `to` of a bitmap behind those that are there. */
  copyValidity(bitmap: Uint8Array, from: number, to: number, column: string): void {
    mustStillHold(bitmap, (to + 7) >>> 3, column);
    if (this.rows === 0) this.validityBit = from & 7;
    const at = this.validity(this.validityBit + this.rows + to - from) + (this.rows >>> 3);
    const first = from >>> 3;
    this.memory.set(bytesOf(bitmap, first, (to + 7) >>> 3), at);
  }

  /** Appends rows `from` to `to` of a bitmap behind the rows that are there, whose first bit is bit 0 of the lane. */
  appendBits(bitmap: Uint8Array, from: number, to: number): void {
    const end = this.rows + to - from;
    const at = this.validity(end);
    const first = at + (this.rows >>> 3);
    // A push may have carried over more bits than rows, and its rows may share their last byte with the new ones.
    if ((this.rows & 7) !== 0) this.memory[first] &= 0xff >>> (8 - (this.rows & 7));
    this.memory.fill(0, (this.rows & 7) === 0 ? first : first + 1, at + ((end + 7) >>> 3));
    putBits(this.memory, at, this.rows, bitmap, from, to);
  }

  /** Appends the bits of `count` present rows; the address of the first byte of the lane. */
  setValid(count: number): number {
    const end = this.rows + count;
    const at = this.validity(end);
    const { memory } = this;
    const first = at + (this.rows >>> 3);
    // What a push carried over may share its last byte with the new rows.
    memory[first] |= 0xff << (this.rows & 7);
    if ((this.rows & 7) === 0) memory[first] = 0xff;
    memory.fill(0xff, first + 1, at + ((end + 7) >>> 3));
    return at;
  }
}
