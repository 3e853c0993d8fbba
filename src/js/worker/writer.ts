/** The writer that users hold, whose work is done by the worker. */

import { arrow, valueTypes } from '../parts.js';
import { readOpenOptions } from '../stream/open-options.js';
import { pipeOf } from '../stream/pipe-of.js';
import type { Row, TableInput, WriteResult } from '../types.js';
import { sharedLink } from './link.js';
import { readTransfer, type WorkerStreamOptions, type WorkerWriteOptions } from './options.js';
import { PageWriter } from './page-writer.js';

/** Of what a writer holds when nobody holds the writer any more. */
const dropped = new FinalizationRegistry<PageWriter>((writer) => writer.drop());
const ended = (writer: PageWriter) => {
  dropped.unregister(writer);
};

/** `await using` ends the writer, where the language has it. */
export interface ParquetWriter extends AsyncDisposableIfKnown {}

type AsyncDisposableIfKnown = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [Name in Key]: () => Promise<void> }
  : object;

/**
 * The `ParquetWriter` of `parquill`, working in the worker. What holds there holds here; the sink stays with the
 * caller: chunks come over from the worker, at most 4 MiB of them at a time. A call takes as long as copying its data
 * does: batches of ordinary size, or `transfer: true`, leave the caller's thread free.
 *
 * @example
 * ```ts
 * const writer = await ParquetWriter.open({ schema: { id: 'int32', name: 'string' } });
 * await writer.write({ id: new Int32Array([1, 2]), name: ['Ann', 'Bo'] });
 * const { blob, rows } = await writer.finish();
 * ```
 */
export class ParquetWriter {
  readonly #writer: PageWriter;

  private constructor(writer: PageWriter) {
    this.#writer = writer;
    dropped.register(this, writer, writer);
  }

  /**
   * Opens a writer; the worker is started when it is not yet there.
   *
   * @param options Those of a writer, and `transfer`; sizes in bytes.
   * @returns The writer, once worker and module are there.
   * @throws {ParquetError} ERR_OPTION, ERR_SCHEMA, ERR_ABORTED, ERR_NOT_INITIALIZED.
   *
   * @example
   * ```ts
   * const writer = await ParquetWriter.open({ sink, transfer: true });
   * ```
   */
  static async open(options?: WorkerStreamOptions): Promise<ParquetWriter> {
    const { transfer, rest } = readTransfer(options);
    const { file, sink, disk } = readOpenOptions(rest);
    await Promise.all([valueTypes.load(), arrow.load()]);
    const writer = new PageWriter(sharedLink(), file, transfer, ended);
    await writer.open(sink, disk);
    return new ParquetWriter(writer);
  }

  /** Rows encoded so far, as far as the worker has told. */
  get rows(): number {
    return this.#writer.rows;
  }

  /**
   * Writes the columns of one batch, taken as they are at the call.
   *
   * @param table Columns by name, a list of columns, or a table of Arrow; a batch without rows changes nothing.
   * @returns A promise that resolves when the batch is encoded and the sink has room again.
   * @throws {ParquetError} As `write` of `parquill`; ERR_NOT_INITIALIZED when the worker is lost.
   *
   * @example
   * ```ts
   * await writer.write({ id: new Int32Array([4, 5]), name: ['Cy', null] });
   * ```
   */
  write(table: TableInput): Promise<void> {
    return this.#writer.write(table);
  }

  /**
   * Writes rows, which are taken apart into columns here.
   *
   * @param rows Row objects. Keys missing from a row, `undefined` and `null` all mean null.
   * @returns A promise that resolves when the rows are encoded and the sink has room again.
   * @throws {ParquetError} As `writeRows` of `parquill`. What the iterator throws goes through.
   *
   * @example
   * ```ts
   * await writer.writeRows([{ id: 6, name: 'Di' }, { id: 7 }]);
   * ```
   */
  writeRows(rows: Iterable<Row>): Promise<void> {
    return this.#writer.writeRows(rows);
  }

  /**
   * Ends the row group early; without rows in it nothing happens.
   *
   * @returns A promise that resolves when the row group has gone to the sink and the sink has room again.
   * @throws {ParquetError} ERR_SINK, ERR_LIMIT, ERR_POISONED, ERR_FINISHED, ERR_ABORTED, ERR_NOT_INITIALIZED.
   *
   * @example
   * ```ts
   * await writer.flushRowGroup();
   * ```
   */
  flushRowGroup(): Promise<void> {
    return this.#writer.flushRowGroup();
  }

  /**
   * Writes the footer and closes the sink.
   *
   * @returns What was written: rows, row groups, bytes, and the Blob where no sink was given.
   * @throws {ParquetError} As `finish` of `parquill`; ERR_NOT_INITIALIZED when the worker is lost.
   *
   * @example
   * ```ts
   * const { blob, rows, rowGroups, byteLength } = await writer.finish();
   * ```
   */
  finish(): Promise<WriteResult> {
    return this.#writer.finish();
  }

  /**
   * Gives the file up; calls that wait reject with ERR_ABORTED, the sink is aborted.
   *
   * @param reason Goes to the sink, and into `cause` of the errors.
   * @returns A promise that resolves when the sink is aborted.
   *
   * @example
   * ```ts
   * await writer.abort(new Error('the user left'));
   * ```
   */
  abort(reason?: unknown): Promise<void> {
    return this.#writer.abort(reason);
  }

  static {
    const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
    if (asyncDispose !== undefined) {
      const value = function (this: ParquetWriter) {
        return this.#writer.dispose();
      };
      Object.defineProperty(this.prototype, asyncDispose, { value, configurable: true, writable: true });
    }
  }
}

/**
 * The `parquetStream` of `parquill`, working in the worker.
 *
 * @param options Those of a write, and `transfer`; sizes in bytes.
 * @returns Both ends of the pipe. A failure errors both; a reader that cancels aborts the writer.
 * @throws {ParquetError} Not here: what is wrong with the options errors both ends.
 *
 * @example
 * ```ts
 * const bytes = batches.pipeThrough(parquetStream({ schema: { id: 'int32' } }));
 * ```
 */
export function parquetStream(
  options?: WorkerWriteOptions,
): TransformStream<TableInput | readonly Row[], Uint8Array> {
  return pipeOf((all) => ParquetWriter.open(all), options);
}
