/** One array under conversion: its buffers, measured before use. */

import { columnError } from '../errors.js';
import { type ArrowArray, type Budget, MOST_ROWS, noBytes } from './array.js';
import { align, bitBytes, getBit } from './bitmap.js';
import type { ArrowType } from './field.js';
import type { Chunk, Offsets, Validity } from './table.js';

/** What stays the same on the way down from a column to its innermost values. */
export interface Context {
  readonly column: string;
  readonly budget: Budget;
  /** Converts an array below the top. */
  readonly convert: (type: ArrowType, array: ArrowArray, context: Context) => Chunk;
}

type View<T> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};

export class Layout {
  readonly type: ArrowType;
  readonly array: ArrowArray;
  readonly context: Context;
  readonly length: number;
  readonly validity: Validity;
  /** Number of the array's row 0 in the table; −1 below the top of a column. */
  readonly #firstRow: number;

  constructor(type: ArrowType, array: ArrowArray, context: Context, firstRow: number) {
    this.type = type;
    this.array = array;
    this.context = context;
    this.length = array.length;
    this.#firstRow = firstRow;
    if (!Number.isSafeInteger(this.length) || this.length < 0 || this.length > MOST_ROWS) {
      this.fail(`a length must be 0 to ${MOST_ROWS}, not ${this.length}`);
    }
    this.validity = this.#validity();
  }

  get budget(): Budget {
    return this.context.budget;
  }

  fail(text: string, row = -1): never {
    throw columnError('ERR_FORMAT', this.context.column, this.#row(row), text);
  }

  /** A value that Parquet has no place for. */
  outOfRange(text: string, row: number): never {
    throw columnError('ERR_OUT_OF_RANGE', this.context.column, this.#row(row), text);
  }

  tooLarge(text: string): never {
    throw columnError('ERR_LIMIT', this.context.column, undefined, text);
  }

  #row(row: number): number | undefined {
    return row < 0 || this.#firstRow < 0 ? undefined : this.#firstRow + row;
  }

  isNull(row: number): boolean {
    return this.validity !== undefined && !getBit(this.validity, row);
  }

  /** Take room for `bytes` that the input does not have. */
  take(bytes: number): void {
    this.budget.take(bytes, `column ${JSON.stringify(this.context.column)}`);
  }

  /** At least `bytes` bytes of a buffer; zeros where it is missing and all rows are null, as some writers leave it. */
  buffer(index: number, bytes: number, what: string): Uint8Array {
    const buffer = this.array.buffers[index] ?? noBytes;
    if (buffer.length >= bytes) return buffer;
    if (this.array.nullCount !== this.length) {
      this.fail(`${this.length} rows need ${bytes} bytes of ${what}, but there are ${buffer.length}`);
    }
    this.take(bytes);
    return new Uint8Array(bytes);
  }

  /** The first `count` elements of a buffer, where they lie; copied where that is no multiple of their size. */
  elements<T>(View: View<T>, index: number, count: number, what: string): T {
    const size = count * View.BYTES_PER_ELEMENT;
    let bytes = this.buffer(index, size, what);
    if (bytes.byteOffset % View.BYTES_PER_ELEMENT !== 0) {
      this.take(size);
      bytes = new Uint8Array(bytes.subarray(0, size));
    }
    return new View(bytes.buffer, bytes.byteOffset, count);
  }

  /** 64-bit integers from 0 to 2^32 − 1 as numbers; `used` tells which must be so, others become 0. */
  small64(index: number, count: number, what: string, used?: (at: number) => boolean): Uint32Array {
    const words = this.elements(Uint32Array, index, count * 2, what);
    const small = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      if (words[2 * at + 1] === 0) small[at] = words[2 * at];
      else if (used === undefined || used(at)) {
        this.fail(`${what} must be from 0 to 2^32 − 1`, Math.min(at, this.length - 1));
      }
    }
    return small;
  }

  /** Offsets in buffer 0: one more than rows, ascending, from 0 to at most `limit`. */
  offsets(large: boolean, limit: number): Offsets {
    const rows = this.length;
    // Writers may leave the buffer out where there are no rows.
    if (rows === 0) return new Int32Array(1);
    const offsets = large
      ? this.small64(0, rows + 1, 'offsets') : this.elements(Int32Array, 0, rows + 1, 'offsets');
    let previous = offsets[0];
    if (previous < 0) this.fail(`offset ${previous} is negative`, 0);
    for (let row = 0; row < rows; row++) {
      const end = offsets[row + 1];
      if (end < previous) this.fail(`offsets must ascend, but ${end} follows ${previous}`, row);
      previous = end;
    }
    if (previous > limit) this.fail(`offset ${previous} is beyond the ${limit} that are there`, rows - 1);
    return offsets;
  }

  /** The same for an array below this one that is no value of its own. */
  inner(type: ArrowType, array: ArrowArray): Layout {
    return new Layout(type, array, this.context, -1);
  }

  child(index: number): ArrowArray {
    return this.array.children[index] ?? this.fail('a child array is missing');
  }

  #validity(): Validity {
    const { validity, nullCount, bitOffset } = this.array;
    if (nullCount === 0 || this.length === 0 || (validity.length === 0 && nullCount < 0)) return undefined;
    const needed = bitBytes(bitOffset + this.length);
    if (validity.length >= needed) {
      if (bitOffset % 8 !== 0) this.take(bitBytes(this.length));
      return align(validity, bitOffset, this.length);
    }
    if (nullCount === this.length) {
      this.take(bitBytes(this.length));
      return new Uint8Array(bitBytes(this.length));
    }
    return this.fail(`${this.length} rows need ${needed} bytes of validity, but there are ${validity.length}`);
  }
}
