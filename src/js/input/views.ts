/** What a value is, whichever realm made it: judged by internal slots, never by `instanceof` or by a name alone. */

import { columnError, describe } from '../errors.js';
import type { TypedArray } from '../types.js';

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;

function getter(prototype: object, key: PropertyKey): (this: unknown) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as (this: unknown) => unknown;
}

// These read internal slots: on anything else the first gives undefined and the others throw.
const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag);
const dataViewLength = getter(DataView.prototype, 'byteLength');
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const sharedLength =
  typeof SharedArrayBuffer === 'function' ? getter(SharedArrayBuffer.prototype, 'byteLength') : undefined;
const mapSize = getter(Map.prototype, 'size');
const typedArrayKeys = (typedArrayPrototype as Uint8Array).keys;
const dateTime = Date.prototype.getTime;

export type ArrayName =
  | 'Int8Array'
  | 'Uint8Array'
  | 'Uint8ClampedArray'
  | 'Int16Array'
  | 'Uint16Array'
  | 'Int32Array'
  | 'Uint32Array'
  | 'BigInt64Array'
  | 'BigUint64Array'
  | 'Float16Array'
  | 'Float32Array'
  | 'Float64Array';

/** Which typed array this is; undefined for everything else. */
export function typedArrayName(value: unknown): ArrayName | undefined {
  return typedArrayTag.call(value) as ArrayName | undefined;
}

export function isTypedArray(value: unknown): value is TypedArray {
  return typedArrayName(value) !== undefined;
}

/** Whether the buffer under a typed array is gone: detached, or shrunk to less than the array's place in it. */
export function isGone(array: TypedArray): boolean {
  if (array.length > 0) return false;
  try {
    typedArrayKeys.call(array as Uint8Array);
    return false;
  } catch {
    return true;
  }
}

/** The bytes of elements `from` to `to`, where they lie. */
export function bytesOf(array: TypedArray, from: number, to: number): Uint8Array {
  const size = array.BYTES_PER_ELEMENT;
  return new Uint8Array(array.buffer, array.byteOffset + from * size, (to - from) * size);
}

/** Throws when an array has become shorter than it was when the write began. */
export function mustStillHold(array: ArrayLike<unknown>, length: number, column: string): void {
  if (array.length < length) {
    const now = isTypedArray(array) && isGone(array) ? 'its buffer is detached' : `it has ${array.length}`;
    throw columnError(
      'ERR_COLUMN_LENGTH',
      column,
      undefined,
      `${length} elements were there when the write began, now ${now}`,
    );
  }
}

// Reading a slot that is not there throws, which is slow: tags go first, as a hint only.
const tagOf = (value: unknown) => Object.prototype.toString.call(value);

/** Milliseconds since 1970 (NaN for an invalid Date); undefined when the value is no Date. */
export function timeOf(value: unknown): number | undefined {
  if (!(value instanceof Date) && tagOf(value) !== '[object Date]') return undefined;
  try {
    return dateTime.call(value as Date);
  } catch {
    return undefined;
  }
}

/** An object as literals make them, in whichever realm; also one without a prototype. */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  // Only the Object.prototype of a realm is a root with this of its own.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

/** A Map of whichever realm. */
export function isMap(value: object): value is Map<unknown, unknown> {
  return tagOf(value) === '[object Map]' && holds(mapSize, value);
}

function holds(slot: ((this: unknown) => unknown) | undefined, value: object): boolean {
  try {
    return slot?.call(value) !== undefined;
  } catch {
    return false;
  }
}

export function isBuffer(value: object): value is ArrayBufferLike {
  switch (tagOf(value)) {
    case '[object ArrayBuffer]':
      return holds(bufferLength, value);
    case '[object SharedArrayBuffer]':
      return holds(sharedLength, value);
    default:
      return false;
  }
}

/** What came in place of a binary value; bytes without a buffer under them look whole otherwise. */
export function describeBinary(value: unknown): string {
  const bytes = typeof value === 'object' && value !== null && (ArrayBuffer.isView(value) || isBuffer(value));
  return bytes ? `${describe(value)} whose buffer is detached` : describe(value);
}

/**
 * The bytes of a binary value: any view or buffer. Undefined when the value is something else, or its buffer is gone.
 */
export function binaryOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const name = typedArrayName(value);
  if (name === 'Uint8Array') return isGone(value as Uint8Array) ? undefined : (value as Uint8Array);
  if (name !== undefined) {
    return isGone(value as TypedArray) ? undefined : bytesOf(value as TypedArray, 0, (value as TypedArray).length);
  }
  if (ArrayBuffer.isView(value)) {
    if (!holds(dataViewLength, value)) return undefined;
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (!isBuffer(value)) return undefined;
  try {
    return new Uint8Array(value);
  } catch {
    return undefined;
  }
}
