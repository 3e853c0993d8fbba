/** From a column as given to a column as written: its type, whether it has nulls, and where its rows come from. */

import { columnError, describe, ParquetError, valueError } from './errors.js';
import { findNull, inferArray } from './infer.js';
import { ArraySource, ConvertedSource } from './input/array.js';
import { BinarySource } from './input/binary.js';
import { BitsSource, BooleanSource, NullSource } from './input/bits.js';
import { OffsetsSource } from './input/offsets.js';
import type { Shape } from './input/shape.js';
import type { Source } from './input/source.js';
import { StringSource } from './input/strings.js';
import { formOf, TypedSource } from './input/typed.js';
import type { ArrayName } from './input/views.js';
import { type FileOptions, type LeafOptions, RLE_DICTIONARY, settle } from './options.js';
import { isLeaf, type LeafType, plainTypes, type Type } from './schema.js';
import type { GivenColumn } from './table.js';

export interface ReadyColumn {
  readonly name: string;
  readonly type: LeafType;
  readonly nullable: boolean;
  readonly fieldId: number;
  readonly options: LeafOptions;
  readonly source: Source;
}

const typesOfArrays: Readonly<Record<ArrayName, LeafType>> = {
  Int8Array: plainTypes.int8,
  Uint8Array: plainTypes.uint8,
  Uint8ClampedArray: plainTypes.uint8,
  Int16Array: plainTypes.int16,
  Uint16Array: plainTypes.uint16,
  Int32Array: plainTypes.int32,
  Uint32Array: plainTypes.uint32,
  BigInt64Array: plainTypes.int64,
  BigUint64Array: plainTypes.uint64,
  Float16Array: plainTypes.float16,
  Float32Array: plainTypes.float32,
  Float64Array: plainTypes.float64,
};

/**
 * Settles one column; looks at all rows of an array. Errors: ERR_TYPE_MISMATCH, ERR_NULL, ERR_OPTION.
 */
export function* readyColumn(given: GivenColumn, options: FileOptions): Generator<void, ReadyColumn> {
  const { name, shape } = given;
  const { type, firstNull } = yield* typeAndNulls(given);
  if (!isLeaf(type)) throw columnError('ERR_SCHEMA', name, undefined, `${type.text} is not in this version`);
  const declared = given.nullable ?? (firstNull >= 0 || (shape.form !== 'array' && shape.validity !== undefined));
  // Rows of the type null can be nothing else.
  const nullable = declared || (type.kind === 'null' && given.nullable === undefined);
  if (!nullable && firstNull >= 0) throw valueError('ERR_NULL', name, firstNull, `${type.text}, not nullable`, null);
  const choices = [options.all, given.choice, options.columns.get(name)].filter((choice) => choice !== undefined);
  const leaf = settle(choices, name);
  if (leaf.encoding === RLE_DICTIONARY && type.kind === 'bool') {
    throw new ParquetError('ERR_OPTION', `column ${JSON.stringify(name)}: bool cannot be RLE_DICTIONARY`, {
      column: name,
    });
  }
  return {
    name,
    type,
    nullable,
    fieldId: given.fieldId,
    options: leaf,
    source: sourceOf(shape, type, firstNull >= 0, name),
  };
}

function* typeAndNulls({ name, shape, type }: GivenColumn): Generator<void, { type: Type; firstNull: number }> {
  if (shape.form !== 'array') {
    return { type: type ?? inferShape(shape), firstNull: firstUnset(shape.validity, shape.rows) };
  }
  if (type !== undefined) return { type, firstNull: yield* findNull(shape.values, shape.rows) };
  return yield* inferArray(shape.values, shape.rows, name);
}

function inferShape(shape: Exclude<Shape, { form: 'array' }>): LeafType {
  if (shape.form === 'typed') return typesOfArrays[shape.name];
  return shape.form === 'bits' ? plainTypes.bool : plainTypes.binary;
}

/** The first row whose bit is 0; −1 when there is none. */
function firstUnset(bitmap: Uint8Array | undefined, rows: number): number {
  if (bitmap === undefined) return -1;
  for (let at = 0; at * 8 < rows; at++) {
    if (bitmap[at] === 0xff) continue;
    for (let row = at * 8; row < Math.min(at * 8 + 8, rows); row++) {
      if (((bitmap[at] >>> (row & 7)) & 1) === 0) return row;
    }
  }
  return -1;
}

function sourceOf(shape: Shape, type: LeafType, hasNulls: boolean, name: string): Source {
  const { rows } = shape;
  if (shape.form === 'array') return arraySource(shape.values, rows, type, hasNulls, name);
  // A bitmap without a single null says nothing.
  const validity = hasNulls ? shape.validity : undefined;
  const { kind } = type;
  switch (shape.form) {
    case 'bits':
      return kind === 'bool' ? new BitsSource(shape.values, rows, validity, name) : refuse(name, type, 'bits');
    case 'offsets':
      return kind === 'string' || kind === 'binary'
        ? new OffsetsSource(shape.offsets, shape.values, rows, validity, name)
        : refuse(name, type, 'offsets and bytes');
    case 'typed': {
      const form = formOf(shape.name, type);
      if (form !== undefined) return new TypedSource(shape.values, rows, validity, form, type, name);
      const numeric = type.width > 0 && kind !== 'fixed' && kind !== 'null';
      if (!numeric) return refuse(name, type, describe(shape.values));
      return new ConvertedSource(shape.values, rows, validity, type, name);
    }
  }
}

function arraySource(
  values: readonly unknown[],
  rows: number,
  type: LeafType,
  hasNulls: boolean,
  name: string,
): Source {
  switch (type.kind) {
    case 'bool':
      return new BooleanSource(values, rows, hasNulls, name);
    case 'string':
      return new StringSource(values, rows, hasNulls, name);
    case 'binary':
      return new BinarySource(values, rows, hasNulls, name);
    case 'null':
      return new NullSource(values, rows, name);
    default:
      return new ArraySource(values, rows, hasNulls, type, name);
  }
}

function refuse(column: string, type: LeafType, what: string): never {
  throw columnError('ERR_TYPE_MISMATCH', column, undefined, `expected values for ${type.text}, got ${what}`);
}
