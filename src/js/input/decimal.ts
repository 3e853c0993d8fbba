/** Decimal cells: exact, from numbers (their shortest decimal text), bigints and decimal text. */

import type { LeafType } from '../schema.js';
import { Cell64 } from './cell.js';

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/;
/** Up to here every decimal of this many digits is a double of its own, so that equal doubles mean equal decimals. */
const DOUBLE_DIGITS = 1e15;
const EXACT_POWER = 22;

/**
 * The digits of the unscaled value with their sign, from decimal text; `NaN` when it is no decimal text, undefined when
 * it has a digit behind the scale or more digits than the precision.
 */
function unscaledText(text: string, precision: number, scale: number): string | number | undefined {
  const parts = DECIMAL.exec(text);
  if (parts === null) return NaN;
  const [, sign, whole, fraction = '', exponent = '0'] = parts;
  if (whole.length + fraction.length === 0) return NaN;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = trimZeros(digits);
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length + scale;
  if (zeros < 0 || significant.length + zeros > precision) return undefined;
  return (sign === '-' ? '-' : '') + significant + '0'.repeat(zeros);
}

/** Without zeros at the end; by hand, since an end-anchored pattern takes quadratic time on long runs of zeros. */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return digits.slice(0, end);
}

/** Decimals of up to 9 digits in INT32, of up to 18 in INT64. */
export class DecimalCell extends Cell64 {
  readonly #narrow: boolean;
  readonly #scaling: number;
  readonly #limit: number;
  readonly #bigScaling: bigint;
  readonly #bigLimit: bigint;

  constructor(type: LeafType, column: string) {
    super(type, column);
    this.#narrow = type.width === 4;
    // Beyond 10^22 a power of ten is no double, and nothing would equal NaN.
    this.#scaling = type.scale <= EXACT_POWER ? Number(`1e${type.scale}`) : NaN;
    this.#limit = Math.min(Number(`1e${type.precision}`), DOUBLE_DIGITS);
    this.#bigScaling = 10n ** BigInt(type.scale);
    this.#bigLimit = 10n ** BigInt(type.precision);
  }

  override attach(memory: ArrayBuffer, address: number, slots: number): void {
    if (this.#narrow) this.halves = new Int32Array(memory, address, slots);
    else super.attach(memory, address, slots);
  }

  put(slot: number, value: unknown, row: number): void {
    switch (typeof value) {
      case 'number': {
        // Where the quotient is the very number, the rounded product is what its shortest text says.
        const unscaled = Math.round(value * this.#scaling);
        if (Math.abs(unscaled) < this.#limit && unscaled / this.#scaling === value) this.store(slot, unscaled);
        else this.#putText(slot, String(value), value, row);
        return;
      }
      case 'bigint': {
        const unscaled = value * this.#bigScaling;
        if (unscaled >= this.#bigLimit || unscaled <= -this.#bigLimit) throw this.range(row, value);
        this.store(slot, unscaled);
        return;
      }
      case 'string':
        this.#putText(slot, value, value, row);
        return;
      default:
        throw this.mismatch(row, value, `${this.type.text} (a number, a bigint or decimal text)`);
    }
  }

  #putText(slot: number, text: string, value: unknown, row: number): void {
    const digits = unscaledText(text, this.type.precision, this.type.scale);
    if (typeof digits === 'number') {
      // NaN and the infinities are numbers, but have no decimal text.
      throw typeof value === 'number'
        ? this.range(row, value)
        : this.mismatch(row, value, `${this.type.text} as decimal text`);
    }
    if (digits === undefined) throw this.range(row, value, `${this.type.text}, exactly`);
    this.store(slot, BigInt(digits));
  }

  /** A number is an integer below 10^15. */
  protected store(slot: number, unscaled: number | bigint): void {
    if (this.#narrow) this.halves[slot] = Number(unscaled);
    else if (typeof unscaled === 'bigint') this.wholes[slot] = unscaled;
    else this.putInteger(slot, unscaled);
  }
}

/** Decimals of more digits: big-endian two's complement in the fewest bytes that hold all of the type's. */
export class WideDecimalCell extends DecimalCell {
  #out = new Uint8Array(0);

  override attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.#out = new Uint8Array(memory, address, slots * this.width);
  }

  protected override store(slot: number, unscaled: number | bigint): void {
    const out = this.#out;
    const start = slot * this.width;
    let at = start + this.width;
    if (typeof unscaled === 'number') {
      let rest = unscaled;
      for (; at > start; rest = Math.floor(rest / 256)) out[--at] = rest;
      return;
    }
    let rest = unscaled;
    while (at > start) {
      // A small bigint at a time: shifting the whole of it for every byte costs several times as much.
      let word = Number(BigInt.asUintN(48, rest));
      rest >>= 48n;
      for (let byte = 0; byte < 6 && at > start; byte++, word = Math.floor(word / 256)) out[--at] = word;
    }
  }
}
