/** The writer as a link of a pipe. */

import { typedArrayName } from '../input/views.js';
import type { Row, TableInput, WriteOptions } from '../types.js';
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
  const { readable, writable: sink } = new TransformStream<Uint8Array, Uint8Array>();
  let writer: ParquetWriter;
  const writable = new WritableStream<TableInput | readonly Row[]>({
    async start() {
      try {
        writer = await ParquetWriter.open({ ...options, sink });
      } catch (error) {
        await sink.abort(error);
        throw error;
      }
    },
    write: (batch) => (isRows(batch) ? writer.writeRows(batch) : writer.write(batch)),
    async close() {
      await writer.finish();
    },
    abort: (reason) => writer.abort(reason),
  });
  return { readable, writable };
}

function isRows(batch: TableInput | readonly Row[]): batch is readonly Row[] {
  return Array.isArray(batch) && !(batch.length > 0 && batch.every(isColumn));
}

function isColumn(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { name, data } = entry as { name?: unknown; data?: unknown };
  return typeof name === 'string' && (Array.isArray(data) || typedArrayName(data) !== undefined || isForm(data));
}

function isForm(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return ['values', 'bits', 'bytes', 'child', 'children', 'indices', 'type'].some((key) => key in data);
}
