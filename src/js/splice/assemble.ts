/** One footer for the row groups of many: offsets moved, ordinals and totals counted anew, all else as it was. */

import { ParquetError } from '../errors.js';
import { type Chunks, Slot } from './chunks.js';
import { CompactReader, Kind } from './compact-reader.js';
import { CompactWriter, StructWriter } from './compact-writer.js';
import { mustAgree } from './elements.js';
import { checkColumnIndex, moveOffsetIndex } from './page-index.js';
import { NEW_BOUNDS, OLD_BOUNDS, type Piece, type Range } from './piece.js';
import { createdBy, keyValues } from './words.js';

/** A piece and where it goes. */
export interface Placed {
  readonly piece: Piece;
  /** Added to every offset. */
  readonly shift: number;
  /** The bytes of a page index. */
  readonly bytes: (range: Range) => Uint8Array;
}

export interface Words {
  readonly metadata: readonly (readonly [string, string])[];
  readonly createdBy: string;
}

const MOST_ORDINAL = 2 ** 15 - 1;
/** SPEC: counted in an i32. */
const MOST_FOOTER = 2 ** 31 - 1;
const MAGIC = [80, 65, 82, 49];

/**
 * Everything behind the last row group: page indexes, FileMetaData, length, magic. `start` is where that begins.
 * Errors: ERR_SCHEMA, ERR_FORMAT, ERR_LIMIT.
 */
export function assembleTail(placed: readonly Placed[], start: number, words: Words): Uint8Array<ArrayBuffer> {
  const [first] = placed;
  for (const { piece } of placed) mustAgree(piece.elements, piece.what, first.piece.elements, first.piece.what);
  const orders = placed.map((one) => sameOrders(one.piece, first.piece));
  const bounds = commonBounds(placed, orders);
  const out = new CompactWriter(placed.reduce((sum, { piece }) => sum + expectedBytes(piece), 1024));
  writeIndexes(placed, orders, start, out);
  const metadataStart = out.length;
  writeMetadata(placed, bounds, words, out);
  const length = out.length - metadataStart;
  if (length > MOST_FOOTER) throw new ParquetError('ERR_LIMIT', `the footer would take ${length} bytes, 2^31 or more`);
  for (let byte = 0; byte < 4; byte++) out.byte((length >>> (8 * byte)) & 255);
  MAGIC.forEach((byte) => out.byte(byte));
  return out.result();
}

/** Offsets grow by a few bytes as they move. */
function expectedBytes({ metadata, chunks }: Piece): number {
  return metadata.length + chunks.total(Slot.columnIndex) + chunks.total(Slot.offsetIndex) + 12 * chunks.count;
}

function sameOrders(one: Piece, other: Piece): boolean {
  const bytes = ({ metadata, orders }: Piece) => String(orders && metadata.subarray(orders.start, orders.end));
  return one === other || bytes(one) === bytes(other);
}

/**
 * Bounds that may stay, by column: readers that merge bounds over row groups take those of some for those of all, so
 * that it is all or none. Bounds in another order are none; those of old are judged by the writer's name, which must be
 * the same.
 */
function commonBounds(placed: readonly Placed[], orders: readonly boolean[]): Uint8Array {
  const [{ piece: first }] = placed;
  const bounds = first.bounds.slice();
  const writer = String(first.createdBy);
  placed.forEach(({ piece }, index) => {
    const kept = (orders[index] ? NEW_BOUNDS : 0) | (String(piece.createdBy) === writer ? OLD_BOUNDS : 0);
    piece.bounds.forEach((found, column) => (bounds[column] &= found & kept));
  });
  return bounds;
}

/**
 * SPEC: all column indexes, then all offset indexes, near the footer. The table of chunks tells afterwards where they
 * are now.
 */
function writeIndexes(placed: readonly Placed[], orders: readonly boolean[], start: number, out: CompactWriter): void {
  placed.forEach(({ piece, bytes }, index) => {
    const { chunks } = piece;
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      const source = rangeOf(chunks, chunk, Slot.columnIndex);
      const from = out.length;
      // Without an offset index nobody knows the pages; in another order bounds mislead.
      if (orders[index] && chunks.get(chunk, Slot.offsetIndex) > 0 && source.end > 0) out.raw(bytes(source));
      note(chunks, chunk, Slot.columnIndex, start, from, out);
    }
  });
  for (const { piece, bytes, shift } of placed) {
    const { chunks, what } = piece;
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      const source = rangeOf(chunks, chunk, Slot.offsetIndex);
      const from = out.length;
      if (source.end > 0) {
        const home = { ...rangeOf(chunks, chunk, Slot.start), rows: chunks.rowsOf(chunk), what };
        const pages = moveOffsetIndex(bytes(source), home, shift, out);
        const { start: at, end } = rangeOf(chunks, chunk, Slot.columnIndex);
        if (end > 0) checkColumnIndex(out.view(at - start, end - start), pages, what);
      }
      note(chunks, chunk, Slot.offsetIndex, start, from, out);
    }
  }
}

function rangeOf(chunks: Chunks, chunk: number, slot: number): Range {
  return { start: chunks.get(chunk, slot), end: chunks.get(chunk, slot + 1) };
}

/** Where what was just written lies; nothing written is nothing there. */
function note(chunks: Chunks, chunk: number, slot: number, start: number, from: number, out: CompactWriter): void {
  const written = out.length > from;
  chunks.set(chunk, slot, written ? start + from : 0);
  chunks.set(chunk, slot + 1, written ? start + out.length : 0);
}

function writeMetadata(
  placed: readonly Placed[],
  bounds: Uint8Array,
  words: Words,
  out: CompactWriter,
): void {
  const [{ piece: first }] = placed;
  const to = new StructWriter(out);
  const total = (of: (piece: Piece) => number) => placed.reduce((sum, { piece }) => sum + of(piece), 0);
  const rows = total((piece) => piece.rows);
  if (!Number.isSafeInteger(rows)) throw new ParquetError('ERR_LIMIT', `there are ${rows} rows, more than 2^53`);
  to.size(1, Kind.i32, Math.max(...placed.map(({ piece }) => piece.version)));
  to.field(2, Kind.list);
  out.raw(first.metadata, first.schema.start, first.schema.end);
  to.size(3, Kind.i64, rows);
  to.field(4, Kind.list);
  out.listHeader(total((piece) => piece.groups), Kind.struct);
  let ordinal = 0;
  for (const { piece, shift } of placed) {
    const reader = new CompactReader(piece.metadata, piece.what);
    reader.at = piece.groupsStart;
    for (let group = 0; group < piece.groups; group++, ordinal++) {
      moveRowGroup(reader, { piece, shift, bounds, out }, group, ordinal);
    }
  }
  keyValues(placed.map(({ piece }) => piece), words.metadata, to);
  to.binary(6, createdBy(placed.map(({ piece }) => piece), words.createdBy));
  if (first.orders !== undefined) {
    to.field(7, Kind.list);
    out.raw(first.metadata, first.orders.start, first.orders.end);
  }
  to.end();
}

/** What row groups of a piece are moved with. */
interface Move {
  readonly piece: Piece;
  readonly shift: number;
  readonly bounds: Uint8Array;
  readonly out: CompactWriter;
}

/** Copies a struct field by field; `change` writes what it changes or leaves out, and says so. */
function copyStruct(
  reader: CompactReader,
  out: CompactWriter,
  change: (id: number, kind: number, to: StructWriter) => boolean,
): void {
  const to = new StructWriter(out);
  reader.struct((id, kind) => {
    const start = reader.at;
    if (change(id, kind, to)) return;
    reader.skip(kind);
    to.field(id, kind);
    out.raw(reader.bytes, start, reader.at);
  });
  to.end();
}

/** An offset goes along. What is none, 0 and nonsense in fields that nobody reads, becomes 0. */
function moveOffset(reader: CompactReader, kind: number, { piece, shift }: Move, to: StructWriter, id: number): boolean {
  reader.expect(kind, Kind.i64, 'an offset');
  const offset = reader.integer();
  to.size(id, Kind.i64, offset > 0 && offset < piece.end ? offset + shift : 0);
  return true;
}

function moveRowGroup(reader: CompactReader, move: Move, group: number, ordinal: number): void {
  copyStruct(reader, move.out, (id, kind, to) => {
    if (id === 1) {
      const { count } = reader.list();
      to.field(1, Kind.list);
      move.out.listHeader(count, Kind.struct);
      for (let column = 0; column < count; column++) moveChunk(reader, move, group * count + column, column);
      return true;
    }
    if (id === 5) return moveOffset(reader, kind, move, to, id);
    if (id !== 7) return false;
    reader.expect(kind, Kind.i16, 'an ordinal');
    reader.integer();
    // SPEC: an i16. Left out where it does not fit.
    if (ordinal <= MOST_ORDINAL) to.size(7, Kind.i16, ordinal);
    return true;
  });
}

function moveChunk(reader: CompactReader, move: Move, chunk: number, column: number): void {
  copyStruct(reader, move.out, (id, kind, to) => {
    if (id === 2) return moveOffset(reader, kind, move, to, id);
    if (id === 3) {
      to.field(3, Kind.struct);
      moveColumn(reader, move, column);
      return true;
    }
    if (id < 4 || id > 7) return false;
    reader.varint();
    const { start, end } = rangeOf(move.piece.chunks, chunk, id < 6 ? Slot.offsetIndex : Slot.columnIndex);
    if (end > 0) to.size(id, kind, id % 2 === 0 ? start : end - start);
    return true;
  });
}

function moveColumn(reader: CompactReader, move: Move, column: number): void {
  copyStruct(reader, move.out, (id, kind, to) => {
    if (id === 9 || id === 10 || id === 11 || id === 14) return moveOffset(reader, kind, move, to, id);
    if (id !== 12) return false;
    to.field(12, Kind.struct);
    copyStruct(reader, move.out, (field, of) => {
      const set = field === 1 || field === 2 ? OLD_BOUNDS : field >= 5 && field <= 8 ? NEW_BOUNDS : 0;
      if ((move.bounds[column] & set) === set) return false;
      reader.skip(of);
      return true;
    });
    return true;
  });
}
