/** Lists, structs and maps. */

import { TypeId } from './field.js';
import { gather, TOO_MANY } from './gather.js';
import type { Layout } from './layout.js';
import type { Chunk, ListChunk, StructChunk } from './table.js';
import { MOST_ROWS } from './array.js';

/** A chunk's first rows: every form may hold more than its length says. */
function first(chunk: Chunk, length: number): Chunk {
  return chunk.length === length ? chunk : { ...chunk, length };
}

function convertChild(from: Layout, index: number, least: number): Chunk {
  const child = from.child(index);
  const { type, name } = from.type.children[index];
  if (!(child.length >= least)) {
    from.fail(`child ${JSON.stringify(name)} has ${child.length} rows, but ${least} are needed`);
  }
  return from.context.convert(type, child, from.context);
}

export function listChunk(from: Layout): ListChunk {
  const { length, validity } = from;
  const offsets = from.offsets(from.type.id === TypeId.largeList, from.child(0).length);
  return { offsets, child: convertChild(from, 0, 0), validity, length };
}

export function mapChunk(from: Layout): ListChunk {
  const { length, validity } = from;
  const entries = from.child(0);
  const offsets = from.offsets(false, entries.length);
  const child = from.context.convert(from.type.children[0].type, entries, from.context) as StructChunk;
  // The fields are told by their place; their names may be anything.
  const [key, value] = from.type.children[0].type.children;
  return {
    offsets, validity, length,
    child: { ...child, children: named([['key', child.children[key.name]], ['value', child.children[value.name]]]) },
  };
}

/** Null lists have values too; the offsets count them. */
export function fixedListChunk(from: Layout): ListChunk {
  const { length, validity } = from;
  const { width } = from.type;
  if (length * width > MOST_ROWS) from.fail(`${length} rows of ${width} values are more than ${MOST_ROWS}`);
  const child = convertChild(from, 0, length * width);
  from.take((length + 1) * 4);
  const offsets = new Int32Array(length + 1);
  for (let row = 0; row <= length; row++) offsets[row] = row * width;
  return { offsets, child, validity, length };
}

/** Views in the order of their values, without gaps, are a list already; others have their values put in order. */
export function listViewChunk(from: Layout): ListChunk {
  const { length, validity } = from;
  const large = from.type.id === TypeId.largeListView;
  const present = (row: number) => !from.isNull(row);
  const read = (index: number, what: string) => large
    ? from.small64(index, length, what, present) : from.elements(Int32Array, index, length, what);
  const starts = read(0, 'offsets');
  const sizes = read(1, 'sizes');
  const child = convertChild(from, 0, 0);
  const offsets = new Uint32Array(length + 1);
  const picked = { from: new Uint32Array(length), to: new Uint32Array(length), rows: 0 };
  let inOrder = true;
  let begin = -1;
  for (let row = 0; row < length; row++) {
    if (present(row) && sizes[row] !== 0) {
      const start = starts[row];
      const end = start + sizes[row];
      if (start < 0 || sizes[row] < 0 || end > child.length) {
        from.fail(`a list of ${sizes[row]} values at ${start} is outside of the ${child.length} that are there`, row);
      }
      if (begin < 0) begin = start;
      inOrder &&= start === begin + picked.rows;
      picked.from[row] = start;
      picked.to[row] = end;
      picked.rows += sizes[row];
      if (picked.rows > MOST_ROWS) from.tooLarge(TOO_MANY);
    }
    offsets[row + 1] = picked.rows;
  }
  if (!inOrder) return { offsets, child: gather([child], picked, from), validity, length };
  if (begin > 0) offsets.forEach((offset, row) => { offsets[row] = offset + begin; });
  return { offsets, child, validity, length };
}

export function structChunk(from: Layout): StructChunk {
  const { length, validity } = from;
  const children = from.type.children.map(({ name }, index): [string, Chunk] =>
    [name, first(convertChild(from, index, length), length)]);
  return { children: named(children), validity, length };
}

function named(entries: readonly [string, Chunk][]): Record<string, Chunk> {
  // Without a prototype a field may be called `__proto__`.
  const children = Object.create(null) as Record<string, Chunk>;
  for (const [name, chunk] of entries) children[name] = chunk;
  return children;
}
