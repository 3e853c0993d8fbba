/** A whole file, of which only footer, page indexes and headers of Bloom filters are read. */

import { describe, ParquetError } from '../errors.js';
import type { Placed } from './assemble.js';
import { Slot } from './chunks.js';
import { CompactReader, Kind, malformed } from './compact-reader.js';
import { IndexBytes } from './index-bytes.js';
import { type Piece, readPiece } from './piece.js';

const MAGIC = 0x31524150;
const ENCRYPTED = 0x45524150;
const LEAST_FILE = 12;
/** What is read of the end at first: most footers are smaller. */
const TAIL_BYTES = 1 << 16;
/** Most bytes of the header of a Bloom filter, with room for fields to come. */
const BLOOM_HEADER = 64;

export interface OpenFile {
  readonly piece: Piece;
  /** Where its row groups end: what lies behind is written anew. */
  readonly dataEnd: number;
  readonly metadataStart: number;
  readonly bytes: Placed['bytes'];
}

export function mustBeBlob(file: unknown, what: string): Blob {
  const { size, slice } = (file ?? {}) as Partial<Blob>;
  if (typeof size === 'number' && typeof slice === 'function') return file as Blob;
  throw new ParquetError('ERR_OPTION', `${what}: expected a Blob, got ${describe(file)}`);
}

/** Bytes of a Blob. Errors: ERR_FORMAT where it cannot be read any more. */
export async function read(blob: Blob, start: number, end: number, what: string): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await blob.slice(start, end).arrayBuffer());
  } catch (error) {
    throw malformed(what, `it cannot be read: ${String(error)}`, error);
  }
  if (bytes.length !== end - start) throw malformed(what, 'it became shorter while it was read');
  return bytes;
}

/** Errors: ERR_OPTION, ERR_FORMAT. */
export async function openFile(given: unknown, what: string): Promise<OpenFile> {
  const blob = mustBeBlob(given, what);
  const { size } = blob;
  if (size < LEAST_FILE) throw malformed(what, `it has ${size} bytes: no Parquet file`);
  const [head, end] = await Promise.all([
    read(blob, 0, 4, what),
    read(blob, Math.max(size - TAIL_BYTES, 4), size, what),
  ]);
  const view = new DataView(end.buffer);
  const magic = view.getUint32(end.length - 4, true);
  if (magic === ENCRYPTED) throw malformed(what, 'its footer is encrypted');
  if (magic !== MAGIC) throw malformed(what, 'it does not end as a Parquet file does: torn, or no such file');
  if (new DataView(head.buffer).getUint32(0, true) !== MAGIC) {
    throw malformed(what, 'it does not begin as a Parquet file does');
  }
  const length = view.getUint32(end.length - 8, true);
  if (length > size - LEAST_FILE) throw malformed(what, `its footer has ${length} bytes, the file ${size}: it is torn`);
  const metadataStart = size - 8 - length;
  const have = end.subarray(0, end.length - 8);
  const metadata =
    length <= have.length ? have.subarray(have.length - length) : await read(blob, metadataStart, size - 8, what);
  const piece = readPiece(metadata, metadataStart, what);
  await findBlooms(blob, piece);
  const { chunks } = piece;
  const slots: number[] = [Slot.start, Slot.bloom, Slot.columnIndex, Slot.offsetIndex];
  const claimed = slots.reduce((sum, slot) => sum + chunks.total(slot), 0);
  // So that nothing is read, or written, more often than it is there.
  if (claimed > metadataStart - 4) throw malformed(what, `parts of it take ${claimed} bytes, the file has ${size}`);
  let dataEnd = 4;
  let indexes = metadataStart;
  for (let chunk = 0; chunk < chunks.count; chunk++) {
    dataEnd = Math.max(dataEnd, chunks.get(chunk, Slot.end), chunks.get(chunk, Slot.bloomEnd));
  }
  for (let chunk = 0; chunk < chunks.count; chunk++) {
    for (const slot of [Slot.columnIndex, Slot.offsetIndex]) {
      const start = chunks.get(chunk, slot);
      if (start >= dataEnd) indexes = Math.min(indexes, start);
    }
  }
  const index = new IndexBytes(piece);
  await index.load((start, to) => read(blob, start, to, what));
  // Writers of old count a chunk's bytes too low: what nobody claims stays.
  return { piece, dataEnd: indexes, metadataStart, bytes: (range) => index.get(range) };
}

/** Asks headers of Bloom filters for the lengths that the footer does not tell. */
async function findBlooms(blob: Blob, { chunks, what, end }: Piece): Promise<void> {
  for (let chunk = 0; chunk < chunks.count; chunk++) {
    const start = chunks.get(chunk, Slot.bloom);
    if (start === 0 || chunks.get(chunk, Slot.bloomEnd) > 0) continue;
    const reader = new CompactReader(await read(blob, start, Math.min(start + BLOOM_HEADER, end), what), what);
    let bits = -1;
    reader.struct((id, kind) => {
      if (id !== 1) return;
      reader.expect(kind, Kind.i32, 'the length of a Bloom filter');
      bits = reader.size('the length of a Bloom filter');
    });
    const filterEnd = start + reader.at + bits;
    if (bits < 0 || filterEnd > end) reader.fail(`the Bloom filter at ${start} does not lie inside: is the file torn?`);
    chunks.set(chunk, Slot.bloomEnd, filterEnd);
  }
}
