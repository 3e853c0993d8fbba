/** Parts of one size, several of which are uploaded at once. */

import type { MultipartStore } from './multipart.js';

/** One file on its way. */
export class Upload<Part> {
  readonly #store: MultipartStore<Part>;
  readonly #partBytes: number;
  readonly #concurrency: number;
  readonly #parts: Part[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #number = 0;
  #part: Uint8Array<ArrayBuffer> | undefined;
  #filled = 0;
  #failure: { readonly reason: unknown } | undefined;
  #aborted: Promise<void> | undefined;
  readonly #controller: WritableStreamDefaultController;

  constructor(
    store: MultipartStore<Part>,
    partBytes: number,
    concurrency: number,
    controller: WritableStreamDefaultController,
  ) {
    this.#store = store;
    this.#partBytes = partBytes;
    this.#concurrency = concurrency;
    this.#controller = controller;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const part = (this.#part ??= new Uint8Array(this.#partBytes));
      const to = Math.min(bytes.length, from + part.length - this.#filled);
      part.set(bytes.subarray(from, to), this.#filled);
      this.#filled += to - from;
      from = to;
      if (this.#filled === part.length) await this.#upload(part);
    }
  }

  /** Begins an upload; resolves when one more may begin. */
  async #upload(bytes: Uint8Array): Promise<void> {
    this.#part = undefined;
    this.#filled = 0;
    const number = ++this.#number;
    const upload = this.#run(number, bytes).finally(() => this.#underWay.delete(upload));
    this.#underWay.add(upload);
    while (this.#underWay.size >= this.#concurrency && this.#failure === undefined) await Promise.race(this.#underWay);
    await this.#mayGoOn();
  }

  async #run(number: number, bytes: Uint8Array): Promise<void> {
    try {
      this.#parts[number - 1] = await this.#store.uploadPart(number, bytes);
    } catch (reason) {
      this.#fail(reason);
    }
  }

  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { reason };
    // Between two writes nobody else would tell the stream.
    this.#controller.error(reason);
    this.#abort(reason).catch(() => {});
  }

  async #mayGoOn(): Promise<void> {
    if (this.#failure === undefined) return;
    // What abort throws must not hide the first cause.
    await this.#aborted?.catch(() => {});
    throw this.#failure.reason;
  }

  async close(): Promise<void> {
    // A store needs a part, be it empty.
    if (this.#filled > 0 || this.#number === 0) {
      await this.#upload(this.#part?.slice(0, this.#filled) ?? new Uint8Array(0));
    }
    await Promise.all(this.#underWay);
    await this.#mayGoOn();
    try {
      await this.#store.complete(this.#parts);
    } catch (reason) {
      this.#fail(reason);
      await this.#mayGoOn();
    }
  }

  async abort(reason: unknown): Promise<void> {
    this.#failure ??= { reason };
    await this.#abort(reason);
  }

  /** Once, and when nothing is under way any more. */
  #abort(reason: unknown): Promise<void> {
    this.#part = undefined;
    return (this.#aborted ??= Promise.all(this.#underWay).then(async () => {
      await this.#store.abort(reason);
    }));
  }
}
