/** Bitmaps, LSB first. */

export const bitBytes = (bits: number): number => Math.ceil(bits / 8);

export function getBit(bitmap: Uint8Array, index: number): boolean {
  return ((bitmap[index >>> 3] >>> (index & 7)) & 1) === 1;
}

export function setBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >>> 3] |= 1 << (index & 7);
}

/** `length` bits from `from` on, as a bitmap that starts with bit 0: a view where that is at a byte, else a copy. */
export function align(bitmap: Uint8Array, from: number, length: number): Uint8Array {
  const start = Math.floor(from / 8);
  const shift = from % 8;
  const bytes = bitBytes(length);
  if (shift === 0) return bitmap.subarray(start, start + bytes);
  const aligned = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at++) {
    const next = start + at + 1;
    aligned[at] = (bitmap[start + at] >>> shift) | ((next < bitmap.length ? bitmap[next] : 0) << (8 - shift));
  }
  return aligned;
}
