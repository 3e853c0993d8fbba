/** Unscaled decimals in Arrow's layout, as narrow as the column wants them. */

import { columnError } from '../errors.js';
import { Form, type Lanes } from '../input/lanes.js';
import { mustStillHold } from '../input/views.js';
import { type LeafType, Physical } from '../schema.js';
import type { SlotReader } from './reader.js';

export class DecimalReader implements SlotReader {
  readonly form = Form.plain;
  readonly #bytes: Uint8Array;
  /** Bytes of a value here, little-endian, and in the column. */
  readonly #stride: number;
  readonly #type: LeafType;
  readonly #column: string;
  /** The first magnitude with a digit too many. */
  readonly #limit: bigint;
  readonly #surelyBelow: number;
  #memory = new Uint8Array(0);
  #address = 0;
  #slot = 0;

  constructor(bytes: Uint8Array, stride: number, type: LeafType, column: string) {
    this.#bytes = bytes;
    this.#stride = stride;
    this.#type = type;
    this.#column = column;
    this.#limit = 10n ** BigInt(type.precision);
    this.#surelyBelow = Number(this.#limit) * (1 - 1e-9);
  }

  open(lanes: Lanes, count: number): void {
    this.#address = lanes.values((lanes.slots + count) * this.#type.width);
    this.#memory = lanes.memory;
    this.#slot = lanes.slots;
  }

  take(from: number, to: number): number {
    const stride = this.#stride;
    mustStillHold(this.#bytes, to * stride, this.#column);
    const { width, physical } = this.#type;
    const memory = this.#memory;
    const bytes = this.#bytes;
    const most = Math.max(stride, width);
    for (let slot = from; slot < to; slot++) {
      const start = slot * stride;
      const target = this.#address + this.#slot++ * width;
      const sign = bytes[start + stride - 1] >= 0x80 ? 0xff : 0;
      for (let at = 0; at < most; at++) {
        const byte = at < stride ? bytes[start + at] : sign;
        if (at >= width) {
          if (byte !== sign) this.#tooLarge(slot);
        } else {
          memory[target + (physical === Physical.fixed ? width - 1 - at : at)] = byte;
        }
      }
      const top = bytes[start + Math.min(stride, width) - 1];
      if ((top >= 0x80 ? 0xff : 0) !== sign || !this.#fits(start)) this.#tooLarge(slot);
    }
    return to;
  }

  /** Whether the value has no more digits than the type; a float64 settles all but the closest. */
  #fits(start: number): boolean {
    const bytes = this.#bytes;
    const last = start + this.#stride - 1;
    let value = bytes[last] >= 0x80 ? -1 : 0;
    for (let at = last; at >= start; at--) value = value * 256 + bytes[at];
    if (Math.abs(value) < this.#surelyBelow) return true;
    let exact = bytes[last] >= 0x80 ? -1n : 0n;
    for (let at = last; at >= start; at--) exact = exact * 256n + BigInt(bytes[at]);
    return exact < this.#limit && exact > -this.#limit;
  }

  #tooLarge(slot: number): never {
    throw columnError('ERR_OUT_OF_RANGE', this.#column, slot, `expected ${this.#type.text}, got more digits`);
  }

  close(lanes: Lanes): void {
    lanes.slots = this.#slot;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) * this.#type.width;
  }
}
