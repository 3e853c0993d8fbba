/** FlatBuffers, read by hand: every offset is checked before it is followed, and the work is bounded by the bytes. */

import { formatError } from './array.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Tables and texts may be shared inside of a buffer; so often as to make this many times its bytes nobody does it. */
const MOST_SHARING = 32;

/** A buffer of one message, and how much of it may still be read. */
class Bytes {
  readonly view: DataView;
  readonly #where: string;
  #work: number;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array, where: string) {
    this.view = new DataView(buffer, byteOffset, byteLength);
    this.#where = where;
    this.#work = 1024 + byteLength * MOST_SHARING;
  }

  fail(what: string): never {
    throw formatError(this.#where, what);
  }

  /** Makes sure of `size` bytes at `at`; gives `at`. */
  need(at: number, size: number): number {
    this.#work -= size;
    if (!(at >= 0 && at + size <= this.view.byteLength) || this.#work < 0) {
      this.fail(`an offset leads to byte ${at} of ${this.view.byteLength}, or round and round`);
    }
    return at;
  }

  /** Follows the offset at `at`. */
  follow(at: number): number {
    return at + this.view.getUint32(this.need(at, 4), true);
  }
}

/** A vector in the buffer. */
export interface Vector {
  readonly count: number;
  /** Position of element `index`. */
  readonly at: (index: number) => number;
}

/** One table; fields are told by their number in the schema of the format. */
export class Table {
  readonly #bytes: Bytes;
  readonly #at: number;
  readonly #vtable: number;
  readonly #vtableSize: number;

  private constructor(bytes: Bytes, at: number) {
    this.#bytes = bytes;
    this.#at = bytes.need(at, 4);
    this.#vtable = bytes.need(at - bytes.view.getInt32(at, true), 4);
    this.#vtableSize = bytes.view.getUint16(this.#vtable, true);
    bytes.need(this.#vtable, this.#vtableSize);
  }

  /** The root table of `bytes`; `where` is for messages. */
  static root(bytes: Uint8Array, where: string): Table {
    const buffer = new Bytes(bytes, where);
    return new Table(buffer, buffer.follow(0));
  }

  fail(what: string): never {
    return this.#bytes.fail(what);
  }

  /** Position of a field of `size` bytes; 0, where no field can be, when it is absent. */
  #field(number: number, size: number): number {
    const slot = 4 + number * 2;
    const offset = slot + 2 > this.#vtableSize ? 0 : this.#bytes.view.getUint16(this.#vtable + slot, true);
    return offset === 0 ? 0 : this.#bytes.need(this.#at + offset, size);
  }

  bool(number: number): boolean {
    return this.byte(number) !== 0;
  }

  byte(number: number): number {
    const at = this.#field(number, 1);
    return at === 0 ? 0 : this.#bytes.view.getUint8(at);
  }

  short(number: number, absent = 0): number {
    const at = this.#field(number, 2);
    return at === 0 ? absent : this.#bytes.view.getInt16(at, true);
  }

  int(number: number, absent = 0): number {
    const at = this.#field(number, 4);
    return at === 0 ? absent : this.#bytes.view.getInt32(at, true);
  }

  long(number: number): bigint {
    const at = this.#field(number, 8);
    return at === 0 ? 0n : this.longAt(at);
  }

  /** A 64-bit count, size or position. */
  count(number: number): number {
    return this.#count(this.long(number));
  }

  longAt(at: number): bigint {
    return this.#bytes.view.getBigInt64(at, true);
  }

  /** The same in a vector. */
  countAt(at: number): number {
    return this.#count(this.longAt(at));
  }

  #count(count: bigint): number {
    const fits = count >= 0n && count <= Number.MAX_SAFE_INTEGER;
    return fits ? Number(count) : this.fail(`a count or position is ${count}`);
  }

  table(number: number): Table | undefined {
    const at = this.#field(number, 4);
    return at === 0 ? undefined : new Table(this.#bytes, this.#bytes.follow(at));
  }

  text(number: number): string | undefined {
    const { count, at } = this.vector(number, 1);
    if (count === 0) return this.#field(number, 4) === 0 ? undefined : '';
    const { buffer, byteOffset } = this.#bytes.view;
    // Browsers do not decode shared memory.
    return decoder.decode(new Uint8Array(buffer, byteOffset + at(0), count).slice());
  }

  /** A vector of structs or scalars of `size` bytes. */
  vector(number: number, size: number): Vector {
    const field = this.#field(number, 4);
    if (field === 0) return { count: 0, at: () => 0 };
    const start = this.#bytes.follow(field);
    const count = this.#bytes.view.getUint32(this.#bytes.need(start, 4), true);
    this.#bytes.need(start + 4, count * size);
    return { count, at: (index) => start + 4 + index * size };
  }

  tables(number: number): Table[] {
    const { count, at } = this.vector(number, 4);
    return Array.from({ length: count }, (_, index) => new Table(this.#bytes, this.#bytes.follow(at(index))));
  }
}
