/** A file of the system's own for pages that wait: as long as it is open, and in no folder where that is possible. */

import { refuse } from '../option-reader.js';

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

/** A place in the file. */
export interface Span {
  readonly at: number;
  readonly length: number;
}

export class SpillFile {
  readonly #system: FileSystem;
  readonly #file: number;
  /** Of a file that could not be taken out of its folder while it is open. */
  #path: string | undefined;
  #end = 0;
  #closed = false;

  /** Errors: ERR_OPTION where there is no file system; what the file system throws. */
  constructor() {
    // Asked for at run time: an import would have to be resolved by every bundler for browsers.
    const { process } = globalThis as { process?: System };
    const system = process?.getBuiltinModule?.('node:fs') as FileSystem | undefined;
    const machine = process?.getBuiltinModule?.('node:os') as { tmpdir(): string } | undefined;
    if (system === undefined || machine === undefined) {
      refuse('spill', '"disk" needs a file system: Node 20.16, Deno 2 or Bun 1.2');
    }
    this.#system = system;
    const path = `${machine.tmpdir()}/parquill-${crypto.randomUUID()}`;
    this.#file = system.openSync(path, 'wx+', 0o600);
    try {
      system.unlinkSync(path);
    } catch {
      this.#path = path;
    }
  }

  write(...pieces: Uint8Array[]): Span {
    const at = this.#end;
    for (const piece of pieces) {
      for (let from = 0; from < piece.length;) {
        const written = this.#system.writeSync(this.#file, piece, from, piece.length - from, this.#end);
        from += written;
        this.#end += written;
      }
    }
    return { at, length: this.#end - at };
  }

  read({ at, length }: Span): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    for (let from = 0; from < length;) {
      const read = this.#system.readSync(this.#file, bytes, from, length - from, at + from);
      if (read === 0) throw new RangeError('the file of waiting pages has become shorter');
      from += read;
    }
    return bytes;
  }

  /** Nothing of what was written is wanted any more. */
  reset(): void {
    this.#end = 0;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#system.closeSync(this.#file);
    if (this.#path !== undefined) this.#system.unlinkSync(this.#path);
  }
}
