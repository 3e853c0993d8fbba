/** Copies within decompressed bytes. Callers have checked that all of it is inside. */

/** Below this many bytes a loop is faster than a call. */
const SHORT = 24;

export function copyLiterals(from: Uint8Array, at: number, out: Uint8Array, to: number, size: number): void {
  if (size > SHORT) out.set(from.subarray(at, at + size), to);
  else for (let index = 0; index < size; index++) out[to + index] = from[at + index];
}

/** Repeats what stands `offset` bytes before `to`; the two may overlap, then the bytes recur. */
export function copyMatch(out: Uint8Array, to: number, offset: number, size: number): void {
  const from = to - offset;
  if (size > SHORT && offset >= size) {
    out.copyWithin(to, from, from + size);
  } else if (size > SHORT && offset === 1) {
    out.fill(out[from], to, to + size);
  } else {
    for (let index = 0; index < size; index++) out[to + index] = out[from + index];
  }
}

/** What is wrong with compressed bytes; whoever called adds where they are. */
export function corrupt(what: string): never {
  throw new Error(what);
}

export function cutOff(): never {
  return corrupt('they are cut off');
}

export function tooMuch(): never {
  return corrupt('they hold more than they say');
}

/** Lengths of what was written and of what was to be. */
export function mustBeFull(filled: number, wanted: number): void {
  if (filled !== wanted) corrupt(`they hold ${filled} bytes, not ${wanted}`);
}
