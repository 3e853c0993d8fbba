/** The writer as a link of a pipe. */

import type { Row, TableInput, WriteOptions } from '../types.js';
import { pipeOf } from './pipe-of.js';
import { ParquetWriter } from './writer.js';

/**
 * Turns batches into the bytes of a file. A batch is an object of columns, a table of Arrow or a list of rows; a list is
 * one of columns when every entry has a string `name` and column data as `data`. What a batch must be is said at
 * {@link ParquetWriter}. The pipe is as slow as its reader: no batch is taken before the bytes of the last are.
 *
 * @param options Those of a write, sizes in bytes.
 * @returns Both ends of the pipe. A failure errors both; a reader that cancels aborts the writer.
 * @throws {ParquetError} Not here: what is wrong with the options errors both ends.
 *
 * @example
 * ```ts
 * const rows = new ReadableStream<Row[]>({
 *   start(controller) {
 *     controller.enqueue([{ id: 1, name: 'Ann' }, { id: 2, name: 'Bo' }]);
 *     controller.close();
 *   },
 * });
 * const response = new Response(rows.pipeThrough(parquetStream({ schema: { id: 'int32', name: 'string' } })));
 * ```
 */
export function parquetStream(options?: WriteOptions): TransformStream<TableInput | readonly Row[], Uint8Array> {
  return pipeOf((all) => ParquetWriter.open(all), options);
}
