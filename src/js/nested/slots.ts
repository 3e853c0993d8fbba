/** The way through offsets and bitmaps down to one leaf: levels are noted, runs of slots collected. */

import type { Offsets } from '../input/offsets.js';
import type { Place } from './place.js';
import type { Runs } from './runs.js';
import type { Repeated, ValueVisitor } from './values.js';

/** One floor of a column in an object form. */
export interface SlotVisitor {
  /** Slots from `from` on, at least one; the first one repeats on floor `first`, the others on floor `rest`. */
  range(from: number, to: number, first: number, rest: number): void;
}

/** The first index from `from` on, before `to`, whose bit is not `bit`. */
function endOfRun(bitmap: Uint8Array, from: number, to: number, bit: number): number {
  const whole = bit === 1 ? 0xff : 0;
  for (let at = from; at < to;) {
    if ((at & 7) === 0 && bitmap[at >>> 3] === whole) at += 8;
    else if (((bitmap[at >>> 3] >>> (at & 7)) & 1) === bit) at++;
    else return at;
  }
  return to;
}

/** Slots that a bitmap tells to be there or not. */
export class ValidSlots implements SlotVisitor {
  constructor(
    readonly place: Place,
    readonly absent: number,
    readonly validity: Uint8Array,
    readonly next: SlotVisitor,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    const { validity, next } = this;
    let repetition = first;
    for (let at = from; at < to;) {
      const bit = (validity[at >>> 3] >>> (at & 7)) & 1;
      const end = endOfRun(validity, at, to, bit);
      if (bit === 1) next.range(at, end, repetition, rest);
      else noneOf(this.place, this.absent, end - at, repetition, rest);
      repetition = rest;
      at = end;
    }
  }
}

function noneOf(place: Place, absent: number, count: number, first: number, rest: number): void {
  if (absent < 0) throw place.absent(first);
  place.levels.putRun(absent, count, first, rest);
}

/** Slots of which none is there. */
export class NoSlots implements SlotVisitor {
  constructor(
    readonly place: Place,
    readonly absent: number,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    noneOf(this.place, this.absent, to - from, first, rest);
  }
}

/** Lists and maps. */
export class ListSlots implements SlotVisitor {
  constructor(
    readonly place: Place,
    readonly at: Repeated,
    readonly offsets: Offsets,
    readonly next: SlotVisitor,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    const { offsets, next, at } = this;
    const { levels } = this.place;
    let repetition = first;
    let start = Number(offsets[from]);
    for (let index = from; index < to; index++) {
      const end = Number(offsets[index + 1]);
      if (end === start) levels.put(at.empty, repetition);
      else next.range(start, end, repetition, at.floor);
      repetition = rest;
      start = end;
    }
  }
}

/** Slots that stand for entries of a dictionary. */
export class IndexSlots implements SlotVisitor {
  constructor(
    readonly indices: ArrayLike<number>,
    readonly next: SlotVisitor,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    const { indices, next } = this;
    let repetition = first;
    for (let at = from; at < to; at++) {
      const index = indices[at];
      next.range(index, index + 1, repetition, rest);
      repetition = rest;
    }
  }
}

/** The same, where only some entries are there and the slots themselves are read. */
export class KnownSlots implements SlotVisitor {
  constructor(
    readonly place: Place,
    readonly absent: number,
    readonly indices: ArrayLike<number>,
    /** 1 for entries that are there. */
    readonly known: Uint8Array,
    readonly next: SlotVisitor,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    const { indices, known, next } = this;
    let repetition = first;
    for (let at = from; at < to;) {
      const is = known[indices[at]];
      let end = at + 1;
      while (end < to && known[indices[end]] === is) end++;
      if (is === 1) next.range(at, end, repetition, rest);
      else noneOf(this.place, this.absent, end - at, repetition, rest);
      repetition = rest;
      at = end;
    }
  }
}

/** Slots that are JavaScript values. */
export class ArraySlots implements SlotVisitor {
  constructor(
    readonly values: readonly unknown[],
    readonly next: ValueVisitor,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    this.next.range(this.values, from, to, first, rest);
  }
}

/** Slots of the leaf itself. */
export class LeafSlots implements SlotVisitor {
  constructor(
    readonly place: Place,
    readonly piece: number,
    readonly runs: Runs,
  ) {}

  range(from: number, to: number, first: number, rest: number): void {
    const { levels } = this.place;
    levels.putRun(levels.present, to - from, first, rest);
    this.runs.add(this.piece, from, to);
  }
}

/** A column in pieces. */
export class PieceSlots implements SlotVisitor {
  readonly #pieces: readonly SlotVisitor[];
  /** Where each piece begins, and the end. */
  readonly #starts: readonly number[];
  #last = 0;

  constructor(pieces: readonly SlotVisitor[], starts: readonly number[]) {
    this.#pieces = pieces;
    this.#starts = starts;
  }

  range(from: number, to: number, first: number, rest: number): void {
    const starts = this.#starts;
    // Rows come in order, but for a sample.
    if (from < starts[this.#last]) this.#last = 0;
    let piece = this.#last;
    while (starts[piece + 1] <= from) piece++;
    this.#last = piece;
    let repetition = first;
    for (let at = from; at < to; piece++) {
      const end = Math.min(to, starts[piece + 1]);
      if (end === at) continue;
      this.#pieces[piece].range(at - starts[piece], end - starts[piece], repetition, rest);
      repetition = rest;
      at = end;
    }
  }
}
