/** One value at a time into the VALUES lane, for the types of fixed width: checked, converted, or refused. */

import { valueError, type ParquetErrorCode, type ParquetError } from '../errors.js';
import type { LeafType } from '../schema.js';

/** Puts values of one type into slots of the lane. */
export abstract class Cell {
  readonly width: number;
  protected readonly column: string;
  protected readonly type: LeafType;

  constructor(type: LeafType, column: string) {
    this.width = type.width;
    this.type = type;
    this.column = column;
  }

  /** Takes `slots` slots at `address`; to be called after everything that may grow the memory. */
  abstract attach(memory: ArrayBuffer, address: number, slots: number): void;
  /** Errors: ERR_TYPE_MISMATCH, ERR_OUT_OF_RANGE with column and row. */
  abstract put(slot: number, value: unknown, row: number): void;

  /**
   * Puts the rows of an array from `from` on, up to one that is null or that `put` alone can judge; the first row not
   * taken. Here it is every value's `put`; types with a quicker way have their own loop.
   */
  run(data: readonly unknown[], from: number, to: number, slot: number): number {
    return this.putAll(data, from, to, slot);
  }

  /** The same for any indexed values, apart from `run` so that its loop sees arrays only. */
  putAll(data: ArrayLike<unknown>, from: number, to: number, slot: number): number {
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (value === null || value === undefined) return row;
      this.put(slot++, value, row);
    }
    return to;
  }

  protected error(code: ParquetErrorCode, row: number, value: unknown, expected = this.type.text): ParquetError {
    return valueError(code, this.column, row, expected, value);
  }

  protected mismatch(row: number, value: unknown, expected?: string): ParquetError {
    return this.error('ERR_TYPE_MISMATCH', row, value, expected);
  }

  protected range(row: number, value: unknown, expected?: string): ParquetError {
    return this.error('ERR_OUT_OF_RANGE', row, value, expected);
  }
}

/** Types stored as INT32. */
export abstract class Cell32 extends Cell {
  protected out = new Int32Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.out = new Int32Array(memory, address, slots);
  }
}

/** Types stored as INT64, in halves: a bigint for every value would cost an allocation. */
export abstract class Cell64 extends Cell {
  protected halves = new Int32Array(0);
  protected wholes = new BigInt64Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.halves = new Int32Array(memory, address, slots * 2);
    this.wholes = new BigInt64Array(memory, address, slots);
  }

  /** An integer of at most 2^53. */
  protected putInteger(slot: number, value: number): void {
    this.halves[slot * 2] = value | 0;
    this.halves[slot * 2 + 1] = Math.floor(value / 0x1_0000_0000);
  }

  /**
   * `value` × `factor` + `more`, which must fit INT64; `factor` is at most 10^9 and `more` smaller. Both halves of
   * `value` are multiplied on their own, so that every step stays below 2^53.
   */
  protected putProduct(slot: number, value: number, factor: number, more = 0): void {
    const upper = Math.floor(value / 0x20_0000);
    const high = upper * factor;
    const quotient = Math.floor(high / 0x800);
    const low = (high - quotient * 0x800) * 0x20_0000 + (value - upper * 0x20_0000) * factor + more;
    this.halves[slot * 2] = low | 0;
    this.halves[slot * 2 + 1] = quotient + Math.floor(low / 0x1_0000_0000);
  }
}

/** int8 to int32 and uint8 to uint32. */
class IntegerCell extends Cell32 {
  readonly #least: number;
  readonly #most: number;

  constructor(type: LeafType, column: string, least: number, most: number) {
    super(type, column);
    this.#least = least;
    this.#most = most;
  }

  override run(data: readonly unknown[], from: number, to: number, slot: number): number {
    const { out } = this;
    const least = this.#least;
    const most = this.#most;
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (typeof value !== 'number' || (value | 0) !== value || value < least || value > most) return row;
      out[slot++] = value;
    }
    return to;
  }

  put(slot: number, value: unknown, row: number): void {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number') throw this.mismatch(row, value);
    // Written so that NaN fails too.
    if (!(number >= this.#least && number <= this.#most) || Math.trunc(number) !== number) {
      throw this.range(row, value, `${this.type.text} (${this.#least} to ${this.#most})`);
    }
    this.out[slot] = number;
  }
}

const INT64_LEAST = -(2n ** 63n);
const INT64_MOST = 2n ** 63n - 1n;
const UINT64_MOST = 2n ** 64n - 1n;

/** int64 and uint64. */
class Integer64Cell extends Cell64 {
  readonly #least: bigint;
  readonly #most: bigint;

  constructor(type: LeafType, column: string, least: bigint, most: bigint) {
    super(type, column);
    this.#least = least;
    this.#most = most;
  }

  put(slot: number, value: unknown, row: number): void {
    if (typeof value === 'bigint') {
      if (value < this.#least || value > this.#most) {
        throw this.range(
          row,
          value,
          `${this.type.text} (${this.#least} to ${this.#most}); wider values need ${
            this.#least < 0n ? 'uint64 or decimal' : 'decimal'
          }`,
        );
      }
      this.wholes[slot] = value;
      return;
    }
    if (typeof value !== 'number') {
      const text =
        typeof value === 'string' ? `${this.type.text} (decimal text is not taken; BigInt(text) is)` : undefined;
      throw this.mismatch(row, value, text);
    }
    if (!Number.isSafeInteger(value)) {
      const unsafe = Number.isInteger(value) ? ' (numbers beyond ±2^53 may have lost digits: give a bigint)' : '';
      throw this.range(row, value, `${this.type.text}${unsafe}`);
    }
    if (value < 0 && this.#least === 0n) throw this.range(row, value);
    this.putInteger(slot, value);
  }
}

/** int8 to int64, uint8 to uint64. */
export const isInteger = ({ kind }: LeafType): boolean => /^u?int\d+$/.test(kind) && kind !== 'int96';

export function integerCell(type: LeafType, column: string): Cell {
  switch (type.kind) {
    case 'int8':
      return new IntegerCell(type, column, -128, 127);
    case 'int16':
      return new IntegerCell(type, column, -32768, 32767);
    case 'uint8':
      return new IntegerCell(type, column, 0, 255);
    case 'uint16':
      return new IntegerCell(type, column, 0, 65535);
    case 'uint32':
      return new IntegerCell(type, column, 0, 4294967295);
    case 'int64':
      return new Integer64Cell(type, column, INT64_LEAST, INT64_MOST);
    case 'uint64':
      return new Integer64Cell(type, column, 0n, UINT64_MOST);
    default:
      return new IntegerCell(type, column, -2147483648, 2147483647);
  }
}
