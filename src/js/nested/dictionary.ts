/** Slots that stand for strings of a dictionary: as codes while that pays, else as the strings. */

import { columnError, describe } from '../errors.js';
import { Form, type Lanes } from '../input/lanes.js';
import type { Offsets } from '../input/offsets.js';
import { LENGTH_BYTES, TextLane } from '../input/text-lane.js';
import { utf8Length } from '../input/utf8.js';
import { mustStillHold } from '../input/views.js';
import type { SlotReader } from './reader.js';

/** Codes are worth handing over while at most this share of the values of a sample is new. */
const MOST_NEW = 0.5;

/** Strings that slots stand for. */
export interface Entries {
  /** Throws when there is no such entry, or not a string. `row`: number of the slot, for the error. */
  put(text: TextLane, entry: number, row: number): void;
  size(entry: number): number;
  readonly count: number;
}

/** Entries as bytes. */
export class ByteEntries implements Entries {
  readonly #offsets: Offsets;
  readonly #bytes: Uint8Array;
  readonly #column: string;
  readonly #decoder: TextDecoder | undefined;

  /** `text`: they must be UTF-8, which the module does not look at in a dictionary. */
  constructor(
    offsets: Offsets,
    bytes: Uint8Array,
    readonly count: number,
    text: boolean,
    column: string,
  ) {
    this.#offsets = offsets;
    this.#bytes = bytes;
    this.#column = column;
    this.#decoder = text ? new TextDecoder('utf-8', { fatal: true }) : undefined;
  }

  put(text: TextLane, entry: number, row: number): void {
    const end = Number(this.#offsets[entry + 1]);
    mustStillHold(this.#bytes, end, this.#column);
    const value = this.#bytes.subarray(Number(this.#offsets[entry]), end);
    try {
      this.#decoder?.decode(value);
    } catch {
      throw columnError('ERR_TYPE_MISMATCH', this.#column, row, 'expected UTF-8 text, got bytes that are not');
    }
    text.copy(value);
  }

  size(entry: number): number {
    return Number(this.#offsets[entry + 1]) - Number(this.#offsets[entry]);
  }
}

/** Entries as JavaScript strings. */
export class TextEntries implements Entries {
  readonly #values: readonly unknown[];
  readonly #column: string;

  constructor(values: readonly unknown[], column: string) {
    this.#values = values;
    this.#column = column;
  }

  get count(): number {
    return this.#values.length;
  }

  put(text: TextLane, entry: number, row: number): void {
    const value = this.#values[entry];
    if (typeof value !== 'string') {
      throw columnError('ERR_TYPE_MISMATCH', this.#column, row, `expected string, got ${describe(value)}`);
    }
    text.put(value);
  }

  size(entry: number): number {
    const value = this.#values[entry];
    return typeof value === 'string' ? utf8Length(value) : 0;
  }
}

/** The codes of a column chunk, shared by all pieces of a column. */
export class Codes {
  form: number = Form.bytes;
  newEntries = 0;
  /** Codes of entries, plus 1; 0 where an entry has none yet. */
  readonly #known = new Map<Entries, Uint32Array>();
  #next = 0;
  #sampling = false;
  #sampled = 0;
  /** Entries that the next push must bring along. */
  readonly #fresh: { entries: Entries; entry: number; row: number }[] = [];

  begin(sampling: boolean): void {
    this.close();
    this.#sampling = sampling;
    this.#sampled = 0;
  }

  /** The sample is over. */
  settle(dictionary: boolean): void {
    const pays = this.#next <= this.#sampled * MOST_NEW;
    this.close();
    if (dictionary && pays) this.form = Form.codes;
    this.#sampling = false;
  }

  /** The module takes no codes (any more). */
  close(): void {
    this.form = Form.bytes;
    this.newEntries = 0;
    this.#next = 0;
    this.#known.clear();
    this.#fresh.length = 0;
  }

  /** Codes of all entries so far. */
  of(entries: Entries): Uint32Array {
    let codes = this.#known.get(entries);
    if (codes === undefined) this.#known.set(entries, (codes = new Uint32Array(entries.count)));
    return codes;
  }

  /** A new code for an entry, plus 1. */
  add(entries: Entries, entry: number, row: number): number {
    this.#fresh.push({ entries, entry, row });
    return ++this.#next;
  }

  /** While a sample is taken, strings are counted. */
  count(entries: Entries, indices: ArrayLike<number>, from: number, to: number): void {
    if (!this.#sampling) return;
    const codes = this.of(entries);
    for (let slot = from; slot < to; slot++) codes[indices[slot]] ||= ++this.#next;
    this.#sampled += to - from;
  }

  /** Puts new entries where plain strings would go. */
  flush(lanes: Lanes): void {
    const { slots } = lanes;
    lanes.slots = 0;
    lanes.bytes = 0;
    const text = new TextLane(lanes, this.#fresh.length, 0);
    for (const { entries, entry, row } of this.#fresh) entries.put(text, entry, row);
    lanes.slots = slots;
    this.newEntries = this.#fresh.length;
    this.#fresh.length = 0;
  }
}

export class DictionaryReader implements SlotReader {
  readonly #indices: ArrayLike<number>;
  readonly #entries: Entries;
  readonly #codes: Codes;
  readonly #column: string;
  /** Of the strings themselves. */
  readonly #plain: number;
  #lanes: Lanes | undefined;
  #text: TextLane | undefined;
  #at = 0;
  #first = 0;

  constructor(indices: ArrayLike<number>, entries: Entries, codes: Codes, column: string) {
    this.#indices = indices;
    this.#entries = entries;
    this.#codes = codes;
    this.#column = column;
    this.#plain = entries instanceof TextEntries ? Form.bytes : Form.bytesChecked;
  }

  get form(): number {
    return this.#codes.form === Form.codes ? Form.codes : this.#plain;
  }

  open(lanes: Lanes, count: number): void {
    this.#lanes = lanes;
    if (this.#codes.form === Form.codes)
      this.#first = this.#at = (lanes.codes(lanes.slots + count) >>> 2) + lanes.slots;
    else this.#text = new TextLane(lanes, count, 0);
  }

  take(from: number, to: number, limit: number): number {
    mustStillHold(this.#indices, to, this.#column);
    return this.#text === undefined ? this.#takeCodes(from, to) : this.#takeBytes(this.#text, from, to, limit);
  }

  #takeCodes(from: number, to: number): number {
    const indices = this.#indices;
    const codes = this.#codes.of(this.#entries);
    const { words } = this.#lanes as Lanes;
    let at = this.#at;
    for (let slot = from; slot < to; slot++) {
      const entry = indices[slot];
      const code = (codes[entry] ||= this.#codes.add(this.#entries, entry, slot));
      words[at++] = code - 1;
    }
    this.#at = at;
    return to;
  }

  #takeBytes(text: TextLane, from: number, to: number, limit: number): number {
    let slot = from;
    while (slot < to && text.plainBytes <= limit) {
      this.#entries.put(text, this.#indices[slot], slot);
      slot++;
    }
    this.#codes.count(this.#entries, this.#indices, from, slot);
    return slot;
  }

  close(lanes: Lanes): void {
    if (this.#text === undefined) {
      lanes.slots += this.#at - this.#first;
    } else {
      lanes.slots = this.#text.slots;
      lanes.bytes = this.#text.bytes;
      this.#text = undefined;
    }
  }

  plainBytes(from: number, to: number): number {
    let bytes = 0;
    for (let slot = from; slot < to; slot++) bytes += this.#entries.size(this.#indices[slot]) + LENGTH_BYTES;
    return bytes;
  }
}
