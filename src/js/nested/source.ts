/** One leaf below groups, or of a column in pieces: levels and values of whole rows. */

import { ParquetError } from '../errors.js';
import { Form, type Lanes, Nulls } from '../input/lanes.js';
import type { Source } from '../input/source.js';
import { LENGTH_BYTES } from '../input/text-lane.js';
import type { LeafPath } from '../schema.js';
import type { Feed } from './feed.js';
import type { Place } from './place.js';

/** Rows that are walked at first, when nothing is known of their size. */
const FIRST_ROWS = 64;
/** Most entries that are walked at once, as far as can be foreseen. */
const MOST_ENTRIES = 1 << 14;

/** Puts levels and values of rows `from` to `to` where `place` and feed are. */
export type Walk = (from: number, to: number) => void;

export class NestedSource implements Source {
  readonly nulls: number;
  readonly refills = false;
  readonly #place: Place;
  readonly #walk: Walk;
  readonly #feed: Feed;
  /** Bytes of a value; 0 where that differs. */
  readonly #width: number;
  /** A quicker way to tell most bytes of rows. */
  readonly #most: ((from: number, to: number) => number) | undefined;
  /** Rows to walk next, after which entries and bytes are looked at again. */
  #step = FIRST_ROWS;

  constructor(
    readonly rows: number,
    leaf: LeafPath,
    place: Place,
    walk: Walk,
    feed: Feed,
    most?: (from: number, to: number) => number,
  ) {
    this.#most = most;
    this.#place = place;
    this.#walk = walk;
    this.#feed = feed;
    this.#width = leaf.leaf.kind === 'bool' ? 1 / 8 : leaf.leaf.width;
    const flat = leaf.steps.every(({ kind }) => kind === 'nullable');
    if (flat) this.nulls = leaf.maxDefinition > 0 ? Nulls.dense : Nulls.none;
    else this.nulls = leaf.maxRepetition > 0 ? Nulls.levels : Nulls.definition;
  }

  get form(): number {
    return this.#feed.form;
  }

  get newEntries(): number {
    return this.#feed.newEntries;
  }

  begin(sampling: boolean): void {
    this.#feed.begin(sampling);
  }

  sampled(dictionary: boolean): void {
    this.#feed.sampled(dictionary);
  }

  dictionaryClosed(): void {
    this.#feed.dictionaryClosed();
  }

  /** Of codes one step at most is filled: new entries go with it. */
  fill(lanes: Lanes, from: number, to: number, bytes: number): number {
    let row = from;
    do {
      row += this.#fillStep(lanes, row, Math.min(to, row + this.#step), bytes);
    } while (row < to && this.form !== Form.codes && this.#bytesIn(lanes) <= bytes);
    return row;
  }

  #bytesIn({ slots, bytes }: Lanes): number {
    return this.#width > 0 ? slots * this.#width : bytes + slots * LENGTH_BYTES;
  }

  /** Rows taken: none where the lanes were full before. */
  #fillStep(lanes: Lanes, from: number, to: number, limit: number): number {
    this.#walkRows(from, to);
    const { levels } = this.#place;
    const { count } = this.#feed;
    const { rows } = lanes;
    let stretch = { rows: to - from, entries: levels.entries, values: count };
    const taken = this.#fillValues(lanes, 0, count, limit);
    if (taken < count) {
      stretch = levels.stretch(taken);
      this.#fillValues(lanes, taken, stretch.values, Infinity);
    }
    lanes.rows = rows;
    if (this.nulls === Nulls.dense) levels.copyBits(lanes, stretch.entries);
    else if (this.nulls !== Nulls.none) levels.copyTo(lanes, stretch.entries);
    lanes.rows += stretch.rows;
    this.#adapt(stretch.rows, stretch.entries, lanes, limit);
    return stretch.rows;
  }

  #walkRows(from: number, to: number): void {
    this.#place.levels.clear(from);
    this.#feed.clear();
    this.#walk(from, to);
  }

  #fillValues(lanes: Lanes, from: number, to: number, limit: number): number {
    try {
      return this.#feed.fill(lanes, from, to, limit);
    } catch (error) {
      if (!(error instanceof ParquetError) || error.row === undefined) throw error;
      throw this.#place.relocated(error, this.#place.levels.rowOfValue(this.#feed.valueOf(error.row, from)));
    }
  }

  /** As many rows next as will not go far beyond a page, going by those at hand. */
  #adapt(rows: number, entries: number, lanes: Lanes, limit: number): void {
    const byEntries = (MOST_ENTRIES * rows) / Math.max(entries, 1);
    const byBytes = (limit * lanes.rows) / Math.max(this.#bytesIn(lanes), 1) / 4;
    this.#step = Math.max(1, Math.ceil(Math.min(rows * 4, byEntries, byBytes)));
  }

  plainBytes(from: number, to: number): number {
    return this.#measure(from, to, () => this.#feed.plainBytes());
  }

  mostBytes(from: number, to: number): number {
    return this.#most?.(from, to) ?? this.#measure(from, to, () => this.#feed.mostBytes());
  }

  #measure(from: number, to: number, bytesOfStep: () => number): number {
    let bytes = 0;
    for (let row = from; row < to; row += this.#step) {
      this.#walkRows(row, Math.min(to, row + this.#step));
      bytes += bytesOfStep();
    }
    return bytes;
  }
}
