/** Arrays of strings: as UTF-8, or as codes of distinct strings while that pays. */

import { valueError } from '../errors.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import type { Source } from './source.js';
import { LENGTH_BYTES, TextLane } from './text-lane.js';
import { encodeAscii, utf8Length } from './utf8.js';
import { mustStillHold } from './views.js';

/** Places of the table in front of the Map, a power of two, less 1. */
const SEEN_MASK = 511;

/** Codes are worth their look-ups while at most this share of the values (of a sample, of a page) is new. */
const MOST_NEW = 0.5;

/** Rows, and UTF-16 units, that are joined to one text: more of either gains nothing. */
const BATCH_ROWS = 64;
const BATCH_UNITS = 1 << 13;
/** Most batches that go string by string before joining is tried again. */
const MOST_WAIT = 64;

/** Where the validity bits of rows lie: row r at bit `firstBit` + r of the lane at `bits`, which is 0 without nulls. */
interface Place {
  readonly bits: number;
  readonly firstBit: number;
}

export class StringSource implements Source {
  form: number = Form.bytes;
  newEntries = 0;
  readonly nulls: number;
  readonly refills = false;
  readonly #data: readonly unknown[];
  readonly #column: string;
  readonly #type: string;
  /** Strings of the sample, while one is taken. */
  #sample: Set<string> | undefined;
  #sampleSize = 0;
  /** Batches to go string by string, because texts were not ASCII, and how many it was the last time. */
  #wait = 0;
  #penalty = 1;
  /** Codes of the strings that the chunk's dictionary holds. */
  readonly #codes = new Map<string, number>();
  /** Strings of `#codes` by some of their letters, and their codes. */
  readonly #seen = new Array<string | undefined>(SEEN_MASK + 1).fill(undefined);
  readonly #seenCodes = new Uint32Array(SEEN_MASK + 1);

  constructor(
    data: readonly unknown[],
    readonly rows: number,
    hasNulls: boolean,
    column: string,
    type = 'string',
  ) {
    this.#data = data;
    this.nulls = hasNulls ? Nulls.dense : Nulls.none;
    this.#column = column;
    this.#type = type;
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
    this.#seen.fill(undefined);
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
    mustStillHold(this.#data, to, this.#column);
    if (this.form === Form.codes) return this.#fillCodes(lanes, from, to, bytes);
    const next = this.#fillBytes(lanes, from, to, bytes);
    if (this.#sample !== undefined) this.#collect(this.#sample, from, next);
    return next;
  }

  /** A row without a string: clears its bit where it is null, else throws. */
  #absent(value: unknown, row: number, bits: number, bit: number, memory: Uint8Array): void {
    if (value !== null && value !== undefined)
      throw valueError('ERR_TYPE_MISMATCH', this.#column, row, this.#type, value);
    if (bits === 0) throw valueError('ERR_NULL', this.#column, row, this.#type, value);
    memory[bits + (bit >>> 3)] &= ~(1 << (bit & 7));
  }

  #fillBytes(lanes: Lanes, from: number, to: number, limit: number): number {
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const text = new TextLane(lanes, to - from, limit);
    const place = { bits, firstBit: lanes.rows - from };
    let row = from;
    while (row < to && text.plainBytes <= limit) {
      const end = Math.min(to, row + BATCH_ROWS);
      const next = this.#wait > 0 ? row : this.#putJoined(lanes, text, row, end, place);
      if (next > row) {
        row = next;
        continue;
      }
      if (this.#wait > 0) this.#wait--;
      else this.#wait = this.#penalty = Math.min(this.#penalty * 2, MOST_WAIT);
      row = this.#putEach(lanes, text, row, end, place);
    }
    lanes.rows += row - from;
    lanes.slots = text.slots;
    lanes.bytes = text.bytes;
    return row;
  }

  /**
   * Puts rows as one joined text, as long as that is ASCII; the row behind them, or `from` when it is not. Joining
   * costs half as much per string as encoding each (10 against 24 ns for 10 characters in Node; Chromium gains less).
   */
  #putJoined(lanes: Lanes, text: TextLane, from: number, to: number, { bits, firstBit }: Place): number {
    const data = this.#data;
    text.reserve(BATCH_UNITS);
    const { memory, words } = lanes;
    let { index } = text;
    let units = text.bytes;
    const most = units + BATCH_UNITS;
    let row = from;
    for (; row < to; row++) {
      const value = data[row];
      if (typeof value === 'string') {
        if (units + value.length > most) break;
        units += value.length;
        words[++index] = units;
      } else {
        this.#absent(value, row, bits, firstBit + row, memory);
      }
    }
    units -= text.bytes;
    if (units > 0 && !encodeAscii(data.slice(from, row).join(''), memory, text.at)) return from;
    text.at += units;
    text.index = index;
    this.#penalty = 1;
    return row;
  }

  #putEach(lanes: Lanes, text: TextLane, from: number, to: number, { bits, firstBit }: Place): number {
    for (let row = from; row < to; row++) {
      const value = this.#data[row];
      if (typeof value === 'string') text.put(value);
      else this.#absent(value, row, bits, firstBit + row, lanes.memory);
    }
    return to;
  }

  #fillCodes(lanes: Lanes, from: number, to: number, limit: number): number {
    const data = this.#data;
    const known = this.#codes;
    const seen = this.#seen;
    const seenCodes = this.#seenCodes;
    const before = known.size;
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const first = (lanes.codes(lanes.slots + to - from) >>> 2) + lanes.slots;
    const { memory, words } = lanes;
    const fresh: string[] = [];
    const firstBit = lanes.rows - from;
    let at = first;
    let units = 0;
    let row = from;
    // New strings are handed over with the page: not more of them than a page may hold.
    for (; row < to && units <= limit; row++) {
      const value = data[row];
      if (typeof value !== 'string') {
        this.#absent(value, row, bits, firstBit + row, memory);
        continue;
      }
      // Few strings come again and again, and a look at where one was met last spares most of them the Map.
      const { length } = value;
      const place =
        (length + value.charCodeAt(0) * 5 + value.charCodeAt(length >>> 1) * 17 + value.charCodeAt(length - 1) * 43) &
        SEEN_MASK;
      if (seen[place] === value) {
        words[at++] = seenCodes[place];
        continue;
      }
      let code = known.get(value);
      if (code === undefined) {
        code = known.size;
        known.set(value, code);
        fresh.push(value);
        units += length;
      }
      seen[place] = value;
      seenCodes[place] = code;
      words[at++] = code;
    }
    const slots = lanes.slots + at - first;
    lanes.rows += row - from;
    this.#putEntries(lanes, fresh);
    lanes.slots = slots;
    this.newEntries = known.size - before;
    return row;
  }

  /** New strings of the dictionary go where plain strings would. */
  #putEntries(lanes: Lanes, entries: readonly string[]): void {
    lanes.slots = 0;
    lanes.bytes = 0;
    const text = new TextLane(lanes, entries.length, 0);
    for (const entry of entries) text.put(entry);
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
