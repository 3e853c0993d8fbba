/** Arrays of strings: as UTF-8, or as codes of distinct strings while that pays. */

import { valueError } from '../errors.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import type { Source } from './source.js';
import { LENGTH_BYTES, TextLane } from './text-lane.js';
import { encodeShort, LONG, utf8Length } from './utf8.js';

/** Codes are worth their look-ups while at most this share of the values (of a sample, of a page) is new. */
const MOST_NEW = 0.5;

export class StringSource implements Source {
  form: number = Form.bytes;
  newEntries = 0;
  readonly nulls: number;
  readonly refills = false;
  readonly #data: readonly unknown[];
  readonly #column: string;
  /** Strings of the sample, while one is taken. */
  #sample: Set<string> | undefined;
  #sampleSize = 0;
  /** Codes of the strings that the chunk's dictionary holds. */
  readonly #codes = new Map<string, number>();

  constructor(data: readonly unknown[], readonly rows: number, hasNulls: boolean, column: string) {
    this.#data = data;
    this.nulls = hasNulls ? Nulls.dense : Nulls.none;
    this.#column = column;
  }

  begin(sampling: boolean): void {
    this.dictionaryClosed();
    this.#sample = sampling ? new Set() : undefined;
    this.#sampleSize = 0;
  }

  sampled(dictionary: boolean): void {
    const distinct = this.#sample?.size ?? 0;
    if (dictionary && distinct <= this.#sampleSize * MOST_NEW) this.form = Form.codes;
    this.#sample = undefined;
  }

  dictionaryClosed(): void {
    this.form = Form.bytes;
    this.newEntries = 0;
    this.#codes.clear();
  }

  plainBytes(from: number, to: number): number {
    const data = this.#data;
    let bytes = 0;
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (typeof value === 'string') bytes += utf8Length(value) + LENGTH_BYTES;
    }
    return bytes;
  }

  mostBytes(from: number, to: number): number {
    const data = this.#data;
    let units = 0;
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (typeof value === 'string') units += value.length;
    }
    return units * 3 + (to - from) * LENGTH_BYTES;
  }

  fill(lanes: Lanes, from: number, to: number, bytes: number): number {
    if (this.form === Form.codes) {
      this.#fillCodes(lanes, from, to);
      return to;
    }
    const next = this.#fillBytes(lanes, from, to, bytes);
    if (this.#sample !== undefined) this.#collect(this.#sample, from, next);
    return next;
  }

  /** A row without a string: clears its bit where it is null, else throws. */
  #absent(value: unknown, row: number, bits: number, bit: number, memory: Uint8Array): void {
    if (value !== null && value !== undefined) throw valueError('ERR_TYPE_MISMATCH', this.#column, row, 'string', value);
    if (bits === 0) throw valueError('ERR_NULL', this.#column, row, 'string', value);
    memory[bits + (bit >>> 3)] &= ~(1 << (bit & 7));
  }

  #fillBytes(lanes: Lanes, from: number, to: number, limit: number): number {
    const data = this.#data;
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const text = new TextLane(lanes, to - from, limit);
    const firstBit = lanes.rows - from;
    let { at, index } = text;
    let row = from;
    while (row < to && at - text.start + (index - text.first) * LENGTH_BYTES < limit) {
      if (this.#oneByOne > 0) this.#oneByOne--;
      const joining = this.#oneByOne === 0;
      // First as if all were ASCII; only the joined text shows whether they are.
      at = text.reserve(at, BATCH_UNITS);
      const { memory, words } = lanes;
      const batch = row;
      const batchIndex = index;
      const most = Math.min(to, row + BATCH_ROWS);
      let units = 0;
      let length = 0;
      for (; row < most; row++) {
        const value = data[row];
        if (typeof value === 'string') {
          length = value.length;
          if (units + length > BATCH_UNITS) break;
          units += length;
          words[++index] = at - text.start + units;
        } else {
          this.#absent(value, row, bits, firstBit + row, memory);
        }
      }
      if (joining && encodeAscii(row - batch < data.length ? data.slice(batch, row) : data, units, memory, at)) {
        at += units;
        this.#penalty = 1;
      }
    }
    lanes.rows += row - from;
    lanes.slots = index - text.first;
    lanes.bytes = at - text.start;
    return row;
  }

  #fillCodes(lanes: Lanes, from: number, to: number): void {
    const data = this.#data;
    const known = this.#codes;
    const before = known.size;
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const first = (lanes.codes(lanes.slots + to - from) >>> 2) + lanes.slots;
    const { memory, words } = lanes;
    const fresh: string[] = [];
    const firstBit = lanes.rows - from;
    let at = first;
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (typeof value !== 'string') {
        this.#absent(value, row, bits, firstBit + row, memory);
        continue;
      }
      let code = known.get(value);
      if (code === undefined) {
        code = known.size;
        known.set(value, code);
        fresh.push(value);
      }
      words[at++] = code;
    }
    const slots = lanes.slots + at - first;
    lanes.rows += to - from;
    this.#putEntries(lanes, fresh);
    lanes.slots = slots;
    this.newEntries = known.size - before;
  }

  /** New strings of the dictionary go where plain strings would. */
  #putEntries(lanes: Lanes, entries: readonly string[]): void {
    lanes.slots = 0;
    lanes.bytes = 0;
    const text = new TextLane(lanes, entries.length, 0);
    let { at, index } = text;
    for (const entry of entries) {
      at = text.put(entry, at);
      lanes.words[++index] = at - text.start;
    }
  }

  #collect(sample: Set<string>, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const value = this.#data[row];
      if (typeof value !== 'string') continue;
      sample.add(value);
      this.#sampleSize++;
    }
  }
}
