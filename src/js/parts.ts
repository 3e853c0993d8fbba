/** Code that only some tables need: scripts of their own, loaded when a table needs them. */

import { ParquetError } from './errors.js';
import { unusable } from './load.js';

/** Thrown where a part is needed that is not there. Who can wait loads it and begins again. */
export class PartMissing extends ParquetError {
  constructor(readonly part: Part<unknown>) {
    super('ERR_NOT_INITIALIZED', 'what this needs is not loaded: call await init() first');
  }
}

export class Part<Content> {
  #content: Content | undefined;
  readonly #load: () => Promise<Content>;

  constructor(load: () => Promise<Content>) {
    this.#load = load;
  }

  /** The part, if it is there. */
  get loaded(): Content | undefined {
    return this.#content;
  }

  /** Errors: PartMissing. */
  get(): Content {
    if (this.#content === undefined) throw new PartMissing(this);
    return this.#content;
  }

  /** Errors: ERR_NOT_INITIALIZED with the cause. */
  async load(): Promise<Content> {
    try {
      return (this.#content ??= await this.#load());
    } catch (error) {
      throw unusable(error);
    }
  }

  /** For code that has the part at hand. */
  put(content: Content): void {
    this.#content = content;
  }
}

/** Types beyond plain numbers and strings, and the text of types. */
export const valueTypes = new Part(() => import('./input/value-types.js'));
export const nested = new Part(() => import('./nested/compile.js'));
export const arrow = new Part(() => import('./arrow/index.js'));
export const ownCodecs = new Part(() => import('./own-codecs.js'));
export const rowReader = new Part(() => import('./rows.js'));
export const stream = new Part(() => import('./stream/job.js'));
export const multipart = new Part(() => import('./sink/upload.js'));
export const splice = new Part(() => import('./splice/index.js'));

/** Loads all that a table may need. Errors: ERR_NOT_INITIALIZED. */
export async function loadParts(): Promise<void> {
  await Promise.all([valueTypes, nested, arrow, ownCodecs].map((part: Part<unknown>) => part.load()));
}
