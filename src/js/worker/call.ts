/** One call, done by the worker. */

import { ParquetError } from '../errors.js';
import { type FileOptions, readOptions } from '../options.js';
import { arrow, rowReader, valueTypes } from '../parts.js';
import { blobOf } from '../sink/blob.js';
import { readTable, type Table } from '../table.js';
import type { Row, TableInput } from '../types.js';
import type { Channel } from './channel.js';
import { sharedLink } from './link.js';
import { type CallReply, type CallRequest, type SentBlob, type SentOptions, sentOptions } from './messages.js';
import { readTransfer, type WorkerWriteOptions } from './options.js';
import { packInSlices, unsendable } from './sliced.js';
import { Reasons } from './trouble.js';

/**
 * Writes one Parquet file as a Blob, in the worker. The table's arrays must stay as they are until the promise is
 * settled; with `transfer: true` typed arrays are given away instead of copied.
 *
 * @param table Columns by name, a list of columns, or a table of Arrow; all columns of one length.
 * @param options Those of a write but `codecs`, and `transfer`; sizes in bytes.
 * @returns A Blob of type `application/vnd.apache.parquet`.
 * @throws {ParquetError} As `writeParquet` of `parquill`; ERR_NOT_INITIALIZED when no worker can be started,
 *   ERR_ABORTED after `terminate`.
 *
 * @example
 * ```ts
 * const blob = await writeParquet({ id: new Int32Array([1, 2, 3]), name: ['Ann', 'Bo', null] });
 * ```
 */
export async function writeParquet(table: TableInput, options?: WorkerWriteOptions): Promise<Blob> {
  return blobOf(await write(table, options, false));
}

/**
 * Writes one Parquet file as bytes, in the worker; otherwise the same as {@link writeParquet}.
 *
 * @param table Columns by name, a list of columns, or a table of Arrow; all columns of one length.
 * @param options Those of a write, and `transfer`; sizes in bytes.
 * @returns The bytes of the file.
 * @throws {ParquetError} As `writeParquet`.
 *
 * @example
 * ```ts
 * const bytes = await writeParquetBytes({ id: [1, 2, 3] }, { compression: 'snappy' });
 * ```
 */
export async function writeParquetBytes(
  table: TableInput,
  options?: WorkerWriteOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await write(table, options, true)) as Uint8Array<ArrayBuffer>;
}

/**
 * Writes row objects as one Parquet file, in the worker. Rows are read here, a few milliseconds at a time, and taken
 * apart into columns, which are sent.
 *
 * @param rows Row objects: an array, or anything that can be iterated over, synchronously or not.
 * @param options Those of a write; sizes in bytes.
 * @returns A Blob of type `application/vnd.apache.parquet`.
 * @throws {ParquetError} As `writeParquetRows` of `parquill`. What the iterator itself throws goes through as it is.
 *
 * @example
 * ```ts
 * const blob = await writeParquetRows([{ id: 1, tags: ['a', 'b'] }, { id: 2, tags: null }]);
 * ```
 */
export async function writeParquetRows(
  rows: Iterable<Row> | AsyncIterable<Row>,
  options?: WorkerWriteOptions,
): Promise<Blob> {
  const { rest } = readTransfer(options);
  const read = readOptions(rest);
  const { readRows } = await rowReader.load();
  return blobOf(await write(await readRows(rows, read, read.schema !== undefined), options, false));
}

async function write(given: TableInput, options: WorkerWriteOptions | undefined, bytes: boolean): Promise<SentBlob> {
  const { transfer, rest } = readTransfer(options);
  const read = readOptions(rest);
  const sent = sentOptions(read);
  await Promise.all([valueTypes.load(), arrow.load()]);
  const table = readTable(given, read);
  if (read.signal?.aborted) throw aborted(read.signal);
  const link = sharedLink();
  const call = new Call(read, sent);
  return link.during(call.run(link.begin('call', undefined), table, transfer, bytes));
}

function aborted(signal: AbortSignal): ParquetError {
  return new ParquetError('ERR_ABORTED', 'the write was aborted', { cause: signal.reason });
}

/** The page's side of one call. */
class Call {
  readonly #options: FileOptions;
  readonly #sent: SentOptions;
  readonly #reasons = new Reasons();
  #failure: { readonly error: unknown } | undefined;

  constructor(options: FileOptions, sent: SentOptions) {
    this.#options = options;
    this.#sent = sent;
  }

  async run(channel: Channel, table: Table, transfer: boolean, bytes: boolean): Promise<SentBlob> {
    const { signal, onProgress } = this.#options;
    const onAbort = () => channel.lost(aborted(signal as AbortSignal));
    const result = new Promise<SentBlob>((resolve, reject) => {
      // Whatever ends the call here is told to the worker, which stops.
      channel.lost = (error) => {
        this.#failure ??= { error };
        reject(error);
        channel.post({ abort: this.#reasons.keep(error) } satisfies CallRequest);
      };
      channel.take = (body) => {
        const reply = body as CallReply;
        if ('done' in reply) resolve(reply.done);
        else if ('failed' in reply) reject(this.#reasons.read(reply.failed));
        else this.#report(reply.progress, channel);
      };
    });
    // Sending may fail first.
    result.catch(() => {});
    signal?.addEventListener('abort', onAbort);
    try {
      const { packed, transfers } = await packInSlices(table, transfer, channel, () => this.#mayGoOn());
      const request = { packed, options: this.#sent, bytes, progress: onProgress !== undefined };
      channel.post(request satisfies CallRequest, transfers);
      return await result;
    } catch (error) {
      if (this.#failure === undefined) channel.post({ abort: this.#reasons.keep(error) } satisfies CallRequest);
      throw unsendable(error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      channel.close();
    }
  }

  #mayGoOn(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #report(progress: Parameters<NonNullable<FileOptions['onProgress']>>[0], channel: Channel): void {
    try {
      this.#options.onProgress?.(progress);
    } catch (error) {
      channel.lost(error);
    }
  }
}
