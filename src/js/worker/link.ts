/** The worker of this page or program: started by the first call that needs it, shared by all. */

import { ParquetError } from '../errors.js';
import { Channels, type Channel } from './channel.js';
import { startWorker, type Transfers, type WorkerPort } from './port.js';

export class Link {
  readonly #port: WorkerPort;
  readonly #channels: Channels;
  #busy = 0;
  #ended = false;

  /** `gone` is told when the worker is of no use any more. Errors: ERR_NOT_INITIALIZED. */
  constructor(gone: () => void) {
    try {
      this.#port = startWorker();
    } catch (error) {
      throw unusable(error);
    }
    this.#channels = new Channels(this.#port);
    this.#port.hold(false);
    this.#port.onFailure((error) => {
      gone();
      this.#lose(unusable(error));
    });
  }

  /** Begins a conversation. Errors: what cannot be sent. */
  begin(about: string, body: unknown, transfers: Transfers = []): Channel {
    return this.#channels.begin(about, body, transfers);
  }

  /** As long as a call is under way, the program stays alive. */
  async during<Value>(call: Promise<Value>): Promise<Value> {
    if (this.#busy++ === 0) this.#port.hold(true);
    try {
      return await call;
    } finally {
      if (--this.#busy === 0 && !this.#ended) this.#port.hold(false);
    }
  }

  end(error: ParquetError): void {
    this.#lose(error);
    this.#port.end();
  }

  #lose(error: ParquetError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#channels.fail(error);
  }
}

let shared: Link | undefined;

/** The worker that all calls share. Errors: ERR_NOT_INITIALIZED. */
export function sharedLink(): Link {
  if (shared === undefined) {
    const link: Link = new Link(() => {
      if (shared === link) shared = undefined;
    });
    shared = link;
  }
  return shared;
}

/**
 * Ends the worker at once. What is under way rejects with ERR_ABORTED, and sinks are aborted; the next call starts a
 * new worker.
 *
 * @example
 * ```ts
 * terminate();
 * ```
 */
export function terminate(): void {
  const link = shared;
  shared = undefined;
  link?.end(new ParquetError('ERR_ABORTED', 'the worker was terminated'));
}

function unusable(error: unknown): ParquetError {
  if (error instanceof ParquetError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new ParquetError('ERR_NOT_INITIALIZED', `the worker cannot be used: ${text}`, { cause: error });
}
