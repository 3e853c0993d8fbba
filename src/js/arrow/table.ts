/**
 * What Arrow input becomes, whatever it came as: columns in chunks, each in one of the object forms of `ColumnData`
 * or in one of the two forms that only Arrow needs (`fixed`, `nulls`).
 *
 * Chunks are checked: buffers are long enough, offsets ascend and stay inside, indices of rows that are not null point
 * into the dictionary. They are not checked for what a type forbids: UTF-8, decimals beyond their precision, times
 * beyond a day, nulls in a field that is not nullable.
 *
 * Under a null anything may stand: values, indices, bytes, and the child values of a null list or struct.
 */

import type { TypedArray, TypeSpec } from '../types.js';
import type { ArrowField } from './field.js';

export type Offsets = Int32Array | Uint32Array;
export type Indices = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/** LSB first, bit 1 = present, row 0 in bit 0; undefined: no null. May be longer than the rows need. */
export type Validity = Uint8Array | undefined;

/** Integers, float32, float64, date (days), time, timestamp and durations (int64) in the column type's unit. */
export interface ValuesChunk { values: TypedArray; validity: Validity; length: number }

/**
 * Values of one width in bytes, row after row:
 * - `fixed[n]`, `uuid`: the bytes as they are;
 * - `float16`: IEEE half precision, little-endian;
 * - `decimal(p, s)`: the unscaled value (12.50 in scale 2 is 1250), two's complement, little-endian, in 4, 8, 16 or 32
 *   bytes;
 * - `interval`: months, days, milliseconds, each an unsigned 32-bit integer, little-endian (Parquet's own layout).
 */
export interface FixedChunk { fixed: Uint8Array; width: number; validity: Validity; length: number }

export interface BitsChunk { bits: Uint8Array; validity: Validity; length: number }

/** `string`, `binary`, `json`: n + 1 offsets, which need not start at 0. */
export interface BytesChunk { offsets: Offsets; bytes: Uint8Array; validity: Validity; length: number }

/**
 * The dictionary is a values, fixed or bytes chunk, may hold nulls and duplicates, and is the same object in chunks
 * that share it. Dictionaries of bools, of nested types and of dictionaries do not occur: those are expanded.
 */
export interface DictionaryChunk { indices: Indices; dictionary: Chunk; validity: Validity; length: number }

/** `list<T>`, and `map<K, V>`, whose child is a struct chunk with the children `key` and `value`. */
export interface ListChunk { offsets: Offsets; child: Chunk; validity: Validity; length: number }

/** Children by field name; the object has no prototype, and its order says nothing: the type's order counts. */
export interface StructChunk { children: Readonly<Record<string, Chunk>>; validity: Validity; length: number }

/** Rows of the type `null`. */
export interface NullChunk { nulls: true; length: number }

export type Chunk =
  ValuesChunk | FixedChunk | BitsChunk | BytesChunk | DictionaryChunk | ListChunk | StructChunk | NullChunk;

export interface ArrowColumn {
  readonly name: string;
  /**
   * The Parquet type that the chunks are values of. Names inside `struct<…>` that are not words are quoted as in JSON.
   * Seconds are milliseconds here, a duration is `int64` (as pyarrow writes it), a date64 is `date`, and dictionaries
   * and run-end encoding leave no trace in it.
   */
  readonly type: TypeSpec;
  readonly nullable: boolean;
  /** The Arrow field itself: zone names, units of durations, extension names and metadata. */
  readonly field: ArrowField;
  /** Chunks with at least one row each, in order. */
  readonly chunks: readonly Chunk[];
}

/** Marks the intermediate form, also across two copies of this module. */
const mark = Symbol.for('parquill.ArrowTable');

/** A table of Arrow columns; what `tableFromArrowIPC` gives, ready to be written. */
export class ArrowTable {
  readonly columns: readonly ArrowColumn[];
  readonly numRows: number;
  readonly schema: {
    readonly fields: readonly ArrowField[];
    /** Key-values of the schema (`geo`, `pandas`, …), for the footer. */
    readonly metadata: ReadonlyMap<string, string>;
  };

  /** @internal */
  constructor(columns: readonly ArrowColumn[], numRows: number, metadata: ReadonlyMap<string, string>) {
    this.columns = columns;
    this.numRows = numRows;
    this.schema = { fields: columns.map(({ field }) => field), metadata };
  }

  /** @internal */
  get [mark](): true {
    return true;
  }
}

/**
 * Whether a value is what `tableFromArrowIPC` or `columnsFromArrow` gave.
 *
 * @internal
 */
export function isArrowTable(value: unknown): value is ArrowTable {
  return typeof value === 'object' && value !== null && (value as { [mark]?: unknown })[mark] === true;
}
