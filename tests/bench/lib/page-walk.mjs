/** A sink's own look at a file while it comes by: where pages lie, and whether their checksums hold. */
import { crc32 } from 'node:zlib';
import { parquetHeader } from 'hyparquet/src/column.js';

/** Headers are far shorter, bounds included. */
const HEADER_ROOM = 1 << 12;
const none = new Uint8Array(0);

/**
 * Reads page after page behind the magic, as they lie in the stream, until what comes is no page: the page index and
 * the footer, which are kept.
 */
export class PageWalk {
  /** Bytes taken so far. */
  length = 0;
  /** Where each page begins, how long it is with its header, and its values. */
  pages = new Map();
  /** All from the first byte on that belongs to no page. */
  tail = [];
  #rest = none;
  /** The page under way: bytes of the body that are still to come. */
  #page;
  #left = 0;
  #crc = 0;
  #at = 4;
  #over = false;

  /** Takes the next bytes of the file. */
  take(bytes) {
    let from = this.length === 0 ? 4 : 0;
    this.length += bytes.length;
    let view = bytes;
    if (this.#rest.length > 0) {
      view = Buffer.concat([this.#rest, bytes]);
      this.#rest = none;
    }
    while (!this.#over && from < view.length) {
      if (this.#page !== undefined) from = this.#body(view, from);
      else if (view.length - from < HEADER_ROOM) break;
      else from = this.#header(view, from);
    }
    if (this.#over) this.tail.push(view.slice(from));
    else if (this.#page === undefined) this.#rest = view.slice(from);
  }

  /** The file is whole. */
  end() {
    if (this.#page !== undefined) throw new Error('the file ends inside of a page');
    if (!this.#over) this.#drain();
    return Buffer.concat(this.tail);
  }

  /** A short rest may still hold whole pages. */
  #drain() {
    let from = 0;
    while (!this.#over && from < this.#rest.length) {
      from = this.#page === undefined ? this.#header(this.#rest, from) : this.#body(this.#rest, from);
    }
    this.tail.push(this.#rest.slice(from));
  }

  #header(view, from) {
    const reader = { view: new DataView(view.buffer, view.byteOffset, view.byteLength), offset: from };
    let header;
    try {
      header = parquetHeader(reader);
    } catch {
      header = {};
    }
    const { type, compressed_page_size: size, crc } = header;
    if (!['DATA_PAGE', 'DATA_PAGE_V2', 'DICTIONARY_PAGE'].includes(type) || !(size >= 0) || crc === undefined) {
      this.#over = true;
      return from;
    }
    const length = reader.offset - from + size;
    const values = header.data_page_header?.num_values ?? 0;
    this.#page = { at: this.#at, length, values, crc };
    this.#left = size;
    this.#crc = 0;
    return reader.offset;
  }

  #body(view, from) {
    const to = Math.min(view.length, from + this.#left);
    this.#crc = crc32(view.subarray(from, to), this.#crc);
    this.#left -= to - from;
    if (this.#left > 0) return to;
    const { at, length, values, crc } = this.#page;
    if (this.#crc !== crc >>> 0) throw new Error(`the checksum of the page at ${at} is wrong`);
    this.pages.set(at, { length, values });
    this.#at = at + length;
    this.#page = undefined;
    return to;
  }
}
