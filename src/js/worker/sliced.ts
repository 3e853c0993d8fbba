/** Large tables are sent in parts, so that no task of the page is long. */

import { ParquetError } from '../errors.js';
import type { Shape } from '../input/shape.js';
import { Pause } from '../pause.js';
import type { Table } from '../table.js';
import type { TypedArray } from '../types.js';
import type { Channel } from './channel.js';
import type { CallRequest } from './messages.js';
import { Packer, type Packed } from './pack.js';
import type { Transfers } from './port.js';

/** Milliseconds of work between two pauses: half of a frame. */
const SLICE_MS = 8;
/** Shorter lists and smaller arrays are sent with the table. */
const FEW_VALUES = 1 << 12;
const FEW_BYTES = 1 << 20;
/** Values of a part at first; then as many as take a quarter of a slice, but no more than a collector likes. */
const FIRST_PART = 1 << 8;
const MOST_PART = 1 << 13;

/** Sends the lists, and makes the table that is to follow them. Errors: ERR_ABORTED; what the data is to blame for. */
export async function packInSlices(
  table: Table,
  transfer: boolean,
  channel: Channel,
  mayGoOn: () => void,
): Promise<{ packed: Packed; transfers: Transfers }> {
  const slices = new Slices(mayGoOn);
  try {
    const found = new Large();
    for (const { shape } of table.columns) found.look(shape);
    const copies = new Map<TypedArray, TypedArray>();
    if (!transfer) for (const array of found.arrays) copies.set(array, await slices.copy(array));
    const lists = new Map<readonly unknown[], number>();
    for (const values of found.lists) {
      await slices.send(values, lists.size, channel);
      lists.set(values, lists.size);
    }
    const packer = new Packer(transfer, copies, lists);
    return { packed: packer.pack(table), transfers: packer.transfers };
  } finally {
    slices.end();
  }
}

/** What of a table is too large for one task. */
class Large {
  readonly arrays = new Set<TypedArray>();
  readonly lists = new Set<readonly unknown[]>();

  look(shape: Shape): void {
    if (shape.form === 'array') {
      if (shape.values.length > FEW_VALUES) this.lists.add(shape.values);
      return;
    }
    if (shape.form === 'nulls') return;
    if (shape.form === 'pieces') {
      shape.pieces.forEach((piece) => this.look(piece));
      return;
    }
    this.#array(shape.validity);
    switch (shape.form) {
      case 'typed':
      case 'bits':
      case 'fixed':
        this.#array(shape.values);
        break;
      case 'offsets':
        this.#array(shape.offsets);
        this.#array(shape.values);
        break;
      case 'dictionary':
        this.#array(shape.indices);
        this.look(shape.dictionary);
        break;
      case 'list':
        this.#array(shape.offsets);
        this.look(shape.child);
        break;
      case 'struct':
        for (const child of shape.children.values()) this.look(child);
    }
  }

  #array(array: TypedArray | undefined): void {
    if (array !== undefined && array.byteLength > FEW_BYTES) this.arrays.add(array);
  }
}

/** Work in slices of a few milliseconds. */
class Slices {
  readonly #mayGoOn: () => void;
  readonly #pause = new Pause();
  #began = performance.now();

  constructor(mayGoOn: () => void) {
    this.#mayGoOn = mayGoOn;
  }

  async copy(array: TypedArray): Promise<TypedArray> {
    const copy = new (array.constructor as new (length: number) => TypedArray)(array.length);
    const bytes = new Uint8Array(copy.buffer);
    for (let from = 0; from < bytes.length; from += FEW_BYTES) {
      const part = Math.min(FEW_BYTES, bytes.length - from);
      bytes.set(new Uint8Array(array.buffer, array.byteOffset + from, part), from);
      await this.#rest();
    }
    return copy;
  }

  async send(values: readonly unknown[], list: number, channel: Channel): Promise<void> {
    let part = FIRST_PART;
    for (let from = 0; from < values.length;) {
      const start = performance.now();
      const packer = new Packer(false);
      const packed = packer.values(values.slice(from, from + part));
      channel.post({ list, values: packed, odd: packer.odd } satisfies CallRequest);
      from += part;
      const took = Math.max(performance.now() - start, 0.05);
      part = Math.min(MOST_PART, Math.max(1, Math.floor(part * Math.min(2, SLICE_MS / 4 / took))));
      await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    this.#mayGoOn();
    if (performance.now() - this.#began < SLICE_MS) return;
    await this.#pause.next();
    this.#began = performance.now();
    this.#mayGoOn();
  }

  end(): void {
    this.#pause.close();
  }
}

/** What cannot be posted, in the words of this package. */
export function unsendable(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'DataCloneError') return error;
  const text = `something in the data cannot be sent to the worker: ${error.message}`;
  return new ParquetError('ERR_TYPE_MISMATCH', text, { cause: error });
}
