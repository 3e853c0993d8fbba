/** One streamed file: calls in a queue, what waits for what, and how it ends. */

import { isTrap } from '../core-error.js';
import { ParquetError } from '../errors.js';
import { type Core, useCore } from '../module.js';
import type { FileOptions } from '../options.js';
import { Pause } from '../pause.js';
import { readTable, type Table } from '../table.js';
import type { WriteResult } from '../types.js';
import { settleColumns } from './columns.js';
import { StreamEncoder } from './encoder.js';
import { aborted, Fate, finished } from './fate.js';
import { type Disk, outletFor, type Outlet, sinkError, type Wait } from './outlet.js';
import { located, type Names, rowBatches, tableOfRows } from './row-batches.js';
import { copyOfValues, snapshotOf } from './snapshot.js';

/** Milliseconds of work between two pauses: within one frame of a page. */
const SLICE_MS = 12;
/** Batches of at most as many values are encoded within the call, so that nothing has to be copied. */
const MOST_AT_ONCE = 1 << 15;

/** Smaller Blobs find room wherever there is a browser. */
const LARGE_BLOB = 2 ** 28;

type Steps = Generator<boolean, void>;

export class StreamJob {
  readonly #options: FileOptions;
  readonly #outlet: Outlet;
  readonly #ended: (job: StreamJob) => void;
  #core: Core | undefined;
  #encoder: StreamEncoder | undefined;
  /** The first batch, while all that came had no rows. */
  #empty: Table | undefined;
  #queue: Promise<void> = Promise.resolve();
  #pending = 0;
  #finishing = false;
  readonly #fate = new Fate();
  #interrupt: ((error: unknown) => void) | undefined;
  /** Milliseconds of work since others had their turn. */
  #worked = 0;
  /** The module ran into a trap before there was an encoder. */
  #lost = false;
  /** The module's memory cannot be given back in the middle of a step. */
  #stepping = false;
  readonly #onSignal = () => {
    const reason: unknown = this.#options.signal?.reason;
    void this.#fail(aborted(reason), reason);
  };

  /** `ended` is told when there is nothing left to give up. Errors: ERR_OPTION, ERR_ABORTED. */
  constructor(
    options: FileOptions,
    sink: WritableStream<Uint8Array> | undefined,
    disk: Disk | undefined,
    ended: (job: StreamJob) => void,
  ) {
    this.#options = options;
    this.#ended = ended;
    const { signal } = options;
    if (signal?.aborted) throw aborted(signal.reason);
    this.#outlet = outletFor(sink, disk, (error) => void this.#fail(error));
    signal?.addEventListener('abort', this.#onSignal);
  }

  /** Rows encoded. */
  get rows(): number {
    return this.#encoder?.rows ?? 0;
  }

  write(given: unknown): Promise<void> {
    return this.#call((idle) => this.#taken(idle, () => readTable(given, this.#options)));
  }

  /** A batch that nobody else will change. */
  writeOwn(table: Table): Promise<void> {
    return this.#call(() => () => this.#drive(this.#add(table)));
  }

  /** A call that went wrong before it came here. */
  failAtTurn(error: unknown): Promise<void> {
    return this.#call(() => () => Promise.reject(error));
  }

  /** Something that belongs to no call went wrong. */
  failNow(error: unknown): void {
    void this.#fail(error);
  }

  writeRows(rows: unknown): Promise<void> {
    return this.#call((idle) => {
      if (!Array.isArray(rows)) return () => this.#addRows(rows);
      if (rows.length === 0) return async () => {};
      if (idle) return this.#taken(idle, () => tableOfRows(rows, this.#names(), this.#options));
      const copy = copyOfValues(rows);
      return () => this.#addRows(copy);
    });
  }

  flushRowGroup(): Promise<void> {
    return this.#call(() => () => this.#drive(this.#encoder?.endRowGroup() ?? nothing()));
  }

  finish(): Promise<WriteResult> {
    if (this.#finishing) return Promise.reject(this.#fate.refusal() ?? finished());
    this.#finishing = true;
    return this.#enqueue(() => async () => {
      await this.#drive(this.#end());
      const { rows, rowGroups, bytes } = this.#encoder as StreamEncoder;
      this.#release();
      const blob = await this.#outlet.close(this.#wait);
      if (bytes > LARGE_BLOB && blob !== undefined) await (await import('../sink/large-blob.js')).mustBeReadable(blob);
      this.#fate.finished = true;
      this.#letGo();
      return { ...(blob === undefined ? {} : { blob }), rows, rowGroups, byteLength: bytes };
    });
  }

  /** Gives the file up at once, whatever is under way. */
  async abort(reason: unknown): Promise<void> {
    const trouble = await this.#fail(aborted(reason), reason);
    if (trouble !== undefined) throw trouble;
  }

  /** Nobody holds the writer any more: what was asked for is done, and if that was not all, the file is given up. */
  async drop(reason: string): Promise<void> {
    await this.#queue;
    await this.abort(new ParquetError('ERR_ABORTED', reason));
  }

  /** A finish that nobody waited for is waited for; without one the file is given up. */
  async dispose(): Promise<void> {
    if (this.#finishing) await this.#queue;
    await this.abort(new ParquetError('ERR_ABORTED', 'the writer was disposed of without finish'));
  }

  /** A call other than finish. What it rejects with, finish says too: nobody has to await it. */
  #call(start: (idle: boolean) => () => Promise<void>): Promise<void> {
    if (this.#finishing) return handled(Promise.reject(this.#fate.refusal() ?? finished()));
    return handled(this.#enqueue(start));
  }

  /** `start` runs within the call, what it returns when all calls before are done. */
  #enqueue<Value>(start: (idle: boolean) => () => Promise<Value>): Promise<Value> {
    const idle = this.#pending++ === 0;
    let task: () => Promise<Value>;
    try {
      task = this.#fate.failed ? notReached : start(idle);
    } catch (error) {
      task = () => Promise.reject(located(error, this.rows));
    }
    const result = idle ? this.#attempt(task) : this.#queue.then(() => this.#attempt(task));
    const done = () => {
      this.#pending--;
    };
    this.#queue = result.then(done, done);
    return result;
  }

  async #attempt<Value>(task: () => Promise<Value>): Promise<Value> {
    const refusal = this.#fate.refusal();
    if (refusal !== undefined) throw refusal;
    try {
      return await task();
    } catch (error) {
      void this.#fail(error);
      throw this.#fate.refusal();
    }
  }

  /** The first failure ends everything; the sink is aborted for `reason`. Gives what went wrong with that. */
  async #fail(error: unknown, reason: unknown = error): Promise<ParquetError | undefined> {
    if (!this.#fate.fail(error)) return undefined;
    this.#letGo();
    this.#release();
    this.#interrupt?.(error);
    try {
      await this.#outlet.abort(reason);
      return undefined;
    } catch (trouble) {
      return sinkError(trouble);
    }
  }

  #letGo(): void {
    this.#options.signal?.removeEventListener('abort', this.#onSignal);
    this.#ended(this);
  }

  #release(): void {
    if (this.#stepping || this.#core === undefined) return;
    this.#encoder?.free();
    this.#core.release(this.#encoder?.lost ?? this.#lost);
    this.#core = undefined;
  }

  readonly #wait: Wait = (promise) =>
    new Promise((resolve, reject) => {
      this.#fate.mayGoOn();
      this.#interrupt = reject;
      promise.then(resolve, reject);
    });

  /** A batch as it is at the call: encoded within it when it is small and its turn, else copied. */
  #taken(idle: boolean, read: () => Table): () => Promise<void> {
    const table = read();
    const atOnce = idle && table.rows * table.columns.length <= MOST_AT_ONCE;
    const own = atOnce ? table : snapshotOf(table);
    return () => this.#drive(this.#add(own), atOnce);
  }

  /** Names of columns, once they are known. */
  #names(): Names {
    return this.#options.schema ?? (this.#encoder && new Map(this.#encoder.columns.map(({ name }) => [name, ''])));
  }

  async #addRows(rows: unknown): Promise<void> {
    for await (const table of rowBatches(rows, this.#names(), this.#options, () => this.rows)) {
      this.#fate.mayGoOn();
      await this.#drive(this.#add(table));
    }
  }

  *#add(table: Table): Steps {
    if (this.#encoder === undefined && table.rows === 0) this.#empty ??= table;
    else yield* (this.#encoder ?? (yield* this.#begin(table))).add(table);
  }

  *#begin(table: Table): Generator<boolean, StreamEncoder> {
    const steps = settleColumns(table, this.#options);
    let step = steps.next();
    for (; !step.done; step = steps.next()) yield false;
    this.#core = useCore();
    const sink = this.#outlet.open(this.#core.memory);
    try {
      this.#encoder = new StreamEncoder(step.value, table, this.#options, this.#core, sink);
    } catch (error) {
      this.#lost = error instanceof ParquetError && isTrap(error.cause);
      throw error;
    }
    return this.#encoder;
  }

  *#end(): Steps {
    const encoder = this.#encoder ?? (yield* this.#begin(this.#empty ?? emptyTable(this.#options)));
    yield* encoder.endRowGroup();
    encoder.finish();
  }

  /** Goes through the steps, gives way to other work now and then, and hands on what is settled. */
  async #drive(steps: Steps, atOnce = false): Promise<void> {
    let began = performance.now();
    for (let step = this.#step(steps); !step.done; step = this.#step(steps)) {
      if (atOnce) continue;
      if (step.value) await this.#handOn();
      if (this.#worked + performance.now() - began < SLICE_MS) continue;
      await this.#handOn();
      await this.#pause();
      began = performance.now();
    }
    this.#worked += performance.now() - began;
    await this.#handOn();
    // Call after call, none of them long, leaves no turn to others either.
    if (this.#worked >= SLICE_MS) await this.#pause();
  }

  async #pause(): Promise<void> {
    this.#worked = 0;
    const pause = new Pause();
    try {
      await this.#wait(pause.next());
    } finally {
      pause.close();
    }
  }

  #step(steps: Steps): IteratorResult<boolean, void> {
    this.#stepping = true;
    try {
      return steps.next();
    } finally {
      this.#stepping = false;
      // Code of the caller's, which a step may run, may have given the file up.
      if (this.#fate.failed) this.#release();
      this.#fate.mayGoOn();
    }
  }

  async #handOn(): Promise<void> {
    const { rows, bytes } = this.#encoder ?? { rows: 0, bytes: 0 };
    this.#options.onProgress?.({ rows, bytes });
    this.#fate.mayGoOn();
    await this.#outlet.flush(this.#wait);
  }
}

/** Opens the file for waiting pages, too, where `onDisk` says so. Errors: ERR_OPTION, ERR_ABORTED, ERR_LIMIT. */
export async function openJob(
  options: FileOptions,
  sink: WritableStream<Uint8Array> | undefined,
  onDisk: boolean,
  ended: (job: StreamJob) => void,
): Promise<StreamJob> {
  const disk = onDisk ? await (await import('./disk.js')).openDisk() : undefined;
  try {
    return new StreamJob(options, sink, disk, ended);
  } catch (error) {
    await disk?.close();
    throw error;
  }
}

/** A file without rows has the columns of the schema. */
function emptyTable(options: FileOptions): Table {
  if (options.schema === undefined) {
    throw new ParquetError('ERR_SCHEMA', 'no rows and no schema: a file needs at least one column');
  }
  const columns = Object.fromEntries([...options.schema.keys()].map((name) => [name, []]));
  return readTable(columns, { ...options, arrowSchema: false });
}

/** Throws what is wrong with the schema, and with options about its columns: ERR_SCHEMA, ERR_OPTION. */
export function checkSchema(options: FileOptions): void {
  if (options.schema === undefined) return;
  const steps = settleColumns(emptyTable(options), options);
  while (!steps.next().done);
}

/** Rejections that come again with the next call are not to end the program. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}

function notReached(): Promise<never> {
  return Promise.reject(new Error('a call after a failure is refused before it starts'));
}

function* nothing(): Steps {}
