/** Slots of a leaf, from where they lie into the lanes. */

import type { Lanes } from '../input/lanes.js';

/** Reads one piece of a leaf's data. Between `open` and `close` nobody else touches the lanes. */
export interface SlotReader {
  readonly form: number;
  /** At most `count` slots will be taken. */
  open(lanes: Lanes, count: number): void;
  /**
   * Takes slots from `from` on: all before `to`, or as many as make more than `limit` bytes in PLAIN form together with
   * what lies in the lanes, where values have no fixed width. The first slot not taken.
   */
  take(from: number, to: number, limit: number): number;
  close(lanes: Lanes): void;
  /** Bytes in PLAIN form. */
  plainBytes(from: number, to: number): number;
}

/** Fewer elements than this are copied one by one: a call of `set` costs as much. */
export const FEW = 24;
