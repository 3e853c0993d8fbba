/** A writer, in the worker. */

import { loadArrowSchema } from '../arrow-schema.js';
import { loadCore } from '../module.js';
import { loadParts } from '../parts.js';
import { checkSchema, openJob, type StreamJob } from '../stream/job.js';
import type { WriteResult } from '../types.js';
import type { Channel } from './channel.js';
import type { OpenRequest, WriterReply, WriterRequest } from './messages.js';
import { unpack } from './pack.js';
import { postBlob } from './post-blob.js';
import { RemoteSink } from './remote-sink.js';
import { Troubles } from './trouble.js';

export function serveWriter(channel: Channel): void {
  channel.take = (body) => {
    const server = new WriterServer(channel);
    void server.open(body as OpenRequest);
  };
}

class WriterServer {
  readonly #channel: Channel;
  readonly #troubles = new Troubles();
  #job!: StreamJob;
  #sink: RemoteSink | undefined;
  readonly #answers = new Set<Promise<void>>();

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  async open({ options, sink, disk, progress }: OpenRequest): Promise<void> {
    const onProgress = progress
      ? (done: Extract<WriterReply, { progress: unknown }>['progress']) => this.#post({ progress: done })
      : undefined;
    const file = { ...options, signal: undefined, onProgress };
    try {
      await loadParts();
      checkSchema(file);
      await Promise.all([loadCore(), loadArrowSchema(options.arrowSchema)]);
      if (sink) this.#sink = new RemoteSink(this.#channel, this.#troubles);
      this.#job = await openJob(file, this.#sink?.stream, disk, () => {});
      this.#channel.take = (body) => this.#take(body as WriterRequest);
      this.#post({ opened: true });
    } catch (error) {
      this.#post({ call: -1, rows: 0, failed: this.#troubles.write(error) });
      this.#channel.close();
    }
  }

  #post(reply: WriterReply, transfers: Transferable[] = []): void {
    this.#channel.post(reply, transfers);
  }

  #take(request: WriterRequest): void {
    const job = this.#job;
    if ('call' in request) this.#track(this.#answer(request.call, this.#do(request)));
    else if ('took' in request) this.#sink?.took(request.took);
    else if ('closed' in request) this.#sink?.closed();
    else if ('aborted' in request) this.#sink?.aborted();
    else if ('sinkFailed' in request) this.#sink?.failed(this.#troubles.read(request.sinkFailed));
    else if ('failed' in request) job.failNow(this.#troubles.read(request.failed));
    else void this.#drop();
  }

  /** What was asked for is done first, and its sink still fed. */
  async #drop(): Promise<void> {
    await this.#job.drop('the writer was dropped without finish').catch(() => {});
    await Promise.all(this.#answers);
    this.#post({ gone: true });
    this.#channel.close();
  }

  #do(request: Extract<WriterRequest, { call: number }>): Promise<WriteResult | void> {
    const job = this.#job;
    if ('write' in request) return job.writeOwn(unpack(request.write, []));
    if ('fail' in request) return job.failAtTurn(this.#troubles.read(request.fail));
    if ('flush' in request) return job.flushRowGroup();
    if ('finish' in request) return job.finish();
    if ('dispose' in request) return job.dispose();
    return job.abort(this.#troubles.read(request.abort));
  }

  #track(answer: Promise<void>): void {
    const done = answer.finally(() => this.#answers.delete(done));
    this.#answers.add(done);
  }

  async #answer(call: number, work: Promise<WriteResult | void>): Promise<void> {
    try {
      const { blob, ...done } = (await work) ?? {};
      const { rows } = this.#job;
      if (blob === undefined) {
        this.#post({ call, rows, done: done as WriteResult });
      } else {
        await postBlob(blob, (sentBlob, transfers) =>
          this.#post({ call, rows, done: { ...(done as WriteResult), sentBlob } }, transfers));
      }
    } catch (error) {
      this.#post({ call, rows: this.#job.rows, failed: this.#troubles.write(error) });
    }
  }
}
