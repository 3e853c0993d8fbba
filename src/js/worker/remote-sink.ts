/** The worker's side of a sink that the page has. */

import type { Channel } from './channel.js';
import type { WriterReply } from './messages.js';
import type { Troubles } from './trouble.js';

/** Bytes that may be on their way to the page's sink. */
const MOST_UNDER_WAY = 1 << 22;

interface Waiting {
  resolve(): void;
  reject(reason: unknown): void;
}

export class RemoteSink {
  readonly stream: WritableStream<Uint8Array>;
  #controller!: WritableStreamDefaultController;
  #underWay = 0;
  /** A write that waits for room, and the close. */
  #waiting: Waiting | undefined;
  #closing: Waiting | undefined;
  #aborting: Waiting | undefined;
  #aborted: Promise<void> | undefined;
  readonly #channel: Channel;
  readonly #troubles: Troubles;

  constructor(channel: Channel, troubles: Troubles) {
    this.#channel = channel;
    this.#troubles = troubles;
    this.stream = new WritableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        // Told at once, also while a write waits.
        controller.signal.addEventListener('abort', () => this.#abort(controller.signal.reason));
      },
      write: (chunk) => this.#write(chunk as Uint8Array<ArrayBuffer>),
      close: () => {
        this.#post({ close: true });
        return new Promise((resolve, reject) => {
          this.#closing = { resolve, reject };
        });
      },
      abort: () => this.#aborted,
    });
  }

  #post(message: WriterReply, transfers: Transferable[] = []): void {
    this.#channel.post(message, transfers);
  }

  #write(chunk: Uint8Array<ArrayBuffer>): Promise<void> | undefined {
    this.#underWay += chunk.length;
    this.#post({ chunk }, [chunk.buffer]);
    if (this.#underWay < MOST_UNDER_WAY) return undefined;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #abort(reason: unknown): void {
    this.#aborted = new Promise((resolve, reject) => {
      this.#aborting = { resolve, reject };
    });
    // Where nobody asks, nobody is to be told.
    this.#aborted.catch(() => {});
    this.#post({ abort: this.#troubles.write(reason) });
    this.#waiting?.reject(reason);
    this.#closing?.reject(reason);
  }

  took(bytes: number): void {
    this.#underWay -= bytes;
    if (this.#underWay < MOST_UNDER_WAY) this.#waiting?.resolve();
  }

  closed(): void {
    this.#closing?.resolve();
  }

  aborted(): void {
    this.#aborting?.resolve();
  }

  failed(reason: unknown): void {
    this.#aborting?.reject(reason);
    this.#waiting?.reject(reason);
    this.#closing?.reject(reason);
    this.#controller.error(reason);
  }
}
