/** FSE tables, and streams of bits that are read from their end (RFC 8878, 4.1). */

import { corrupt, cutOff } from './copy.js';

/** A decoding table: by state its symbol, and how the next state is made. */
export interface FseTable {
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A stream read backwards: the bits from `start` up to, not including, the highest 1 in the last byte. */
export class BitReader {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  /** Bits that are left; below 0 when more have been read than there were. */
  left: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    const last = end > start ? bytes[end - 1] : 0;
    if (last === 0) corrupt('a stream of bits has no end mark');
    this.#bytes = bytes;
    this.#start = start;
    this.left = (end - start) * 8 - 1 - Math.clz32(last << 24);
  }

  /** The next `count` bits, at most 25; missing ones are 0. */
  read(count: number): number {
    this.left -= count;
    if (this.left < 0) {
      const missing = -this.left;
      return missing >= count ? 0 : (this.#word(0) & ((1 << (count - missing)) - 1)) << missing;
    }
    return (this.#word(this.left >>> 3) >>> (this.left & 7)) & ((1 << count) - 1);
  }

  #word(byte: number): number {
    const bytes = this.#bytes;
    const at = this.#start + byte;
    return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  }
}

/** The table for counts by symbol, which add up to 2^log; −1 is a count below one. */
export function buildFse(counts: ArrayLike<number>, log: number): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(counts.length);
  let high = size - 1;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    next[symbol] = Math.abs(counts[symbol]);
    if (counts[symbol] < 0) symbols[high--] = symbol;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let at = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    for (let index = 0; index < counts[symbol]; index++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1); while (at > high);
    }
  }
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const share = next[symbols[state]]++;
    bits[state] = log - (31 - Math.clz32(share));
    bases[state] = (share << bits[state]) - size;
  }
  return { log, symbols, bits, bases };
}

/** The table of a single symbol. */
export function constantFse(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
}

/** Reads a table's description at `at`. */
export function readFse(
  bytes: Uint8Array, at: number, end: number, mostLog: number, mostSymbol: number): { table: FseTable; end: number } {
  let bit = at * 8;
  const peek = (count: number) => {
    const byte = Math.floor(bit / 8);
    if (byte >= end) cutOff();
    return ((bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16)) >>> (bit % 8)) & ((1 << count) - 1);
  };
  const log = peek(4) + 5;
  bit += 4;
  if (log > mostLog) corrupt('a table has too many states');
  const counts: number[] = [];
  let left = 1 << log;
  while (left > 0) {
    // A value from 0 to left + 1; the smallest take one bit less.
    const width = 32 - Math.clz32(left + 1);
    const shorter = (1 << width) - 2 - left;
    const value = peek(width);
    const low = value & ((1 << (width - 1)) - 1);
    let count = value;
    if (low < shorter) {
      count = low;
      bit += width - 1;
    } else {
      if (value >= 1 << (width - 1)) count = value - shorter;
      bit += width;
    }
    counts.push(count - 1);
    left -= Math.abs(count - 1);
    if (count === 1) {
      let zeros = 3;
      while (zeros === 3) {
        zeros = peek(2);
        bit += 2;
        for (let index = 0; index < zeros; index++) counts.push(0);
        if (counts.length > mostSymbol + 1) break;
      }
    }
    if (counts.length > mostSymbol + 1) corrupt('a table has too many symbols');
  }
  if (left < 0) corrupt('a table does not add up');
  const behind = Math.ceil(bit / 8);
  if (behind > end) cutOff();
  return { table: buildFse(counts, log), end: behind };
}
