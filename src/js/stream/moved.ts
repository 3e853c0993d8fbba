/** Errors about rows of a batch as errors about rows of the file. */

import { ParquetError } from '../errors.js';

/** The same error with its row counted from the start of the file, when it counts from row `base` of it. */
export function moved(error: ParquetError, base: number): ParquetError {
  const { code, column, row, message, cause } = error;
  if (row === undefined || base === 0) return error;
  const place = column === undefined ? 'row ' : `column ${JSON.stringify(column)}, row `;
  const text = message.startsWith(`${place}${row}`)
    ? `${place}${row + base}${message.slice(place.length + String(row).length)}`
    : message;
  return new ParquetError(code, text, { column, row: row + base, cause });
}
