/** Where finished bytes go. The core counts on this order: chunk after chunk, each with its dictionary page first. */

/** Kinds of calls of the core. */
const Kind = { bytes: 0, dataPage: 1, dictionaryPage: 2, chunkEnd: 3 } as const;

/** What the core calls with bytes that lie in wasm memory, lent for the length of the call. */
export interface CoreSink {
  take(kind: number, column: number, head: number, headBytes: number, body: number, bodyBytes: number): void;
}

/**
 * Puts the pages of a chunk in file order; `Part` is what a sink makes of bytes once they are copied out of the module.
 */
export abstract class PageSink<Part> implements CoreSink {
  readonly #memory: WebAssembly.Memory;
  readonly #pages = new Map<number, Part[]>();
  readonly #dictionaries = new Map<number, Part>();
  /** What a copy threw, for whoever wants to tell it from errors of the core. */
  thrown: unknown;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  /** Copies: `head` and `body` lie in wasm memory and change after the call. */
  protected abstract copy(head: Uint8Array, body: Uint8Array): Part;
  protected abstract append(part: Part): void;

  take(kind: number, column: number, head: number, headBytes: number, body: number, bodyBytes: number): void {
    if (kind === Kind.chunkEnd) {
      this.#endChunk(column);
      return;
    }
    const { buffer } = this.#memory;
    let part: Part;
    try {
      part = this.copy(
        new Uint8Array(buffer, head >>> 0, headBytes >>> 0),
        new Uint8Array(buffer, body >>> 0, bodyBytes >>> 0),
      );
    } catch (error) {
      this.thrown = error;
      throw error;
    }
    if (kind === Kind.bytes) this.append(part);
    else if (kind === Kind.dictionaryPage) this.#dictionaries.set(column, part);
    else if (kind === Kind.dataPage) this.#pagesOf(column).push(part);
  }

  /** Whether pages wait for the rest of their chunk. */
  protected get hasPages(): boolean {
    return this.#pages.size > 0 || this.#dictionaries.size > 0;
  }

  #pagesOf(column: number): Part[] {
    let pages = this.#pages.get(column);
    if (pages === undefined) this.#pages.set(column, (pages = []));
    return pages;
  }

  #endChunk(column: number): void {
    const dictionary = this.#dictionaries.get(column);
    if (dictionary !== undefined) this.append(dictionary);
    this.#pagesOf(column).forEach((page) => this.append(page));
    this.#dictionaries.delete(column);
    this.#pages.delete(column);
  }
}

/** Head and body as one piece of their own. */
export function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
