/** One call: a table in, a file out. */

import { loadArrowSchema } from './arrow-schema.js';
import { Encoder } from './encode.js';
import { ParquetError } from './errors.js';
import { type Core, loadCore, useCore } from './module.js';
import { type FileOptions, readOptions } from './options.js';
import { refuse } from './option-reader.js';
import { PartMissing, rowReader } from './parts.js';
import { Pause } from './pause.js';
import { BlobSink } from './sink/blob.js';
import { BytesSink } from './sink/bytes.js';
import type { CoreSink } from './sink/sink.js';
import { readTable, type Table } from './table.js';
import type { Row, TableInput, WriteOptions } from './types.js';

/** Milliseconds of work between two pauses: within one frame of a page. */
const SLICE_MS = 12;

interface ResultSink<Result> extends CoreSink {
  readonly thrown: unknown;
  result(): Result;
}

type SinkClass<Result> = new (memory: WebAssembly.Memory) => ResultSink<Result>;

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
  const job = new Job(table, options, BytesSink);
  try {
    if (job.keepsArrow) refuse('arrowSchema', 'what it needs is loaded when it is asked for: use writeParquetBytes');
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
  if (read.arrowSchema) refuse('arrowSchema', 'rows have no Arrow schema');
  const { readRows } = await rowReader.load();
  return write(await readRows(rows, read, read.schema !== undefined), options, BlobSink);
}

/** What is missing shows before the first byte: then it is loaded, and the write begins again. */
async function write<Result>(
  table: TableInput,
  options: WriteOptions | undefined,
  sink: SinkClass<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await attempt(table, options, sink);
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
      await error.part.load();
    }
  }
}

async function attempt<Result>(
  table: TableInput,
  options: WriteOptions | undefined,
  sink: SinkClass<Result>,
): Promise<Result> {
  const job = new Job(table, options, sink);
  const pause = new Pause();
  try {
    await Promise.all([loadCore(), loadArrowSchema(job.keepsArrow)]);
    job.start();
    for (let began = performance.now(); job.step();) {
      if (performance.now() - began < SLICE_MS) continue;
      job.report();
      await pause.next();
      began = performance.now();
    }
    return job.result();
  } finally {
    pause.close();
    job.close();
  }
}

/** One write, from the check of its arguments to its result. */
class Job<Result> {
  readonly #options: FileOptions;
  readonly #table: Table;
  readonly #makeSink: SinkClass<Result>;
  #core: Core | undefined;
  #sink: ResultSink<Result> | undefined;
  #encoder: Encoder | undefined;
  #steps: Generator<boolean, void> | undefined;

  constructor(table: TableInput, options: WriteOptions | undefined, sink: SinkClass<Result>) {
    this.#options = readOptions(options);
    this.#table = readTable(table, this.#options);
    this.#makeSink = sink;
    this.#mayGoOn();
  }

  get keepsArrow(): boolean {
    return this.#options.arrowSchema;
  }

  /** Takes the module, which must be loaded. */
  start(): void {
    this.#core = useCore();
    this.#sink = new this.#makeSink(this.#core.memory);
    this.#encoder = new Encoder(this.#table, this.#options, this.#core, this.#sink);
    this.#steps = this.#encoder.run();
  }

  /** Goes one small step; false when the file is whole. */
  step(): boolean {
    this.#mayGoOn();
    const { done, value: milestone } = this.#steps!.next();
    if (done || milestone) this.report();
    return !done;
  }

  report(): void {
    const { rows, bytes } = this.#encoder!;
    this.#options.onProgress?.({ rows, totalRows: this.#table.rows, bytes });
  }

  result(): Result {
    this.#mayGoOn();
    try {
      return this.#sink!.result();
    } catch (error) {
      throw new ParquetError('ERR_LIMIT', `no memory for the file: ${String(error)}`, { cause: error });
    }
  }

  /** Ends the write, done or not, and gives the module's memory back. */
  close(): void {
    this.#steps?.return();
    this.#core?.release(this.#encoder?.lost ?? false);
  }

  #mayGoOn(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw new ParquetError('ERR_ABORTED', 'the write was aborted', { cause: signal.reason });
  }
}
