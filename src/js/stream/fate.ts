/** How a writer ended, and what calls are told that come later. */

import { ParquetError } from '../errors.js';

export class Fate {
  /** The file is whole. */
  finished = false;
  #failure: { readonly error: unknown; readonly aborted: boolean; told: boolean } | undefined;

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Takes the first failure; false when the writer had ended before. */
  fail(error: unknown): boolean {
    if (this.finished || this.#failure !== undefined) return false;
    const aborted = error instanceof ParquetError && error.code === 'ERR_ABORTED';
    this.#failure = { error, aborted, told: false };
    return true;
  }

  /** Throws the first failure. */
  mayGoOn(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** What a call is to reject with; undefined as long as nothing went wrong. */
  refusal(): unknown {
    const failure = this.#failure;
    if (failure === undefined) return undefined;
    const { error, told } = failure;
    if (failure.aborted || !told) {
      failure.told = true;
      return error;
    }
    const text = error instanceof Error ? error.message : String(error);
    return new ParquetError('ERR_POISONED', `the writer failed before: ${text}`, { cause: error });
  }
}

export function aborted(reason: unknown): ParquetError {
  if (reason instanceof ParquetError && reason.code === 'ERR_ABORTED') return reason;
  return new ParquetError('ERR_ABORTED', 'the write was aborted', { cause: reason });
}

export function finished(): ParquetError {
  return new ParquetError('ERR_FINISHED', 'the file is finished: open another writer for more');
}
