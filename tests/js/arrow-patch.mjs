// Finds things in IPC streams, so that tests can change them; and checks by itself what chunks promise.

import { bit } from './arrow-expand.mjs';

/** A table of a FlatBuffer, for reading and for changing it. */
export class Flat {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.vtable = at - this.view.getInt32(at, true);
  }

  /** Position of a field's value. */
  field(number) {
    const slot = 4 + number * 2;
    const offset = slot < this.view.getUint16(this.vtable, true) ? this.view.getUint16(this.vtable + slot, true) : 0;
    if (offset === 0) throw new Error(`field ${number} is absent`);
    return this.at + offset;
  }

  /** Makes all fields absent: two bytes that read 4 are a vtable without fields, wherever they are. */
  clear() {
    let empty = this.at & ~1;
    while (this.view.getUint16(empty, true) !== 4) empty -= 2;
    this.setInt(this.at, this.at - empty);
  }

  /** A number that is absent when it is 0. */
  long(number) {
    try {
      return this.view.getBigInt64(this.field(number), true);
    } catch {
      return 0n;
    }
  }

  table(number) {
    const at = this.field(number);
    return new Flat(this.bytes, at + this.view.getUint32(at, true));
  }

  /** Position of the first element, and how many there are. */
  vector(number) {
    const field = this.field(number);
    const at = field + this.view.getUint32(field, true);
    return { at: at + 4, count: this.view.getUint32(at, true) };
  }

  tables(number) {
    const { at, count } = this.vector(number);
    return Array.from({ length: count }, (_, index) => {
      const element = at + 4 * index;
      return new Flat(this.bytes, element + this.view.getUint32(element, true));
    });
  }

  setInt(at, value) {
    this.view.setInt32(at, value, true);
  }

  setLong(at, value) {
    this.view.setBigInt64(at, BigInt(value), true);
  }
}

/** All messages of a stream: kind, header, and where the body starts. */
export function messages(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = [];
  for (let at = 0; at < bytes.length;) {
    const size = view.getInt32(at + 4, true);
    if (size === 0) break;
    const root = new Flat(bytes, at + 8 + view.getUint32(at + 8, true));
    const body = at + 8 + size;
    const length = Number(root.long(3));
    found.push({ start: at, kind: bytes[root.field(1)], header: root.table(2), body, end: body + length });
    at = body + length;
  }
  return found;
}

function fail(what) {
  throw new Error(`a chunk breaks its promise: ${what}`);
}

/** Throws when a chunk would make its reader go astray. */
export function checkChunk(chunk) {
  const { length, validity } = chunk;
  if (!Number.isSafeInteger(length) || length < 0) fail(`length ${length}`);
  if (validity !== undefined && validity.length * 8 < length) fail('validity is short');
  if (chunk.nulls) return;
  if (chunk.values && chunk.values.length < length) fail('values are short');
  if (chunk.fixed && chunk.fixed.length < length * chunk.width) fail('fixed is short');
  if (chunk.bits && chunk.bits.length * 8 < length) fail('bits are short');
  if (chunk.indices) checkIndices(chunk);
  if (chunk.offsets) {
    checkOffsets(chunk.offsets, length, chunk.bytes ? chunk.bytes.length : chunk.child.length);
    if (chunk.child) checkChunk(chunk.child);
  }
  for (const child of Object.values(chunk.children ?? {})) {
    if (child.length !== length) fail('a child of a struct has another length');
    checkChunk(child);
  }
}

function checkIndices({ indices, dictionary, validity, length }) {
  if (indices.length < length) fail('indices are short');
  if (!dictionary.values && !dictionary.fixed && !dictionary.bytes) fail('a dictionary of another form');
  checkChunk(dictionary);
  for (let row = 0; row < length; row++) {
    if (validity !== undefined && !bit(validity, row)) continue;
    if (!(indices[row] >= 0 && indices[row] < dictionary.length)) fail(`index ${indices[row]} of ${dictionary.length}`);
  }
}

function checkOffsets(offsets, length, limit) {
  if (offsets.length < length + 1) fail('offsets are short');
  if (offsets[0] < 0 || offsets[length] > limit) fail('offsets lead outside');
  for (let row = 0; row < length; row++) if (offsets[row + 1] < offsets[row]) fail('offsets descend');
}

/** The bytes with some damage. */
export function mutate(bytes, random) {
  const kind = random(12);
  if (kind === 0) return bytes.slice(0, random(bytes.length));
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  const words = Math.floor(out.length / 4);
  if (kind === 1) {
    return new Uint8Array(Buffer.concat([out.subarray(0, random(out.length)), out.subarray(random(out.length))]));
  }
  // Few changes get past the first checks more often.
  for (let change = random(3) === 0 ? random(4) : 0; change >= 0; change--) {
    const at = random(out.length);
    const word = random(words) * 4;
    if (kind < 5) out[at] ^= 1 << random(8);
    else if (kind < 7) out[at] = random(256);
    else if (kind === 7) view.setInt32(word, [-1, 2 ** 31 - 1, -(2 ** 31), 1, 0, 2 ** 30, 8, 255][random(8)], true);
    else if (kind === 8) view.setInt32(word, view.getInt32(word, true) + random(33) - 16, true);
    else if (kind === 9) view.setInt32(word, view.getInt32(random(words) * 4, true), true);
    else if (kind === 10) out.fill(random(2) * 255, at, at + random(24));
    else out.copyWithin(random(out.length), at, at + random(64));
  }
  return out;
}
