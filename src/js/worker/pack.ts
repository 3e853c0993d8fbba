/** Tables on their way into a worker: what the caller keeps is copied once, what it gives away is transferred. */

import { Snapshot } from '../stream/snapshot.js';
import type { Table } from '../table.js';
import type { TypedArray } from '../types.js';
import { describeOdd, makeOdd, type Odd } from './odd.js';
import type { Transfers } from './port.js';

/** A table that can be posted. */
export interface Packed {
  readonly table: Table;
  /** Boxed numbers among the values stand for these. */
  readonly odd: readonly Odd[];
}

export class Packer extends Snapshot {
  readonly odd: Odd[] = [];
  readonly #transfer: boolean;
  readonly #buffers = new Set<ArrayBufferLike>();
  /** Copies that were made before, and numbers of lists that were sent before. */
  readonly #copies: ReadonlyMap<TypedArray, TypedArray>;
  readonly #lists: ReadonlyMap<readonly unknown[], number>;

  constructor(
    transfer: boolean,
    copies: ReadonlyMap<TypedArray, TypedArray> = new Map(),
    lists: ReadonlyMap<readonly unknown[], number> = new Map(),
  ) {
    super();
    this.#transfer = transfer;
    this.#copies = copies;
    this.#lists = lists;
  }

  pack(table: Table): Packed {
    return { table: this.table(table), odd: this.odd };
  }

  get transfers(): Transfers {
    return [...this.#buffers] as ArrayBuffer[];
  }

  protected override cut<Values extends TypedArray>(values: Values, from: number, to: number): Values {
    const given = this.#transfer && isTransferable(values.buffer) ? values : (this.#copies.get(values) as Values);
    const own = given === undefined ? super.cut(values, from, to) : (given.subarray(from, to) as Values);
    this.#buffers.add(own.buffer);
    return own;
  }

  /** The list itself where it can be posted as it is. */
  override values(values: readonly unknown[]): readonly unknown[] {
    const list = this.#lists.get(values);
    if (list !== undefined) return { list } as unknown as readonly unknown[];
    return values.some(mustBeSeen) ? super.values(values) : values;
  }

  protected override instance(value: object): unknown {
    return this.#stand(value);
  }

  protected override other(value: unknown): unknown {
    return typeof value === 'function' || typeof value === 'symbol' ? this.#stand(value) : value;
  }

  #stand(value: unknown): unknown {
    const odd = describeOdd(value, (json) => super.values([json])[0]);
    return Object(this.odd.push(odd) - 1);
  }
}

function mustBeSeen(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' || typeof value === 'symbol';
}

/** Shared memory stays where it is. */
function isTransferable(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
}

/** The table in the worker. */
export function unpack({ table, odd }: Packed, lists: readonly (readonly unknown[])[]): Table {
  return odd.length === 0 && lists.length === 0 ? table : new Unpacker(odd, lists).table(table);
}

/** Values in the worker. */
export function unpackValues(values: readonly unknown[], odd: readonly Odd[]): readonly unknown[] {
  return odd.length === 0 ? values : new Unpacker(odd, []).values(values);
}

class Unpacker extends Snapshot {
  readonly #odd: readonly Odd[];
  readonly #lists: readonly (readonly unknown[])[];

  constructor(odd: readonly Odd[], lists: readonly (readonly unknown[])[]) {
    super();
    this.#odd = odd;
    this.#lists = lists;
  }

  protected override cut<Values extends TypedArray>(values: Values, from: number, to: number): Values {
    return values.subarray(from, to) as Values;
  }

  override values(values: readonly unknown[]): readonly unknown[] {
    if (!Array.isArray(values)) return this.#lists[(values as unknown as { list: number }).list];
    return this.#odd.length === 0 ? values : super.values(values);
  }

  protected override instance(value: object): unknown {
    return Object.prototype.toString.call(value) === '[object Number]' ? makeOdd(this.#odd[Number(value)]) : value;
  }
}
