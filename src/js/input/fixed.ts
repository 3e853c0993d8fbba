/** Cells for byte strings of one length. */

import { columnError } from '../errors.js';
import { Cell } from './cell.js';
import { binaryOf, describeBinary } from './views.js';

export class FixedCell extends Cell {
  protected out = new Uint8Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.out = new Uint8Array(memory, address, slots * this.width);
  }

  put(slot: number, value: unknown, row: number): void {
    const bytes = binaryOf(value);
    if (bytes === undefined) {
      throw columnError(
        'ERR_TYPE_MISMATCH',
        this.column,
        row,
        `expected ${this.type.text}, got ${describeBinary(value)}`,
      );
    }
    if (bytes.length !== this.width) {
      throw columnError('ERR_OUT_OF_RANGE', this.column, row, `expected ${this.type.text}, got ${bytes.length} bytes`);
    }
    this.out.set(bytes, slot * this.width);
  }
}
