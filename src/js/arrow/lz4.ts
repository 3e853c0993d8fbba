/** LZ4 frames. Checksums are passed over: bounds are checked at every step, and the length at the end. */

import { copyLiterals, copyMatch, corrupt, cutOff, mustBeFull, tooMuch } from './copy.js';

const MAGIC = 0x184d2204;
const RAW = 0x8000_0000;
const LEAST_MATCH = 4;

/** Bits of a frame's first byte. */
const enum Flag { dictionary = 1, contentChecksum = 4, contentSize = 8, blockChecksum = 16 }

/** Fills `out` with the content of `bytes`: one frame, or several. Throws Error where they hold anything else. */
export function decodeLz4(bytes: Uint8Array, out: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let filled = 0;
  while (at < bytes.length) {
    const magic = view.getUint32(at, true);
    if (isSkippable(magic)) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== MAGIC) corrupt('there is no frame');
    const flags = bytes[at + 4];
    if (flags >>> 6 !== 1 || (flags & Flag.dictionary) !== 0) corrupt(`a frame has the flags ${flags}`);
    at += 7 + ((flags & Flag.contentSize) === 0 ? 0 : 8);
    const start = filled;
    for (;;) {
      const word = view.getUint32(at, true);
      at += 4;
      if (word === 0) break;
      const size = word % RAW;
      if (at + size > bytes.length) cutOff();
      if (word < RAW) {
        filled = decodeBlock(bytes, at, at + size, out, start, filled);
      } else {
        if (filled + size > out.length) tooMuch();
        out.set(bytes.subarray(at, at + size), filled);
        filled += size;
      }
      at += size + ((flags & Flag.blockChecksum) === 0 ? 0 : 4);
    }
    at += (flags & Flag.contentChecksum) === 0 ? 0 : 4;
  }
  if (at > bytes.length) cutOff();
  mustBeFull(filled, out.length);
}

/** Frames of both formats that say nothing to a decoder. */
export function isSkippable(magic: number): boolean {
  return magic >>> 4 === 0x184d2a5;
}

/** Decodes `bytes` from `at` to `end` behind the `filled` bytes of `out`; the new number of these. */
function decodeBlock(
  bytes: Uint8Array, at: number, end: number, out: Uint8Array, start: number, filled: number): number {
  while (at < end) {
    const token = bytes[at++];
    let literals = token >>> 4;
    if (literals === 15) {
      for (let more = 255; more === 255; literals += more) {
        if (at >= end) cutOff();
        more = bytes[at++];
      }
    }
    if (at + literals > end) cutOff();
    if (filled + literals > out.length) tooMuch();
    copyLiterals(bytes, at, out, filled, literals);
    at += literals;
    filled += literals;
    // The last sequence has no match.
    if (at === end) break;
    if (at + 2 > end) cutOff();
    const offset = bytes[at] | (bytes[at + 1] << 8);
    at += 2;
    let match = (token & 15) + LEAST_MATCH;
    if (match === 15 + LEAST_MATCH) {
      for (let more = 255; more === 255; match += more) {
        if (at >= end) cutOff();
        more = bytes[at++];
      }
    }
    if (offset === 0 || offset > filled - start) corrupt(`an offset is ${offset}`);
    if (filled + match > out.length) tooMuch();
    copyMatch(out, filled, offset, match);
    filled += match;
  }
  return filled;
}
