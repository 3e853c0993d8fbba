/** Arrow's memory layout as bytes: what each reader makes, and what `convert.ts` checks and turns into chunks. */

import { ParquetError } from '../errors.js';
import type { ArrowType } from './field.js';
import type { Chunk } from './table.js';

/** One array. Nothing in it has been checked. */
export interface ArrowArray {
  readonly length: number;
  /** −1: unknown. With 0 the bitmap says nothing. */
  readonly nullCount: number;
  /** Position of row 0 in `validity`, and in `buffers[0]` of bools; other buffers start with row 0. */
  readonly bitOffset: number;
  /** Empty: none. */
  readonly validity: Uint8Array;
  /**
   * By type: fixed width `[values]`; utf8, binary `[offsets, bytes]`; views `[views, bytes…]`; lists and map
   * `[offsets]`; list views `[offsets, sizes]`; dictionary `[indices]`; others none.
   */
  readonly buffers: readonly Uint8Array[];
  readonly children: readonly ArrowArray[];
  readonly dictionary: Dictionary | undefined;
}

/** A dictionary that several arrays may share: its pieces are one run of values. */
export interface Dictionary {
  readonly type: ArrowType;
  readonly pieces: ArrowArray[];
  /** Set when it has been converted; null while that goes on. */
  chunk: Chunk | null | undefined;
}

export const noBytes = new Uint8Array(0);

/** More rows than this in one batch are refused, as are longer children: a file of a few bytes can claim them. */
export const MOST_ROWS = 2 ** 31 - 1;

/** An error about Arrow bytes: where, and what. */
export function formatError(where: string, what: string): ParquetError {
  return new ParquetError('ERR_FORMAT', `Arrow ${where}: ${what}`);
}

/** Most bytes that all buffers of one input may have together when decompressed. */
const MOST_UNPACKED = 2 ** 32;

/**
 * Room for what is made beside the input, so that a few bytes cannot ask for gigabytes: computed offsets, expanded runs
 * and views, copies of buffers that are not aligned.
 */
export class Budget {
  #left: number;
  #unpacked = 0;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number, what: string): void {
    this.#left -= bytes;
    if (this.#left < 0) {
      throw new ParquetError('ERR_LIMIT', `${what} would grow to far more than the Arrow input; expand it before`);
    }
  }

  /** Counts what decompression makes: it counts as input, but is not without limit itself. */
  unpack(bytes: number, where: string): void {
    this.#unpacked += bytes;
    this.#left += bytes;
    if (this.#unpacked > MOST_UNPACKED) {
      throw new ParquetError('ERR_LIMIT', `Arrow ${where}: buffers have more than ${MOST_UNPACKED} bytes in all`);
    }
  }
}
