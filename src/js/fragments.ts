/** Fragments, assembly, append and concat. What they need is loaded when it is asked for. */

import { ParquetError } from './errors.js';
import { splice } from './parts.js';
import { ParquetWriter } from './stream/writer.js';
import type { FragmentFooter, FragmentOptions, RowGroupFragment, TableInput, WriteOptions } from './types.js';
import { writeParquet } from './writer.js';

/** As a stream, which knows that not all rows are here: a column may have nulls elsewhere. */
async function writeStream(table: TableInput, options?: WriteOptions): Promise<Blob> {
  const writer = await ParquetWriter.open(options);
  await writer.write(table);
  return (await writer.finish()).blob!;
}

/**
 * Encodes a table as a fragment: row groups without footer, of which many, made on many machines, become one file. A
 * table within `rowGroupRows` and `rowGroupBytes` is one row group.
 *
 * All fragments of a file must have one schema. Types that are inferred may differ from table to table: declare them.
 * Without `nullable: false` a column may have nulls, except where a typed array without validity is all that says its
 * type.
 *
 * @param table As for `writeParquet`.
 * @param options Those of a write; `padToBytes`.
 * @returns The fragment.
 * @throws {ParquetError} As `writeParquet`.
 *
 * @example
 * ```ts
 * const { body, footer, byteLength, rows } = await encodeRowGroup({ id: [1, 2, 3] });
 * ```
 */
export async function encodeRowGroup(table: TableInput, options?: FragmentOptions): Promise<RowGroupFragment> {
  return (await splice.load()).encodeWith(writeStream, table, options);
}

/**
 * Joins fragments to a file. Their bodies become parts of the Blob as they are: none is read.
 *
 * @param fragments What `encodeRowGroup` made, of one schema, in the order of the file.
 * @param options `metadata` (goes before that of the fragments), `createdBy`, `signal`; others are not looked at.
 * @returns A Blob of type `application/vnd.apache.parquet`.
 * @throws {ParquetError} ERR_SCHEMA naming the first field that differs and its fragment; ERR_FORMAT for a fragment that
 *   is damaged, of another version, or whose body has another length; ERR_LIMIT, ERR_OPTION, ERR_ABORTED.
 *
 * @example
 * ```ts
 * const file = await assembleParquet(await Promise.all(tables.map((table) => encodeRowGroup(table))));
 * ```
 */
export async function assembleParquet(fragments: readonly RowGroupFragment[], options?: WriteOptions): Promise<Blob> {
  return (await splice.load()).assembleParquet(fragments, options);
}

/**
 * The bytes in front of the first and behind the last of some fragments, for whoever puts the bodies together: in the
 * order of the list, with nothing between them.
 *
 * It is synchronous, and what it needs is loaded by the other four functions. Import it from `parquill/fragments` where
 * it comes first: there it is always ready, and nothing else is loaded.
 *
 * @param fragments What `encodeRowGroup` made, of one schema; their bodies may be elsewhere.
 * @param options `metadata` (goes before that of the fragments) and `createdBy`; others are not looked at.
 * @returns `head`, empty where the first body begins with the magic (`padToBytes`), and `tail`.
 * @throws {ParquetError} As `assembleParquet`; ERR_NOT_INITIALIZED where it comes first.
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
  const { loaded } = splice;
  if (loaded !== undefined) return loaded.assembleEnvelope(fragments, options);
  throw new ParquetError('ERR_NOT_INITIALIZED', "not loaded yet: import assembleEnvelope from the entry parquill/fragments");
}

/**
 * Appends rows to a file of any writer, as row groups of their own. Of the file only footer and page indexes are read;
 * the result is made of slices of it.
 *
 * @param file A Parquet file.
 * @param table As for `writeParquet`, with the columns of the file.
 * @param options Those of a write; without `schema` the columns have the types of the file.
 * @returns A Blob of type `application/vnd.apache.parquet`. The file itself is not changed.
 * @throws {ParquetError} As `writeParquet` and {@link concatParquet}.
 *
 * @example
 * ```ts
 * const more = await appendParquet(file, { id: [4, 5], name: ['Di', null] });
 * ```
 */
export async function appendParquet(file: Blob, table: TableInput, options?: WriteOptions): Promise<Blob> {
  return (await splice.load()).appendWith(writeParquet, file, table, options);
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
  return (await splice.load()).concatParquet(files);
}
