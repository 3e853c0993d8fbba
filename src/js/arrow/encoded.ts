/** Dictionaries and run-end encoding. */

import { type ArrowArray, type Dictionary, noBytes } from './array.js';
import type { ArrowType } from './field.js';
import { gather } from './gather.js';
import type { Layout } from './layout.js';
import type { Chunk, DictionaryChunk, Indices } from './table.js';

/** Whether a chunk may stand as a dictionary; the others are expanded. */
function isDictionary(chunk: Chunk): boolean {
  return 'values' in chunk || 'bytes' in chunk || 'fixed' in chunk;
}

export function dictionaryChunk(from: Layout): Chunk {
  const { length, validity } = from;
  const { dictionary: given } = from.array;
  if (given === undefined) from.fail('its dictionary is missing');
  const dictionary = convertDictionary(given, from);
  const indices = readIndices(from, dictionary.length);
  if (isDictionary(dictionary)) return { indices, dictionary, validity, length };
  from.take(length * 12);
  const piece = new Int32Array(length);
  const start = new Uint32Array(length);
  const to = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    if (from.isNull(row)) piece[row] = -1;
    else start[row] = indices[row];
    to[row] = start[row] + 1;
  }
  return gather([dictionary], { piece, from: start, to, rows: length }, from);
}

function readIndices(from: Layout, values: number): Indices {
  const { length, type } = from;
  const { bits, signed } = type.indices as ArrowType;
  let indices: Indices;
  if (bits === 64) indices = from.small64(0, length, 'indices', (row) => !from.isNull(row));
  else if (bits === 32) indices = from.elements(signed ? Int32Array : Uint32Array, 0, length, 'indices');
  else if (bits === 16) indices = from.elements(signed ? Int16Array : Uint16Array, 0, length, 'indices');
  else indices = from.elements(signed ? Int8Array : Uint8Array, 0, length, 'indices');
  for (let row = 0; row < length; row++) {
    const index = indices[row];
    if ((index < 0 || index >= values) && !from.isNull(row)) {
      from.fail(`index ${index} points outside of the dictionary of ${values} values`, row);
    }
  }
  return indices;
}

function convertDictionary(dictionary: Dictionary, from: Layout): Chunk {
  if (dictionary.chunk !== undefined) return dictionary.chunk;
  const { type, pieces } = dictionary;
  const chunks = (pieces.length === 0 ? [emptyArray(type)] : pieces).map((piece) => from.context.convert(type, piece, from.context));
  if (chunks.length === 1 && !('indices' in chunks[0])) return (dictionary.chunk = chunks[0]);
  from.take(chunks.length * 12);
  const all = {
    piece: Int32Array.from(chunks.keys()), from: new Uint32Array(chunks.length), to: Uint32Array.from(chunks, ({ length }) => length),
    rows: chunks.reduce((sum, { length }) => sum + length, 0),
  };
  return (dictionary.chunk = gather(chunks, all, from, true));
}

function emptyArray(type: ArrowType): ArrowArray {
  return {
    length: 0, nullCount: 0, bitOffset: 0, validity: noBytes, buffers: [],
    children: type.children.map(({ type: child }) => emptyArray(child)),
    dictionary: type.values === undefined ? undefined : { type: type.values, pieces: [], chunk: undefined },
  };
}

/** Runs become a dictionary of their values: the values are not repeated. */
export function runEndChunk(from: Layout): Chunk {
  const { length, context } = from;
  const [ends, values] = [from.child(0), from.child(1)];
  const { bits } = from.type.children[0].type;
  const runs = readRunEnds(from, ends, bits, values.length);
  const dictionary = context.convert(from.type.children[1].type, values, context);
  if (!isDictionary(dictionary)) return gather([dictionary], picksOfRuns(runs, length, from), from);
  const Width = runs.length <= 1 << 8 ? Uint8Array : runs.length <= 1 << 16 ? Uint16Array : Uint32Array;
  from.take(length * Width.BYTES_PER_ELEMENT);
  const indices = new Width(length);
  let start = 0;
  for (let run = 0; start < length; run++) {
    indices.fill(run, start, runs[run]);
    start = runs[run];
  }
  return { indices, dictionary, validity: undefined, length } satisfies DictionaryChunk;
}

/** The ends of the runs, checked as far as they are needed. */
function readRunEnds(from: Layout, array: ArrowArray, bits: number, values: number): Int32Array | Int16Array | Uint32Array {
  const layout = from.inner(from.type.children[0].type, array);
  const { length: count } = layout;
  const ends = bits === 64 ? layout.small64(0, count, 'run ends')
    : layout.elements(bits === 32 ? Int32Array : Int16Array, 0, count, 'run ends');
  let previous = 0;
  for (let run = 0; previous < from.length; run++) {
    if (run >= count || run >= values) {
      from.fail(`its runs and their values end after ${previous} of ${from.length} rows`);
    }
    if (ends[run] <= previous) from.fail(`run ends must ascend, but ${ends[run]} follows ${previous}`);
    previous = ends[run];
  }
  return ends;
}

function picksOfRuns(runs: ArrayLike<number>, length: number, from: Layout) {
  from.take(length * 8);
  const start = new Uint32Array(length);
  const to = new Uint32Array(length);
  let row = 0;
  for (let run = 0; row < length; run++) {
    const end = Math.min(runs[run], length);
    start.fill(run, row, end);
    to.fill(run + 1, row, end);
    row = end;
  }
  return { from: start, to, rows: length };
}
