/** A writer, wherever it works, as a link of a pipe. */

import { typedArrayName } from '../input/views.js';
import type { Row, StreamOptions, TableInput } from '../types.js';

/** What a pipe needs of a writer. */
interface Writer {
  write(table: TableInput): Promise<void>;
  writeRows(rows: Iterable<Row>): Promise<void>;
  finish(): Promise<unknown>;
  abort(reason?: unknown): Promise<void>;
}

/** Both ends of a pipe; a failure to open errors both. */
export function pipeOf<Options extends StreamOptions>(
  open: (options: Options) => Promise<Writer>,
  options: Options | undefined,
): TransformStream<TableInput | readonly Row[], Uint8Array> {
  const { readable, writable: sink } = new TransformStream<Uint8Array, Uint8Array>();
  let writer: Writer;
  const writable = new WritableStream<TableInput | readonly Row[]>({
    async start() {
      try {
        writer = await open({ ...options, sink } as Options);
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
