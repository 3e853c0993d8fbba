/** Page indexes of a chunk that moves: the offset index is written anew, the column index stays as it is. */

import { CompactReader, Kind } from './compact-reader.js';
import { type CompactWriter, StructWriter } from './compact-writer.js';

/** A chunk that pages lie in, by offsets of its own file. */
export interface Home {
  readonly start: number;
  readonly end: number;
  readonly rows: number;
  readonly what: string;
}

/** Checks an offset index and writes it with all offsets moved; gives the number of its pages. */
export function moveOffsetIndex(bytes: Uint8Array, home: Home, shift: number, out: CompactWriter): number {
  const reader = new CompactReader(bytes, home.what);
  const to = new StructWriter(out);
  let pages = -1;
  reader.struct((id, kind) => {
    if (id === 1) {
      reader.expect(kind, Kind.list, 'an offset index');
      const { count, kind: element } = reader.list();
      if (count > 0) reader.expect(element, Kind.struct, 'a page location');
      to.field(1, Kind.list);
      out.listHeader(count, Kind.struct);
      movePages(reader, count, home, shift, out);
      pages = count;
    } else if (id === 2) {
      const start = reader.at;
      const count = reader.each(kind, Kind.i64, 'sizes of pages', () => reader.size('the size of a page'));
      if (count !== pages) reader.fail('an offset index has sizes for more or fewer pages than it has');
      to.field(2, Kind.list);
      out.raw(bytes, start, reader.at);
    } else {
      reader.fail(`an offset index has field ${id}, unknown to this version: it may hold an offset`);
    }
  });
  if (pages < 0) reader.fail('an offset index has no pages');
  if (reader.at !== bytes.length) reader.fail('an offset index ends before its length says');
  to.end();
  return pages;
}

function movePages(reader: CompactReader, count: number, home: Home, shift: number, out: CompactWriter): void {
  let { start: before } = home;
  let rowBefore = 0;
  const numbers = [0, 0, 0];
  for (let page = 0; page < count; page++) {
    numbers.fill(-1);
    reader.struct((id, kind) => {
      if (id > 3) reader.fail(`a page location has field ${id}, unknown to this version`);
      reader.expect(kind, id === 2 ? Kind.i32 : Kind.i64, 'a page location');
      numbers[id - 1] = reader.size('a page location');
    });
    const [offset, size, row] = numbers;
    if (offset < before || size < 0 || offset + size > home.end) {
      reader.fail(`page ${page} of an offset index does not lie inside of its chunk`);
    }
    if (row < rowBefore || (page === 0 && row > 0) || row >= Math.max(home.rows, 1)) {
      reader.fail(`page ${page} of an offset index begins at row ${row} of ${home.rows}`);
    }
    before = offset + size;
    rowBefore = row;
    const location = new StructWriter(out);
    location.size(1, Kind.i64, offset + shift);
    location.size(2, Kind.i32, size);
    location.size(3, Kind.i64, row);
    location.end();
  }
}

/** Lists of a column index that have an entry a page, by id. */
const LISTS = new Map<number, number>([
  [1, Kind.true],
  [2, Kind.binary],
  [3, Kind.binary],
  [5, Kind.i64],
  [8, Kind.i64],
]);
const REQUIRED = 0b1110;

/** Checks a column index for `pages` pages. */
export function checkColumnIndex(bytes: Uint8Array, pages: number, what: string): void {
  const reader = new CompactReader(bytes, what);
  let found = 0;
  reader.struct((id, kind) => {
    const of = LISTS.get(id);
    if (of === undefined) return;
    reader.expect(kind, Kind.list, 'a list of a column index');
    const { count, kind: element } = reader.list();
    // Both numbers of a bool stand for lists of bools.
    const bools = of === Kind.true && (element === Kind.true || element === Kind.false);
    if (count > 0 && !bools) reader.expect(element, of, 'a list of a column index');
    if (count !== pages) reader.fail(`a column index has ${count} entries for ${pages} pages`);
    for (let page = 0; page < count; page++) {
      if (bools) reader.byte();
      else reader.skip(of);
    }
    found |= 1 << id;
  });
  if ((found & REQUIRED) !== REQUIRED) reader.fail('a column index lacks bounds');
  if (reader.at !== bytes.length) reader.fail('a column index ends before its length says');
}
