/** The file as one Uint8Array. */

import { joined, PageSink } from './sink.js';

export class BytesSink extends PageSink<Uint8Array<ArrayBuffer>> {
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  #length = 0;

  protected copy(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
    return joined(head, body);
  }

  protected append(part: Uint8Array<ArrayBuffer>): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** The whole file. */
  result(): Uint8Array<ArrayBuffer> {
    const file = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      file.set(part, at);
      at += part.length;
    }
    return file;
  }
}
