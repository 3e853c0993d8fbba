/** Values of one width: as they lie, or changed where Parquet counts in another unit. */

import type { TypedArray } from '../types.js';
import { align, bitBytes } from './bitmap.js';
import { arrowName, type ArrowType, slotBits, TypeId } from './field.js';
import type { Layout } from './layout.js';
import type { BitsChunk, FixedChunk, Indices, ValuesChunk } from './table.js';

const MS_PER_DAY = 86_400_000n;
const MOST_SECONDS = 2n ** 63n / 1000n;
const INTERVAL_BYTES = 12;

export function fixedWidthChunk(from: Layout): ValuesChunk | FixedChunk | BitsChunk {
  const { type } = from;
  switch (type.id) {
    case TypeId.bool: return bits(from);
    case TypeId.int: return values(from, integers(from));
    case TypeId.float:
      if (type.bits === 16) return fixed(from);
      return values(from, floats(from));
    case TypeId.date: return values(from, type.unit === 0 ? int32s(from) : daysOfMs(from));
    case TypeId.time:
      if (type.unit >= 2) return values(from, int64s(from));
      return values(from, type.unit === 0 ? msOfSeconds(from) : int32s(from));
    case TypeId.timestamp: return values(from, type.unit === 0 ? msOfLongSeconds(from) : int64s(from));
    case TypeId.duration: return values(from, int64s(from));
    case TypeId.interval: return interval(from);
    default: return fixed(from);
  }
}

function values(from: Layout, array: TypedArray): ValuesChunk {
  return { values: array, validity: from.validity, length: from.length };
}

function fixed(from: Layout): FixedChunk {
  const width = slotBits(from.type) / 8;
  const size = from.length * width;
  const bytes = from.buffer(0, size, 'values').subarray(0, size);
  return { fixed: bytes, width, validity: from.validity, length: from.length };
}

function bits(from: Layout): BitsChunk {
  const { bitOffset } = from.array;
  const { length } = from;
  const bitmap = from.buffer(0, bitBytes(bitOffset + length), 'values');
  if (bitOffset % 8 !== 0) from.take(bitBytes(length));
  return { bits: align(bitmap, bitOffset, length), validity: from.validity, length };
}

const int32s = (from: Layout) => from.elements(Int32Array, 0, from.length, 'values');
const int64s = (from: Layout) => from.elements(BigInt64Array, 0, from.length, 'values');

const floats = (from: Layout) => from.elements<Float32Array | Float64Array>(
  from.type.bits === 32 ? Float32Array : Float64Array, 0, from.length, 'values');

/** Integers of up to 32 bits, of the array itself or of its indices. */
export function smallIntegers({ bits: width, signed }: ArrowType, from: Layout, what: string): Indices {
  const View = width === 8 ? (signed ? Int8Array : Uint8Array)
    : width === 16 ? (signed ? Int16Array : Uint16Array) : (signed ? Int32Array : Uint32Array);
  return from.elements<Indices>(View, 0, from.length, what);
}

function integers(from: Layout): TypedArray {
  if (from.type.bits !== 64) return smallIntegers(from.type, from, 'values');
  return from.elements<TypedArray>(from.type.signed ? BigInt64Array : BigUint64Array, 0, from.length, 'values');
}

function daysOfMs(from: Layout): Int32Array {
  const ms = int64s(from);
  const days = new Int32Array(from.length);
  for (let row = 0; row < days.length; row++) {
    if (from.isNull(row)) continue;
    const day = ms[row] / MS_PER_DAY;
    if (day * MS_PER_DAY !== ms[row]) {
      from.outOfRange(`date64 value ${ms[row]} ms is not a whole day; make it a timestamp`, row);
    }
    if (BigInt.asIntN(32, day) !== day) {
      from.outOfRange(`date64 value ${ms[row]} ms is beyond the days of 32 bits`, row);
    }
    days[row] = Number(day);
  }
  return days;
}

function msOfSeconds(from: Layout): Int32Array {
  const seconds = int32s(from);
  const ms = new Int32Array(from.length);
  for (let row = 0; row < ms.length; row++) {
    if (from.isNull(row)) continue;
    ms[row] = seconds[row] * 1000;
    if (ms[row] !== seconds[row] * 1000) from.outOfRange(`time of ${seconds[row]} s does not fit 32 bits in ms`, row);
  }
  return ms;
}

function msOfLongSeconds(from: Layout): BigInt64Array {
  const seconds = int64s(from);
  const ms = new BigInt64Array(from.length);
  for (let row = 0; row < ms.length; row++) {
    const value = seconds[row];
    if (from.isNull(row)) continue;
    if (value > MOST_SECONDS || value < -MOST_SECONDS) {
      from.outOfRange(`timestamp of ${value} s does not fit 64 bits in ms`, row);
    }
    ms[row] = value * 1000n;
  }
  return ms;
}

/** Parquet's intervals are three counts that are not negative; what does not fit exactly is refused. */
function interval(from: Layout): FixedChunk {
  const { length, type } = from;
  const slot = slotBits(type) / 8;
  const bytes = from.buffer(0, length * slot, 'values');
  // Twelve bytes a row may be more than the four of year_month.
  from.take(length * INTERVAL_BYTES);
  const given = new DataView(bytes.buffer, bytes.byteOffset, length * slot);
  const out = new Uint8Array(length * INTERVAL_BYTES);
  const made = new DataView(out.buffer);
  for (let row = 0; row < length; row++) {
    if (from.isNull(row)) continue;
    const parts = intervalParts(given, row * slot, type.unit);
    if (parts.some((part) => !(part >= 0 && part <= 0xffff_ffff && Number.isInteger(part)))) {
      from.outOfRange(`${arrowName(type)} of ${parts.join(', ')} (months, days, ms) does not fit Parquet's interval, `
        + 'three whole numbers from 0 to 2^32 − 1', row);
    }
    parts.forEach((part, index) => made.setUint32(row * INTERVAL_BYTES + index * 4, part, true));
  }
  return { fixed: out, width: INTERVAL_BYTES, validity: from.validity, length };
}

function intervalParts(given: DataView, at: number, unit: number): [number, number, number] {
  if (unit === 0) return [given.getInt32(at, true), 0, 0];
  if (unit === 1) return [0, given.getInt32(at, true), given.getInt32(at + 4, true)];
  const nanos = given.getBigInt64(at + 8, true);
  // The remainder goes apart, so that a fraction stays one however large the number is.
  const ms = Number(nanos / 1_000_000n) + Number(nanos % 1_000_000n) / 1e6;
  return [given.getInt32(at, true), given.getInt32(at + 4, true), ms];
}
