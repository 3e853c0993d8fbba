/** Where a streamed file goes: into a WritableStream, or into a Blob. */

import { ParquetError } from '../errors.js';
import { BlobSink } from '../sink/blob.js';
import type { CoreSink } from '../sink/sink.js';
import { MemoryParts, type PartsSink } from './parts.js';

/** Waits for a promise, or until the write is given up. */
export type Wait = <Value>(promise: Promise<Value>) => Promise<Value>;

export interface Outlet {
  /** What the module writes to. */
  open(memory: WebAssembly.Memory): CoreSink & { readonly thrown: unknown };
  /** Hands on what is settled, piece by piece as there is room; resolves when there is room again. */
  flush(wait: Wait): Promise<void>;
  /** Everything is written: the Blob, where the file becomes one. */
  close(wait: Wait): Promise<Blob | undefined>;
  /** The file will not be finished. */
  abort(reason: unknown): Promise<void>;
}

/** Pages that wait on disk. */
export interface Disk {
  parts(memory: WebAssembly.Memory): PartsSink<unknown>;
  /** What is settled becomes part of a Blob. */
  blobOutlet(): Outlet;
  close(): Promise<void>;
}

/** `failed` is told when the sink fails, also while nothing is being written. */
export function outletFor(
  sink: WritableStream<Uint8Array> | undefined,
  disk: Disk | undefined,
  failed: (error: ParquetError) => void,
): Outlet {
  if (sink !== undefined) return new StreamOutlet(sink, disk, failed);
  return disk?.blobOutlet() ?? new BlobOutlet();
}

class BlobOutlet implements Outlet {
  #sink: BlobSink | undefined;

  open(memory: WebAssembly.Memory): BlobSink {
    return (this.#sink = new BlobSink(memory));
  }

  async flush(): Promise<void> {}

  async close(): Promise<Blob | undefined> {
    return this.#sink?.result();
  }

  async abort(): Promise<void> {
    this.#sink = undefined;
  }
}

/**
 * Bytes that a stream may hold, whatever room it says it has: `Writable.toWeb` of Node 20 counts chunks against a limit
 * that was meant for bytes, and so has room for 16,384 of them.
 */
const MOST_UNDER_WAY = 1 << 22;

class StreamOutlet implements Outlet {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #disk: Disk | undefined;
  #parts: PartsSink<unknown> | undefined;
  /** Writes, or the close, that the stream has not settled yet. */
  #underWay = 0;
  #bytesUnderWay = 0;

  constructor(sink: WritableStream<Uint8Array>, disk: Disk | undefined, failed: (error: ParquetError) => void) {
    this.#writer = sink.getWriter();
    this.#disk = disk;
    this.#writer.closed.catch((reason: unknown) => failed(sinkError(reason)));
  }

  open(memory: WebAssembly.Memory): PartsSink<unknown> {
    return (this.#parts = this.#disk?.parts(memory) ?? new MemoryParts(memory));
  }

  async flush(wait: Wait): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined || !(await wait(parts.settle()))) return;
    for (let bytes = await wait(parts.next()); bytes !== undefined; bytes = await wait(parts.next())) {
      await this.#wait(wait, this.#writer.ready);
      // A sink may transfer the bytes, and then they have no length any more.
      const { length } = bytes;
      const written = this.#begin(this.#writer.write(bytes), length);
      if (this.#bytesUnderWay > MOST_UNDER_WAY) await this.#wait(wait, written);
    }
    await this.#wait(wait, this.#writer.ready);
  }

  #begin(work: Promise<void>, bytes: number): Promise<void> {
    this.#underWay++;
    this.#bytesUnderWay += bytes;
    const settled = () => {
      this.#underWay--;
      this.#bytesUnderWay -= bytes;
    };
    work.then(settled, settled);
    return work;
  }

  async #wait(wait: Wait, promise: Promise<void>): Promise<void> {
    try {
      await wait(promise);
    } catch (reason) {
      throw sinkError(reason);
    }
  }

  async close(wait: Wait): Promise<undefined> {
    await this.#wait(wait, this.#begin(this.#writer.close(), 0));
    await this.#disk?.close();
  }

  async abort(reason: unknown): Promise<void> {
    this.#parts = undefined;
    const removed = this.#disk?.close();
    const aborted = this.#writer.abort(reason);
    // The stream cannot be aborted before what is under way, which may never end.
    if (this.#underWay > 0) aborted.catch(() => {});
    else await aborted;
    await removed;
  }
}

/** What is wrong with the caller's stream. */
export function sinkError(reason: unknown): ParquetError {
  const text = reason instanceof Error ? reason.message : String(reason);
  return new ParquetError('ERR_SINK', `the sink failed: ${text}`, { cause: reason });
}
