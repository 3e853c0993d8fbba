/** The writer that users hold. */

import { loadArrowSchema } from '../arrow-schema.js';
import { loadCore } from '../module.js';
import { loadParts, stream } from '../parts.js';
import type { Row, StreamOptions, TableInput, WriteResult } from '../types.js';
import type { StreamJob } from './job.js';
import { readOpenOptions } from './open-options.js';

/** Of what a writer holds when nobody holds the writer any more. The job knows nothing of its writer. */
const dropped = new FinalizationRegistry<StreamJob>((job) => {
  job.drop('the writer was dropped without finish').catch(() => {});
});

/** The stack of an error may hold the writer: were the job still known here, it would never go. */
const ended = (job: StreamJob) => {
  dropped.unregister(job);
};

/** `await using` ends the writer, where the language has it. */
export interface ParquetWriter extends AsyncDisposableIfKnown {}

type AsyncDisposableIfKnown = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { [Name in Key]: () => Promise<void> }
  : object;

/**
 * Writes a file piece by piece. Memory stays bounded: the module holds at most a page of every column, and the pages of
 * the open row group wait compressed (see `rowGroupRows`, `rowGroupBytes` and `spill`); all that was before has left.
 *
 * - Calls are queued. Data is taken as it is at the call, also when the call is not awaited: what has to wait is copied.
 *   An iterable that is no array is read when its turn comes.
 * - The first batch with rows settles columns and types. Without `nullable: false` a column may have nulls later, except
 *   where a typed array without validity is all that says its type. Later batches must have the same columns.
 * - Pages and row groups end where they would if all rows came at once, however they are cut into batches; only where the
 *   batches of one column come in different forms (arrays, then typed arrays of another width) a page may end early.
 * - After a failure the sink is aborted and every later call rejects with ERR_POISONED, whose `cause` is the first
 *   failure; after `abort`, or when the signal says so, with ERR_ABORTED. A call that is not awaited needs no handler: its
 *   failure comes again with `finish`.
 * - Nothing can be read before `finish`: without it there is no footer, so that a torn file never looks whole.
 *
 * @example
 * ```ts
 * const writer = await ParquetWriter.open({ schema: { id: 'int32', name: 'string' } });
 * await writer.write({ id: new Int32Array([1, 2]), name: ['Ann', 'Bo'] });
 * await writer.writeRows([{ id: 3, name: null }]);
 * const { blob, rows } = await writer.finish();
 * ```
 */
export class ParquetWriter {
  readonly #job: StreamJob;

  private constructor(job: StreamJob) {
    this.#job = job;
    dropped.register(this, job, job);
  }

  /**
   * Opens a writer; the module is loaded when it is not yet. The sink is closed by `finish` and aborted after any failure.
   *
   * @param options Those of a write, sizes in bytes; `sink`, without which the file is collected as a Blob; `spill`.
   * @returns The writer, once the module is there.
   * @throws {ParquetError} ERR_OPTION, ERR_SCHEMA, ERR_ABORTED, ERR_NOT_INITIALIZED.
   *
   * @example
   * ```ts
   * const sink = await (await showSaveFilePicker()).createWritable();
   * const writer = await ParquetWriter.open({ sink, rowGroupBytes: 16 * 2 ** 20 });
   * ```
   */
  static async open(options?: StreamOptions): Promise<ParquetWriter> {
    const { file, sink, disk } = readOpenOptions(options);
    const core = loadCore();
    // What is wrong with the schema is said first.
    core.catch(() => {});
    const [job] = await Promise.all([stream.load(), loadParts()]);
    job.checkSchema(file);
    await Promise.all([core, loadArrowSchema(file.arrowSchema)]);
    return new ParquetWriter(await job.openJob(file, sink, disk, ended));
  }

  /** Rows encoded so far; those of calls that wait are not among them. */
  get rows(): number {
    return this.#job.rows;
  }

  /**
   * Writes the columns of one batch.
   *
   * @param table Columns by name, a list of columns, or a table of Arrow; a batch without rows changes nothing.
   * @returns A promise that resolves when the batch is encoded and the sink has room again.
   * @throws {ParquetError} As `writeParquet`, rows counted from the start of the file; ERR_SINK with the sink's reason as
   *   `cause`; ERR_POISONED, ERR_FINISHED, ERR_ABORTED.
   *
   * @example
   * ```ts
   * await writer.write({ id: new Int32Array([4, 5]), name: ['Cy', null] });
   * ```
   */
  write(table: TableInput): Promise<void> {
    return this.#job.write(table);
  }

  /**
   * Writes rows. An iterable that is no array is read a thousand rows at a time, unless types still have to be inferred
   * from all of them.
   *
   * @param rows Row objects. Keys missing from a row, `undefined` and `null` all mean null.
   * @returns A promise that resolves when the rows are encoded and the sink has room again.
   * @throws {ParquetError} As `write`; ERR_SCHEMA for a key that is no column. What the iterator throws goes through.
   *
   * @example
   * ```ts
   * await writer.writeRows([{ id: 6, name: 'Di' }, { id: 7 }]);
   * ```
   */
  writeRows(rows: Iterable<Row>): Promise<void> {
    return this.#job.writeRows(rows);
  }

  /**
   * Ends the row group early; without rows in it nothing happens.
   *
   * @returns A promise that resolves when the row group has gone to the sink and the sink has room again.
   * @throws {ParquetError} ERR_SINK, ERR_LIMIT, ERR_POISONED, ERR_FINISHED, ERR_ABORTED.
   *
   * @example
   * ```ts
   * await writer.flushRowGroup();
   * ```
   */
  flushRowGroup(): Promise<void> {
    return this.#job.flushRowGroup();
  }

  /**
   * Writes the footer and closes the sink. A file without any batch has the columns of the schema.
   *
   * @returns What was written: rows, row groups, bytes, and the Blob where no sink was given.
   * @throws {ParquetError} ERR_SCHEMA for neither rows nor schema; ERR_SINK, ERR_LIMIT, ERR_POISONED, ERR_ABORTED;
   *   ERR_FINISHED for a second call.
   *
   * @example
   * ```ts
   * const { blob, rows, rowGroups, byteLength } = await writer.finish();
   * ```
   */
  finish(): Promise<WriteResult> {
    return this.#job.finish();
  }

  /**
   * Gives the file up: calls that wait reject with ERR_ABORTED, the sink is aborted, memory is free again. After `finish`
   * or a failure nothing happens. It does not wait for a write that the sink still has under way.
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
    return this.#job.abort(reason);
  }

  static {
    const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
    if (asyncDispose !== undefined) {
      const value = function (this: ParquetWriter) {
        return this.#job.dispose();
      };
      Object.defineProperty(this.prototype, asyncDispose, { value, configurable: true, writable: true });
    }
  }
}
