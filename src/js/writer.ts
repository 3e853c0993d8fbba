/** One call: a table in, a file out. */

import { refuse } from './option-reader.js';
import { readOptions } from './options.js';
import { rowReader } from './parts.js';
import { BlobSink } from './sink/blob.js';
import { BytesSink } from './sink/bytes.js';
import { readTable } from './table.js';
import type { Row, TableInput, WriteOptions } from './types.js';
import { type Given, Job, type SinkClass, writeGiven } from './write.js';

/**
 * Writes one Parquet file as a Blob. The module is loaded when it is not yet; long work gives way to other tasks every
 * few milliseconds. The table's arrays must stay as they are until the promise is settled.
 *
 * @param table Columns by name, or a list of columns; all of one length.
 * @param options See {@link WriteOptions}; sizes in bytes.
 * @returns A Blob of type `application/vnd.apache.parquet`.
 * @throws {ParquetError} ERR_OPTION, ERR_SCHEMA, ERR_TYPE_MISMATCH, ERR_OUT_OF_RANGE, ERR_NULL, ERR_COLUMN_LENGTH for
 *   what is wrong with the arguments, with column and row; ERR_ABORTED when `signal` says so; ERR_LIMIT when memory
 *   runs out or a size goes beyond the format; ERR_NOT_INITIALIZED when the module cannot be loaded.
 *
 * @example
 * ```ts
 * const blob = await writeParquet({
 *   id: new Int32Array([1, 2, 3]),
 *   name: ['Ann', 'Bo', null],
 *   when: [new Date(), null, new Date(0)],
 * });
 * ```
 */
export function writeParquet(table: TableInput, options?: WriteOptions): Promise<Blob> {
  return write(table, options, BlobSink);
}

/**
 * Writes one Parquet file as bytes; otherwise the same as {@link writeParquet}.
 *
 * @param table Columns by name, or a list of columns; all of one length.
 * @param options See {@link WriteOptions}; sizes in bytes.
 * @returns The bytes of the file.
 * @throws {ParquetError} As `writeParquet`.
 *
 * @example
 * ```ts
 * const bytes = await writeParquetBytes({ id: [1, 2, 3] }, { compression: 'snappy' });
 * ```
 */
export function writeParquetBytes(table: TableInput, options?: WriteOptions): Promise<Uint8Array<ArrayBuffer>> {
  return write(table, options, BytesSink);
}

/**
 * Writes one Parquet file at once, without giving way to anything; for workers and scripts.
 *
 * @param table Columns by name, or a list of columns; all of one length.
 * @param options See {@link WriteOptions}; sizes in bytes.
 * @returns The bytes of the file.
 * @throws {ParquetError} As `writeParquet`; ERR_NOT_INITIALIZED before `init` or `initSync` is done.
 *
 * @example
 * ```ts
 * await init();
 * const bytes = writeParquetSync({ id: [1, 2, 3] });
 * ```
 */
export function writeParquetSync(table: TableInput, options?: WriteOptions): Uint8Array<ArrayBuffer> {
  const job = new Job(given(table, options), BytesSink);
  try {
    if (job.keepsArrow) refuse('arrowSchema', 'use writeParquetBytes');
    job.start();
    while (job.step());
    return job.result();
  } finally {
    job.close();
  }
}

/**
 * Writes row objects as one Parquet file; otherwise the same as {@link writeParquet}. The columns are those of the
 * schema, or all keys of all rows in the order in which they first appear. The whole column is looked at before a type
 * is inferred, so that all rows are read before the first byte is written.
 *
 * @param rows Row objects: an array, or anything that can be iterated over, synchronously or not.
 * @param options See {@link WriteOptions}; sizes in bytes.
 * @returns A Blob of type `application/vnd.apache.parquet`.
 * @throws {ParquetError} As `writeParquet`; ERR_TYPE_MISMATCH for a row that is no object and ERR_SCHEMA for a key that
 *   the schema does not name, with its row. What the iterator itself throws goes through as it is.
 *
 * @example
 * ```ts
 * const blob = await writeParquetRows([{ id: 1, tags: ['a', 'b'] }, { id: 2, at: { x: 0.5, y: 1 } }]);
 * ```
 */
export async function writeParquetRows(
  rows: Iterable<Row> | AsyncIterable<Row>,
  options?: WriteOptions,
): Promise<Blob> {
  const read = readOptions(options);
  const { readRows } = await rowReader.load();
  return write(await readRows(rows, read, read.schema !== undefined), options, BlobSink);
}

function given(table: TableInput, options: WriteOptions | undefined): Given {
  const read = readOptions(options);
  return { options: read, table: readTable(table, read) };
}

async function write<Result>(
  table: TableInput,
  options: WriteOptions | undefined,
  sink: SinkClass<Result>,
): Promise<Result> {
  return writeGiven(() => given(table, options), sink);
}
