/** Sources of flat columns: one for each form of data and kind of type. */

import { columnError, describe } from '../errors.js';
import { valueTypes } from '../parts.js';
import type { Kind, LeafType } from '../schema.js';
import { ArraySource, ConvertedSource } from './array.js';
import { BinarySource } from './binary.js';
import { BitsSource, BooleanSource, NullSource } from './bits.js';
import { OffsetsSource } from './offsets.js';
import type { FlatShape } from './shape.js';
import type { Source } from './source.js';
import { StringSource } from './strings.js';
import { formOf, TypedSource } from './typed.js';

/** Kinds that have no width, and those that have one but hold no numbers. */
const BYTE_STRINGS: readonly Kind[] = ['string', 'enum', 'json', 'binary', 'bson'];
const NOT_NUMERIC: readonly Kind[] = ['fixed', 'uuid', 'interval', 'null'];

export const isByteString = ({ kind }: LeafType): boolean => BYTE_STRINGS.includes(kind);

/** Whether numbers can be converted into the type. */
export const isNumeric = ({ kind, width }: LeafType): boolean => width > 0 && !NOT_NUMERIC.includes(kind);

/** Errors: ERR_TYPE_MISMATCH where the form cannot hold values of the type. */
export function flatSource(shape: FlatShape, type: LeafType, hasNulls: boolean, column: string): Source {
  const { rows } = shape;
  if (shape.form === 'array') return valuesSource(shape.values, rows, type, hasNulls, column);
  // A bitmap without a single null says nothing.
  const validity = hasNulls ? shape.validity : undefined;
  switch (shape.form) {
    case 'bits':
      return type.kind === 'bool' ? new BitsSource(shape.values, rows, validity, column) : refuse(column, type, 'bits');
    case 'offsets':
      return isByteString(type)
        ? new OffsetsSource(shape.offsets, shape.values, rows, validity, column)
        : refuse(column, type, 'offsets and bytes');
    case 'typed': {
      const form = formOf(shape.name, type);
      if (form !== undefined) return new TypedSource(shape.values, rows, validity, form, type, column);
      if (!isNumeric(type)) return refuse(column, type, describe(shape.values));
      return new ConvertedSource(shape.values, rows, validity, type, column);
    }
  }
}

/** The source for JavaScript values. */
export function valuesSource(
  values: readonly unknown[],
  rows: number,
  type: LeafType,
  hasNulls: boolean,
  column: string,
): Source {
  switch (type.kind) {
    case 'bool':
      return new BooleanSource(values, rows, hasNulls, column);
    case 'string':
    case 'enum':
      return new StringSource(values, rows, hasNulls, column, type.text);
    case 'json':
      return new (valueTypes.get().JsonSource)(values, rows, hasNulls, column);
    case 'binary':
    case 'bson':
      return new BinarySource(values, rows, hasNulls, column, type.text);
    case 'null':
      return new NullSource(values, rows, column);
    default:
      return new ArraySource(values, rows, hasNulls, type, column);
  }
}

function refuse(column: string, type: LeafType, what: string): never {
  throw columnError('ERR_TYPE_MISMATCH', column, undefined, `expected values for ${type.text}, got ${what}`);
}
