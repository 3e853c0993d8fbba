/** What a value is to a column without a declared type. */

import { temporalKind, type TemporalKind } from './temporal-values.js';
import { type ArrayName, isBuffer, isGone, isMap, isPlainObject, timeOf, typedArrayName } from './views.js';
import type { TypedArray } from '../types.js';

/** In the words of messages. A Uint8Array is bytes, not a list of numbers. */
export type ValueKind =
  | 'number'
  | 'bigint'
  | 'string'
  | 'boolean'
  | 'Date'
  | 'bytes'
  | 'array'
  | 'object'
  | 'Map'
  | Exclude<ArrayName, 'Uint8Array'>
  | `Temporal.${TemporalKind}`;

/** The kind of a value that is not null; undefined when no column type is made for it. */
export function valueKind(value: unknown): ValueKind | undefined {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'string':
    case 'boolean':
      return typeof value as ValueKind;
    case 'object':
      return objectKind(value as object);
    default:
      return undefined;
  }
}

function objectKind(value: object): ValueKind | undefined {
  if (Array.isArray(value)) return 'array';
  const isTagged = Symbol.toStringTag in value;
  // Nearly all objects end here, and a look at tags and slots costs more than everything else.
  if (!isTagged && Object.getPrototypeOf(value) === Object.prototype) return 'object';
  const name = typedArrayName(value);
  if (name === 'Uint8Array') return 'bytes';
  if (name !== undefined) return isGone(value as TypedArray) ? undefined : name;
  if (timeOf(value) !== undefined) return 'Date';
  if (isMap(value)) return 'Map';
  if (ArrayBuffer.isView(value) || isBuffer(value)) return 'bytes';
  if (isTagged && Object.prototype.toString.call(value).startsWith('[object Temporal.')) {
    const kind = temporalKind(value);
    return kind && `Temporal.${kind}`;
  }
  return isPlainObject(value) ? 'object' : undefined;
}
