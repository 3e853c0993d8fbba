/** Arrays of JSON values, written as their texts. */

import { jsonText } from './json-text.js';
import type { Lanes } from './lanes.js';
import type { Source } from './source.js';
import { StringSource } from './strings.js';
import { mustStillHold } from './views.js';

/**
 * Texts are made once, when a row is first asked for, and kept until it is filled: at most those of a row group, which
 * is measured before it is filled.
 */
export class JsonSource implements Source {
  readonly nulls: number;
  readonly refills = false;
  readonly #data: readonly unknown[];
  readonly #column: string;
  readonly #strings: StringSource;
  readonly #texts: (string | null)[] = [];
  /** The values that texts were made from: the array may hold others by now. */
  readonly #values: unknown[] = [];
  #sampling = false;

  constructor(
    data: readonly unknown[],
    readonly rows: number,
    hasNulls: boolean,
    column: string,
  ) {
    this.#data = data;
    this.#column = column;
    this.#strings = new StringSource(this.#texts, rows, hasNulls, column, 'json');
    this.nulls = this.#strings.nulls;
  }

  get form(): number {
    return this.#strings.form;
  }

  get newEntries(): number {
    return this.#strings.newEntries;
  }

  begin(sampling: boolean): void {
    this.#sampling = sampling;
    this.#strings.begin(sampling);
  }

  sampled(dictionary: boolean): void {
    this.#sampling = false;
    this.#strings.sampled(dictionary);
  }

  dictionaryClosed(): void {
    this.#strings.dictionaryClosed();
  }

  plainBytes(from: number, to: number): number {
    this.#prepare(from, to);
    return this.#strings.plainBytes(from, to);
  }

  mostBytes(from: number, to: number): number {
    this.#prepare(from, to);
    return this.#strings.mostBytes(from, to);
  }

  fill(lanes: Lanes, from: number, to: number, bytes: number): number {
    this.#prepare(from, to);
    const next = this.#strings.fill(lanes, from, to, bytes);
    if (!this.#sampling) {
      this.#texts.fill(null, from, next);
      this.#values.fill(undefined, from, next);
    }
    return next;
  }

  #prepare(from: number, to: number): void {
    mustStillHold(this.#data, to, this.#column);
    const texts = this.#texts;
    const values = this.#values;
    for (let row = from; row < to; row++) {
      const value = this.#data[row];
      if (value === null || value === undefined) {
        texts[row] = null;
      } else if (values[row] !== value) {
        texts[row] = jsonText(value, this.#column, row);
        values[row] = value;
      }
    }
  }
}
