/** The values that belong to levels, handed to the lanes as far as they fit. */

import { Form, type Lanes } from '../input/lanes.js';
import type { Source } from '../input/source.js';
import type { Codes } from './dictionary.js';
import type { SlotReader } from './reader.js';
import type { Runs } from './runs.js';
import type { Found } from './values.js';

export interface Feed {
  readonly form: number;
  readonly newEntries: number;
  /** Values collected for the rows at hand. */
  readonly count: number;
  clear(): void;
  begin(sampling: boolean): void;
  sampled(dictionary: boolean): void;
  dictionaryClosed(): void;
  /** Puts values behind those in the lanes: all before `to`, or as many as make more than `limit` bytes. */
  fill(lanes: Lanes, from: number, to: number, limit: number): number;
  /** The value that an error about `row` means, which is at least the value `from` that was to be filled. */
  valueOf(row: number, from: number): number;
  plainBytes(): number;
  mostBytes(): number;
}

/** JavaScript values, by way of the source that a flat column of them would have. */
export class ValuesFeed implements Feed {
  readonly #found: Found;
  readonly #source: Source;

  /** `source` reads the list of `found`. */
  constructor(found: Found, source: Source) {
    this.#found = found;
    this.#source = source;
  }

  get form(): number {
    return this.#source.form;
  }

  get newEntries(): number {
    return this.#source.newEntries;
  }

  get count(): number {
    return this.#found.count;
  }

  clear(): void {
    this.#found.count = 0;
  }

  begin(sampling: boolean): void {
    this.#source.begin(sampling);
  }

  sampled(dictionary: boolean): void {
    this.#source.sampled(dictionary);
  }

  dictionaryClosed(): void {
    this.#source.dictionaryClosed();
  }

  fill(lanes: Lanes, from: number, to: number, limit: number): number {
    // New entries of codes are those of one filling, so that must be all of it.
    return this.#source.fill(lanes, from, to, this.#source.form === Form.codes ? Infinity : limit);
  }

  valueOf(row: number): number {
    return row;
  }

  plainBytes(): number {
    return this.#source.plainBytes(0, this.count);
  }

  mostBytes(): number {
    return this.#source.mostBytes(0, this.count);
  }
}

/** Slots of the object forms. */
export class RunsFeed implements Feed {
  readonly #runs: Runs;
  readonly #readers: readonly SlotReader[];
  readonly #codes: Codes | undefined;
  #piece = 0;

  /** `codes`: where all readers stand for strings of dictionaries. */
  constructor(runs: Runs, readers: readonly SlotReader[], codes: Codes | undefined) {
    this.#runs = runs;
    this.#readers = readers;
    this.#codes = codes;
  }

  get form(): number {
    return this.#readers[0].form;
  }

  get newEntries(): number {
    return this.#codes?.newEntries ?? 0;
  }

  get count(): number {
    return this.#runs.values;
  }

  clear(): void {
    this.#runs.clear();
  }

  begin(sampling: boolean): void {
    this.#codes?.begin(sampling);
  }

  sampled(dictionary: boolean): void {
    this.#codes?.settle(dictionary);
  }

  dictionaryClosed(): void {
    this.#codes?.close();
  }

  fill(lanes: Lanes, from: number, to: number, limit: number): number {
    const { piece, from: starts, to: ends, count } = this.#runs;
    let value = 0;
    let run = 0;
    while (run < count && value + ends[run] - starts[run] <= from) value += ends[run] - starts[run++];
    let next = from;
    let reader: SlotReader | undefined;
    for (; run < count && next < to; run++) {
      if (reader === undefined || piece[run] !== this.#piece) {
        reader?.close(lanes);
        this.#piece = piece[run];
        reader = this.#readers[this.#piece];
        reader.open(lanes, to - next);
      }
      const start = starts[run] + next - value;
      const end = Math.min(ends[run], starts[run] + to - value);
      const taken = reader.take(start, end, limit);
      next += taken - start;
      if (taken < end) break;
      value += ends[run] - starts[run];
    }
    if (reader === undefined) {
      // Without values, too, the lanes must be there.
      [reader] = this.#readers;
      reader.open(lanes, 0);
    }
    reader.close(lanes);
    if (this.#codes !== undefined && this.form === Form.codes) this.#codes.flush(lanes);
    return next;
  }

  valueOf(row: number, from: number): number {
    return this.#runs.valueOf(this.#piece, row, from);
  }

  plainBytes(): number {
    const { piece, from, to, count } = this.#runs;
    let bytes = 0;
    for (let run = 0; run < count; run++) bytes += this.#readers[piece[run]].plainBytes(from[run], to[run]);
    return bytes;
  }

  mostBytes(): number {
    return this.plainBytes();
  }
}
