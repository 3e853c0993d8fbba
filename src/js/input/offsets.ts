/** Strings and bytes in Arrow's layout: offsets into one run of bytes. */

import { columnError } from '../errors.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import { PlainSource } from './source.js';
import { LENGTH_BYTES } from './text-lane.js';
import { bytesOf, mustStillHold } from './views.js';

export type Offsets = Int32Array | Uint32Array | BigInt64Array;

/** Throws ERR_OUT_OF_RANGE with the row where offsets descend or leave the `limit` bytes (or whatever `what` says). */
export function checkOffsets(offsets: Offsets, rows: number, limit: number, column: string, what = 'bytes'): void {
  let previous: number | bigint = offsets[0];
  if (previous < 0) throw columnError('ERR_OUT_OF_RANGE', column, 0, `offset ${previous} is negative`);
  for (let row = 0; row < rows; row++) {
    const end = offsets[row + 1];
    if (end < previous) {
      throw columnError('ERR_OUT_OF_RANGE', column, row, `offsets must ascend, but ${end} follows ${previous}`);
    }
    if (end > limit)
      throw columnError('ERR_OUT_OF_RANGE', column, row, `offset ${end} is outside of the ${limit} ${what}`);
    previous = end;
  }
}

export class OffsetsSource extends PlainSource {
  override readonly refills = true;
  readonly #offsets: Offsets;
  readonly #bytes: Uint8Array;
  readonly #validity: Uint8Array | undefined;
  readonly #column: string;

  constructor(offsets: Offsets, bytes: Uint8Array, rows: number, validity: Uint8Array | undefined, column: string) {
    super(rows, Form.bytesChecked, validity === undefined ? Nulls.none : Nulls.spaced);
    this.#offsets = offsets;
    this.#bytes = bytes;
    this.#validity = validity;
    this.#column = column;
  }

  plainBytes(from: number, to: number): number {
    return Number(this.#offsets[to]) - Number(this.#offsets[from]) + (to - from) * LENGTH_BYTES;
  }

  fill(lanes: Lanes, from: number, to: number, limit: number): number {
    const offsets = this.#offsets;
    mustStillHold(offsets, to + 1, this.#column);
    const start = Number(offsets[from]);
    const next = this.#fit(from, to, start, limit - lanes.bytes - lanes.slots * LENGTH_BYTES);
    const end = Number(offsets[next]);
    mustStillHold(this.#bytes, end, this.#column);
    if (end < start)
      throw columnError('ERR_OUT_OF_RANGE', this.#column, from, `offsets must ascend, but ${end} follows ${start}`);
    if (this.#validity !== undefined) lanes.copyValidity(this.#validity, from, next, this.#column);
    const values = lanes.values(lanes.bytes + end - start) + lanes.bytes;
    const slots = lanes.slots + next - from;
    let index = (lanes.offsets(slots + 1) >>> 2) + lanes.slots;
    lanes.memory.set(bytesOf(this.#bytes, start, end), values);
    const { words } = lanes;
    const shift = lanes.bytes - start;
    for (let row = from; row <= next; row++) words[index++] = Number(offsets[row]) + shift;
    lanes.bytes += end - start;
    lanes.slots = slots;
    lanes.rows += next - from;
    return next;
  }

  /** The first row behind as many as make more than `limit` bytes in PLAIN form: a binary search, as offsets ascend. */
  #fit(from: number, to: number, start: number, limit: number): number {
    let low = from + 1;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const size = Number(this.#offsets[middle]) - start + (middle - from) * LENGTH_BYTES;
      if (size > limit) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
