/** Tables, record batches and vectors of apache-arrow and of flechette, told by what they have; neither is imported. */

import { columnError, describe, ParquetError } from '../errors.js';
import { isIpcTable } from '../ipc-table.js';
import { type ArrowArray, Budget, type Dictionary, noBytes } from './array.js';
import { columnOf, tableOf, typesOf } from './convert.js';
import { type ArrowField, type ArrowType, arrowType, MOST_TYPE_ID, TypeId } from './field.js';
import { tableFromArrowIPC } from './ipc.js';
import { type ArrowColumn, type ArrowTable, isArrowTable } from './table.js';

type Loose = Readonly<Record<string, unknown>>;

/** What is in memory already needs no bound. */
const unbounded = () => new Budget(Infinity);

/** Reads a table or a record batch, as columns that need no Arrow library; one of this package's own is given back. */
export function columnsFromArrow(table: unknown): ArrowTable {
  if (isArrowTable(table)) return table;
  if (isIpcTable(table)) return tableFromArrowIPC(table.ipc);
  const { schema, batches, data, children } = loose(table);
  const { fields: given, metadata } = loose(schema);
  const fields = list(given).map(fieldOf);
  const reader = new Reader();
  // apache-arrow's tables have batches, its record batches one struct; flechette's tables have columns.
  const parts = Array.isArray(children)
    ? partsOfColumns(children)
    : (Array.isArray(batches) ? batches : [{ data }]).map((batch: unknown) => loose(loose(batch).data));
  // An empty batch may lack its arrays.
  const full = parts.filter(({ length }) => length !== 0);
  const arrays = full.map((part) => {
    const found = list(part.children);
    return fields.map(({ type }, index) => reader.read(type, found[index]));
  });
  return tableOf(fields, metadataOf(metadata), arrays, full.map(({ length }) => length as number), unbounded());
}

/** Reads a vector of apache-arrow or a column of flechette; it is nullable when it has nulls. */
export function columnFromVector(name: string, vector: unknown): ArrowColumn {
  const { type: given, data } = loose(vector);
  const type = typeOf(given, name);
  const reader = new Reader();
  const arrays = list(data).map((part) => reader.read(type, part));
  const nullable = arrays.some(({ nullCount }) => nullCount !== 0) || type.id === TypeId.runEndEncoded;
  const field: ArrowField = { name, nullable, type, metadata: new Map() };
  return columnOf(field, typesOf([field])[0], arrays, arrays.map(({ length }) => length), unbounded());
}

/** From columns of batches to batches of columns, as structs. */
function partsOfColumns(columns: readonly unknown[]): Loose[] {
  const data = columns.map((column) => list(loose(column).data));
  return (data[0] ?? []).map((batch, index) => ({
    length: loose(batch).length, children: data.map((batches) => batches[index]),
  }));
}

function refuse(value: unknown): never {
  const expected = 'expected a table, record batch or vector of Arrow';
  throw new ParquetError('ERR_TYPE_MISMATCH', `${expected}, found ${describe(value)} in it`);
}

function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? value as Loose : refuse(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(value);
}

/** Both keep metadata in a Map, or leave it out. */
function metadataOf(value: unknown): ReadonlyMap<string, string> {
  return Object.prototype.toString.call(value) === '[object Map]' ? value as Map<string, string> : new Map();
}

function fieldOf(value: unknown): ArrowField {
  const { name: given, type, nullable, metadata } = loose(value);
  const name = String(given);
  return { name, nullable: nullable !== false, type: typeOf(type, name), metadata: metadataOf(metadata) };
}

/** Both number types as the format does; what they call their properties differs here and there. */
function typeOf(value: unknown, name: string): ArrowType {
  const given = loose(value);
  const { typeId } = given;
  if (!Number.isInteger(typeId) || (typeId as number) < TypeId.dictionary || (typeId as number) > MOST_TYPE_ID) {
    throw columnError('ERR_TYPE_MISMATCH', name, undefined, `there is no Arrow type ${describe(typeId)}`);
  }
  const id = typeId as number;
  const number = (...keys: string[]) => Number(keys.map((key) => given[key]).find((found) => found !== undefined) ?? 0);
  if (id === TypeId.dictionary) {
    const ordered = (given.isOrdered ?? given.ordered) === true;
    return arrowType(id, { values: typeOf(given.dictionary, name), indices: typeOf(given.indices, name), ordered });
  }
  return arrowType(id, {
    bits: id === TypeId.float ? 16 << number('precision') : number('bitWidth'),
    signed: (given.isSigned ?? given.signed) !== false,
    precision: number('precision'),
    scale: number('scale'),
    unit: number('unit'),
    zone: typeof given.timezone === 'string' ? given.timezone : undefined,
    width: number('byteWidth', 'listSize', 'stride'),
    ordered: given.keysSorted === true,
    children: Array.isArray(given.children) ? given.children.map(fieldOf) : [],
  });
}

const bytesOf = (value: unknown): Uint8Array => {
  if (!ArrayBuffer.isView(value)) return noBytes;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
};

/** Reads arrays; remembers dictionaries, which batches share. */
class Reader {
  readonly #dictionaries = new Map<unknown, Dictionary>();

  read(type: ArrowType, value: unknown): ArrowArray {
    const data = loose(value);
    const children = Array.isArray(data.children) ? data.children as readonly unknown[] : [];
    return {
      length: data.length as number,
      nullCount: typeof data.nullCount === 'number' ? data.nullCount : -1,
      bitOffset: typeof data.offset === 'number' ? data.offset : 0,
      validity: bytesOf(data.nullBitmap ?? data.validity),
      buffers: buffersOf(type, data),
      children: type.children.map((child, index) => this.read(child.type, children[index])),
      dictionary: type.values === undefined ? undefined : this.#dictionary(type.values, data.dictionary),
    };
  }

  #dictionary(type: ArrowType, vector: unknown): Dictionary {
    let dictionary = this.#dictionaries.get(vector);
    if (dictionary === undefined) {
      const parts = list(loose(vector).data);
      dictionary = { type, pieces: parts.map((part) => this.read(type, part)), chunk: undefined };
      this.#dictionaries.set(vector, dictionary);
    }
    return dictionary;
  }
}

function buffersOf(type: ArrowType, data: Loose): Uint8Array[] {
  const offsets = bytesOf(data.valueOffsets ?? data.offsets);
  const values = bytesOf(data.values);
  switch (type.id) {
    case TypeId.utf8:
    case TypeId.largeUtf8:
    case TypeId.binary:
    case TypeId.largeBinary: return [offsets, values];
    case TypeId.list:
    case TypeId.largeList:
    case TypeId.map: return [offsets];
    case TypeId.listView:
    case TypeId.largeListView: return [offsets, bytesOf(data.sizes)];
    case TypeId.utf8View:
    case TypeId.binaryView: {
      const variadic = data.variadicBuffers ?? data.data;
      return [values, ...(Array.isArray(variadic) ? variadic.map(bytesOf) : [])];
    }
    default: return [values];
  }
}
