/**
 * Joins row groups that were encoded elsewhere, and files: pages are spliced, never decoded. Needs no WebAssembly.
 *
 * @packageDocumentation
 */

import { describe, ParquetError } from '../errors.js';
import { OptionReader } from '../option-reader.js';
import { parquetBlob } from '../sink/parquet-blob.js';
import type { FragmentFooter, FragmentOptions, RowGroupFragment, TableInput, WriteOptions } from '../types.js';
import { assembleTail, type Placed, type Words } from './assemble.js';
import { mustAgree } from './elements.js';
import { mustBeBlob, openFile, type OpenFile, read } from './file.js';
import { openFragment, sealFragment } from './fragment.js';
import { readWords } from './options.js';
import { schemaSpec } from './schema-spec.js';

export type { FragmentFooter, RowGroupFragment } from '../types.js';

const MAGIC = Uint8Array.of(80, 65, 82, 49);
const EMPTY = new Uint8Array();
const MOST_PADDING = 2 ** 40;

/** `writeParquet`, which is not loaded here. */
type Write = (table: TableInput, options?: WriteOptions) => Promise<Blob>;

/**
 * The bytes in front of the first and behind the last of some fragments, for whoever puts the bodies together: in the
 * order of the list, with nothing between them. It reads no body and is at once done.
 *
 * @param fragments What `encodeRowGroup` made, of one schema; their bodies may be elsewhere.
 * @param options `metadata` (goes before that of the fragments) and `createdBy`; others are not looked at.
 * @returns `head`, empty where the first body begins with the magic (`padToBytes`), and `tail`.
 * @throws {ParquetError} ERR_SCHEMA naming the first field that differs and its fragment; ERR_FORMAT for a footer that
 *   is damaged or of another version; ERR_LIMIT for a footer of 2^31 bytes or more; ERR_OPTION.
 *
 * @example
 * ```ts
 * const { head, tail } = assembleEnvelope(fragments);
 * const file = new Blob([head, ...fragments.map(({ body }) => body), tail]);
 * ```
 */
export function assembleEnvelope(
  fragments: readonly FragmentFooter[],
  options?: WriteOptions,
): { head: Uint8Array<ArrayBuffer>; tail: Uint8Array<ArrayBuffer> } {
  if (!Array.isArray(fragments) || fragments.length === 0) {
    throw new ParquetError('ERR_OPTION', `expected a list of fragments, got ${describe(fragments)}`);
  }
  const words = readWords(options);
  const first = openFragment(fragments[0], 'fragment 0');
  const head = first.bodyStart > 0 ? MAGIC.slice() : EMPTY.slice();
  const placed: Placed[] = [];
  let at = head.length;
  for (const [index, fragment] of fragments.entries()) {
    const { piece, byteLength, bodyStart, bytes } = openFragment(fragment, `fragment ${index}`, first.piece);
    placed.push({ piece, bytes, shift: at - bodyStart });
    at += byteLength;
    if (!Number.isSafeInteger(at)) throw new ParquetError('ERR_LIMIT', 'the file would have more than 2^53 bytes');
  }
  return { head, tail: assembleTail(placed, at, words) };
}

/**
 * Joins fragments to a file. Their bodies become parts of the Blob as they are: none is read.
 *
 * @param fragments What `encodeRowGroup` made, of one schema, in the order of the file.
 * @param options As for {@link assembleEnvelope}; `signal`.
 * @returns A Blob of type `application/vnd.apache.parquet`.
 * @throws {ParquetError} As `assembleEnvelope`; ERR_FORMAT for a body of another length than its footer says.
 *
 * @example
 * ```ts
 * const file = await assembleParquet(await Promise.all(tables.map((table) => encodeRowGroup(table))));
 * ```
 */
export async function assembleParquet(
  fragments: readonly RowGroupFragment[],
  options?: WriteOptions,
): Promise<Blob> {
  const { head, tail } = assembleEnvelope(fragments, options);
  const bodies = fragments.map(({ body, byteLength }, index) => {
    const blob = mustBeBlob(body, `the body of fragment ${index}`);
    if (blob.size === byteLength) return blob;
    throw new ParquetError('ERR_FORMAT', `fragment ${index}: its body has ${blob.size} bytes instead of ${byteLength}`);
  });
  return blobOf([head, ...bodies, tail]);
}

/**
 * Joins files of one schema, of whatever writer, in order. Row groups are spliced by `Blob.slice`; of each file only
 * footer and page indexes are read. Of key-value metadata the first file that has a key wins. `created_by` names the
 * writers.
 *
 * @param files Parquet files, at least one.
 * @returns A Blob of type `application/vnd.apache.parquet`, parts of which are slices of the files.
 * @throws {ParquetError} ERR_SCHEMA naming the first field that differs and its file; ERR_FORMAT with the reason for a
 *   file that is torn, encrypted, spread over other files (`file_path`) or contradicts itself; ERR_LIMIT; ERR_OPTION.
 *
 * @example
 * ```ts
 * const year = await concatParquet(months);
 * ```
 */
export async function concatParquet(files: readonly Blob[]): Promise<Blob> {
  if (!Array.isArray(files) || files.length === 0) {
    throw new ParquetError('ERR_OPTION', `expected a list of files, got ${describe(files)}`);
  }
  return splice(files.map((blob: Blob, index) => ({ blob, what: `file ${index}` })), readWords(undefined));
}

/** Errors: ERR_LIMIT where the environment has no Blobs of that size. */
function blobOf(parts: BlobPart[]): Blob {
  try {
    return parquetBlob(parts);
  } catch (error) {
    throw new ParquetError('ERR_LIMIT', `no Blob can hold the file: ${String(error)}`, { cause: error });
  }
}

interface Source {
  readonly blob: Blob;
  readonly what: string;
  readonly opened?: OpenFile;
}

async function splice(sources: readonly Source[], words: Words): Promise<Blob> {
  const placed: Placed[] = [];
  const parts: BlobPart[] = [MAGIC];
  let at = MAGIC.length;
  for (const { blob, what, opened } of sources) {
    const { piece, dataEnd, bytes } = opened ?? (await openFile(blob, what));
    // Soon, so that not all of many files are read in vain.
    if (placed.length > 0) mustAgree(piece.elements, what, placed[0].piece.elements, placed[0].piece.what);
    placed.push({ piece, bytes, shift: at - MAGIC.length });
    parts.push(blob.slice(MAGIC.length, dataEnd));
    at += dataEnd - MAGIC.length;
  }
  return blobOf([...parts, assembleTail(placed, at, words)]);
}

/**
 * Encodes a table and takes the file apart: the body, and what a file must know of it.
 *
 * @internal
 */
export async function encodeWith(
  write: Write,
  table: TableInput,
  options: FragmentOptions | undefined,
): Promise<RowGroupFragment> {
  const own = new OptionReader(options ?? {}, '');
  const padToBytes = own.integer('padToBytes', 1, MOST_PADDING) ?? 0;
  const { padToBytes: _, ...rest } = options ?? {};
  const what = 'the fragment';
  const file = await write(table, options && rest);
  const { piece, dataEnd, metadataStart } = await openFile(file, what);
  const start = padToBytes > 0 ? 0 : MAGIC.length;
  const bytes = dataEnd - start;
  const byteLength = padToBytes > 0 ? Math.ceil(bytes / padToBytes) * padToBytes : bytes;
  const body = file.slice(start, dataEnd);
  const tail = await read(file, dataEnd, metadataStart + piece.metadata.length, what);
  return {
    body: byteLength > bytes ? new Blob([body, new Uint8Array(byteLength - bytes)]) : body,
    byteLength,
    rows: piece.rows,
    footer: sealFragment({ byteLength, start }, piece.rows, tail, dataEnd, piece.metadata.length),
  };
}

/**
 * Encodes rows as a file has them, and puts them behind it.
 *
 * @internal
 */
export async function appendWith(
  write: Write,
  file: Blob,
  table: TableInput,
  options: WriteOptions | undefined,
): Promise<Blob> {
  const words = readWords(options);
  const what = 'the file';
  const own = new OptionReader(options ?? {}, '').get('schema');
  const opened = await openFile(file, what);
  const typed = own === undefined ? { ...options, schema: schemaSpec(opened.piece.elements) } : options;
  const rows = await write(table, typed);
  return splice([{ blob: file, what, opened }, { blob: rows, what: 'the rows to append' }], words);
}
