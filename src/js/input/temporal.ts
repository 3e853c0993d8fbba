/** Cells for dates and timestamps. */

import type { LeafType } from '../schema.js';
import { Cell32, Cell64 } from './cell.js';
import { timeOf } from './views.js';

const DAY_MS = 86_400_000;

/** Days since 1970: whole numbers, or the UTC day of a Date. */
export class DateCell extends Cell32 {
  put(slot: number, value: unknown, row: number): void {
    const days =
      typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : this.#dayOf(value, row);
    if ((days | 0) !== days) throw this.range(row, value, 'date (whole days since 1970 in 32 bits)');
    this.out[slot] = days;
  }

  #dayOf(value: unknown, row: number): number {
    const time = timeOf(value);
    if (time === undefined) throw this.mismatch(row, value, 'date (a Date, or whole days since 1970)');
    if (Number.isNaN(time)) throw this.range(row, value, 'date');
    return Math.floor(time / DAY_MS);
  }
}

const factors = { ms: 1, us: 1_000, ns: 1_000_000 };
/** The last millisecond that INT64 nanoseconds reach, counted from 1970 either way. */
const NS_MOST_MS = 9_223_372_036_854;

/** Dates, and integers that count the unit since 1970. */
export class TimestampCell extends Cell64 {
  readonly #factor: number;

  constructor(type: LeafType, column: string) {
    super(type, column);
    this.#factor = factors[type.unit];
  }

  put(slot: number, value: unknown, row: number): void {
    if (typeof value === 'bigint') {
      if (BigInt.asIntN(64, value) !== value) throw this.range(row, value, `${this.type.text} in 64 bits`);
      this.wholes[slot] = value;
      return;
    }
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value)) throw this.range(row, value, `${this.type.text} (a whole number, or a bigint)`);
      this.putInteger(slot, value);
      return;
    }
    const time = timeOf(value);
    if (time === undefined) {
      throw this.mismatch(
        row,
        value,
        `${this.type.text} (a Date, or an integer that counts ${this.type.unit} since 1970)`,
      );
    }
    if (Number.isNaN(time)) throw this.range(row, value);
    if (this.type.unit === 'ns' && Math.abs(time) > NS_MOST_MS) {
      throw this.range(row, value, `${this.type.text} (1677-09-21 to 2262-04-11)`);
    }
    this.putProduct(slot, time, this.#factor);
  }
}
