/** Tables: columns by name, or a list of columns, with names and lengths checked. */

import { columnError, describe, ParquetError } from './errors.js';
import { type Shape, shapeOf } from './input/shape.js';
import { type ColumnChoice, type FileOptions, readColumnChoice } from './options.js';
import type { Type } from './schema.js';
import { parseType } from './type-text.js';

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
  for (const column of Array.isArray(given) ? listed(given) : named(given)) {
    if (columns.has(column.name)) {
      throw columnError('ERR_SCHEMA', column.name, undefined, 'there are two columns of this name');
    }
    columns.set(column.name, column);
  }
  if (columns.size === 0) throw new ParquetError('ERR_SCHEMA', 'a table needs at least one column');
  for (const name of options.columns.keys()) {
    if (!columns.has(name)) {
      throw new ParquetError('ERR_OPTION', `option columns: there is no column ${JSON.stringify(name)}`, {
        column: name,
      });
    }
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
  return { columns: list, rows: first.shape.rows };
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
  const { schema, numRows } = given as { schema?: { fields?: unknown }; numRows?: unknown };
  if (typeof numRows === 'number' && Array.isArray(schema?.fields)) {
    throw new ParquetError('ERR_SCHEMA', 'Arrow tables are not in this version; give their columns as arrays');
  }
  return Object.keys(given).map((key) => {
    const name = wellFormed(key);
    const shape = shapeOf((given as Record<string, unknown>)[key], name);
    return { name, shape, type: undefined, nullable: undefined, fieldId: -1, choice: undefined };
  });
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
    return {
      name,
      shape: shapeOf(data, name),
      type: type === undefined ? undefined : typeOf(type, name),
      nullable: nullableOf(nullable, name),
      fieldId: -1,
      choice: readColumnChoice(entry, `of column ${JSON.stringify(name)}`, columnKeys),
    };
  });
}

function typeOf(text: unknown, column: string): Type {
  try {
    return parseType(text);
  } catch (error) {
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
    throw columnError(
      'ERR_SCHEMA',
      name,
      undefined,
      `the schema says ${type.text}, the column itself ${column.type.text}`,
    );
  }
  if (column.nullable !== undefined && nullable !== undefined && column.nullable !== nullable) {
    throw columnError('ERR_SCHEMA', name, undefined, 'the schema and the column itself disagree on nullable');
  }
  return { ...column, type, nullable: nullable ?? column.nullable, fieldId: fieldId as number };
}
