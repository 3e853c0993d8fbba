/** Literals of a block: raw, one byte repeated, or Huffman codes in one or four streams (RFC 8878, 3.1.1.3.1, 4.2). */

import { corrupt, cutOff } from './copy.js';
import { BitReader, readFse } from './zstd-fse.js';

const MOST_LITERALS = 1 << 17;
const MOST_CODE_BITS = 11;
const MOST_WEIGHTS = 255;
const WEIGHT_LOG = 6;
const MOST_WEIGHT = 12;

const enum Type { raw, rle, compressed }

/** Huffman codes: by the next `bits` bits the symbol, and in the high byte the bits of its code. */
interface Codes {
  readonly bits: number;
  readonly entries: Uint16Array;
}

export class Literals {
  /** Those of the last block read, from `at` on. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  size = 0;
  /** As large as the largest block needs: small inputs are many. */
  #decoded = new Uint8Array(0);
  #codes: Codes | undefined;

  /** Forgets the codes of the frame before. */
  reset(): void {
    this.#codes = undefined;
  }

  /** Reads the section at `at` of a block that ends at `end`; where the section ends. */
  read(bytes: Uint8Array, at: number, end: number): number {
    if (at >= end) cutOff();
    const type = bytes[at] & 3;
    const format = (bytes[at] >>> 2) & 3;
    const next = type === Type.raw || type === Type.rle
      ? this.#plain(bytes, at, end, type, format) : this.#huffman(bytes, at, end, type, format);
    if (next > end) cutOff();
    return next;
  }

  #plain(bytes: Uint8Array, at: number, end: number, type: number, format: number): number {
    const head = format === 1 ? 2 : format === 3 ? 3 : 1;
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
    this.size = head === 1 ? (word & 0xff) >>> 3 : head === 2 ? (word & 0xffff) >>> 4 : word >>> 4;
    this.#makeRoom();
    const start = at + head;
    if (type === Type.raw) {
      if (start + this.size > end) cutOff();
      this.bytes = bytes;
      this.at = start;
      return start + this.size;
    }
    this.#decoded.fill(bytes[start], 0, this.size);
    return start + 1;
  }

  #makeRoom(): void {
    if (this.size > MOST_LITERALS) corrupt(`a block has ${this.size} literals`);
    if (this.#decoded.length < this.size) this.#decoded = new Uint8Array(this.size);
    this.bytes = this.#decoded;
    this.at = 0;
  }

  #huffman(bytes: Uint8Array, at: number, end: number, type: number, format: number): number {
    const head = format < 2 ? 3 : format + 2;
    const width = format < 2 ? 10 : format === 2 ? 14 : 18;
    // Up to 40 bits, beyond what shifts can take.
    let word = 0;
    for (let index = head - 1; index >= 0; index--) word = word * 256 + bytes[at + index];
    word = Math.floor(word / 16);
    this.size = word % 2 ** width;
    this.#makeRoom();
    let start = at + head;
    const behind = start + Math.floor(word / 2 ** width);
    if (behind > end) cutOff();
    if (type === Type.compressed) {
      const read = readCodes(bytes, start, behind);
      this.#codes = read.codes;
      start = read.end;
    }
    const codes = this.#codes ?? corrupt('a block uses codes that are not there');
    if (format === 0) decodeStream(bytes, start, behind, codes, this.#decoded, 0, this.size);
    else this.#fourStreams(bytes, start, behind, codes);
    return behind;
  }

  #fourStreams(bytes: Uint8Array, at: number, end: number, codes: Codes): void {
    const share = Math.ceil(this.size / 4);
    let start = at + 6;
    if (start > end || share * 3 > this.size) cutOff();
    for (let stream = 0; stream < 4; stream++) {
      const size = bytes[at + stream * 2] | (bytes[at + stream * 2 + 1] << 8);
      const next = stream === 3 ? end : start + size;
      if (next > end) cutOff();
      const to = stream === 3 ? this.size : share * (stream + 1);
      decodeStream(bytes, start, next, codes, this.#decoded, share * stream, to);
      start = next;
    }
  }
}

function decodeStream(
  bytes: Uint8Array, start: number, end: number, { bits, entries }: Codes, out: Uint8Array, from: number, to: number,
): void {
  let { left } = new BitReader(bytes, start, end);
  const mask = entries.length - 1;
  let at = from;
  // Two symbols from each load of four bytes: a pair has at most 22 bits.
  while (at + 1 < to && left >= 2 * bits) {
    const bit = left - 2 * bits;
    const byte = start + (bit >>> 3);
    const four = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
    const word = four >>> (bit & 7);
    const first = entries[(word >>> bits) & mask];
    const second = entries[(word >>> (bits - (first >>> 8))) & mask];
    out[at] = first;
    out[at + 1] = second;
    at += 2;
    left -= (first >>> 8) + (second >>> 8);
  }
  // Near its beginning a stream has fewer bits than the longest code; what is missing counts as zeros.
  for (; at < to && left >= 0; at++) {
    const bit = left - bits;
    const byte = start + (bit < 0 ? 0 : bit >>> 3);
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16);
    const entry = entries[(bit < 0 ? word << -bit : word >>> (bit & 7)) & mask];
    out[at] = entry;
    left -= entry >>> 8;
  }
  if (left !== 0) corrupt('a stream does not end where it should');
}

function readCodes(bytes: Uint8Array, at: number, end: number): { codes: Codes; end: number } {
  if (at >= end) cutOff();
  const head = bytes[at];
  const start = at + 1;
  const weights = new Uint8Array(MOST_WEIGHTS + 1);
  let count: number;
  let next: number;
  if (head >= 128) {
    count = head - 127;
    next = start + Math.ceil(count / 2);
    for (let index = 0; index < count; index++) {
      const pair = bytes[start + (index >>> 1)];
      weights[index] = (index & 1) === 0 ? pair >>> 4 : pair & 15;
    }
  } else {
    next = start + head;
    if (next > end) cutOff();
    count = readWeights(bytes, start, next, weights);
  }
  if (next > end) cutOff();
  return { codes: codesOf(weights, count), end: next };
}

/** Weights as FSE codes of two states that take turns; how many there are. */
function readWeights(bytes: Uint8Array, at: number, end: number, weights: Uint8Array): number {
  const { table, end: start } = readFse(bytes, at, end, WEIGHT_LOG, MOST_WEIGHT);
  const reader = new BitReader(bytes, start, end);
  const states = [reader.read(table.log), reader.read(table.log)];
  if (reader.left < 0) cutOff();
  let count = 0;
  for (let turn = 0; ; turn ^= 1) {
    const state = states[turn];
    if (count > MOST_WEIGHTS - 2) corrupt('there are too many weights');
    weights[count++] = table.symbols[state];
    states[turn] = table.bases[state] + reader.read(table.bits[state]);
    // The stream ends in the middle of a step; the other state's symbol is the last.
    if (reader.left < 0) {
      weights[count++] = table.symbols[states[turn ^ 1]];
      return count;
    }
  }
}

/** A weight w above 0 is a code of bits + 1 − w bits; the last symbol's weight makes the sum a power of two. */
function codesOf(weights: Uint8Array, count: number): Codes {
  let sum = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    sum += (1 << weights[symbol]) >>> 1;
  }
  const bits = 32 - Math.clz32(sum);
  const rest = (1 << bits) - sum;
  if (sum === 0 || bits > MOST_CODE_BITS || (rest & (rest - 1)) !== 0) corrupt('the weights do not add up');
  weights[count] = 32 - Math.clz32(rest);
  const entries = new Uint16Array(1 << bits);
  let at = 0;
  for (let weight = 1; weight <= bits; weight++) {
    for (let symbol = 0; symbol <= count; symbol++) {
      if (weights[symbol] !== weight) continue;
      const span = 1 << (weight - 1);
      entries.fill(symbol | ((bits + 1 - weight) << 8), at, at + span);
      at += span;
    }
  }
  return { bits, entries };
}
