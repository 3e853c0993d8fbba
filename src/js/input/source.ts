/** Where the rows of a column come from, whatever form its values have. */

import type { Lanes } from './lanes.js';

export interface Source {
  readonly rows: number;
  /** How values lie in the lanes after `fill`. */
  readonly form: number;
  /** The same for all pushes of a chunk. */
  readonly nulls: number;
  /** Distinct values handed over by the last `fill`, where the form is codes. */
  readonly newEntries: number;
  /**
   * Whether rows that a push left over are to be filled again. Otherwise they stay in the lanes, and `fill` goes on
   * behind them.
   */
  readonly refills: boolean;
  /** A new column chunk begins. With `sampling` the first rows to be filled are a sample, up to `sampled`. */
  begin(sampling: boolean): void;
  /**
   * Puts rows from `from` on behind what lies in the lanes: all of those before `to`, or as many as make more
   * than `bytes` bytes in PLAIN form together with what lies there, where values have no fixed width: the module cuts a
   * page only where it has seen that no more fits. Returns the first row
   * that was not taken.
   */
  fill(lanes: Lanes, from: number, to: number, bytes: number): number;
  /** The module has seen the sample and will try a dictionary or not. */
  sampled(dictionary: boolean): void;
  /** The module has given the dictionary up. */
  dictionaryClosed(): void;
  /** Bytes in PLAIN form of rows `from` to `to`; nulls of fixed width count as values. */
  plainBytes(from: number, to: number): number;
  /** At least as many, where that is cheaper to tell. */
  mostBytes(from: number, to: number): number;
}

/** What most sources have in common: one form for all rows, and no dictionary of their own. */
export abstract class PlainSource implements Source {
  readonly newEntries: number = 0;
  readonly refills: boolean = false;

  constructor(
    readonly rows: number,
    readonly form: number,
    readonly nulls: number,
  ) {}

  begin(): void {}
  sampled(): void {}
  dictionaryClosed(): void {}
  abstract fill(lanes: Lanes, from: number, to: number, bytes: number): number;
  abstract plainBytes(from: number, to: number): number;
  mostBytes(from: number, to: number): number {
    return this.plainBytes(from, to);
  }
}
