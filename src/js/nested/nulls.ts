/** Which rows of a column in an object form are null. */

import { findNull } from '../infer.js';
import type { Shape } from '../input/shape.js';

/** The first row whose bit is 0; −1 when there is none. */
function firstUnset(bitmap: Uint8Array | undefined, rows: number): number {
  if (bitmap === undefined) return -1;
  for (let at = 0; at * 8 < rows; at++) {
    if (bitmap[at] === 0xff) continue;
    for (let row = at * 8; row < Math.min(at * 8 + 8, rows); row++) {
      if (((bitmap[at] >>> (row & 7)) & 1) === 0) return row;
    }
  }
  return -1;
}

/** The row of the first null; −1 when there is none. */
export function* firstNullOf(shape: Shape): Generator<void, number> {
  switch (shape.form) {
    case 'array':
      return yield* findNull(shape.values, shape.rows);
    case 'nulls':
      return shape.rows > 0 ? 0 : -1;
    case 'pieces': {
      let start = 0;
      for (const piece of shape.pieces) {
        const row = yield* firstNullOf(piece);
        if (row >= 0) return start + row;
        start += piece.rows;
      }
      return -1;
    }
    case 'dictionary': {
      const known = knownEntries(shape.dictionary);
      if (known === undefined) return firstUnset(shape.validity, shape.rows);
      const { indices, validity, rows } = shape;
      for (let row = 0; row < rows; row++) {
        const unset = validity !== undefined && ((validity[row >>> 3] >>> (row & 7)) & 1) === 0;
        if (unset || known[indices[row]] === 0) return row;
      }
      return -1;
    }
    default:
      return firstUnset(shape.validity, shape.rows);
  }
}

/** 1 for each entry of a dictionary that is a value, 0 for nulls; undefined when there is no null among them. */
export function knownEntries(shape: Shape): Uint8Array | undefined {
  const known = new Uint8Array(shape.rows);
  switch (shape.form) {
    case 'array':
      for (let entry = 0; entry < known.length; entry++) known[entry] = (shape.values[entry] ?? null) === null ? 0 : 1;
      break;
    case 'nulls':
      break;
    case 'pieces':
      return undefined;
    default: {
      const { validity } = shape;
      const inner = shape.form === 'dictionary' ? knownEntries(shape.dictionary) : undefined;
      if (validity === undefined && inner === undefined) return undefined;
      for (let entry = 0; entry < known.length; entry++) {
        const set = validity === undefined ? 1 : (validity[entry >>> 3] >>> (entry & 7)) & 1;
        known[entry] =
          set === 1 && shape.form === 'dictionary' && inner !== undefined ? inner[shape.indices[entry]] : set;
      }
    }
  }
  return known.includes(0) ? known : undefined;
}
