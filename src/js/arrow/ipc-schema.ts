/** The schema of an IPC stream or file (Schema.fbs). */

import { formatError } from './array.js';
import { type ArrowField, type ArrowType, arrowType, MOST_TYPE_ID, TypeId } from './field.js';
import type { Table } from './flatbuffer.js';

export interface IpcSchema {
  readonly fields: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
}

const MOST_DEPTH = 64;

export function readSchema(schema: Table): IpcSchema {
  if (schema.short(0) !== 0) schema.fail('it is big-endian; write it little-endian');
  return { fields: schema.tables(1).map((field) => readField(field, 0)), metadata: readMetadata(schema, 2) };
}

function readMetadata(table: Table, number: number): Map<string, string> {
  return new Map(table.tables(number).map((entry) => [entry.text(0) ?? '', entry.text(1) ?? '']));
}

function readField(field: Table, depth: number): ArrowField {
  if (depth > MOST_DEPTH) field.fail(`its types are nested more than ${MOST_DEPTH} deep`);
  const name = field.text(0) ?? '';
  const children = field.tables(5).map((child) => readField(child, depth + 1));
  const plain = readType(field, name, children);
  const encoding = field.table(4);
  const type = encoding === undefined ? plain : arrowType(TypeId.dictionary, {
    values: plain, dictionaryId: encoding.long(0), indices: readIndexType(encoding, name),
    ordered: encoding.bool(2),
  });
  return { name, nullable: field.bool(1), type, metadata: readMetadata(field, 6) };
}

/** The type of indices; 32 bits where a writer leaves it out. */
function readIndexType(encoding: Table, name: string): ArrowType {
  const type = encoding.table(1);
  return type === undefined ? arrowType(TypeId.int, { bits: 32 }) : readInteger(type, name);
}

function readInteger(type: Table, name: string): ArrowType {
  return arrowType(TypeId.int, { bits: oneOf(type.int(0), [8, 16, 32, 64], name), signed: type.bool(1) });
}

function oneOf(value: number, allowed: readonly number[], name: string): number {
  return allowed.includes(value) ? value : wrong(name, `${value} must be one of ${allowed.join(', ')}`);
}

function wrong(name: string, what: string): never {
  throw formatError(`type of field ${JSON.stringify(name)}`, what);
}

/** How many child fields a type has; what is not here may have any number. */
const childCounts: Readonly<Record<number, number>> = {
  [TypeId.list]: 1, [TypeId.largeList]: 1, [TypeId.listView]: 1, [TypeId.largeListView]: 1, [TypeId.fixedSizeList]: 1,
  [TypeId.map]: 1, [TypeId.runEndEncoded]: 2,
};

function readType(field: Table, name: string, children: readonly ArrowField[]): ArrowType {
  const id = field.byte(2);
  const type = field.table(3);
  if (id < TypeId.null || id > MOST_TYPE_ID || type === undefined) return wrong(name, `there is no type ${id}`);
  const unit = (absent: number, most: number) => oneOf(type.short(0, absent), [0, 1, 2, 3].slice(0, most + 1), name);
  if (children.length !== (childCounts[id] ?? children.length)) {
    wrong(name, `${children.length} child fields must be ${childCounts[id]}`);
  }
  switch (id) {
    case TypeId.int: return readInteger(type, name);
    case TypeId.float: return arrowType(id, { bits: 16 << unit(0, 2) });
    case TypeId.decimal: return arrowType(id, {
      precision: type.int(0), scale: type.int(1), bits: oneOf(type.int(2, 128), [32, 64, 128, 256], name),
    });
    case TypeId.date: return arrowType(id, { unit: unit(1, 1) });
    case TypeId.time: {
      const time = arrowType(id, { unit: unit(1, 3) });
      oneOf(type.int(1, 32), [time.unit <= 1 ? 32 : 64], name);
      return time;
    }
    case TypeId.timestamp: return arrowType(id, { unit: unit(0, 3), zone: type.text(1) });
    case TypeId.duration: return arrowType(id, { unit: unit(1, 3) });
    case TypeId.interval: return arrowType(id, { unit: unit(0, 2) });
    case TypeId.fixedSizeBinary:
    case TypeId.fixedSizeList: {
      const width = type.int(0);
      return width >= 0 ? arrowType(id, { width, children }) : wrong(name, `a width is ${width}`);
    }
    case TypeId.map: {
      const entries = children[0].type;
      if (entries.id !== TypeId.struct || entries.children.length !== 2) wrong(name, 'it needs keys and values');
      return arrowType(id, { children, ordered: type.bool(0) });
    }
    case TypeId.runEndEncoded: {
      const ends = children[0].type;
      if (ends.id !== TypeId.int || !ends.signed || ends.bits === 8) wrong(name, 'it needs int16, int32 or int64 ends');
    }
  }
  return arrowType(id, { children });
}
