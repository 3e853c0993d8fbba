/** The page indexes of a file, read in as few pieces as they lie in. */

import { type Chunks, Slot } from './chunks.js';
import { malformed } from './compact-reader.js';
import type { Piece, Range } from './piece.js';

/** Bytes between two indexes that are rather read than left out. */
const GAP = 32;
/** Reads at once. */
const AT_ONCE = 16;

interface Window {
  readonly start: number;
  end: number;
  bytes: Uint8Array;
}

export class IndexBytes {
  readonly #what: string;
  readonly #windows: Window[] = [];
  /** The window of the last range: the next is in it, most of the time. */
  #last = 0;

  constructor({ chunks, what }: Piece) {
    this.#what = what;
    for (const slot of [Slot.columnIndex, Slot.offsetIndex]) this.#plan(chunks, slot);
  }

  #plan(chunks: Chunks, slot: number): void {
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      const [start, end] = [chunks.get(chunk, slot), chunks.get(chunk, slot + 1)];
      if (end === 0) continue;
      const last = this.#windows.at(-1);
      if (last !== undefined && start >= last.end && start - last.end <= GAP) last.end = end;
      else this.#windows.push({ start, end, bytes: new Uint8Array() });
    }
  }

  async load(read: (start: number, end: number) => Promise<Uint8Array>): Promise<void> {
    for (let from = 0; from < this.#windows.length; from += AT_ONCE) {
      const some = this.#windows.slice(from, from + AT_ONCE);
      await Promise.all(some.map(async (window) => (window.bytes = await read(window.start, window.end))));
    }
  }

  get({ start, end }: Range): Uint8Array {
    const windows = this.#windows;
    for (let step = 0; step < windows.length; step++) {
      const index = (this.#last + step) % windows.length;
      const window = windows[index];
      if (start < window.start || end > window.end) continue;
      this.#last = index;
      return window.bytes.subarray(start - window.start, end - window.start);
    }
    throw malformed(this.#what, 'a page index of it was not found');
  }
}
