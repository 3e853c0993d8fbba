/** Arrays of byte strings: any view or buffer is a value. */

import { columnError } from '../errors.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import { PlainSource } from './source.js';
import { LENGTH_BYTES, TextLane } from './text-lane.js';
import { binaryOf, describeBinary, mustStillHold } from './views.js';

export class BinarySource extends PlainSource {
  readonly #data: readonly unknown[];
  readonly #column: string;
  readonly #type: string;

  constructor(data: readonly unknown[], rows: number, hasNulls: boolean, column: string, type = 'binary') {
    super(rows, Form.bytes, hasNulls ? Nulls.dense : Nulls.none);
    this.#data = data;
    this.#column = column;
    this.#type = type;
  }

  plainBytes(from: number, to: number): number {
    let bytes = 0;
    for (let row = from; row < to; row++) {
      const value = binaryOf(this.#data[row]);
      if (value !== undefined) bytes += value.length + LENGTH_BYTES;
    }
    return bytes;
  }

  fill(lanes: Lanes, from: number, to: number, limit: number): number {
    mustStillHold(this.#data, to, this.#column);
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const text = new TextLane(lanes, to - from, limit);
    let row = from;
    while (row < to && text.plainBytes <= limit) {
      const value = this.#data[row++];
      const bytes = binaryOf(value);
      if (bytes === undefined) {
        this.#absent(value, row - 1);
        const bit = lanes.rows + row - 1 - from;
        lanes.memory[bits + (bit >>> 3)] &= ~(1 << (bit & 7));
        continue;
      }
      text.copy(bytes);
    }
    lanes.rows += row - from;
    lanes.slots = text.slots;
    lanes.bytes = text.bytes;
    return row;
  }

  #absent(value: unknown, row: number): void {
    const isNull = value === null || value === undefined;
    if (isNull && this.nulls === Nulls.dense) return;
    const code = isNull ? 'ERR_NULL' : 'ERR_TYPE_MISMATCH';
    throw columnError(code, this.#column, row, `expected ${this.#type}, got ${describeBinary(value)}`);
  }
}
