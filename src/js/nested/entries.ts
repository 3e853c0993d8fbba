/** Maps among JavaScript values: a Map, a plain object, or a list of pairs. */

import { isMap, isPlain, keysOf, valuesOf } from './containers.js';
import type { Place } from './place.js';
import { type Repeated, ValueVisitor, widthOf } from './values.js';

/** Keys or values of maps, which are Maps, plain objects or lists of pairs. */
export class EntriesVisitor extends ValueVisitor {
  readonly #at: Repeated;
  readonly #side: 0 | 1;
  readonly #value: ValueVisitor;

  constructor(place: Place, absent: number, at: Repeated, side: 0 | 1, value: ValueVisitor) {
    super(place, absent);
    this.#at = at;
    this.#side = side;
    this.#value = value;
  }

  one(value: unknown, repetition: number): void {
    if (value === null || value === undefined) {
      this.none(repetition);
      return;
    }
    const { entries } = this.levels;
    if (Array.isArray(value)) this.#pairs(value, repetition);
    else if (typeof value !== 'object') throw this.#mismatch(value, repetition);
    else if (isMap(value)) this.#map(value, repetition);
    else if (isPlain(value)) this.#object(value as Readonly<Record<string, unknown>>, repetition);
    else throw this.#mismatch(value, repetition);
    if (this.levels.entries === entries) this.levels.put(this.#at.empty, repetition);
  }

  most(values: ArrayLike<unknown>, from: number, to: number): number {
    const side = this.#side;
    const width = widthOf(this.#value);
    const sides: unknown[] = [];
    let count = 0;
    for (let index = from; index < to; index++) {
      const value = values[index];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        count += value.length;
        for (let at = 0; width === 0 && at < value.length; at++) sides.push((value[at] as unknown[] | null)?.[side]);
      } else if (isMap(value)) {
        count += value.size;
        if (width === 0) sides.push(...(side === 0 ? keysOf(value) : valuesOf(value)));
      } else {
        const all = side === 0 || width > 0 ? Object.keys(value) : Object.values(value);
        count += all.length;
        if (width === 0) sides.push(...all);
      }
    }
    return width > 0 ? count * width : this.#value.most(sides, 0, sides.length);
  }

  #pairs(pairs: readonly unknown[], repetition: number): void {
    let floor = repetition;
    for (let index = 0; index < pairs.length; index++) {
      const pair = pairs[index];
      if (!Array.isArray(pair) || pair.length !== 2) {
        throw this.place.mismatch(floor, 'a pair [key, value]', pair);
      }
      this.#value.one(pair[this.#side], floor);
      floor = this.#at.floor;
    }
  }

  #map(map: Map<unknown, unknown>, repetition: number): void {
    let floor = repetition;
    for (const value of this.#side === 0 ? keysOf(map) : valuesOf(map)) {
      this.#value.one(value, floor);
      floor = this.#at.floor;
    }
  }

  #object(object: Readonly<Record<string, unknown>>, repetition: number): void {
    let floor = repetition;
    for (const key of Object.keys(object)) {
      this.#value.one(this.#side === 0 ? key : object[key], floor);
      floor = this.#at.floor;
    }
  }

  #mismatch(value: unknown, repetition: number): Error {
    return this.place.mismatch(repetition, 'a Map, a plain object or an array of [key, value] pairs', value);
  }
}
