/** The cell for intervals. */

import { Cell } from './cell.js';
import { isPlainObject } from './views.js';

const PARTS = ['months', 'days', 'milliseconds'] as const;
const MOST = 2 ** 32 - 1;

/** Plain objects with at least one of `months`, `days` and `milliseconds`; the others are 0. */
export class IntervalCell extends Cell {
  #words = new Uint32Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.#words = new Uint32Array(memory, address, slots * PARTS.length);
  }

  put(slot: number, value: unknown, row: number): void {
    const given = typeof value === 'object' && value !== null && isPlainObject(value) ? Object.keys(value) : [];
    const unknown = given.find((key) => !(PARTS as readonly string[]).includes(key));
    if (given.length === 0 || unknown !== undefined) {
      const hint = unknown === undefined ? '' : `, with nothing else than that: not ${JSON.stringify(unknown)}`;
      throw this.mismatch(row, value, `interval ({ months, days, milliseconds }${hint})`);
    }
    PARTS.forEach((part, index) => {
      const count = given.includes(part) ? (value as Record<string, unknown>)[part] : undefined;
      this.#words[slot * PARTS.length + index] = count === undefined ? 0 : this.#check(part, count, row);
    });
  }

  #check(part: string, count: unknown, row: number): number {
    if (typeof count !== 'number') throw this.mismatch(row, count, `interval (${part} as a number)`);
    if (!Number.isInteger(count) || count < 0 || count > MOST) {
      throw this.range(row, count, `interval (whole ${part} from 0 to ${MOST})`);
    }
    return count;
  }
}
