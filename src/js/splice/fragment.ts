/** The record that goes with a fragment's body: what is needed to give it a place in a file, and a checksum. */

import { describe, ParquetError } from '../errors.js';
import type { RowGroupFragment } from '../types.js';
import type { Placed } from './assemble.js';
import { Slot } from './chunks.js';
import { malformed } from './compact-reader.js';
import { crc32 } from './crc.js';
import { type Piece, readPiece } from './piece.js';

/**
 * Little-endian: "PQRG", version, flags (two bytes each), CRC-32 of what follows and of version and flags, then as u64
 * bytes of the body, its place in the file it was written as, rows; then the indexes and FileMetaData of that file, and
 * last the length of FileMetaData as u32.
 */
const MAGIC = 0x47525150;
const VERSION = 1;
const CHECKED_FROM = 12;
const HEAD_BYTES = 36;
const FOOT_BYTES = 4;
/** Flag: the body itself begins with the file's magic, so that any fragment may be the first. */
const HAS_MAGIC = 1;

export type FragmentFooter = Omit<RowGroupFragment, 'body'>;

/** A fragment as it is to be placed. */
export interface OpenFragment {
  readonly piece: Piece;
  readonly byteLength: number;
  /** Offset in its own file at which its body begins: 0 or, behind the magic, 4. */
  readonly bodyStart: number;
  readonly bytes: Placed['bytes'];
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(CHECKED_FROM), crc32(bytes.subarray(4, 8)));
}

/** `tail`: indexes and metadata, from offset `tailStart` on. */
export function sealFragment(
  body: { readonly byteLength: number; readonly start: number },
  rows: number,
  tail: Uint8Array,
  tailStart: number,
  metadataBytes: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + tail.length + FOOT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, body.start === 0 ? HAS_MAGIC : 0, true);
  view.setBigUint64(12, BigInt(body.byteLength), true);
  view.setBigUint64(20, BigInt(tailStart), true);
  view.setBigUint64(28, BigInt(rows), true);
  bytes.set(tail, HEAD_BYTES);
  view.setUint32(bytes.length - FOOT_BYTES, metadataBytes, true);
  view.setUint32(8, checksum(bytes), true);
  return bytes;
}

/** Errors: ERR_FORMAT, ERR_OPTION. */
export function openFragment(fragment: FragmentFooter, what: string, like?: Piece): OpenFragment {
  const { footer: bytes, byteLength, rows } = (fragment ?? {}) as Partial<FragmentFooter>;
  if (Object.prototype.toString.call(bytes) !== '[object Uint8Array]') {
    throw new ParquetError('ERR_OPTION', `${what}: expected a fragment of encodeRowGroup, got ${describe(fragment)}`);
  }
  const record = bytes as Uint8Array;
  const fail = (text: string): never => {
    throw malformed(what, text);
  };
  if (record.length < HEAD_BYTES + FOOT_BYTES) fail('its footer is cut off');
  const view = new DataView(record.buffer, record.byteOffset, record.length);
  if (view.getUint32(0, true) !== MAGIC) fail('its footer is none of encodeRowGroup');
  const version = view.getUint16(4, true);
  if (version !== VERSION) fail(`its footer is of version ${version}, this assembler takes version ${VERSION}`);
  if (view.getUint32(8, true) !== checksum(record)) fail('its footer is damaged (checksum)');
  const [length, tailStart, count] = [12, 20, 28].map((at) => Number(view.getBigUint64(at, true)));
  const metadataEnd = record.length - FOOT_BYTES;
  const metadataBytes = view.getUint32(metadataEnd, true);
  const tailBytes = metadataEnd - HEAD_BYTES;
  if (metadataBytes > tailBytes || !Number.isSafeInteger(tailStart)) fail('its footer contradicts itself');
  if (byteLength !== length) fail(`its body has ${describe(byteLength)} bytes instead of ${length}`);
  if (rows !== count) fail(`it says ${describe(rows)} rows, its footer ${count}`);
  const tail = record.subarray(HEAD_BYTES, metadataEnd);
  const end = tailStart + tailBytes - metadataBytes;
  const bodyStart = view.getUint16(6, true) === HAS_MAGIC ? 0 : 4;
  if (tailStart - bodyStart > length) fail('its footer speaks of more than its body');
  const piece = readPiece(tail.subarray(tailBytes - metadataBytes), end, what, like);
  const { chunks } = piece;
  for (let chunk = 0; chunk < chunks.count; chunk++) {
    if (Math.max(chunks.get(chunk, Slot.end), chunks.get(chunk, Slot.bloomEnd)) > tailStart) {
      fail('pages of it do not lie in its body');
    }
  }
  // So that nothing is written more often than it is there.
  if (chunks.total(Slot.columnIndex) + chunks.total(Slot.offsetIndex) > tailBytes) fail('its footer contradicts itself');
  return {
    piece,
    byteLength: length,
    bodyStart,
    bytes: (range) => {
      if (range.start < tailStart || range.end > end) fail('a page index of it does not lie in its footer');
      return tail.subarray(range.start - tailStart, range.end - tailStart);
    },
  };
}
