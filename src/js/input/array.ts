/** Arrays and typed arrays whose values are converted one by one into a type of fixed width. */

import { valueError } from '../errors.js';
import { valueTypes } from '../parts.js';
import type { LeafType } from '../schema.js';
import type { TypedArray } from '../types.js';
import { type Cell, integerCell, isInteger } from './cell.js';
import { Float16Cell, Float32Cell, Float64Cell } from './float.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import { PlainSource } from './source.js';
import { mustStillHold } from './views.js';

/** The cell for a type of fixed width. */
export function cellFor(type: LeafType, column: string): Cell {
  switch (type.kind) {
    case 'float16':
      return new Float16Cell(type, column);
    case 'float32':
      return new Float32Cell(type, column);
    case 'float64':
      return new Float64Cell(type, column);
    default:
      return isInteger(type) ? integerCell(type, column) : valueTypes.get().cellFor(type, column);
  }
}

abstract class CellSource extends PlainSource {
  protected readonly cell: Cell;
  protected readonly column: string;

  constructor(rows: number, hasNulls: boolean, type: LeafType, column: string) {
    super(rows, Form.plain, hasNulls ? Nulls.dense : Nulls.none);
    this.cell = cellFor(type, column);
    this.column = column;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) * this.cell.width;
  }

  fill(lanes: Lanes, from: number, to: number): number {
    const slots = lanes.slots + to - from;
    const bits = this.nulls === Nulls.dense ? lanes.setValid(to - from) : 0;
    const values = lanes.values(slots * this.cell.width);
    this.cell.attach(lanes.buffer, values, slots);
    lanes.slots = this.convert(lanes, from, to, bits);
    lanes.rows += to - from;
    return to;
  }

  /** Converts rows into slots from `lanes.slots` on and clears the bits of nulls; the slot behind the last. */
  protected abstract convert(lanes: Lanes, from: number, to: number, bits: number): number;

  protected missing(row: number): never {
    throw valueError('ERR_NULL', this.column, row, 'a value', null);
  }
}

/** Any array; null, undefined and holes are nulls. */
export class ArraySource extends CellSource {
  readonly #data: readonly unknown[];

  constructor(data: readonly unknown[], rows: number, hasNulls: boolean, type: LeafType, column: string) {
    super(rows, hasNulls, type, column);
    this.#data = data;
  }

  protected convert(lanes: Lanes, from: number, to: number, bits: number): number {
    const data = this.#data;
    mustStillHold(data, to, this.column);
    const { cell } = this;
    const { memory, rows } = lanes;
    let slot = lanes.slots;
    let row = from;
    while (row < to) {
      const next = cell.run(data, row, to, slot);
      slot += next - row;
      row = next;
      if (row === to) break;
      const value = data[row];
      if (value === null || value === undefined) {
        if (bits === 0) this.missing(row);
        const bit = rows + row - from;
        memory[bits + (bit >>> 3)] &= ~(1 << (bit & 7));
      } else {
        cell.put(slot++, value, row);
      }
      row++;
    }
    return slot;
  }
}

/** A typed array of another type than the column, with or without a validity bitmap. */
export class ConvertedSource extends CellSource {
  readonly #values: TypedArray;
  readonly #validity: Uint8Array | undefined;

  constructor(values: TypedArray, rows: number, validity: Uint8Array | undefined, type: LeafType, column: string) {
    super(rows, validity !== undefined, type, column);
    this.#values = values;
    this.#validity = validity;
  }

  protected convert(lanes: Lanes, from: number, to: number, bits: number): number {
    const values = this.#values as ArrayLike<unknown>;
    const validity = this.#validity;
    mustStillHold(this.#values, to, this.column);
    if (validity === undefined) return lanes.slots + this.cell.putAll(values, from, to, lanes.slots) - from;
    mustStillHold(validity, (to + 7) >>> 3, this.column);
    const { memory, rows } = lanes;
    let slot = lanes.slots;
    for (let row = from; row < to; row++) {
      if ((validity[row >>> 3] >>> (row & 7)) & 1) {
        this.cell.put(slot++, values[row], row);
      } else {
        const bit = rows + row - from;
        memory[bits + (bit >>> 3)] &= ~(1 << (bit & 7));
      }
    }
    return slot;
  }
}
