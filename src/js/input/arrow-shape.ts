/** Columns of Arrow input as columns of any other: a chunk is a form of data, several are a column in pieces. */

import type { ArrowColumn, Chunk } from '../arrow/index.js';
import type { Shape } from './shape.js';
import { typedArrayName } from './views.js';

/** The form of an Arrow column's data; what its chunks share stays shared. */
export function shapeOfArrow({ chunks }: ArrowColumn): Shape {
  const known = new Map<Chunk, Shape>();
  const pieces = chunks.map((chunk) => shapeOfChunk(chunk, known));
  if (pieces.length === 1) return pieces[0];
  const rows = pieces.reduce((sum, piece) => sum + piece.rows, 0);
  return rows === 0 ? { form: 'array', rows, values: [] } : { form: 'pieces', rows, pieces };
}

function shapeOfChunk(chunk: Chunk, known: Map<Chunk, Shape>): Shape {
  let shape = known.get(chunk);
  if (shape === undefined) known.set(chunk, (shape = newShape(chunk, known)));
  return shape;
}

function newShape(chunk: Chunk, known: Map<Chunk, Shape>): Shape {
  const { length: rows } = chunk;
  if ('nulls' in chunk) return { form: 'nulls', rows };
  const { validity } = chunk;
  if ('values' in chunk) {
    const { values } = chunk;
    return { form: 'typed', rows, name: typedArrayName(values) ?? 'Uint8Array', values, validity };
  }
  if ('fixed' in chunk) return { form: 'fixed', rows, values: chunk.fixed, width: chunk.width, validity };
  if ('bits' in chunk) return { form: 'bits', rows, values: chunk.bits, validity };
  if ('bytes' in chunk) return { form: 'offsets', rows, offsets: chunk.offsets, values: chunk.bytes, validity };
  if ('indices' in chunk) {
    const { indices } = chunk;
    return { form: 'dictionary', rows, indices, dictionary: shapeOfChunk(chunk.dictionary, known), validity };
  }
  if ('child' in chunk) {
    return { form: 'list', rows, offsets: chunk.offsets, child: shapeOfChunk(chunk.child, known), validity };
  }
  const children = Object.entries(chunk.children).map(([name, child]) => [name, shapeOfChunk(child, known)] as const);
  return { form: 'struct', rows, children: new Map(children), validity };
}
