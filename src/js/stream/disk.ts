/** Pages of an open row group that wait on disk. */

import { blobPart } from '../sink/blob.js';
import { parquetBlob } from '../sink/parquet-blob.js';
import type { Disk, Outlet, Wait } from './outlet.js';
import { type Bytes, PartsSink } from './parts.js';
import { openSpill, type Span, type Spill } from './spill.js';

/** Errors: ERR_OPTION where there is no disk, ERR_LIMIT; what the file system throws. */
export async function openDisk(): Promise<Disk> {
  const file = await openSpill();
  return {
    parts: (memory) => new DiskParts(memory, file),
    blobOutlet: () => new DiskBlobOutlet(file),
    close: () => file.close(),
  };
}

class DiskParts extends PartsSink<Span> {
  readonly #file: Spill;

  constructor(memory: WebAssembly.Memory, file: Spill) {
    super(memory);
    this.#file = file;
  }

  protected copy(head: Uint8Array, body: Uint8Array): Span {
    return this.#file.write(head, body);
  }

  override async settle(): Promise<boolean> {
    return (await this.#file.settle(this.hasSettled && !this.hasPages)) && this.hasSettled;
  }

  protected bytes(part: Span): Bytes | Promise<Bytes> {
    return this.#file.read(part);
  }

  protected override emptied(): void {
    if (!this.hasPages) this.#file.reset();
  }
}

/** What is settled becomes part of the Blob. */
class DiskBlobOutlet implements Outlet {
  readonly #file: Spill;
  #parts: DiskParts | undefined;
  #blobs: BlobPart[] = [];

  constructor(file: Spill) {
    this.#file = file;
  }

  open(memory: WebAssembly.Memory): DiskParts {
    return (this.#parts = new DiskParts(memory, this.#file));
  }

  async flush(wait: Wait): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined || !(await wait(parts.settle()))) return;
    for (let bytes = await wait(parts.next()); bytes !== undefined; bytes = await wait(parts.next())) {
      this.#blobs.push(blobPart(bytes));
    }
  }

  async close(): Promise<Blob> {
    await this.#file.close();
    return parquetBlob(this.#blobs);
  }

  async abort(): Promise<void> {
    this.#blobs = [];
    await this.#file.close();
  }
}
