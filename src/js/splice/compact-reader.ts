/** Thrift's compact protocol, read from bytes that nobody vouches for. */

import { ParquetError } from '../errors.js';

/** Type nibbles of field and list headers. */
export const Kind = {
  true: 1,
  false: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
  uuid: 13,
} as const;

/** Structs and lists inside one another; the format's own need 8. */
const MOST_DEPTH = 40;

/** An error about a file or fragment that contradicts itself or the format. */
export function malformed(what: string, text: string, cause?: unknown): ParquetError {
  return new ParquetError('ERR_FORMAT', `${what}: ${text}`, { cause });
}

/**
 * A place in a struct's bytes. Nothing is allocated on the word of a count, and every element takes a byte at least, so
 * that time and memory are bounded by the bytes.
 */
export class CompactReader {
  readonly bytes: Uint8Array;
  /** What the bytes are, for errors. */
  readonly what: string;
  at = 0;

  constructor(bytes: Uint8Array, what: string) {
    this.bytes = bytes;
    this.what = what;
  }

  fail(text: string): never {
    throw malformed(this.what, text);
  }

  byte(): number {
    if (this.at >= this.bytes.length) this.fail('its metadata ends too early');
    return this.bytes[this.at++];
  }

  /** Exact below 2^54, and for even numbers twice that. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let index = 0; index < 10; index++) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    return this.fail('a number of its metadata has no end');
  }

  integer(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A count, size or offset: nothing below 0 or above 2^53. */
  size(what: string): number {
    const value = this.integer();
    if (value < 0 || !Number.isSafeInteger(value)) this.fail(`${what} is ${value}`);
    return value;
  }

  /** Goes over a text or other bytes, and gives where they begin; `at` is behind their end. */
  binary(): number {
    const length = this.varint();
    const start = this.at;
    if (length > this.bytes.length - start) this.fail('a text of its metadata ends too early');
    this.at = start + length;
    return start;
  }

  expect(kind: number, expected: number, what: string): void {
    if (kind !== expected) this.fail(`${what} has the wrong type (${kind} instead of ${expected})`);
  }

  /** The fields of a struct. What `field` does not read is skipped. Ids must ascend, so that none comes twice. */
  struct(field: (id: number, kind: number) => void): void {
    let last = 0;
    for (;;) {
      const header = this.byte();
      if (header === 0) return;
      const id = header >> 4 === 0 ? this.integer() : last + (header >> 4);
      if (id <= last || id > 0x7fff) this.fail('fields of its metadata are out of order');
      last = id;
      const before = this.at;
      field(id, header & 15);
      if (this.at === before) this.skip(header & 15);
    }
  }

  /** The header of a list: how many elements of which type. */
  list(): { count: number; kind: number } {
    const header = this.byte();
    const count = header >> 4 === 15 ? this.varint() : header >> 4;
    if (count > this.bytes.length - this.at) this.fail('a list of its metadata ends too early');
    return { count, kind: header & 15 };
  }

  /** A list whose elements have one type; gives their number. */
  each(kind: number, expected: number, what: string, element: (index: number) => void): number {
    this.expect(kind, Kind.list, what);
    const { count, kind: found } = this.list();
    if (count > 0) this.expect(found, expected, what);
    for (let index = 0; index < count; index++) element(index);
    return count;
  }

  skip(kind: number, depth = 0): void {
    if (depth > MOST_DEPTH) this.fail('its metadata is nested too deeply');
    switch (kind) {
      case Kind.true:
      case Kind.false:
        break;
      case Kind.i8:
        this.byte();
        break;
      case Kind.i16:
      case Kind.i32:
      case Kind.i64:
        this.varint();
        break;
      case Kind.double:
        this.#pass(8);
        break;
      case Kind.uuid:
        this.#pass(16);
        break;
      case Kind.binary:
        this.binary();
        break;
      case Kind.list:
      case Kind.set: {
        const { count, kind: element } = this.list();
        for (let index = 0; index < count; index++) this.#skipElement(element, depth);
        break;
      }
      case Kind.map: {
        const count = this.varint();
        if (count > this.bytes.length - this.at) this.fail('a map of its metadata ends too early');
        const kinds = count > 0 ? this.byte() : 0;
        for (let index = 0; index < count; index++) {
          this.#skipElement(kinds >> 4, depth);
          this.#skipElement(kinds & 15, depth);
        }
        break;
      }
      case Kind.struct:
        for (let header = this.byte(); header !== 0; header = this.byte()) {
          if (header >> 4 === 0) this.varint();
          this.skip(header & 15, depth + 1);
        }
        break;
      default:
        this.fail(`its metadata has a value of unknown type ${kind}`);
    }
  }

  /** In lists and maps a bool takes a byte. */
  #skipElement(kind: number, depth: number): void {
    if (kind === Kind.true || kind === Kind.false) this.byte();
    else this.skip(kind, depth + 1);
  }

  #pass(bytes: number): void {
    if (bytes > this.bytes.length - this.at) this.fail('its metadata ends too early');
    this.at += bytes;
  }
}
