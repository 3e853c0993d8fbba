/** UTF-8 straight into wasm memory. */

/**
 * From this many UTF-16 units on a string goes through TextEncoder. The call costs 60 ns in Node and 300 in Chromium, a
 * unit in the loop 1.3 to 2 ns.
 */
export const LONG = 160;

const encoder = new TextEncoder();

/**
 * Writes a short string at `at`; the position behind it. There must be room for three bytes per UTF-16 unit. A lone
 * surrogate becomes U+FFFD, also next to the other half in a neighbouring string.
 */
export function encodeShort(text: string, memory: Uint8Array, at: number): number {
  const { length } = text;
  let index = 0;
  for (; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return encodeRest(text, index, memory, at + index);
    memory[at + index] = unit;
  }
  return at + length;
}

function encodeRest(text: string, from: number, memory: Uint8Array, start: number): number {
  const { length } = text;
  let at = start;
  for (let index = from; index < length; index++) {
    let unit = text.charCodeAt(index);
    if (unit < 0x80) {
      memory[at++] = unit;
      continue;
    }
    if (unit < 0x800) {
      memory[at++] = 0xc0 | (unit >>> 6);
      memory[at++] = 0x80 | (unit & 0x3f);
      continue;
    }
    if ((unit & 0xf800) === 0xd800) {
      const next = index + 1 < length ? text.charCodeAt(index + 1) : 0;
      if (unit < 0xdc00 && (next & 0xfc00) === 0xdc00) {
        const point = 0x1_0000 + ((unit & 0x3ff) << 10) + (next & 0x3ff);
        memory[at++] = 0xf0 | (point >>> 18);
        memory[at++] = 0x80 | ((point >>> 12) & 0x3f);
        memory[at++] = 0x80 | ((point >>> 6) & 0x3f);
        memory[at++] = 0x80 | (point & 0x3f);
        index++;
        continue;
      }
      unit = 0xfffd;
    }
    memory[at++] = 0xe0 | (unit >>> 12);
    memory[at++] = 0x80 | ((unit >>> 6) & 0x3f);
    memory[at++] = 0x80 | (unit & 0x3f);
  }
  return at;
}

/** Writes as much of a long string as fits between `at` and `end`: units read and bytes written. */
export function encodeLong(
  text: string,
  memory: Uint8Array,
  at: number,
  end: number,
): { read: number; written: number } {
  return encoder.encodeInto(text, memory.subarray(at, end));
}

/** Writes a text if all of it is ASCII; otherwise false, with some of it written. There must be room for its length. */
export function encodeAscii(text: string, memory: Uint8Array, at: number): boolean {
  const { length } = text;
  const { read, written } = encoder.encodeInto(text, memory.subarray(at, at + length));
  return read === length && written === length;
}

/** Bytes of the string in UTF-8. */
export function utf8Length(text: string): number {
  const { length } = text;
  let bytes = length;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes++;
      continue;
    }
    bytes += 2;
    // The second half of a pair adds nothing: four bytes for two units.
    if (unit >= 0xd800 && unit < 0xdc00 && index + 1 < length && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00)
      index++;
  }
  return bytes;
}
