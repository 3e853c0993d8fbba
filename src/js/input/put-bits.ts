/** Bits copied to where they do not begin at the same bit of a byte. */

import { bytesOf } from './views.js';

/** Puts bits `from` to `to` behind `first` bits at an address; what lies there must be 0. */
export function putBits(
  memory: Uint8Array,
  at: number,
  first: number,
  bits: Uint8Array,
  from: number,
  to: number,
): void {
  if (((first ^ from) & 7) === 0 && (first & 7) === 0) {
    memory.set(bytesOf(bits, from >>> 3, (to + 7) >>> 3), at + (first >>> 3));
    if ((to & 7) !== 0) memory[at + ((first + to - from) >>> 3)] &= 0xff >>> (8 - (to & 7));
    return;
  }
  for (let bit = from; bit < to;) {
    // Up to eight bits of the bitmap, which fall into one or two bytes here.
    const count = Math.min(8 - (bit & 7), to - bit);
    const few = (bits[bit >>> 3] >>> (bit & 7)) & (0xff >>> (8 - count));
    const place = first + bit - from;
    const wide = few << (place & 7);
    memory[at + (place >>> 3)] |= wide;
    if (wide > 0xff) memory[at + (place >>> 3) + 1] |= wide >>> 8;
    bit += count;
  }
}
