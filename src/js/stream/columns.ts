/** The columns of a file that comes in batches: settled by the first, and what later ones are held to. */

import { inferShape, leafOptions } from '../column.js';
import { columnError, ParquetError } from '../errors.js';
import type { Shape } from '../input/shape.js';
import type { ColumnChoice, FileOptions, LeafOptions } from '../options.js';
import { type ElementSetting, elementsOf, type Field, type LeafPath, leavesOf } from '../schema.js';
import type { GivenColumn, Table } from '../table.js';

export interface StreamLeaf {
  readonly path: string;
  readonly leaf: LeafPath;
  readonly options: LeafOptions;
}

export interface StreamColumn {
  readonly name: string;
  readonly field: Field;
  readonly elements: readonly ElementSetting[];
  readonly leaves: readonly StreamLeaf[];
  readonly choice: ColumnChoice | undefined;
}

/**
 * Settles types, nulls and options by the first batch. Errors: ERR_SCHEMA, also for nothing but nulls without a declared
 * type; ERR_TYPE_MISMATCH, ERR_OPTION.
 */
export function* settleColumns(table: Table, options: FileOptions): Generator<void, StreamColumn[]> {
  const columns: StreamColumn[] = [];
  const used = new Set<string>();
  for (const given of table.columns) {
    const field = yield* fieldOf(given);
    const leaves = leavesOf(field).map((leaf) => {
      return { path: leaf.path, leaf, options: leafOptions(given, leaf, options, used) };
    });
    if (given.type === undefined) refuseNulls(given.name, leaves);
    columns.push({ name: given.name, field, elements: elementsOf(field), leaves, choice: given.choice });
  }
  const unused = [...options.columns.keys()].find((path) => !used.has(path));
  if (unused !== undefined) {
    throw new ParquetError('ERR_OPTION', `option columns: nothing has the path ${JSON.stringify(unused)}`);
  }
  return columns;
}

/** Batches to come may hold nulls wherever nothing says that they do not. */
function* fieldOf({ name, shape, type, nullable, fieldId }: GivenColumn): Generator<void, Field> {
  const neverNull = type === undefined && shape.form === 'typed' && shape.validity === undefined;
  return { name, type: type ?? (yield* inferShape(shape, name)), nullable: nullable ?? !neverNull, fieldId };
}

/** A type of nothing but nulls would shut out every value to come. */
function refuseNulls(name: string, leaves: readonly StreamLeaf[]): void {
  const nulls = leaves.find(({ leaf }) => leaf.leaf.kind === 'null');
  if (nulls === undefined) return;
  const where = nulls.leaf.path === name ? '' : ` at ${nulls.leaf.path}`;
  const text = `the first batch has no value${where} to tell the type from; declare the type in the schema`;
  throw columnError('ERR_SCHEMA', name, undefined, text);
}

/**
 * The data of a later batch in the order of the file's columns. Errors, with `row`, where the batch begins in the file:
 * ERR_SCHEMA, ERR_OPTION.
 */
export function fitColumns(columns: readonly StreamColumn[], table: Table, row: number): Shape[] {
  const given = new Map(table.columns.map((column) => [column.name, column]));
  const shapes = columns.map((column) => {
    const one = given.get(column.name);
    if (one === undefined) {
      const text = 'the file has this column, but the batch that begins here does not';
      throw columnError('ERR_SCHEMA', column.name, row, text);
    }
    mustAgree(column, one, row);
    given.delete(column.name);
    return one.shape;
  });
  const [extra] = given.keys();
  if (extra === undefined) return shapes;
  throw columnError('ERR_SCHEMA', extra, row, 'the batch that begins here has this column, but the file does not');
}

function mustAgree({ name, field, choice }: StreamColumn, given: GivenColumn, row: number): void {
  if (given.type !== undefined && given.type.text !== field.type.text) {
    const text = `the column is ${field.type.text}, but in the batch that begins here it is ${given.type.text}`;
    throw columnError('ERR_SCHEMA', name, row, text);
  }
  for (const [option, value] of Object.entries(given.choice ?? {})) {
    if (value !== undefined && value !== choice?.[option as keyof ColumnChoice]) {
      throw columnError('ERR_OPTION', name, row, 'the options of a column are settled by the first batch');
    }
  }
}
