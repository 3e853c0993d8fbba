/** One column of a table; what `type` and `data` may be is said in index.mjs. */
export const column = (name, type, data, nullable = false) => ({ name, type, nullable, data });

export const DAY = 86400000;
export const cents = (x) => Math.round(x * 100) / 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const scratch = new Uint8Array(65536);

/** A flat copy (no rope, no slice) of a string longer than 10 characters; V8 shares shorter ones. */
export function flat(text) {
  if (text === null || text.length <= 10) return text;
  return decoder.decode(scratch.subarray(0, encoder.encodeInto(text, scratch).written));
}
