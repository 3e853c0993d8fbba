/** The file as a Blob: finished pages leave JavaScript's memory where the browser keeps Blobs elsewhere. */

import { parquetBlob } from './parquet-blob.js';
import { joined, PageSink } from './sink.js';

/** Smaller pieces are cheaper as bytes than as Blobs of their own, each of which costs the browser a handle. */
const LEAST_BLOB = 1 << 15;

/** Bytes as a part of a Blob. */
export function blobPart(bytes: Uint8Array<ArrayBuffer>): BlobPart {
  return bytes.length < LEAST_BLOB ? bytes : new Blob([bytes]);
}

/** A file that may have come as bytes. */
export function blobOf(file: Blob | Uint8Array<ArrayBuffer>): Blob {
  return file instanceof Blob ? file : parquetBlob([file]);
}

export class BlobSink extends PageSink<Blob | Uint8Array<ArrayBuffer>> {
  readonly #parts: (Blob | Uint8Array<ArrayBuffer>)[] = [];

  protected copy(head: Uint8Array, body: Uint8Array): Blob | Uint8Array<ArrayBuffer> {
    if (head.length + body.length < LEAST_BLOB) return joined(head, body);
    // Wasm memory is never shared here, so that these are views a Blob takes.
    return new Blob([head as Uint8Array<ArrayBuffer>, body as Uint8Array<ArrayBuffer>]);
  }

  protected append(part: Blob | Uint8Array<ArrayBuffer>): void {
    this.#parts.push(part);
  }

  /** The whole file. */
  result(): Blob {
    return parquetBlob(this.#parts);
  }
}
