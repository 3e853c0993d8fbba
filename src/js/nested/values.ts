/** The way through JavaScript values down to one leaf: levels are noted, values collected. */

import { LENGTH_BYTES } from '../input/text-lane.js';
import { isGone, isTypedArray } from '../input/views.js';
import { commonPrototype, isInherited, isPlain, prototypeOf } from './containers.js';
import type { Levels } from './levels.js';
import type { Place } from './place.js';

/** Most bytes of a UTF-16 unit in UTF-8. */
const MOST_UNIT = 3;

/** Values that were come by. The list is used again and again; what lies behind `count` is of earlier rows. */
export class Found {
  readonly items: unknown[] = [];
  count = 0;
}

/** One floor of a type. */
export abstract class ValueVisitor {
  protected readonly levels: Levels;

  constructor(
    protected readonly place: Place,
    /** Definition level of a null here; −1 where none may be. */
    protected readonly absent: number,
  ) {
    this.levels = place.levels;
  }

  abstract one(value: unknown, repetition: number): void;

  /**
   * At least as many bytes as the leaf's values below these take in PLAIN form. What is no value of the type counts as
   * nothing; to refuse it is for later.
   */
  abstract most(values: ArrayLike<unknown>, from: number, to: number): number;

  /** Values from `from` on; the first one repeats on floor `first`, the others on floor `rest`. */
  range(values: ArrayLike<unknown>, from: number, to: number, first: number, rest: number): void {
    let repetition = first;
    for (let index = from; index < to; index++) {
      this.one(values[index], repetition);
      repetition = rest;
    }
  }

  protected none(repetition: number): void {
    if (this.absent < 0) throw this.place.absent(repetition);
    this.levels.put(this.absent, repetition);
  }
}

export class LeafVisitor extends ValueVisitor {
  readonly #found: Found;
  /** Bytes of a value; 0: values are strings. */
  readonly width: number;

  constructor(place: Place, absent: number, found: Found, width: number) {
    super(place, absent);
    this.#found = found;
    this.width = width;
  }

  most(values: ArrayLike<unknown>, from: number, to: number): number {
    if (this.width > 0) return (to - from) * this.width;
    let units = 0;
    for (let index = from; index < to; index++) {
      const value = values[index];
      if (typeof value === 'string') units += value.length;
    }
    return units * MOST_UNIT + (to - from) * LENGTH_BYTES;
  }

  one(value: unknown, repetition: number): void {
    if (value === null || value === undefined) {
      this.none(repetition);
      return;
    }
    const { levels } = this;
    levels.put(levels.present, repetition);
    const found = this.#found;
    found.items[found.count++] = value;
  }

  override range(values: ArrayLike<unknown>, from: number, to: number, first: number, rest: number): void {
    if (Array.isArray(values)) this.#array(values, from, to, first, rest);
    else this.#typed(values, from, to, first, rest);
  }

  /** The loop of `one` with its look-ups outside. */
  #array(values: readonly unknown[], from: number, to: number, first: number, rest: number): void {
    const { levels, absent } = this;
    if (levels.entries + to - from > levels.room) levels.grow(to - from);
    const { definition, repetition, present } = levels;
    const { items, count: before } = this.#found;
    let { entries } = levels;
    let count = before;
    let floor = first;
    for (let index = from; index < to; index++) {
      const value = values[index];
      repetition[entries] = floor;
      if (value === null || value === undefined) {
        if (absent < 0) {
          levels.entries = entries;
          throw this.place.absent(floor);
        }
        definition[entries++] = absent;
      } else {
        definition[entries++] = present;
        items[count++] = value;
      }
      floor = rest;
    }
    levels.entries = entries;
    this.#found.count = count;
  }

  /** Typed arrays hold no nulls. */
  #typed(values: ArrayLike<unknown>, from: number, to: number, first: number, rest: number): void {
    this.levels.putRun(this.levels.present, to - from, first, rest);
    const { items, count } = this.#found;
    for (let index = from; index < to; index++) items[count + index - from] = values[index];
    this.#found.count = count + to - from;
  }
}

/** Bytes of a value, where values are the leaf's own and of one width; else 0. */
export function widthOf(visitor: ValueVisitor): number {
  return visitor instanceof LeafVisitor ? visitor.width : 0;
}

/** A floor on which values repeat. */
export interface Repeated {
  /** Definition level of an empty list or map. */
  readonly empty: number;
  /** Repetition level of all its values but the first. */
  readonly floor: number;
}

export class ListVisitor extends ValueVisitor {
  readonly #at: Repeated;
  readonly #element: ValueVisitor;

  constructor(place: Place, absent: number, at: Repeated, element: ValueVisitor) {
    super(place, absent);
    this.#at = at;
    this.#element = element;
  }

  one(value: unknown, repetition: number): void {
    if (value === null || value === undefined) {
      this.none(repetition);
      return;
    }
    const { length } = this.#list(value, repetition);
    if (length === 0) this.levels.put(this.#at.empty, repetition);
    else this.#element.range(value as ArrayLike<unknown>, 0, length, repetition, this.#at.floor);
  }

  most(values: ArrayLike<unknown>, from: number, to: number): number {
    let bytes = 0;
    for (let index = from; index < to; index++) {
      const value = values[index];
      if (!Array.isArray(value) && !isTypedArray(value)) continue;
      bytes += this.#element.most(value, 0, value.length);
    }
    return bytes;
  }

  #list(value: unknown, repetition: number): ArrayLike<unknown> {
    if (Array.isArray(value)) return value;
    if (!isTypedArray(value)) throw this.place.mismatch(repetition, 'an array or a typed array', value);
    if (isGone(value))
      throw this.place.error('ERR_TYPE_MISMATCH', repetition, 'the buffer of a typed array is detached');
    return value;
  }
}

export class FieldVisitor extends ValueVisitor {
  readonly #name: string;
  readonly #value: ValueVisitor;
  /** Names that objects may have; undefined: not to be checked (again). */
  readonly #names: ReadonlySet<string> | undefined;
  readonly #inherited: boolean;

  constructor(place: Place, absent: number, name: string, names: ReadonlySet<string> | undefined, value: ValueVisitor) {
    super(place, absent);
    this.#name = name;
    this.#names = names;
    this.#value = value;
    this.#inherited = isInherited(name);
  }

  one(value: unknown, repetition: number): void {
    if (value === null || value === undefined) this.none(repetition);
    else this.#value.one(this.#read(value, repetition), repetition);
  }

  most(values: ArrayLike<unknown>, from: number, to: number): number {
    // Of values of one width there is one in each object, whatever it is.
    const width = widthOf(this.#value);
    if (width > 0) return (to - from) * width;
    const fields: unknown[] = [];
    for (let index = from; index < to; index++) {
      const value = values[index] as Readonly<Record<string, unknown>> | null | undefined;
      if (typeof value === 'object' && value !== null) fields.push(value[this.#name]);
    }
    return this.#value.most(fields, 0, fields.length);
  }

  #read(value: unknown, repetition: number): unknown {
    if (typeof value !== 'object') throw this.place.mismatch(repetition, 'a plain object', value);
    const object = value as Readonly<Record<string, unknown>>;
    const prototype = prototypeOf(object);
    if (prototype !== commonPrototype && !isPlain(object)) {
      throw this.place.mismatch(repetition, 'a plain object', value);
    }
    if (this.#names !== undefined) this.#check(object, this.#names, repetition);
    if (prototype === commonPrototype && !this.#inherited) return object[this.#name];
    return Object.hasOwn(object, this.#name) ? object[this.#name] : undefined;
  }

  /** What the type has no place for must not get lost in silence. */
  #check(object: Readonly<Record<string, unknown>>, names: ReadonlySet<string>, repetition: number): void {
    for (const key in object) {
      if (names.has(key) || object[key] === undefined || !Object.hasOwn(object, key)) continue;
      throw this.place.error('ERR_SCHEMA', repetition, `an object has ${JSON.stringify(key)}, the type does not`);
    }
  }
}
