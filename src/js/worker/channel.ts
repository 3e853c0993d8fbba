/** Many conversations over one port: each has a number, and begins with the word for what it is about. */

import type { Port, Transfers } from './port.js';

interface Envelope {
  readonly channel: number;
  /** In the first message only. */
  readonly about?: string;
  readonly body: unknown;
}

/** One end of a conversation. */
export class Channel {
  /** Takes what the other end says; nothing more after `close`. */
  take: (body: unknown) => void = () => {};
  /** The port is lost. */
  lost: (error: unknown) => void = () => {};
  readonly #send: (body: unknown, transfers: Transfers) => void;
  readonly #close: () => void;

  constructor(send: (body: unknown, transfers: Transfers) => void, close: () => void) {
    this.#send = send;
    this.#close = close;
  }

  /** Errors: what cannot be sent throws a DataCloneError. */
  post(body: unknown, transfers: Transfers = []): void {
    this.#send(body, transfers);
  }

  /** The other end may say what it likes from now on. */
  close(): void {
    this.#close();
  }
}

export class Channels {
  readonly #port: Port;
  readonly #open = new Map<number, Channel>();
  #next = 0;

  /** `accept` takes conversations that the other end begins. */
  constructor(port: Port, accept: (about: string, channel: Channel) => void = () => {}) {
    this.#port = port;
    port.listen((message) => {
      const { channel: id, about, body } = message as Envelope;
      if (about !== undefined) accept(about, this.#channel(id));
      this.#open.get(id)?.take(body);
    });
  }

  /** Begins a conversation with its first message. */
  begin(about: string, body: unknown, transfers: Transfers = []): Channel {
    const id = this.#next++;
    const channel = this.#channel(id);
    try {
      this.#port.post({ channel: id, about, body } satisfies Envelope, transfers);
    } catch (error) {
      channel.close();
      throw error;
    }
    return channel;
  }

  #channel(id: number): Channel {
    const channel = new Channel(
      (body, transfers) => this.#port.post({ channel: id, body } satisfies Envelope, transfers),
      () => void this.#open.delete(id),
    );
    this.#open.set(id, channel);
    return channel;
  }

  /** The port is of no use any more. */
  fail(error: unknown): void {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const channel of all) channel.lost(error);
  }
}
