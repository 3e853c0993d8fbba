/** Dictionaries and run-end encoding. */

import { type ArrowArray, type Dictionary, noBytes } from './array.js';
import type { ArrowType } from './field.js';
import { smallIntegers } from './fixed-width.js';
import { expand, gather } from './gather.js';
import type { Layout } from './layout.js';
import type { Chunk, DictionaryChunk, Indices } from './table.js';

/** A chunk with a dictionary, or its values where they are of a form that cannot be one. */
function coded(chunk: DictionaryChunk, from: Layout): Chunk {
  const { dictionary } = chunk;
  return 'values' in dictionary || 'bytes' in dictionary || 'fixed' in dictionary ? chunk : expand(chunk, from);
}

export function dictionaryChunk(from: Layout): Chunk {
  const { length, validity } = from;
  const dictionary = convertDictionary(from.array.dictionary ?? from.fail('its dictionary is missing'), from);
  return coded({ indices: readIndices(from, dictionary.length), dictionary, validity, length }, from);
}

function readIndices(from: Layout, values: number): Indices {
  const { length, type } = from;
  const width = type.indices as ArrowType;
  const indices: Indices = width.bits === 64
    ? from.small64(0, length, 'indices', (row) => !from.isNull(row)) : smallIntegers(width, from, 'indices');
  for (let row = 0; row < length; row++) {
    const index = indices[row];
    if ((index < 0 || index >= values) && !from.isNull(row)) {
      from.fail(`index ${index} points outside of the dictionary of ${values} values`, row);
    }
  }
  return indices;
}

function convertDictionary(dictionary: Dictionary, from: Layout): Chunk {
  if (dictionary.chunk === null) from.fail('its dictionary refers to itself');
  if (dictionary.chunk !== undefined) return dictionary.chunk;
  dictionary.chunk = null;
  const { type, pieces } = dictionary;
  const chunks = (pieces.length === 0 ? [emptyArray(type)] : pieces)
    .map((piece) => from.context.convert(type, piece, from.context));
  if (chunks.length === 1 && !('indices' in chunks[0])) return (dictionary.chunk = chunks[0]);
  from.take(chunks.length * 12);
  const all = {
    piece: Int32Array.from(chunks.keys()),
    from: new Uint32Array(chunks.length),
    to: Uint32Array.from(chunks, ({ length }) => length),
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
  const runs = readRunEnds(from, ends, values.length);
  const dictionary = context.convert(from.type.children[1].type, values, context);
  const Width = runs.length <= 1 << 8 ? Uint8Array : runs.length <= 1 << 16 ? Uint16Array : Uint32Array;
  from.take(length * Width.BYTES_PER_ELEMENT);
  const indices = new Width(length);
  let start = 0;
  for (let run = 0; start < length; run++) {
    indices.fill(run, start, runs[run]);
    start = runs[run];
  }
  return coded({ indices, dictionary, validity: undefined, length }, from);
}

/** The ends of the runs, checked as far as they are needed. */
function readRunEnds(from: Layout, array: ArrowArray, values: number): Indices {
  const { type } = from.type.children[0];
  const layout = from.inner(type, array);
  const { length: count } = layout;
  const ends = type.bits === 64 ? layout.small64(0, count, 'run ends') : smallIntegers(type, layout, 'run ends');
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
