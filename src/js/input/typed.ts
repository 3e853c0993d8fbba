/** Typed arrays that lie in memory as the column wants them: copied page by page, nothing is looked at. */

import type { Kind, LeafType } from '../schema.js';
import type { TypedArray } from '../types.js';
import { Form, type Lanes, Nulls } from './lanes.js';
import { PlainSource } from './source.js';
import { type ArrayName, bytesOf, mustStillHold } from './views.js';

const { plain, int8, uint8, int16, uint16 } = Form;

/** The forms in which a typed array goes to a column as it is, by kinds of column. */
const forms: Readonly<Record<ArrayName, readonly [form: number, ...kinds: Kind[]]>> = {
  Int8Array: [int8, 'int8', 'int16', 'int32', 'date'],
  Uint8Array: [uint8, 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'date'],
  Uint8ClampedArray: [uint8, 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'date'],
  Int16Array: [int16, 'int16', 'int32', 'date'],
  Uint16Array: [uint16, 'uint16', 'int32', 'uint32', 'date'],
  Int32Array: [plain, 'int32', 'date'],
  Uint32Array: [plain, 'uint32'],
  BigInt64Array: [plain, 'int64', 'timestamp'],
  BigUint64Array: [plain, 'uint64'],
  Float16Array: [plain, 'float16'],
  Float32Array: [plain, 'float32'],
  Float64Array: [plain, 'float64'],
};

/** The form in which the array can be taken as it is; undefined where values must be converted. */
export function formOf(name: ArrayName, type: LeafType): number | undefined {
  const [form, ...kinds] = forms[name];
  return kinds.includes(type.kind) ? form : undefined;
}

export class TypedSource extends PlainSource {
  /** Bits of a bitmap are copied by bytes: rows that were left over would have to lie where they lay. */
  override readonly refills: boolean;
  readonly #values: TypedArray;
  readonly #validity: Uint8Array | undefined;
  readonly #width: number;
  readonly #column: string;

  constructor(
    values: TypedArray,
    rows: number,
    validity: Uint8Array | undefined,
    form: number,
    type: LeafType,
    column: string,
  ) {
    super(rows, form, validity === undefined ? Nulls.none : Nulls.spaced);
    this.#values = values;
    this.#validity = validity;
    this.refills = validity !== undefined;
    this.#width = type.width;
    this.#column = column;
  }

  plainBytes(from: number, to: number): number {
    return (to - from) * this.#width;
  }

  fill(lanes: Lanes, from: number, to: number): number {
    const values = this.#values;
    mustStillHold(values, to, this.#column);
    if (this.#validity !== undefined) lanes.copyValidity(this.#validity, from, to, this.#column);
    const size = values.BYTES_PER_ELEMENT;
    const at = lanes.values((lanes.slots + to - from) * size);
    lanes.memory.set(bytesOf(values, from, to), at + lanes.slots * size);
    lanes.slots += to - from;
    lanes.rows += to - from;
    return to;
  }
}
