/** Floating-point cells: float64 and float32 as the platform stores them, float16 rounded here. */

import { Cell } from './cell.js';

abstract class FloatCell extends Cell {
  /** A number, or a bigint that a number holds exactly. */
  protected number(value: unknown, row: number): number {
    if (typeof value === 'number') return value;
    if (typeof value !== 'bigint') throw this.mismatch(row, value);
    const number = Number(value);
    if (!Number.isFinite(number) || BigInt(number) !== value)
      throw this.range(row, value, `${this.type.text}, exactly`);
    return number;
  }

  /** The value does not fit, although it is a number: rounding would make an infinity of it. */
  protected tooLarge(row: number, value: unknown): never {
    throw this.range(row, value, `${this.type.text}; it would round to an infinity`);
  }
}

export class Float64Cell extends FloatCell {
  #out = new Float64Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.#out = new Float64Array(memory, address, slots);
  }

  override run(data: readonly unknown[], from: number, to: number, slot: number): number {
    const out = this.#out;
    for (let row = from; row < to; row++) {
      const value = data[row];
      if (typeof value !== 'number') return row;
      out[slot++] = value;
    }
    return to;
  }

  put(slot: number, value: unknown, row: number): void {
    this.#out[slot] = this.number(value, row);
  }
}

export class Float32Cell extends FloatCell {
  #out = new Float32Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.#out = new Float32Array(memory, address, slots);
  }

  put(slot: number, value: unknown, row: number): void {
    const number = this.number(value, row);
    this.#out[slot] = number;
    if (!Number.isFinite(this.#out[slot]) && Number.isFinite(number)) this.tooLarge(row, value);
  }
}

const INFINITY_BITS = 0x7c00;
const NAN_BITS = 0x7e00;
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** To the nearest integer, halves to even. For 0 ≤ value < 2^51. */
function roundEven(value: number): number {
  return value + 0x10_0000_0000_0000 - 0x10_0000_0000_0000;
}

/** The bits of the float16 nearest to `value`, halves to even: one rounding, not two by way of float32. */
function float16Bits(value: number): number {
  double[0] = value;
  const sign = (words[1] >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return NAN_BITS;
  if (size === Infinity) return sign | INFINITY_BITS;
  // Below 2^-14 values are multiples of 2^-24; 1024 of them are the bits of 2^-14 itself.
  if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24);
  const exponent = ((words[1] >>> 20) & 0x7ff) - 1023;
  if (exponent > 15) return sign | INFINITY_BITS;
  // A significand that rounds up to 2048 carries into the exponent by the addition.
  return sign | (((exponent + 14) << 10) + roundEven(size * 2 ** (10 - exponent)));
}

export class Float16Cell extends FloatCell {
  #out = new Uint16Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.#out = new Uint16Array(memory, address, slots);
  }

  put(slot: number, value: unknown, row: number): void {
    const number = this.number(value, row);
    const bits = float16Bits(number);
    if ((bits & 0x7fff) === INFINITY_BITS && Number.isFinite(number)) this.tooLarge(row, value);
    this.#out[slot] = bits;
  }
}
