/** Errors of the module, which are numbers, as errors with names. */

import { columnError, ParquetError, type ParquetErrorCode } from './errors.js';

/** What the module was doing. */
export interface CoreContext {
  /** Names of the columns to which leaves and elements belong. */
  leaves: readonly string[];
  elements: readonly string[];
  leaf: number | undefined;
  /** Row of the file that is the first of the rows handed over last, and of the row group. */
  row: number;
  groupRow: number;
}

/** The module ran into a trap: its memory is in an unknown state. */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError;
}

/** The error that users see, for whatever was thrown during a write. `thrown` is what the sink threw, if it did. */
export function coreError(error: unknown, context: CoreContext, thrown: unknown): unknown {
  if (error instanceof ParquetError) return error;
  if (thrown !== undefined && error === thrown) {
    return new ParquetError('ERR_LIMIT', `no memory for the file: ${String(error)}`, { cause: error });
  }
  if (isTrap(error))
    return about('ERR_LIMIT', context, undefined, 'the module gave up, most likely for want of memory', error);
  if (!Array.isArray(error)) return error;
  const [code, a, b] = error as [number, number, number];
  const row = context.row + a;
  switch (code) {
    case 1:
      return about('ERR_NULL', context, row, 'null in a column that is not nullable');
    case 2:
      return about('ERR_TYPE_MISMATCH', context, row, 'expected UTF-8 text, got bytes that are not');
    case 3:
      return about('ERR_LIMIT', context, undefined, `${limits[a]} cannot be ${b}`);
    case 4:
      return about('ERR_LIMIT', context, undefined, `no memory for ${a} bytes`);
    case 7:
      return about('ERR_OUT_OF_RANGE', context, row, 'offsets descend, or leave the bytes');
    case 8:
      return about('ERR_OPTION', context, undefined, `the module does not take ${settings[a]}`);
    case 9:
      return columnError('ERR_SCHEMA', context.elements[a], undefined, 'the format does not hold such a column');
    case 14:
      return new ParquetError(
        'ERR_OUT_OF_RANGE',
        `row ${context.groupRow + a}: sorts before the row above it, against sortingColumns`,
        { row: context.groupRow + a },
      );
    default:
      return about(
        'ERR_POISONED',
        context,
        undefined,
        `error ${code} (${a}, ${b}) inside the module: please report it`,
      );
  }
}

const limits = ['bytes of a page', 'values of a page', 'bytes of a column chunk', 'bytes of a value'];
const settings = [
  'the number of columns',
  'a size',
  'a codec level',
  'an encoding for this type',
  'a code',
  'a Bloom filter for this type',
  'a column in sortingColumns that repeats or has no order',
];

function about(
  code: ParquetErrorCode,
  { leaves, leaf }: CoreContext,
  row: number | undefined,
  text: string,
  cause?: unknown,
): ParquetError {
  const name = leaf === undefined ? undefined : leaves[leaf];
  return name === undefined ? new ParquetError(code, text, { cause }) : columnError(code, name, row, text, cause);
}
