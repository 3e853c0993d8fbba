/** Zstandard frames (RFC 8878). Checksums are passed over: bounds are checked at every step, the length at the end. */

import { corrupt, cutOff, mustBeFull, tooMuch } from './copy.js';
import { isSkippable } from './lz4.js';
import { Literals } from './zstd-literals.js';
import { Sequences } from './zstd-sequences.js';

const MAGIC = 0xfd2fb528;
const MOST_BLOCK = 1 << 17;
/** Zeros behind the input, so that bits can be read four bytes at once. */
const PADDING = 8;

const enum BlockType { raw, rle, compressed }

/** Fills `out` with the content of `bytes`: one frame, or several. Throws Error where they hold anything else. */
export function decodeZstd(bytes: Uint8Array, out: Uint8Array): void {
  const padded = new Uint8Array(bytes.length + PADDING);
  padded.set(bytes);
  const decoder = new Decoder(padded, bytes.length, out);
  let at = 0;
  while (at < bytes.length) at = decoder.frame(at);
  mustBeFull(decoder.filled, out.length);
}

class Decoder {
  filled = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  readonly #out: Uint8Array;
  readonly #literals = new Literals();

  constructor(bytes: Uint8Array, end: number, out: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#end = end;
    this.#out = out;
  }

  /** Makes sure of `size` bytes at `at`; gives where they end. */
  #pass(at: number, size: number): number {
    if (at + size > this.#end) cutOff();
    return at + size;
  }

  /** Decodes the frame at `at`; where it ends. */
  frame(at: number): number {
    let next = this.#pass(at, 5);
    const magic = this.#view.getUint32(at, true);
    if (isSkippable(magic)) {
      next = this.#pass(at, 8);
      return this.#pass(next, this.#view.getUint32(at + 4, true));
    }
    if (magic !== MAGIC) corrupt('there is no frame');
    const descriptor = this.#bytes[at + 4];
    if ((descriptor & 8) !== 0) corrupt(`a frame has the flags ${descriptor}`);
    const single = (descriptor & 32) !== 0;
    if (!single) next = this.#pass(next, 1);
    const idBytes = [0, 1, 2, 4][descriptor & 3];
    for (let index = 0; index < idBytes; index++) {
      if (this.#bytes[next + index] !== 0) corrupt('a frame needs a dictionary');
    }
    next = this.#pass(next, idBytes);
    // The content size is known to the caller, who has given `out`.
    next = this.#pass(next, [single ? 1 : 0, 2, 4, 8][descriptor >>> 6]);
    next = this.#blocks(next);
    return this.#pass(next, (descriptor & 4) === 0 ? 0 : 4);
  }

  #blocks(at: number): number {
    const sequences = new Sequences(this.#bytes, this.#out, this.filled);
    this.#literals.reset();
    for (;;) {
      const start = this.#pass(at, 3);
      const header = this.#view.getUint32(at, true) & 0xff_ffff;
      const type = (header >>> 1) & 3;
      const size = header >>> 3;
      if (size > MOST_BLOCK) corrupt(`a block has ${size} bytes`);
      at = this.#pass(start, type === BlockType.rle ? 1 : size);
      if (type === BlockType.compressed) {
        const behind = this.#literals.read(this.#bytes, start, at);
        this.filled = sequences.run(behind, at, this.#literals, this.filled);
      } else if (type === BlockType.raw || type === BlockType.rle) {
        if (this.filled + size > this.#out.length) tooMuch();
        if (type === BlockType.rle) this.#out.fill(this.#bytes[start], this.filled, this.filled + size);
        else this.#out.set(this.#bytes.subarray(start, at), this.filled);
        this.filled += size;
      } else {
        corrupt('a block has no type');
      }
      if ((header & 1) === 1) return at;
    }
  }
}
