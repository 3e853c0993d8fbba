/** The page's side of a writer: calls become messages in the order in which they were made. */

import type { FileOptions } from '../options.js';
import { blobOf } from '../sink/blob.js';
import { aborted, Fate, finished } from '../stream/fate.js';
import { located, type Names, rowBatches, tableOfRows } from '../stream/row-batches.js';
import { readTable, type Table } from '../table.js';
import type { WriteResult } from '../types.js';
import type { Channel } from './channel.js';
import type { Link } from './link.js';
import { type OpenRequest, sentOptions, type WriterReply, type WriterRequest } from './messages.js';
import { Packer } from './pack.js';
import { PageSink } from './page-sink.js';
import { unsendable } from './sliced.js';
import { Reasons } from './trouble.js';

type Request = WriterRequest extends infer One ? (One extends { call: number } ? Omit<One, 'call'> : never) : never;

interface Waiting {
  resolve(result: WriteResult | undefined): void;
  reject(error: unknown): void;
}

export class PageWriter {
  rows = 0;
  readonly #link: Link;
  readonly #options: FileOptions;
  readonly #transfer: boolean;
  readonly #reasons = new Reasons();
  readonly #waiting = new Map<number, Waiting>();
  #channel!: Channel;
  #sink: PageSink | undefined;
  #calls = 0;
  /** Names of columns, once they are known. */
  #names: Names;
  /** An iterable is being read: calls made meanwhile are sent when it is done. */
  #reading: Promise<void> | undefined;
  #lost: { readonly error: unknown } | undefined;
  /** How the file ended, as far as a call was told. */
  readonly #fate = new Fate();
  #finishing = false;
  readonly #ended: (writer: PageWriter) => void;
  readonly #onSignal = () => void this.abort(this.#options.signal?.reason).catch(() => {});

  /** `ended` is told when there is nothing left to give up. */
  constructor(link: Link, options: FileOptions, transfer: boolean, ended: (writer: PageWriter) => void) {
    this.#link = link;
    this.#ended = ended;
    this.#options = options;
    this.#transfer = transfer;
    this.#names = options.schema;
  }

  /** Errors: those of ParquetWriter.open. */
  async open(sink: WritableStream<Uint8Array> | undefined, disk: boolean): Promise<void> {
    const { signal, onProgress } = this.#options;
    if (signal?.aborted) throw aborted(signal.reason);
    const request: OpenRequest = {
      options: sentOptions(this.#options),
      sink: sink !== undefined,
      disk,
      progress: onProgress !== undefined,
    };
    const opened = new Promise<WriteResult | undefined>((resolve, reject) => {
      this.#waiting.set(-1, { resolve, reject });
    });
    this.#channel = this.#link.begin('writer', request);
    this.#channel.take = (body) => this.#take(body as WriterReply);
    this.#channel.lost = (error) => this.#lose(error);
    await this.#link.during(opened);
    try {
      if (signal?.aborted) throw aborted(signal.reason);
      if (sink !== undefined) this.#sink = new PageSink(sink, this.#channel, this.#reasons);
    } catch (error) {
      this.drop();
      throw error;
    }
    signal?.addEventListener('abort', this.#onSignal);
  }

  #take(reply: WriterReply): void {
    if ('call' in reply) this.#settle(reply);
    else if ('opened' in reply) this.#waiting.get(-1)?.resolve(undefined);
    else if ('progress' in reply) this.#report(reply.progress);
    else if ('chunk' in reply) void this.#sink?.take(reply.chunk);
    else if ('close' in reply) void this.#sink?.close();
    else if ('gone' in reply) this.#channel.close();
    else void this.#sink?.abort(this.#reasons.read(reply.abort));
  }

  #settle(reply: Extract<WriterReply, { call: number }>): void {
    const waiting = this.#waiting.get(reply.call);
    this.#waiting.delete(reply.call);
    this.rows = reply.rows;
    if ('failed' in reply) {
      const error = this.#reasons.read(reply.failed);
      waiting?.reject(error);
      if (reply.call < 0) this.#channel.close();
      else this.#fail(error);
      return;
    }
    const { sentBlob, ...done } = reply.done as WriteResult & { sentBlob?: Blob | Uint8Array<ArrayBuffer> };
    waiting?.resolve(sentBlob === undefined ? done : { blob: blobOf(sentBlob), ...done });
  }

  #report(progress: Parameters<NonNullable<FileOptions['onProgress']>>[0]): void {
    this.rows = progress.rows;
    try {
      this.#options.onProgress?.(progress);
    } catch (error) {
      this.#channel.post({ failed: this.#reasons.keep(error) } satisfies WriterRequest);
    }
  }

  /** The worker is gone. */
  #lose(error: unknown): void {
    this.#lost = { error };
    this.#letGo();
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) waiting.reject(error);
    void this.#sink?.abort(error);
  }

  #letGo(): void {
    this.#options.signal?.removeEventListener('abort', this.#onSignal);
  }

  /** A call was told of the first failure. */
  #fail(error: unknown): void {
    if (!this.#fate.fail(error)) return;
    this.#fate.refusal();
    this.drop();
  }

  /** What a call is refused with before it is sent. */
  #refusal(): unknown {
    return this.#lost?.error ?? this.#fate.refusal() ?? (this.#finishing ? finished() : undefined);
  }

  /** Sends a call at once; its answer. */
  #tell(request: Request, packer?: Packer): Promise<WriteResult | undefined> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost.error);
    const call = this.#calls++;
    const answer = new Promise<WriteResult | undefined>((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
    });
    try {
      this.#channel.post({ ...request, call } as WriterRequest, packer?.transfers);
    } catch (error) {
      this.#channel.post({ fail: this.#reasons.keep(unsendable(error)), call } satisfies WriterRequest);
    }
    return this.#link.during(answer);
  }

  /** Sends a call when those before are sent. */
  #send(request: Request, packer?: Packer): Promise<WriteResult | undefined> {
    const before = this.#reading;
    return before === undefined ? this.#tell(request, packer) : before.then(() => this.#tell(request, packer));
  }

  /** A call whose data is taken now. What is wrong with it is said when its turn comes. */
  #call(read: () => Table): Promise<void> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return handled(Promise.reject(refusal));
    let request: Request;
    let packer: Packer | undefined;
    try {
      const table = read();
      if (table.rows > 0) this.#names ??= new Map(table.columns.map(({ name }) => [name, '']));
      packer = new Packer(this.#transfer);
      request = { write: packer.pack(table) };
    } catch (error) {
      request = { fail: this.#reasons.keep(located(error, this.rows)) };
    }
    return handled(this.#send(request, packer));
  }

  write(given: unknown): Promise<void> {
    return this.#call(() => readTable(given, this.#options));
  }

  writeRows(rows: unknown): Promise<void> {
    if (!Array.isArray(rows)) return this.#readRows(rows);
    if (rows.length === 0) return Promise.resolve();
    return this.#call(() => tableOfRows(rows, this.#names, this.#options));
  }

  /** Batch by batch; whatever is called meanwhile waits. */
  #readRows(rows: unknown): Promise<void> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return handled(Promise.reject(refusal));
    const before = this.#reading ?? Promise.resolve();
    const all = before.then(() => this.#batches(rows));
    const reading = all.then(
      () => {},
      () => {},
    );
    this.#reading = reading;
    void reading.then(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return handled(all);
  }

  async #batches(rows: unknown): Promise<void> {
    let sending = false;
    try {
      for await (const table of rowBatches(rows, this.#names, this.#options, () => this.rows)) {
        this.#names ??= new Map(table.columns.map(({ name }) => [name, '']));
        const packer = new Packer(false);
        const request = { write: packer.pack(table) };
        sending = true;
        await this.#tell(request, packer);
        sending = false;
      }
    } catch (error) {
      if (sending) throw error;
      await this.#tell({ fail: this.#reasons.keep(error) });
    }
  }

  flushRowGroup(): Promise<void> {
    const refusal = this.#refusal();
    return handled(refusal === undefined ? this.#send({ flush: true }) : Promise.reject(refusal));
  }

  async finish(): Promise<WriteResult> {
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
    this.#finishing = true;
    const result = (await this.#send({ finish: true })) as WriteResult;
    this.#fate.finished = true;
    this.drop();
    return result;
  }

  /** Goes before all that waits. */
  async abort(reason: unknown): Promise<void> {
    if (this.#lost !== undefined || this.#fate.failed || this.#fate.finished) return;
    const told = this.#tell({ abort: this.#reasons.keep(reason) });
    this.#fail(aborted(reason));
    await told;
  }

  /** A finish that nobody waited for is waited for; without one the file is given up. */
  async dispose(): Promise<void> {
    if (this.#lost !== undefined || this.#fate.failed || this.#fate.finished) return;
    await this.#send({ dispose: true });
    this.drop();
  }

  /** Nobody will call any more; what was asked for is still done. */
  drop(): void {
    this.#letGo();
    this.#ended(this);
    if (this.#lost === undefined) this.#channel.post({ dropped: true } satisfies WriterRequest);
  }
}

/** Rejections that come again with the next call are not to end the program. */
function handled(promise: Promise<unknown>): Promise<void> {
  const settled = promise.then(() => {});
  settled.catch(() => {});
  return settled;
}
