/** What went wrong, in a word that stays the same from version to version. */
export type ParquetErrorCode =
  | 'ERR_NOT_INITIALIZED'
  | 'ERR_OPTION'
  | 'ERR_SCHEMA'
  | 'ERR_TYPE_MISMATCH'
  | 'ERR_OUT_OF_RANGE'
  | 'ERR_NULL'
  | 'ERR_COLUMN_LENGTH'
  | 'ERR_LIMIT'
  | 'ERR_POISONED'
  | 'ERR_FINISHED'
  | 'ERR_ABORTED'
  | 'ERR_SINK'
  | 'ERR_VERIFY'
  | 'ERR_FORMAT';

/**
 * The one error that this package throws or rejects with.
 *
 * `code` is stable; `message` names the column, the row, what was expected and what came; `cause` is the error behind
 * it, where there is one (with ERR_ABORTED: the reason of the signal).
 *
 * @example
 * ```ts
 * try {
 *   await writeParquet({ id: [1, null] }, { schema: { id: { type: 'int32', nullable: false } } });
 * } catch (error) {
 *   if (error instanceof ParquetError) console.log(error.code, error.column, error.row); // ERR_NULL id 1
 * }
 * ```
 */
export class ParquetError extends Error {
  readonly code: ParquetErrorCode;
  /** Name of the column that the error is about. */
  declare readonly column?: string;
  /** Zero-based, counted from the start of the file. */
  declare readonly row?: number;

  constructor(code: ParquetErrorCode, message: string, about: { column?: string; row?: number; cause?: unknown } = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    if (about.column !== undefined) this.column = about.column;
    if (about.row !== undefined) this.row = about.row;
  }

  override get name(): string {
    return 'ParquetError';
  }
}

/**
 * An error about a column, or about one of its rows.
 *
 * @internal
 */
export function columnError(
  code: ParquetErrorCode,
  column: string,
  row: number | undefined,
  text: string,
  cause?: unknown,
): ParquetError {
  const place = row === undefined ? `column ${JSON.stringify(column)}` : `column ${JSON.stringify(column)}, row ${row}`;
  return new ParquetError(code, `${place}: ${text}`, { column, row, cause });
}

/**
 * An error about the value of a row.
 *
 * @internal
 */
export function valueError(
  code: ParquetErrorCode,
  column: string,
  row: number,
  expected: string,
  value: unknown,
): ParquetError {
  return columnError(code, column, row, `expected ${expected}, got ${describe(value)}`);
}

const LONGEST_TEXT = 60;

/**
 * A value as messages show it: `2.5 (number)`, `"abc" (string)`, `null`, `Map`. Never throws.
 *
 * @internal
 */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  switch (typeof value) {
    case 'string': {
      const shown =
        value.length > LONGEST_TEXT ? `${JSON.stringify(value.slice(0, LONGEST_TEXT))}…` : JSON.stringify(value);
      return `${shown} (string)`;
    }
    case 'number':
      return `${Object.is(value, -0) ? '-0' : value} (number)`;
    case 'bigint': {
      const digits = String(value);
      return `${digits.length > LONGEST_TEXT ? `${digits.slice(0, LONGEST_TEXT)}…` : digits} (bigint)`;
    }
    case 'boolean':
      return `${value} (boolean)`;
    case 'object':
      try {
        if (Object.prototype.toString.call(value) === '[object Date]') return `${String(value)} (Date)`;
        return nameOf(value);
      } catch {
        return 'an object';
      }
    default:
      return `a ${typeof value}`;
  }
}

function nameOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== 'Object') return tag;
  const made = (value as { constructor?: unknown }).constructor;
  return typeof made === 'function' && made.name !== '' && made.name !== 'Object' ? made.name : 'an object';
}
