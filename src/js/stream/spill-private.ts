/** A file of the page's private file system (OPFS) for pages that wait. */

import { ParquetError } from '../errors.js';
import { refuse } from '../option-reader.js';
import { type Device, DeviceSpill, type Span, type Spill } from './spill.js';

const PREFIX = 'parquill-pages-';
/** What Chromium writes to until a file is closed. */
const SWAP = /\.crswap$/;

type Bytes = Uint8Array<ArrayBuffer>;

/** What workers have beyond what pages have. */
interface SyncFile {
  write(bytes: Uint8Array, options: { at: number }): number;
  read(bytes: Uint8Array, options: { at: number }): number;
  close(): void;
}

interface FileHandle {
  createSyncAccessHandle?(): Promise<SyncFile>;
  createWritable?(): Promise<FileSystemWritableFileStream>;
  getFile(): Promise<File>;
}

/** Errors: ERR_OPTION where the page may not use its file system, ERR_LIMIT. */
export async function openPrivateFile(storage: StorageManager): Promise<Spill> {
  const folder = await storage.getDirectory().catch((error: unknown) => {
    return refuse('spill', `"disk" needs the page's private file system: ${String(error)}`);
  });
  const name = `${PREFIX}${crypto.randomUUID()}`;
  const release = await hold(name);
  const remove = async () => {
    await folder.removeEntry(name).catch(() => {});
    release();
  };
  try {
    await sweep(folder, name);
    const handle = (await folder.getFileHandle(name, { create: true })) as FileHandle;
    if (handle.createSyncAccessHandle !== undefined) {
      return new DeviceSpill(device(await handle.createSyncAccessHandle(), remove));
    }
    if (handle.createWritable !== undefined) return new WaitingSpill(handle, remove);
  } catch (error) {
    await remove();
    throw noRoom(error);
  }
  await remove();
  return refuse('spill', '"disk" needs a file system that can be written to; here it can be in a worker');
}

/** Files are locked while they are used: what a closed tab has left is unlocked. */
async function hold(name: string): Promise<() => void> {
  const { locks } = navigator;
  if (locks === undefined) return () => {};
  let release = () => {};
  await new Promise<void>((held) => {
    void locks.request(name, () => {
      held();
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
  });
  return release;
}

/** Removes what tabs have left that were closed in the middle of a write. */
async function sweep(folder: FileSystemDirectoryHandle, own: string): Promise<void> {
  const { locks } = navigator;
  if (locks === undefined) return;
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    const owner = name.replace(SWAP, '');
    if (!name.startsWith(PREFIX) || owner === own) continue;
    await locks.request(owner, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await folder.removeEntry(name).catch(() => {});
    });
  }
}

function device(file: SyncFile, remove: () => Promise<void>): Device {
  return {
    write: (bytes, at) => file.write(bytes, { at }),
    read: (bytes, at) => file.read(bytes, { at }),
    close() {
      file.close();
      return remove();
    },
  };
}

function noRoom(error: unknown): unknown {
  if (error instanceof ParquetError) return error;
  return new ParquetError('ERR_LIMIT', `no room on disk for waiting pages: ${String(error)}`, { cause: error });
}

/** Outside of workers a file is written first and read when it is complete. */
class WaitingSpill implements Spill {
  readonly #handle: FileHandle;
  readonly #remove: () => Promise<void>;
  #end = 0;
  /** Not yet written. */
  #pieces: Bytes[] = [];
  #stream: FileSystemWritableFileStream | undefined;
  #file: File | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(handle: FileHandle, remove: () => Promise<void>) {
    this.#handle = handle;
    this.#remove = remove;
  }

  write(...pieces: Uint8Array[]): Span {
    const at = this.#end;
    for (const piece of pieces) {
      this.#pieces.push(piece.slice());
      this.#end += piece.length;
    }
    return { at, length: this.#end - at };
  }

  settle(all: boolean): Promise<boolean> {
    const settled = this.#settle(all);
    this.#working = settled.catch(() => {});
    return settled;
  }

  async #settle(all: boolean): Promise<boolean> {
    try {
      if (this.#pieces.length > 0) {
        const pieces = new Blob(this.#pieces);
        this.#pieces = [];
        this.#stream ??= await this.#handle.createWritable?.();
        await this.#stream?.write(pieces);
      }
      if (!all || this.#closed !== undefined) return false;
      await this.#stream?.close();
      this.#stream = undefined;
      this.#file ??= await this.#handle.getFile();
      return true;
    } catch (error) {
      throw noRoom(error);
    }
  }

  async read({ at, length }: Span): Promise<Bytes> {
    return new Uint8Array(await (this.#file as File).slice(at, at + length).arrayBuffer());
  }

  reset(): void {
    this.#end = 0;
    this.#file = undefined;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#pieces = [];
    await this.#working;
    // A file that is being written to cannot be removed.
    await this.#stream?.abort().catch(() => {});
    await this.#remove();
  }
}
