/** Arrow IPC streams and files as tables, without any Arrow library. */

import { describe, ParquetError } from '../errors.js';
import { type ArrowArray, Budget, type Dictionary, formatError } from './array.js';
import { tableOf, typesOf } from './convert.js';
import type { ArrowField, ArrowType } from './field.js';
import type { Table } from './flatbuffer.js';
import { BatchReader } from './ipc-batch.js';
import { Header, type Message, readMessages } from './ipc-message.js';
import { type IpcSchema, readSchema } from './ipc-schema.js';
import type { ArrowTable } from './table.js';
import { textOf } from './type-text.js';

/** Room for what is made beside the input: this much for any input, and so many times its size. */
const LEAST_ROOM = 1 << 26;
const ROOM = 64;

/**
 * Reads an Arrow IPC stream or file (Feather V2), also with buffers compressed by LZ4 or zstd, to be written as
 * Parquet. Buffers that are not compressed are not copied: leave `bytes` as they are until the table has been written.
 *
 * Errors: ERR_FORMAT (not Arrow, or damaged), ERR_TYPE_MISMATCH (types that Parquet does not have, such as unions),
 * ERR_OUT_OF_RANGE (values that do not fit), ERR_LIMIT (a few bytes that would expand to gigabytes).
 */
export function tableFromArrowIPC(bytes: Uint8Array): ArrowTable {
  if (!(ArrayBuffer.isView(bytes) && bytes.BYTES_PER_ELEMENT === 1)) {
    throw new ParquetError('ERR_TYPE_MISMATCH', `tableFromArrowIPC: expected a Uint8Array, got ${describe(bytes)}`);
  }
  if (bytes.length === 0) throw formatError('input', 'it is empty');
  const budget = new Budget(LEAST_ROOM + bytes.length * ROOM);
  let reader: Reader | undefined;
  for (const message of readMessages(bytes)) {
    if (reader !== undefined) reader.add(message);
    else if (message.kind === Header.schema) reader = new Reader(readSchema(message.header), budget);
    else throw formatError(`message at byte ${message.at}`, 'the schema must come first');
  }
  return (reader ?? raise()).table();
}

function raise(): never {
  throw formatError('input', 'it has no schema');
}

/** What messages have said so far. */
class Reader {
  readonly #schema: IpcSchema;
  readonly #budget: Budget;
  readonly #batches: ArrowArray[][] = [];
  readonly #rows: number[] = [];
  /** By number: the type of a dictionary's values, and what it holds now. */
  readonly #types = new Map<bigint, ArrowType>();
  readonly #dictionaries = new Map<bigint, Dictionary>();

  constructor(schema: IpcSchema, budget: Budget) {
    this.#schema = schema;
    this.#budget = budget;
    // What cannot be written is told before anything is decoded.
    typesOf(schema.fields);
    schema.fields.forEach(({ type }) => this.#findDictionaries(type));
  }

  #findDictionaries(type: ArrowType): void {
    if (type.values !== undefined) {
      const other = this.#types.get(type.dictionaryId) ?? type.values;
      if (textOf(other) !== textOf(type.values)) {
        throw formatError('schema', `dictionary ${type.dictionaryId} is ${textOf(other)} and ${textOf(type.values)}`);
      }
      this.#types.set(type.dictionaryId, other);
      this.#findDictionaries(type.values);
    }
    type.children.forEach((child) => this.#findDictionaries(child.type));
  }

  add({ at, kind, header, body }: Message): void {
    const where = `message at byte ${at}`;
    if (kind === Header.batch) {
      const batch = this.#reader(header, body, where);
      this.#batches.push(this.#schema.fields.map(({ type }) => batch.read(type)));
      this.#rows.push(batch.rows);
    } else if (kind === Header.dictionary) {
      this.#addDictionary(header, body, where);
    } else {
      throw formatError(where, 'there is a second schema');
    }
  }

  #reader(table: Table, body: Uint8Array, where: string): BatchReader {
    return new BatchReader(table, body, where, (type) => this.#dictionary(type), this.#budget);
  }

  /** A delta goes on with what is there, also for batches before it: their indices stay what they are. */
  #addDictionary(header: Table, body: Uint8Array, where: string): void {
    const id = header.long(0);
    const type = this.#types.get(id);
    if (type === undefined) throw formatError(where, `no field has the dictionary ${id}`);
    const table = header.table(1) ?? header.fail('it has no values');
    const piece = this.#reader(table, body, where).read(type);
    const current = this.#dictionaries.get(id);
    if (current !== undefined && (header.bool(2) || current.pieces.length === 0)) current.pieces.push(piece);
    else this.#dictionaries.set(id, { type, pieces: [piece], chunk: undefined });
  }

  #dictionary({ dictionaryId: id }: ArrowType): Dictionary {
    let dictionary = this.#dictionaries.get(id);
    if (dictionary === undefined) {
      // A batch of nulls may come before, or without, its dictionary; and dictionaries may name others that follow.
      dictionary = { type: this.#types.get(id) as ArrowType, pieces: [], chunk: undefined };
      this.#dictionaries.set(id, dictionary);
    }
    return dictionary;
  }

  table(): ArrowTable {
    const fields: readonly ArrowField[] = this.#schema.fields;
    return tableOf(fields, this.#schema.metadata, this.#batches, this.#rows, this.#budget);
  }
}
