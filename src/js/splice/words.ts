/** What a footer says in words: key-values and the writer's name. */

import { Kind } from './compact-reader.js';
import { StructWriter } from './compact-writer.js';
import type { KeyValue, Piece } from './piece.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Most names in created_by. */
const MOST_NAMES = 4;

/** Of each key the first value stays; what the caller says goes before all. */
export function keyValues(
  pieces: readonly Piece[],
  said: readonly (readonly [string, string])[],
  to: StructWriter,
): void {
  const known = new Set(said.map(([key]) => key));
  const kept: { piece: Piece; pair: KeyValue }[] = [];
  for (const piece of pieces) {
    const fresh = piece.keyValues.filter(({ key }) => !known.has(key));
    for (const pair of fresh) {
      kept.push({ piece, pair });
      known.add(pair.key);
    }
  }
  if (kept.length + said.length === 0) return;
  to.field(5, Kind.list);
  to.out.listHeader(kept.length + said.length, Kind.struct);
  for (const { piece, pair } of kept) to.out.raw(piece.metadata, pair.start, pair.end);
  for (const [key, value] of said) {
    const entry = new StructWriter(to.out);
    entry.binary(1, encoder.encode(key));
    entry.binary(2, encoder.encode(value));
    entry.end();
  }
}

/** The writers of all pieces, the first in front: readers judge by it. */
export function createdBy(pieces: readonly Piece[], said: string): Uint8Array {
  if (said !== '') return encoder.encode(said);
  const names = new Set<string>();
  for (const piece of pieces) names.add(decoder.decode(piece.createdBy));
  names.delete('');
  const [first = 'unknown', ...others] = names;
  const more = others.length >= MOST_NAMES ? [`${others.length - MOST_NAMES + 1} more`] : [];
  return encoder.encode([first, ...others.slice(0, MOST_NAMES - 1), ...more].join('; '));
}
