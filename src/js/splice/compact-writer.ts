/** Thrift's compact protocol, written. */

import { Kind } from './compact-reader.js';

/** Bytes that grow. */
export class CompactWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected);
  }

  /** What was written, without a copy. */
  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  /** A part of it; only until something is written. */
  view(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = value;
  }

  /** Exact below 2^53, and for even numbers twice that. */
  varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128);
    this.byte(rest);
  }

  /** A number that is not negative. */
  size(value: number): void {
    this.varint(value * 2);
  }

  raw(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const needed = end - start;
    if (needed > this.#bytes.length - this.length) this.#grow(needed);
    this.#bytes.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.length);
    this.length += needed;
  }

  listHeader(count: number, kind: number): void {
    if (count < 15) {
      this.byte((count << 4) | kind);
    } else {
      this.byte(0xf0 | kind);
      this.varint(count);
    }
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(this.length + needed, Math.ceil(this.#bytes.length * 1.25), 64));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** The fields of one struct, by ascending ids. */
export class StructWriter {
  readonly out: CompactWriter;
  #last = 0;

  constructor(out: CompactWriter) {
    this.out = out;
  }

  field(id: number, kind: number): void {
    const step = id - this.#last;
    this.#last = id;
    if (step <= 15) {
      this.out.byte((step << 4) | kind);
    } else {
      this.out.byte(kind);
      this.out.size(id);
    }
  }

  size(id: number, kind: number, value: number): void {
    this.field(id, kind);
    this.out.size(value);
  }

  binary(id: number, bytes: Uint8Array): void {
    this.field(id, Kind.binary);
    this.out.varint(bytes.length);
    this.out.raw(bytes);
  }

  end(): void {
    this.out.byte(0);
  }
}
