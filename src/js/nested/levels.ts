/** Definition and repetition levels of some rows, on their way into the lanes. */

import type { Lanes } from '../input/lanes.js';

const FIRST_ROOM = 1 << 10;

/** A stretch of rows from the first on. */
export interface Stretch {
  readonly rows: number;
  readonly entries: number;
  readonly values: number;
}

export class Levels {
  definition = new Uint8Array(FIRST_ROOM);
  repetition = new Uint8Array(FIRST_ROOM);
  /** Pairs of levels. */
  entries = 0;
  /** Levels that there is room for. */
  room = FIRST_ROOM;
  /** Definition level of an entry that holds a value. */
  readonly present: number;
  /** Whether anything repeats on the way to the leaf. */
  readonly repeats: boolean;
  /** Number of the first row in the column. */
  firstRow = 0;

  constructor(present: number, repeats: boolean) {
    this.present = present;
    this.repeats = repeats;
  }

  clear(firstRow: number): void {
    this.entries = 0;
    this.firstRow = firstRow;
  }

  put(definition: number, repetition: number): void {
    if (this.entries === this.room) this.grow(1);
    this.definition[this.entries] = definition;
    this.repetition[this.entries++] = repetition;
  }

  /** `count` entries (at least one) of one definition level; the first may repeat on a floor of its own. */
  putRun(definition: number, count: number, first: number, rest: number): void {
    const { entries } = this;
    const end = entries + count;
    if (end > this.room) this.grow(count);
    this.definition.fill(definition, entries, end);
    this.repetition[entries] = first;
    this.repetition.fill(rest, entries + 1, end);
    this.entries = end;
  }

  /** Makes room for `count` more. */
  grow(count: number): void {
    this.room = Math.max(this.room * 2, this.entries + count);
    for (const lane of ['definition', 'repetition'] as const) {
      const wider = new Uint8Array(this.room);
      wider.set(this[lane].subarray(0, this.entries));
      this[lane] = wider;
    }
  }

  /** The column's row of an entry that is about to be put with this repetition level. */
  rowOfNext(repetition: number): number {
    return this.firstRow + this.#rows(this.entries) - (repetition === 0 ? 0 : 1);
  }

  /** The column's row that holds the value `index` of those put. */
  rowOfValue(index: number): number {
    return this.firstRow + this.#rows(this.#entryOf(index) + 1) - 1;
  }

  /** Whole rows up to the one that holds the last of `values` values. */
  stretch(values: number): Stretch {
    let entries = values === 0 ? 0 : this.#entryOf(values - 1) + 1;
    let all = values;
    for (; this.repeats && entries < this.entries && this.repetition[entries] !== 0; entries++) {
      if (this.definition[entries] === this.present) all++;
    }
    return { rows: this.#rows(entries), entries, values: all };
  }

  #rows(entries: number): number {
    if (!this.repeats) return entries;
    let rows = 0;
    for (let entry = 0; entry < entries; entry++) if (this.repetition[entry] === 0) rows++;
    return rows;
  }

  #entryOf(value: number): number {
    let left = value;
    let entry = 0;
    for (; entry < this.entries; entry++) if (this.definition[entry] === this.present && left-- === 0) break;
    return entry;
  }

  /** Puts the first `entries` of a flat column behind the rows in the lanes, as bits. */
  copyBits(lanes: Lanes, entries: number): void {
    const { definition, present } = this;
    const bits = lanes.setValid(entries);
    const { memory, rows } = lanes;
    for (let entry = 0; entry < entries; entry++) {
      if (definition[entry] !== present) memory[bits + ((rows + entry) >>> 3)] &= ~(1 << ((rows + entry) & 7));
    }
  }

  /** Puts the first `entries` behind what lies in the lanes. */
  copyTo(lanes: Lanes, entries: number): void {
    lanes.putLevels(
      this.definition.subarray(0, entries),
      this.repeats ? this.repetition.subarray(0, entries) : undefined,
    );
  }
}
