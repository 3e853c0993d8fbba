/** Where a leaf stands, for the errors of those who walk to it. */

import { columnError, describe, type ParquetError, type ParquetErrorCode } from '../errors.js';
import type { Levels } from './levels.js';

export class Place {
  readonly column: string;
  readonly levels: Levels;
  /** What stands before the text of errors: the path of the leaf, where it is not the column itself. */
  readonly #prefix: string;

  constructor(column: string, path: string, levels: Levels) {
    this.column = column;
    this.levels = levels;
    this.#prefix = path === column ? '' : `${path}: `;
  }

  /** An error about the column as a whole. */
  columnError(code: ParquetErrorCode, text: string): ParquetError {
    return columnError(code, this.column, undefined, this.#prefix + text);
  }

  /** An error about the entry that is to be put next, with this repetition level. */
  error(code: ParquetErrorCode, repetition: number, text: string): ParquetError {
    return columnError(code, this.column, this.levels.rowOfNext(repetition), this.#prefix + text);
  }

  mismatch(repetition: number, expected: string, value: unknown): ParquetError {
    return this.error('ERR_TYPE_MISMATCH', repetition, `expected ${expected}, got ${describe(value)}`);
  }

  absent(repetition: number): ParquetError {
    return this.error('ERR_NULL', repetition, 'null where the type says not null');
  }

  /** The error of a flat source that knows values by their number only, as one about a row of the column. */
  relocated(error: ParquetError, row: number): ParquetError {
    const place = `column ${JSON.stringify(this.column)}, row ${error.row}: `;
    const text = error.message.startsWith(place) ? error.message.slice(place.length) : error.message;
    return columnError(error.code, this.column, row, this.#prefix + text, error.cause);
  }
}
