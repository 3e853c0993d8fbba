/** The page's side of a sink: takes chunks from the worker, and says what became of them. */

import type { Channel } from './channel.js';
import type { WriterRequest } from './messages.js';
import type { Reasons } from './trouble.js';

export class PageSink {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reasons: Reasons;
  readonly #post: (message: WriterRequest) => void;
  #underWay = 0;
  #aborting = false;

  constructor(sink: WritableStream<Uint8Array>, channel: Channel, reasons: Reasons) {
    this.#writer = sink.getWriter();
    this.#reasons = reasons;
    this.#post = (message) => channel.post(message);
    this.#writer.closed.catch((reason: unknown) => this.#failed(reason));
  }

  #failed(reason: unknown): void {
    if (!this.#aborting) this.#post({ sinkFailed: this.#reasons.keep(reason) });
  }

  async #during(work: Promise<void>): Promise<boolean> {
    this.#underWay++;
    try {
      await work;
      return true;
    } catch (reason) {
      this.#failed(reason);
      return false;
    } finally {
      this.#underWay--;
    }
  }

  async take(chunk: Uint8Array): Promise<void> {
    // A sink may transfer the bytes, and then they have no length any more.
    const { length } = chunk;
    if (await this.#during(this.#writer.write(chunk))) this.#post({ took: length });
  }

  async close(): Promise<void> {
    if (await this.#during(this.#writer.close())) this.#post({ closed: true });
  }

  /** Aborts the sink; what is under way may never end, and is not waited for. */
  async abort(reason: unknown): Promise<void> {
    if (this.#aborting) return;
    this.#aborting = true;
    const aborted = this.#writer.abort(reason);
    aborted.catch(() => {});
    try {
      if (this.#underWay === 0) await aborted;
      this.#post({ aborted: true });
    } catch (trouble) {
      this.#post({ sinkFailed: this.#reasons.keep(trouble) });
    }
  }
}
