/** Where a streamed file goes: into a WritableStream, or into a Blob. */

import { ParquetError } from '../errors.js';
import { BlobSink, blobPart, parquetBlob } from '../sink/blob.js';
import type { CoreSink } from '../sink/sink.js';
import { DiskParts, MemoryParts } from './parts.js';
import { SpillFile } from './spill.js';

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

/** `failed` is told when the sink fails, also while nothing is being written. Errors: ERR_OPTION. */
export function outletFor(
  sink: WritableStream<Uint8Array> | undefined,
  disk: boolean,
  failed: (error: ParquetError) => void,
): Outlet {
  const file = disk ? new SpillFile() : undefined;
  if (sink !== undefined) return new StreamOutlet(sink, file, failed);
  return file === undefined ? new BlobOutlet() : new DiskBlobOutlet(file);
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

/** Pages wait on disk, what is settled becomes part of the Blob. */
class DiskBlobOutlet implements Outlet {
  readonly #file: SpillFile;
  #parts: DiskParts | undefined;
  #blobs: BlobPart[] = [];

  constructor(file: SpillFile) {
    this.#file = file;
  }

  open(memory: WebAssembly.Memory): DiskParts {
    return (this.#parts = new DiskParts(memory, this.#file));
  }

  async flush(): Promise<void> {
    for (let bytes = this.#parts?.next(); bytes !== undefined; bytes = this.#parts?.next()) {
      this.#blobs.push(blobPart(bytes));
    }
  }

  async close(): Promise<Blob> {
    this.#file.close();
    return parquetBlob(this.#blobs);
  }

  async abort(): Promise<void> {
    this.#blobs = [];
    this.#file.close();
  }
}

/**
 * Bytes that a stream may hold, whatever room it says it has: `Writable.toWeb` of Node 20 counts chunks against a limit
 * that was meant for bytes, and so has room for 16,384 of them.
 */
const MOST_UNDER_WAY = 1 << 22;

class StreamOutlet implements Outlet {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #file: SpillFile | undefined;
  #parts: MemoryParts | DiskParts | undefined;
  /** Writes, or the close, that the stream has not settled yet. */
  #underWay = 0;
  #bytesUnderWay = 0;

  constructor(sink: WritableStream<Uint8Array>, file: SpillFile | undefined, failed: (error: ParquetError) => void) {
    this.#writer = sink.getWriter();
    this.#file = file;
    this.#writer.closed.catch((reason: unknown) => failed(sinkError(reason)));
  }

  open(memory: WebAssembly.Memory): MemoryParts | DiskParts {
    return (this.#parts = this.#file === undefined ? new MemoryParts(memory) : new DiskParts(memory, this.#file));
  }

  async flush(wait: Wait): Promise<void> {
    let bytes = this.#parts?.next();
    if (bytes === undefined) return;
    for (; bytes !== undefined; bytes = this.#parts?.next()) {
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
    this.#file?.close();
  }

  async abort(reason: unknown): Promise<void> {
    this.#parts = undefined;
    this.#file?.close();
    const aborted = this.#writer.abort(reason);
    // The stream cannot be aborted before what is under way, which may never end.
    if (this.#underWay > 0) aborted.catch(() => {});
    else await aborted;
  }
}

/** What is wrong with the caller's stream. */
export function sinkError(reason: unknown): ParquetError {
  const text = reason instanceof Error ? reason.message : String(reason);
  return new ParquetError('ERR_SINK', `the sink failed: ${text}`, { cause: reason });
}
