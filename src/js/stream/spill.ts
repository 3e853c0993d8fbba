/** A file of the system's own for pages that wait: as long as it is open, and in no folder where that is possible. */

import { refuse } from '../option-reader.js';

/** A place in the file. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

export interface Spill {
  /** Puts bytes, lent for the call, at the end of the file. */
  write(...pieces: Uint8Array[]): Span;
  /** Whether what was written can be read now; with `all`, nothing more will be written before `reset`. */
  settle(all: boolean): Promise<boolean>;
  read(span: Span): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
  /** Nothing of what was written is wanted any more. */
  reset(): void;
  /** Removes the file. */
  close(): Promise<void>;
}

/** A file that can be read and written without waiting. */
export interface Device {
  /** Bytes that were written, or read. */
  write(bytes: Uint8Array, at: number): number;
  read(bytes: Uint8Array, at: number): number;
  close(): Promise<void> | void;
}

export class DeviceSpill implements Spill {
  readonly #device: Device;
  #end = 0;
  #closed: Promise<void> | undefined;

  constructor(device: Device) {
    this.#device = device;
  }

  write(...pieces: Uint8Array[]): Span {
    const at = this.#end;
    for (const piece of pieces) {
      for (let from = 0; from < piece.length;) {
        const written = this.#device.write(piece.subarray(from), this.#end);
        from += written;
        this.#end += written;
      }
    }
    return { at, length: this.#end - at };
  }

  async settle(): Promise<boolean> {
    return true;
  }

  read({ at, length }: Span): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    for (let from = 0; from < length;) {
      const read = this.#device.read(bytes.subarray(from), at + from);
      if (read === 0) throw new RangeError('the file of waiting pages has become shorter');
      from += read;
    }
    return bytes;
  }

  reset(): void {
    this.#end = 0;
  }

  close(): Promise<void> {
    return (this.#closed ??= Promise.resolve(this.#device.close()));
  }
}

/** What is used of `node:fs`, which Deno and Bun have too. */
interface FileSystem {
  openSync(path: string, flags: string, mode: number): number;
  writeSync(file: number, bytes: Uint8Array, from: number, length: number, position: number): number;
  readSync(file: number, bytes: Uint8Array, from: number, length: number, position: number): number;
  closeSync(file: number): void;
  unlinkSync(path: string): void;
}

interface System {
  getBuiltinModule?(name: string): unknown;
}

/** Errors: ERR_OPTION where there is no file system; what the file system throws. */
export async function openSpill(): Promise<Spill> {
  // Asked for at run time: an import would have to be resolved by every bundler for browsers.
  const { process, navigator } = globalThis as { process?: System; navigator?: { storage?: StorageManager } };
  const system = process?.getBuiltinModule?.('node:fs') as FileSystem | undefined;
  const machine = process?.getBuiltinModule?.('node:os') as { tmpdir(): string } | undefined;
  if (system !== undefined && machine !== undefined) return new DeviceSpill(temporaryFile(system, machine.tmpdir()));
  if (navigator?.storage?.getDirectory === undefined) {
    refuse('spill', '"disk" needs a file system: Node 20.16, Deno 2, Bun 1.2, or a page with a private file system');
  }
  const { openPrivateFile } = await import('./spill-private.js');
  return openPrivateFile(navigator.storage);
}

function temporaryFile(system: FileSystem, folder: string): Device {
  const path = `${folder}/parquill-${crypto.randomUUID()}`;
  const file = system.openSync(path, 'wx+', 0o600);
  let isListed = false;
  try {
    system.unlinkSync(path);
  } catch {
    // Not while it is open, says this system.
    isListed = true;
  }
  return {
    write: (bytes, at) => system.writeSync(file, bytes, 0, bytes.length, at),
    read: (bytes, at) => system.readSync(file, bytes, 0, bytes.length, at),
    close() {
      system.closeSync(file);
      if (isListed) system.unlinkSync(path);
    },
  };
}
