/** The cell for UUIDs. */

import { FixedCell } from './fixed.js';

const TEXT_LENGTH = 36;
const HYPHENS = [8, 13, 18, 23];
/** Where the digits of each byte are. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** The value of a hexadecimal digit, NaN when it is none. */
function nibble(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 0x20;
  return letter >= 97 && letter <= 102 && unit < 128 ? letter - 87 : NaN;
}

/** Sixteen bytes, or their 36 characters in either case. */
export class UuidCell extends FixedCell {
  override put(slot: number, value: unknown, row: number): void {
    if (typeof value !== 'string') {
      super.put(slot, value, row);
      return;
    }
    if (value.length !== TEXT_LENGTH || HYPHENS.some((at) => value[at] !== '-')) this.#refuse(value, row);
    const start = slot * this.width;
    for (let index = 0; index < PLACES.length; index++) {
      const at = PLACES[index];
      const byte = nibble(value, at) * 16 + nibble(value, at + 1);
      if (Number.isNaN(byte)) this.#refuse(value, row);
      this.out[start + index] = byte;
    }
  }

  #refuse(value: string, row: number): never {
    throw this.mismatch(row, value, 'uuid (as text: 123e4567-e89b-12d3-a456-426614174000)');
  }
}
