/** What is spliced: the row groups of one file, or of one fragment, before anything is moved. */

import { Chunks, Slot } from './chunks.js';
import { CompactReader, Kind } from './compact-reader.js';
import { pathOf, readElements, type SchemaElement } from './elements.js';

/** Half open. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Bounds that all chunks of a column have which hold values: those of today, and those of old. */
export const NEW_BOUNDS = 1;
export const OLD_BOUNDS = 2;

/** Offsets are those of its own file, ranges those of its metadata. */
export interface Piece {
  /** "fragment 3", "file 0": what errors call it. */
  readonly what: string;
  /** FileMetaData. */
  readonly metadata: Uint8Array;
  readonly version: number;
  readonly schema: Range;
  readonly elements: readonly SchemaElement[];
  readonly leaves: readonly Leaf[];
  readonly rows: number;
  readonly groups: number;
  readonly groupsStart: number;
  readonly keyValues: readonly KeyValue[];
  readonly createdBy: Uint8Array;
  readonly orders: Range | undefined;
  readonly chunks: Chunks;
  /** By column. */
  readonly bounds: Uint8Array;
  /** Where what the metadata describes ends. */
  readonly end: number;
}

/** A pair of the footer: its key, and where it lies. */
export interface KeyValue extends Range {
  readonly key: string;
}

/** Ids that the format has, by structure. What else there is may hold an offset, and cannot be moved. */
const KNOWN = { file: 9, group: 7, chunk: 9, column: 17 } as const;
/** SPEC: an extension of private use; whoever writes the footer anew drops it. */
const EXTENSION = 32767;
/** Fewest bytes of a column chunk in the metadata: all that the format requires, with a path of one empty name. */
const LEAST_CHUNK = 22;
/** SPEC: a file begins with its magic. */
const MAGIC_BYTES = 4;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function refuseUnknown(reader: CompactReader, structure: keyof typeof KNOWN, id: number): void {
  if (id > KNOWN[structure]) reader.fail(`its metadata has field ${id}, unknown to this version: it may hold an offset`);
}

function sameBytes(metadata: Uint8Array, start: number, like: Piece): boolean {
  const length = like.schema.end - like.schema.start;
  if (start + length > metadata.length) return false;
  for (let at = 0; at < length; at++) if (metadata[start + at] !== like.metadata[like.schema.start + at]) return false;
  return true;
}

/**
 * Reads FileMetaData of what ends at `end`. `like`: another piece, the schema of which may be the very same.
 * Errors: ERR_FORMAT.
 */
export function readPiece(metadata: Uint8Array, end: number, what: string, like?: Piece): Piece {
  const reader = new CompactReader(metadata, what);
  const piece = { what, metadata, version: 1, rows: -1, groups: -1, groupsStart: 0, end };
  let createdBy = metadata.subarray(0, 0);
  const keyValues: KeyValue[] = [];
  let schema: Range | undefined;
  let elements: readonly SchemaElement[] = [];
  let leaves: readonly Leaf[] = [];
  let orders: Range | undefined;
  let groups: GroupReader | undefined;
  reader.struct((id, kind) => {
    const start = reader.at;
    if (id === 1) {
      reader.expect(kind, Kind.i32, 'a version');
      piece.version = reader.size('a version');
    } else if (id === 2) {
      if (like !== undefined && kind === Kind.list && sameBytes(metadata, start, like)) {
        ({ elements, leaves } = like);
        reader.at = start + like.schema.end - like.schema.start;
      } else {
        elements = readElements(reader, kind);
        leaves = elements.filter(({ leaf }) => leaf >= 0).map((element) => ({ element, path: pathBytes(element) }));
      }
      schema = { start, end: reader.at };
    } else if (id === 3) {
      reader.expect(kind, Kind.i64, 'a number of rows');
      piece.rows = reader.size('the number of rows');
    } else if (id === 4) {
      reader.expect(kind, Kind.list, 'the row groups');
      const { count, kind: element } = reader.list();
      if (count > 0) reader.expect(element, Kind.struct, 'a row group');
      piece.groups = count;
      piece.groupsStart = reader.at;
      groups = new GroupReader(reader, leaves, count, end);
    } else if (id === 5) {
      reader.each(kind, Kind.struct, 'key-value metadata', () => keyValues.push(readKeyValue(reader)));
    } else if (id === 6) {
      reader.expect(kind, Kind.binary, 'created_by');
      createdBy = metadata.subarray(reader.binary(), reader.at);
    } else if (id === 7) {
      reader.expect(kind, Kind.list, 'column orders');
      reader.skip(kind);
      orders = { start, end: reader.at };
    } else if (id === 8 || id === 9) {
      reader.fail('it is encrypted');
    } else if (id !== EXTENSION) {
      refuseUnknown(reader, 'file', id);
    }
  });
  if (schema === undefined || piece.rows < 0 || groups === undefined) {
    return reader.fail('its metadata lacks schema, rows or row groups');
  }
  if (groups.rows !== piece.rows) reader.fail(`it has ${piece.rows} rows, its row groups have ${groups.rows}`);
  if (reader.at !== metadata.length) reader.fail('its metadata ends before its length says');
  return { ...piece, keyValues, createdBy, schema, elements, leaves, orders, chunks: groups.chunks, bounds: groups.bounds };
}

function readKeyValue(reader: CompactReader): KeyValue {
  const { at: start } = reader;
  let key = '';
  reader.struct((id, kind) => {
    if (id !== 1) return;
    reader.expect(kind, Kind.binary, 'a key');
    const from = reader.binary();
    key = decoder.decode(reader.bytes.subarray(from, reader.at));
  });
  return { key, start, end: reader.at };
}

/** A leaf, and its path as the chunks say it. */
export interface Leaf {
  readonly path: readonly Uint8Array[];
  readonly element: SchemaElement;
}

function pathBytes(element: SchemaElement): Uint8Array[] {
  return element.parent === undefined ? [] : [...pathBytes(element.parent), encoder.encode(element.name)];
}

const nameOf = ({ element }: Leaf) => JSON.stringify(pathOf(element));

class GroupReader {
  readonly chunks: Chunks;
  readonly bounds: Uint8Array;
  rows = 0;
  readonly #reader: CompactReader;
  readonly #leaves: readonly Leaf[];
  readonly #end: number;
  /** Entries of the chunks of the open row group. */
  readonly #values: Float64Array;

  constructor(reader: CompactReader, leaves: readonly Leaf[], groups: number, end: number) {
    if (groups * leaves.length * LEAST_CHUNK > reader.bytes.length) reader.fail('its row groups end too early');
    this.chunks = new Chunks(groups, leaves.length);
    this.bounds = new Uint8Array(leaves.length).fill(NEW_BOUNDS | OLD_BOUNDS);
    this.#reader = reader;
    this.#leaves = leaves;
    this.#end = end;
    this.#values = new Float64Array(leaves.length);
    for (let group = 0; group < groups; group++) {
      const rows = this.#readGroup(group);
      this.chunks.rows[group] = rows;
      this.rows += rows;
    }
  }

  #readGroup(group: number): number {
    const reader = this.#reader;
    let rows = -1;
    let columns = 0;
    reader.struct((id, kind) => {
      if (id === 1) {
        columns = reader.each(kind, Kind.struct, 'the columns', (column) => {
          if (column >= this.#leaves.length) reader.fail('a row group has more columns than the schema');
          this.#readChunk(group * this.#leaves.length + column, column);
        });
      } else if (id === 3) {
        reader.expect(kind, Kind.i64, 'a number of rows');
        rows = reader.size('the rows of a row group');
      } else {
        refuseUnknown(reader, 'group', id);
      }
    });
    if (columns !== this.#leaves.length) reader.fail('a row group has fewer columns than the schema');
    if (rows < 0) reader.fail('a row group does not say its rows');
    this.#leaves.forEach((leaf, column) => {
      const values = this.#values[column];
      if (leaf.element.repeats === 0 ? values !== rows : values < rows) {
        reader.fail(`column ${nameOf(leaf)} has ${values} values in a row group of ${rows} rows`);
      }
    });
    return rows;
  }

  #readChunk(chunk: number, column: number): void {
    const reader = this.#reader;
    const leaf = this.#leaves[column];
    let whole = false;
    let place = 0;
    reader.struct((id, kind) => {
      if (id === 1) {
        reader.expect(kind, Kind.binary, 'a file path');
        const start = reader.binary();
        if (reader.at > start) reader.fail(`column ${nameOf(leaf)} lies in another file (file_path)`);
      } else if (id === 3) {
        reader.expect(kind, Kind.struct, 'column metadata');
        this.#readColumn(chunk, column);
        whole = true;
      } else if (id === 4 || id === 6) {
        reader.expect(kind, Kind.i64, 'the place of a page index');
        place = reader.size('the place of a page index');
      } else if (id === 5 || id === 7) {
        reader.expect(kind, Kind.i32, 'the length of a page index');
        const slot = id === 5 ? Slot.offsetIndex : Slot.columnIndex;
        this.#place(chunk, slot, place, reader.size('the length of a page index'), leaf, 'a page index');
        place = 0;
      } else if (id === 8 || id === 9) {
        reader.fail('it is encrypted');
      } else {
        refuseUnknown(reader, 'chunk', id);
      }
    });
    if (!whole) reader.fail(`column ${nameOf(leaf)} has no metadata`);
  }

  /** Notes a place that lies inside; one of offset or length 0 is none. */
  #place(chunk: number, slot: number, start: number, length: number, leaf: Leaf, what: string): void {
    if (start === 0 || length === 0) return;
    if (start < MAGIC_BYTES || length > this.#end - start) {
      const text = `${what} of column ${nameOf(leaf)} (${length} bytes at ${start}) does not lie inside`;
      this.#reader.fail(`${text}: is the file torn?`);
    }
    this.chunks.set(chunk, slot, start);
    this.chunks.set(chunk, slot + 1, start + length);
  }

  #readColumn(chunk: number, column: number): void {
    const reader = this.#reader;
    const leaf = this.#leaves[column];
    let [values, bytes, data, dictionary, bloom, nulls, found] = [-1, -1, -1, -1, 0, -1, 0];
    let sound = 0;
    reader.struct((id, kind) => {
      const size = (of: number, what: string) => {
        reader.expect(kind, of, what);
        return reader.size(what);
      };
      if (id === 1) sound += Number(size(Kind.i32, 'a type') === leaf.element.physical);
      else if (id === 3) sound += Number(this.#readPath(kind, leaf));
      else if (id === 5) values = size(Kind.i64, 'a number of values');
      else if (id === 7) bytes = size(Kind.i64, 'the size of a column chunk');
      else if (id === 9) data = size(Kind.i64, 'the offset of a page');
      else if (id === 11) dictionary = size(Kind.i64, 'the offset of a page');
      else if (id === 12) {
        reader.expect(kind, Kind.struct, 'statistics');
        [nulls, found] = this.#readStatistics();
      } else if (id === 14) {
        bloom = size(Kind.i64, 'the offset of a Bloom filter');
        if (bloom > 0) this.#place(chunk, Slot.bloom, bloom, 1, leaf, 'the Bloom filter');
        this.chunks.set(chunk, Slot.bloomEnd, 0);
      } else if (id === 15) {
        this.#place(chunk, Slot.bloom, bloom, size(Kind.i32, 'the length of a Bloom filter'), leaf, 'the Bloom filter');
      } else refuseUnknown(reader, 'column', id);
    });
    if (sound !== 2) reader.fail(`the chunk of column ${nameOf(leaf)} has another type or path than the schema`);
    if (values < 0 || bytes <= 0 || data <= 0) reader.fail(`column ${nameOf(leaf)} lacks values, size or offset`);
    const start = dictionary > 0 && dictionary < data ? dictionary : data;
    this.#place(chunk, Slot.start, start, bytes, leaf, 'the data');
    if (data >= start + bytes) reader.fail(`the pages of column ${nameOf(leaf)} do not lie inside of its chunk`);
    this.#values[column] = values;
    // A chunk without values has no bounds to lack.
    if (nulls !== values) this.bounds[column] &= found;
  }

  #readPath(kind: number, { path }: Leaf): boolean {
    const reader = this.#reader;
    let same = true;
    const count = reader.each(kind, Kind.binary, 'a path', (index) => {
      const start = reader.binary();
      const name = path[index];
      same &&= name !== undefined && name.length === reader.at - start;
      for (let at = 0; same && at < name.length; at++) same = name[at] === reader.bytes[start + at];
    });
    return same && count === path.length;
  }

  #readStatistics(): [nulls: number, found: number] {
    const reader = this.#reader;
    let nulls = -1;
    let ids = 0;
    reader.struct((id, kind) => {
      if (id === 3) {
        reader.expect(kind, Kind.i64, 'a number of nulls');
        nulls = reader.size('a number of nulls');
      } else if (id < 31) {
        ids |= 1 << id;
      }
    });
    const both = (first: number, second: number) => (ids >> first) & (ids >> second) & 1;
    return [nulls, both(5, 6) * NEW_BOUNDS + both(1, 2) * OLD_BOUNDS];
  }
}
