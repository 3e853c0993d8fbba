/** One write of a whole table, a small step at a time. */

import { loadArrowSchema } from './arrow-schema.js';
import { Encoder } from './encode.js';
import { ParquetError } from './errors.js';
import { type Core, loadCore, useCore } from './module.js';
import type { FileOptions } from './options.js';
import { PartMissing } from './parts.js';
import { Pause } from './pause.js';
import type { CoreSink } from './sink/sink.js';
import type { Table } from './table.js';

/** Milliseconds of work between two pauses: within one frame of a page. */
const SLICE_MS = 12;

/** What is to be written, checked. */
export interface Given {
  readonly options: FileOptions;
  readonly table: Table;
}

interface ResultSink<Result> extends CoreSink {
  readonly thrown: unknown;
  result(): Result;
}

export type SinkClass<Result> = new (memory: WebAssembly.Memory) => ResultSink<Result>;

/** What is missing shows before the first byte: then it is loaded, and the write begins again. */
export async function writeGiven<Result>(read: () => Given, sink: SinkClass<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt(read(), sink);
    } catch (error) {
      if (!(error instanceof PartMissing)) throw error;
      await error.part.load();
    }
  }
}

async function attempt<Result>(given: Given, sink: SinkClass<Result>): Promise<Result> {
  const job = new Job(given, sink);
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

/** One write, from its arguments to its result. */
export class Job<Result> {
  readonly #options: FileOptions;
  readonly #table: Table;
  readonly #makeSink: SinkClass<Result>;
  #core: Core | undefined;
  #sink: ResultSink<Result> | undefined;
  #encoder: Encoder | undefined;
  #steps: Generator<boolean, void> | undefined;

  constructor({ options, table }: Given, sink: SinkClass<Result>) {
    this.#options = options;
    this.#table = table;
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
