/** New chunks from rows of others, for what Arrow refers to and Parquet writes out: views, runs, dictionaries. */

import type { TypedArray } from '../types.js';
import { bitBytes, getBit, setBit } from './bitmap.js';
import type {
  BitsChunk, BytesChunk, Chunk, DictionaryChunk, FixedChunk, ListChunk, StructChunk, Validity, ValuesChunk,
} from './table.js';

/** Rows `from[i]` to `to[i]` of piece `piece[i]`, one range after the other. */
export interface Picks {
  /** Absent: all from piece 0. −1: a null row; its range is one row long. */
  readonly piece?: Int32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Sum of all ranges. */
  readonly rows: number;
}

/** Whoever pays for what is made. */
export interface Payer {
  take(bytes: number): void;
  tooLarge(text: string): never;
}

/** More than offsets can count. */
export const TOO_MANY = 'one batch would expand to more values or bytes than offsets can count; make smaller batches';
const MOST = 2 ** 32 - 1;

/** All pieces have one type. `plain`: dictionaries are expanded, too. */
export function gather(pieces: readonly Chunk[], picks: Picks, payer: Payer, plain = false): Chunk {
  const [first] = pieces;
  const { rows: length } = picks;
  if ('nulls' in first) return { nulls: true, length };
  if ('indices' in first) {
    const coded = pieces as DictionaryChunk[];
    if (!plain && coded.length === 1) return gatherIndices(first, picks, payer);
    return gather(coded.map((chunk) => expand(chunk, payer, true)), picks, payer, plain);
  }
  const validity = gatherValidity(pieces, picks, payer);
  if ('values' in first) return { values: gatherValues(pieces as ValuesChunk[], picks, payer), validity, length };
  if ('fixed' in first) {
    return { fixed: gatherFixed(pieces as FixedChunk[], picks, payer), width: first.width, validity, length };
  }
  if ('bits' in first) {
    return { bits: gatherBits((pieces as BitsChunk[]).map(({ bits }) => bits), picks, payer), validity, length };
  }
  if ('bytes' in first) return { ...gatherBytes(pieces as BytesChunk[], picks, payer), validity, length };
  if ('child' in first) return { ...gatherLists(pieces as ListChunk[], picks, payer, plain), validity, length };
  return { children: gatherChildren(pieces as StructChunk[], picks, payer, plain), validity, length };
}

/** Calls `copy` for every range that is there; the row where it goes comes last. */
function eachRange(picks: Picks, copy: (piece: number, from: number, to: number, at: number) => void): void {
  const { piece, from, to } = picks;
  let at = 0;
  for (let index = 0; index < from.length; index++) {
    const source = piece === undefined ? 0 : piece[index];
    if (source >= 0) copy(source, from[index], to[index], at);
    at += to[index] - from[index];
  }
}

function gatherValidity(pieces: readonly Chunk[], picks: Picks, payer: Payer): Validity {
  const bitmaps = pieces.map((chunk) => ('validity' in chunk ? chunk.validity : undefined));
  if (picks.piece?.includes(-1) !== true && bitmaps.every((bitmap) => bitmap === undefined)) return undefined;
  return gatherBits(bitmaps, picks, payer);
}

/** A bitmap that is not there counts as all ones. */
function gatherBits(bitmaps: readonly (Uint8Array | undefined)[], picks: Picks, payer: Payer): Uint8Array {
  const bytes = bitBytes(picks.rows);
  payer.take(bytes);
  const out = new Uint8Array(bytes);
  eachRange(picks, (piece, from, to, at) => {
    const bitmap = bitmaps[piece];
    for (let row = from; row < to; row++, at++) {
      if (bitmap === undefined || getBit(bitmap, row)) setBit(out, at);
    }
  });
  return out;
}

function gatherValues(pieces: readonly ValuesChunk[], picks: Picks, payer: Payer): TypedArray {
  const [{ values }] = pieces;
  payer.take(picks.rows * values.BYTES_PER_ELEMENT);
  const out = new (values.constructor as new (length: number) => TypedArray)(picks.rows);
  eachRange(picks, (piece, from, to, at) => {
    const source = pieces[piece].values;
    if (to - from === 1) out[at] = source[from];
    else out.set(source.subarray(from, to) as never, at);
  });
  return out;
}

function gatherFixed(pieces: readonly FixedChunk[], picks: Picks, payer: Payer): Uint8Array {
  const [{ width }] = pieces;
  payer.take(picks.rows * width);
  const out = new Uint8Array(picks.rows * width);
  eachRange(picks, (piece, from, to, at) => {
    out.set(pieces[piece].fixed.subarray(from * width, to * width), at * width);
  });
  return out;
}

/** Offsets of the picked rows, which count what the ranges of `pieces` hold. */
function gatherOffsets(pieces: readonly (BytesChunk | ListChunk)[], picks: Picks, payer: Payer): Uint32Array {
  payer.take((picks.rows + 1) * 4);
  const out = new Uint32Array(picks.rows + 1);
  let total = 0;
  let next = 0;
  eachRange(picks, (piece, from, to, at) => {
    const { offsets } = pieces[piece];
    // Null rows before this range have no length.
    out.fill(total, next, at + 1);
    for (let row = from; row < to; row++) out[++at] = total + offsets[row + 1] - offsets[from];
    total += offsets[to] - offsets[from];
    if (total > MOST) payer.tooLarge(TOO_MANY);
    next = at + 1;
  });
  out.fill(total, next);
  return out;
}

function gatherBytes(
  pieces: readonly BytesChunk[], picks: Picks, payer: Payer): { offsets: Uint32Array; bytes: Uint8Array } {
  const offsets = gatherOffsets(pieces, picks, payer);
  const total = offsets[picks.rows];
  payer.take(total);
  const bytes = new Uint8Array(total);
  eachRange(picks, (piece, from, to, at) => {
    const source = pieces[piece];
    bytes.set(source.bytes.subarray(source.offsets[from], source.offsets[to]), offsets[at]);
  });
  return { offsets, bytes };
}

function gatherLists(
  pieces: readonly ListChunk[], picks: Picks, payer: Payer, plain: boolean): { offsets: Uint32Array; child: Chunk } {
  const offsets = gatherOffsets(pieces, picks, payer);
  const count = picks.from.length;
  payer.take(count * 12);
  const below = {
    piece: new Int32Array(count), from: new Uint32Array(count), to: new Uint32Array(count), rows: offsets[picks.rows],
  };
  let index = 0;
  eachRange(picks, (piece, from, to) => {
    below.piece[index] = piece;
    below.from[index] = pieces[piece].offsets[from];
    below.to[index] = pieces[piece].offsets[to];
    index++;
  });
  return { offsets, child: gather(pieces.map(({ child }) => child), below, payer, plain) };
}

function gatherChildren(
  pieces: readonly StructChunk[], picks: Picks, payer: Payer, plain: boolean): Readonly<Record<string, Chunk>> {
  const children = Object.create(null) as Record<string, Chunk>;
  for (const name of Object.keys(pieces[0].children)) {
    children[name] = gather(pieces.map((piece) => piece.children[name]), picks, payer, plain);
  }
  return children;
}

function gatherIndices(chunk: DictionaryChunk, picks: Picks, payer: Payer): DictionaryChunk {
  const indices = { values: chunk.indices, validity: undefined, length: chunk.length };
  return {
    indices: gatherValues([indices], picks, payer) as DictionaryChunk['indices'], dictionary: chunk.dictionary,
    validity: gatherValidity([chunk], picks, payer), length: picks.rows,
  };
}

/** The values that a chunk's indices stand for. `plain`: no dictionary is left below, either. */
export function expand({ indices, dictionary, validity, length }: DictionaryChunk, payer: Payer, plain = false): Chunk {
  payer.take(length * 12);
  const piece = new Int32Array(length);
  const from = new Uint32Array(length);
  const to = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    if (validity !== undefined && !getBit(validity, row)) piece[row] = -1;
    else from[row] = indices[row];
    to[row] = from[row] + 1;
  }
  return gather([dictionary], { piece, from, to, rows: length }, payer, plain);
}
