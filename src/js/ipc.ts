/** Arrow IPC bytes as a table to be written. */

import { IpcTable } from './ipc-table.js';
import { arrow } from './parts.js';
import type { TableInput } from './types.js';

/**
 * Reads an Arrow IPC stream or file, without the apache-arrow package. Nothing is copied that can stay where it lies:
 * the bytes must not change until the table is written. Bytes compressed with lz4 or zstd are unpacked.
 *
 * After `init` the bytes are read at once. Before, the code for it is not loaded yet: the bytes are read when the table
 * is written, and what is wrong with them rejects the write, with the same errors.
 *
 * @param bytes The whole stream, or the whole file.
 * @returns A table for `writeParquet` and the like.
 * @throws {ParquetError} ERR_FORMAT when the bytes are no Arrow IPC, are cut off or contradict themselves;
 *   ERR_TYPE_MISMATCH naming all columns of types that Parquet has no place for; ERR_OUT_OF_RANGE for values that do
 *   not fit; ERR_LIMIT when the data would grow out of all proportion.
 *
 * @example
 * ```ts
 * const response = await fetch('table.arrow');
 * const blob = await writeParquet(tableFromArrowIPC(new Uint8Array(await response.arrayBuffer())));
 * ```
 */
export function tableFromArrowIPC(bytes: Uint8Array): TableInput {
  return (arrow.loaded?.tableFromArrowIPC(bytes) ?? new IpcTable(bytes)) as TableInput;
}
