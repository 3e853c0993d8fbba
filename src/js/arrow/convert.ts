/** From arrays in Arrow's layout to columns of chunks. */

import { columnError, ParquetError } from '../errors.js';
import type { ArrowArray, Budget } from './array.js';
import { dictionaryChunk, runEndChunk } from './encoded.js';
import { type ArrowField, type ArrowType, TypeId } from './field.js';
import { fixedWidthChunk } from './fixed-width.js';
import { type Context, Layout } from './layout.js';
import { fixedListChunk, listChunk, listViewChunk, mapChunk, structChunk } from './nested.js';
import { type ArrowColumn, ArrowTable, type Chunk } from './table.js';
import { typeText, Unsupported } from './type-text.js';
import { bytesChunk, viewsChunk } from './variable-width.js';

/** Types of all fields. Throws ERR_TYPE_MISMATCH that names every column that Parquet has no type for. */
export function typesOf(fields: readonly ArrowField[]): string[] {
  const problems: { name: string; text: string }[] = [];
  const types = fields.map((field) => {
    try {
      return typeText(field);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      problems.push({ name: field.name, text: error.message });
      return '';
    }
  });
  const [first, ...others] = problems;
  if (first === undefined) return types;
  if (others.length === 0) throw columnError('ERR_TYPE_MISMATCH', first.name, undefined, `is ${first.text}`);
  const list = problems.map(({ name, text }) => `${JSON.stringify(name)} is ${text}`).join('; ');
  const text = `${problems.length} columns cannot be written: ${list}`;
  throw new ParquetError('ERR_TYPE_MISMATCH', text, { column: first.name });
}

/** The table of `fields`, whose arrays come batch by batch: one for each field. */
export function tableOf(
  fields: readonly ArrowField[], metadata: ReadonlyMap<string, string>, batches: readonly (readonly ArrowArray[])[],
  batchRows: readonly number[], budget: Budget,
): ArrowTable {
  const types = typesOf(fields);
  const columns = fields.map((field, index) =>
    columnOf(field, types[index], batches.map((batch) => batch[index]), batchRows, budget));
  return new ArrowTable(columns, batchRows.reduce((sum, rows) => sum + rows, 0), metadata);
}

/** One column; `rows` says how many each array must have. */
export function columnOf(
  field: ArrowField, type: string, arrays: readonly ArrowArray[], rows: readonly number[], budget: Budget,
): ArrowColumn {
  const context: Context = { column: field.name, budget, convert };
  const chunks: Chunk[] = [];
  let firstRow = 0;
  arrays.forEach((array, index) => {
    if (array.length !== rows[index]) {
      const text = `batch ${index} has ${array.length} of its ${rows[index]} rows`;
      throw columnError('ERR_FORMAT', field.name, undefined, text);
    }
    const chunk = convertLayout(new Layout(field.type, array, context, firstRow));
    if (chunk.length > 0) chunks.push(chunk);
    firstRow += array.length;
  });
  return { name: field.name, type, nullable: field.nullable || field.type.id === TypeId.null, field, chunks };
}

function convert(type: ArrowType, array: ArrowArray, context: Context): Chunk {
  return convertLayout(new Layout(type, array, context, -1));
}

function convertLayout(from: Layout): Chunk {
  switch (from.type.id) {
    case TypeId.null: return { nulls: true, length: from.length };
    case TypeId.utf8:
    case TypeId.largeUtf8:
    case TypeId.binary:
    case TypeId.largeBinary: return bytesChunk(from);
    case TypeId.utf8View:
    case TypeId.binaryView: return viewsChunk(from);
    case TypeId.list:
    case TypeId.largeList: return listChunk(from);
    case TypeId.listView:
    case TypeId.largeListView: return listViewChunk(from);
    case TypeId.fixedSizeList: return fixedListChunk(from);
    case TypeId.map: return mapChunk(from);
    case TypeId.struct: return structChunk(from);
    case TypeId.dictionary: return dictionaryChunk(from);
    case TypeId.runEndEncoded: return runEndChunk(from);
    default: return fixedWidthChunk(from);
  }
}
