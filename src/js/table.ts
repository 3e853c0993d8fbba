/** Tables: columns by name, or a list of columns, with names and lengths checked. */

import type { ArrowColumn, ArrowField, ArrowTable } from './arrow/index.js';
import type { ArrowSchema } from './arrow-schema.js';
import { columnError, describe, ParquetError } from './errors.js';
import { type Shape, shapeOf } from './input/shape.js';
import { refuse } from './option-reader.js';
import { type ColumnChoice, type FileOptions, readColumnChoice } from './options.js';
import { isIpcTable } from './ipc-table.js';
import { arrow as arrowPart, PartMissing, valueTypes } from './parts.js';
import { plainTypes, type Type } from './schema.js';

/** A column as given. */
export interface GivenColumn {
  readonly name: string;
  readonly shape: Shape;
  /** Undefined: to be inferred. */
  readonly type: Type | undefined;
  readonly nullable: boolean | undefined;
  /** −1: none. */
  readonly fieldId: number;
  readonly choice: ColumnChoice | undefined;
}

export interface Table {
  readonly columns: readonly GivenColumn[];
  readonly rows: number;
  /** Key-values that came with the data. */
  readonly metadata: readonly (readonly [string, string])[];
  /** To be kept in the footer. */
  readonly arrow?: ArrowSchema;
}

const MOST_FIELD_ID = 2 ** 31 - 1;
const columnKeys = ['name', 'data', 'type', 'nullable'];
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The name as the file will hold it: a lone surrogate becomes U+FFFD. */
function wellFormed(name: string): string {
  return decoder.decode(encoder.encode(name));
}

/** Reads a table and the schema for it. Errors: ERR_SCHEMA, ERR_TYPE_MISMATCH, ERR_COLUMN_LENGTH, ERR_OPTION. */
export function readTable(given: unknown, options: FileOptions): Table {
  const columns = new Map<string, GivenColumn>();
  const arrow = isArrow(given) ? arrowPart.get().columnsFromArrow(given) : undefined;
  if (options.arrowSchema && arrow === undefined) {
    refuse('arrowSchema', 'this table is none of Arrow');
  }
  const all = arrow?.columns.map(ofArrow) ?? (Array.isArray(given) ? listed(given) : named(given));
  for (const column of all) {
    if (columns.has(column.name)) {
      throw columnError('ERR_SCHEMA', column.name, undefined, 'there are two columns of this name');
    }
    columns.set(column.name, column);
  }
  if (columns.size === 0) throw new ParquetError('ERR_SCHEMA', 'a table needs at least one column');
  for (const path of options.columns.keys()) {
    // Paths inside a column are looked at when its type is known.
    if (columns.has(path) || [...columns.keys()].some((name) => path.startsWith(`${name}.`))) continue;
    throw new ParquetError('ERR_OPTION', `option columns: there is no column ${JSON.stringify(path)}`, {
      column: path,
    });
  }
  const list = options.schema === undefined ? [...columns.values()] : bySchema(columns, options.schema);
  const [first] = list;
  const other = list.find(({ shape }) => shape.rows !== first.shape.rows);
  if (other !== undefined) {
    throw columnError(
      'ERR_COLUMN_LENGTH',
      other.name,
      undefined,
      `has ${other.shape.rows} rows, but column ${JSON.stringify(first.name)} has ${first.shape.rows}`,
    );
  }
  const table = { columns: list, rows: first.shape.rows, metadata: [...(arrow?.schema.metadata ?? [])] };
  return options.arrowSchema && arrow !== undefined ? { ...table, arrow: schemaOf(arrow, list) } : table;
}

/** Fields as the columns are: in their order, and with nulls where these may have some. */
function schemaOf({ columns, schema: { metadata } }: ArrowTable, given: readonly GivenColumn[]): ArrowSchema {
  const fields = new Map(columns.map(({ name, field }) => [wellFormed(name), field]));
  const written = given.map(({ name, nullable }) => {
    const field = fields.get(name) as ArrowField;
    return { ...field, nullable: nullable ?? field.nullable };
  });
  return { fields: written, metadata };
}

function named(given: unknown): GivenColumn[] {
  if (
    typeof given !== 'object' ||
    given === null ||
    ArrayBuffer.isView(given) ||
    typeof (given as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'
  ) {
    throw new ParquetError('ERR_SCHEMA', `expected columns by name or a list of columns, got ${describe(given)}`);
  }
  return Object.keys(given).map((key) => dataOf(wellFormed(key), (given as Record<string, unknown>)[key]));
}

/** A table or record batch of Arrow, whichever library made it. */
function isArrow(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false;
  if (isIpcTable(given)) return true;
  const { schema, numRows } = given as { schema?: { fields?: unknown }; numRows?: unknown };
  return typeof numRows === 'number' && Array.isArray(schema?.fields);
}

/** A column that is nothing but data. */
function dataOf(name: string, data: unknown): GivenColumn {
  if (isVector(data)) return ofArrow(arrowPart.get().columnFromVector(name, data));
  return { name, shape: shapeOf(data, name), type: undefined, nullable: undefined, fieldId: -1, choice: undefined };
}

/** A vector or column of an Arrow library: these are classes, whose instances do not have these as properties. */
function isVector(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || ArrayBuffer.isView(data)) return false;
  const { type, data: parts, length } = data as { type?: unknown; data?: unknown; length?: unknown };
  return typeof type === 'object' && type !== null && Array.isArray(parts) && typeof length === 'number';
}

function ofArrow(column: ArrowColumn): GivenColumn {
  const name = wellFormed(column.name);
  const type = typeOf(column.type, name);
  const shape = arrowPart.get().shapeOfArrow(column);
  return { name, shape, type, nullable: column.nullable, fieldId: -1, choice: undefined };
}

function listed(given: readonly unknown[]): GivenColumn[] {
  return given.map((entry, index) => {
    const at = `column ${index} of the table`;
    if (typeof entry !== 'object' || entry === null || !Object.hasOwn(entry, 'name') || !Object.hasOwn(entry, 'data')) {
      throw new ParquetError('ERR_SCHEMA', `${at}: expected { name, data }, got ${describe(entry)}`);
    }
    const { name: rawName, data, type, nullable } = entry as Record<string, unknown>;
    if (typeof rawName !== 'string')
      throw new ParquetError('ERR_SCHEMA', `${at}: name must be a string, got ${describe(rawName)}`);
    const name = wellFormed(rawName);
    const column = dataOf(name, data);
    const declared = type === undefined ? column.type : typeOf(type, name);
    if (column.type !== undefined && column.type.text !== declared?.text) {
      throw columnError(
        'ERR_SCHEMA',
        name,
        undefined,
        `declared as ${declared?.text}, but its data is ${column.type.text}`,
      );
    }
    return {
      ...column,
      type: declared,
      nullable: nullableOf(nullable, name) ?? column.nullable,
      choice: Object.keys(entry).every((key) => columnKeys.includes(key))
        ? undefined
        : readColumnChoice(entry, `of column ${JSON.stringify(name)}`, columnKeys),
    };
  });
}

function typeOf(text: unknown, column: string): Type {
  // Most types are such words, for which nothing has to be read.
  if (typeof text === 'string' && Object.hasOwn(plainTypes, text)) return plainTypes[text as keyof typeof plainTypes];
  try {
    return valueTypes.get().parseType(text);
  } catch (error) {
    if (error instanceof PartMissing) throw error;
    throw columnError('ERR_SCHEMA', column, undefined, (error as Error).message);
  }
}

function nullableOf(value: unknown, column: string): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean') {
    throw columnError('ERR_SCHEMA', column, undefined, `nullable must be true or false, got ${describe(value)}`);
  }
  return value;
}

/** The table's columns in the schema's order, with its types. */
function bySchema(columns: ReadonlyMap<string, GivenColumn>, schema: ReadonlyMap<string, unknown>): GivenColumn[] {
  const list: GivenColumn[] = [];
  const wanted = new Set<string>();
  for (const [key, entry] of schema) {
    const name = wellFormed(key);
    wanted.add(name);
    const column = columns.get(name);
    if (column === undefined)
      throw columnError('ERR_SCHEMA', name, undefined, 'the schema names it, but the table does not have it');
    list.push(merge(column, entry));
  }
  const extra = [...columns.keys()].find((name) => !wanted.has(name));
  if (extra !== undefined)
    throw columnError('ERR_SCHEMA', extra, undefined, 'the table has it, but the schema does not name it');
  return list;
}

function merge(column: GivenColumn, entry: unknown): GivenColumn {
  const { name } = column;
  const {
    type: text,
    nullable: nulls,
    fieldId = -1,
    ...rest
  } = (typeof entry === 'object' && entry !== null ? entry : { type: entry }) as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw columnError('ERR_SCHEMA', name, undefined, `a schema entry has no ${JSON.stringify(unknown)}`);
  const type = typeOf(text, name);
  const nullable = nullableOf(nulls, name);
  if (
    fieldId !== -1 &&
    !(Number.isInteger(fieldId) && (fieldId as number) >= 0 && (fieldId as number) <= MOST_FIELD_ID)
  ) {
    throw columnError('ERR_SCHEMA', name, undefined, `fieldId must be 0 to ${MOST_FIELD_ID}, got ${describe(fieldId)}`);
  }
  if (column.type !== undefined && column.type.text !== type.text) {
    const text = `the schema says ${type.text}, the column itself ${column.type.text}`;
    throw columnError('ERR_SCHEMA', name, undefined, text);
  }
  if (column.nullable !== undefined && nullable !== undefined && column.nullable !== nullable) {
    throw columnError('ERR_SCHEMA', name, undefined, 'the schema and the column itself disagree on nullable');
  }
  return { ...column, type, nullable: nullable ?? column.nullable, fieldId: fieldId as number };
}
