/** Record batches: from nodes and buffers, which stand one after the other, to arrays (Message.fbs). */

import { type ArrowArray, type Budget, type Dictionary, formatError, noBytes } from './array.js';
import { bodyReader } from './body.js';
import { type ArrowType, TypeId } from './field.js';
import type { Table } from './flatbuffer.js';

const NODE_BYTES = 16;
const BUFFER_BYTES = 16;

export class BatchReader {
  readonly rows: number;
  readonly #table: Table;
  readonly #where: string;
  readonly #dictionaries: (type: ArrowType) => Dictionary;
  readonly #buffers: Uint8Array[];
  #node = 0;
  #buffer = 0;
  #variadic = 0;

  constructor(
    table: Table, body: Uint8Array, where: string, dictionaries: (type: ArrowType) => Dictionary, budget: Budget) {
    this.#table = table;
    this.#where = where;
    this.#dictionaries = dictionaries;
    this.rows = table.count(0);
    this.#buffers = readBuffers(table, body, where, budget);
  }

  /** The next array. */
  read(type: ArrowType): ArrowArray {
    const { length, nullCount } = this.#nextNode();
    const hasValidity = type.id !== TypeId.null && type.id !== TypeId.runEndEncoded && type.id !== TypeId.union;
    const validity = hasValidity ? this.#nextBuffer() : noBytes;
    const buffers = Array.from({ length: this.#bufferCount(type) }, () => this.#nextBuffer());
    const dictionary = type.id === TypeId.dictionary ? this.#dictionaries(type) : undefined;
    const children = type.children.map((child) => this.read(child.type));
    return { length, nullCount, bitOffset: 0, validity, buffers, children, dictionary };
  }

  #fewer(what: string): never {
    throw formatError(this.#where, `it has fewer ${what} than the schema needs`);
  }

  #nextNode(): { length: number; nullCount: number } {
    const nodes = this.#table.vector(1, NODE_BYTES);
    if (this.#node >= nodes.count) this.#fewer('nodes');
    const at = nodes.at(this.#node++);
    const unknown = this.#table.longAt(at + 8) === -1n;
    return { length: this.#table.countAt(at), nullCount: unknown ? -1 : this.#table.countAt(at + 8) };
  }

  #nextBuffer(): Uint8Array {
    return this.#buffers[this.#buffer++] ?? this.#fewer('buffers');
  }

  /** Buffers beside validity. */
  #bufferCount(type: ArrowType): number {
    switch (type.id) {
      case TypeId.null:
      case TypeId.struct:
      case TypeId.fixedSizeList:
      case TypeId.runEndEncoded: return 0;
      case TypeId.utf8:
      case TypeId.largeUtf8:
      case TypeId.binary:
      case TypeId.largeBinary:
      case TypeId.listView:
      case TypeId.largeListView: return 2;
      case TypeId.utf8View:
      case TypeId.binaryView: return 1 + this.#nextVariadic();
      default: return 1;
    }
  }

  #nextVariadic(): number {
    const counts = this.#table.vector(4, 8);
    if (this.#variadic >= counts.count) this.#fewer('buffer counts of views');
    const count = this.#table.countAt(counts.at(this.#variadic++));
    return count <= this.#buffers.length ? count : this.#fewer('buffers');
  }
}

function readBuffers(table: Table, body: Uint8Array, where: string, budget: Budget): Uint8Array[] {
  const regions = table.vector(2, BUFFER_BYTES);
  const decompress = bodyReader(table.table(3), budget);
  const buffers: Uint8Array[] = [];
  let room = body.length;
  for (let index = 0; index < regions.count; index++) {
    const start = table.countAt(regions.at(index));
    const size = table.countAt(regions.at(index) + 8);
    if (size > 0 && start + size > body.length) {
      throw formatError(where, `buffer ${index} ends at ${start + size} in a body of ${body.length} bytes`);
    }
    // Without overlaps the work is bounded by the input.
    room -= size;
    if (room < 0) throw formatError(where, 'its buffers overlap');
    buffers.push(size === 0 ? noBytes : decompress(body.subarray(start, start + size), `${where}, buffer ${index}`));
  }
  return buffers;
}

