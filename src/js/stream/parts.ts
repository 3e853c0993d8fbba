/** Pages of an open row group, and what of the file is settled and waits to be handed on. */

import { joined, PageSink } from '../sink/sink.js';

export type Bytes = Uint8Array<ArrayBuffer>;

/** Smaller parts are joined before they are handed on. */
const LEAST_CHUNK = 1 << 16;

/** A sink whose settled bytes can be taken out. */
export abstract class PartsSink<Part> extends PageSink<Part> {
  #settled: Part[] = [];
  #next = 0;

  protected append(part: Part): void {
    this.#settled.push(part);
  }

  protected abstract bytes(part: Part): Bytes | Promise<Bytes>;

  /** Whether settled bytes can be taken out now. */
  async settle(): Promise<boolean> {
    return this.hasSettled;
  }

  protected get hasSettled(): boolean {
    return this.#settled.length > 0;
  }

  /** The next bytes of the file, each an array of its own; undefined when no more are settled. */
  async next(): Promise<Bytes | undefined> {
    const parts: Bytes[] = [];
    let length = 0;
    while (length < LEAST_CHUNK && this.#next < this.#settled.length) {
      const part = await this.bytes(this.#settled[this.#next++]);
      parts.push(part);
      length += part.length;
    }
    if (this.#next === this.#settled.length && this.#next > 0) {
      this.#settled = [];
      this.#next = 0;
      this.emptied();
    }
    return parts.length > 1 ? concatenated(parts, length) : parts[0];
  }

  /** All settled bytes are taken. */
  protected emptied(): void {}
}

function concatenated(parts: readonly Bytes[], length: number): Bytes {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Parts wait in memory. */
export class MemoryParts extends PartsSink<Bytes> {
  protected copy(head: Uint8Array, body: Uint8Array): Bytes {
    return joined(head, body);
  }

  protected bytes(part: Bytes): Bytes {
    return part;
  }
}
