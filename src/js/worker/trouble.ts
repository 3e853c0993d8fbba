/** Errors and reasons between page and worker: whatever came from the page comes back as the same object. */

import { ParquetError, type ParquetErrorCode } from '../errors.js';

/** Something of the page's, which stays there. */
export interface Kept {
  readonly kept: number;
  readonly text: string;
}

export type Sent =
  | Kept
  | { readonly value: unknown }
  | {
      readonly id: number;
      readonly name: string;
      readonly message: string;
      readonly cause: Sent | undefined;
      readonly code?: ParquetErrorCode;
      readonly column?: string;
      readonly row?: number;
    };

/** The page's side of a conversation. */
export class Reasons {
  readonly #kept: unknown[] = [];
  readonly #read = new Map<number, unknown>();

  keep(reason: unknown): Kept {
    const text = reason instanceof Error ? reason.message : String(reason);
    return { kept: this.#kept.push(reason) - 1, text };
  }

  read(sent: Sent): unknown {
    if ('kept' in sent) return this.#kept[sent.kept];
    if ('value' in sent) return sent.value;
    let error = this.#read.get(sent.id);
    if (error === undefined) this.#read.set(sent.id, (error = this.#make(sent)));
    return error;
  }

  #make({ code, name, message, column, row, cause }: Exclude<Sent, Kept | { value: unknown }>): Error {
    const about = { column, row, cause: cause && this.read(cause) };
    if (code !== undefined) return new ParquetError(code, message, about);
    const error = new Error(message, about.cause === undefined ? undefined : { cause: about.cause });
    error.name = name;
    return error;
  }
}

/** In the worker: what the page kept. */
class Away extends Error {
  constructor(readonly reason: Kept) {
    super(reason.text);
  }
}

/** The worker's side of a conversation. */
export class Troubles {
  readonly #away = new Map<number, Away>();
  readonly #ids = new Map<Error, number>();

  read(reason: Kept): Error {
    let away = this.#away.get(reason.kept);
    if (away === undefined) this.#away.set(reason.kept, (away = new Away(reason)));
    return away;
  }

  write(error: unknown): Sent {
    if (error instanceof Away) return error.reason;
    if (!(error instanceof Error)) return { value: typeof error === 'object' ? String(error) : error };
    let id = this.#ids.get(error);
    if (id === undefined) this.#ids.set(error, (id = this.#ids.size));
    const { name, message } = error;
    const cause = error.cause === undefined ? undefined : this.write(error.cause);
    if (!(error instanceof ParquetError)) return { id, name, message, cause };
    const { code, column, row } = error;
    return { id, name, message, cause, code, column, row };
  }
}
