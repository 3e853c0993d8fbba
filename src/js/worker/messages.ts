/** What page and worker say to each other. */

import { refuse } from '../option-reader.js';
import type { FileOptions } from '../options.js';
import type { Progress, WriteResult } from '../types.js';
import type { Odd } from './odd.js';
import type { Packed } from './pack.js';
import type { Kept, Sent } from './trouble.js';

/** Options as they can be posted. */
export type SentOptions = Omit<FileOptions, 'signal' | 'onProgress'>;

/** Errors: ERR_OPTION for functions. */
export function sentOptions({ signal: _signal, onProgress: _progress, ...options }: FileOptions): SentOptions {
  if (options.codecs.size > 0) refuse('codecs', 'functions cannot be sent to a worker');
  return options;
}

/** A result; a Blob that cannot be posted comes as its bytes. */
export type SentBlob = Blob | Uint8Array<ArrayBuffer>;

/** One call: parts of lists, then the table. */
export type CallRequest =
  | { readonly list: number; readonly values: readonly unknown[]; readonly odd: readonly Odd[] }
  | { readonly packed: Packed; readonly options: SentOptions; readonly bytes: boolean; readonly progress: boolean }
  | { readonly abort: Kept };

export type CallReply =
  | { readonly progress: Progress }
  | { readonly done: SentBlob }
  | { readonly failed: Sent };

/** A writer: what it is opened with, then calls by number, and what comes of the page's sink. */
export interface OpenRequest {
  readonly options: SentOptions;
  readonly sink: boolean;
  readonly disk: boolean;
  readonly progress: boolean;
}

export type WriterRequest =
  | { readonly call: number; readonly write: Packed }
  | { readonly call: number; readonly fail: Kept }
  | { readonly call: number; readonly flush: true }
  | { readonly call: number; readonly finish: true }
  | { readonly call: number; readonly abort: Kept }
  | { readonly call: number; readonly dispose: true }
  | { readonly failed: Kept }
  | { readonly took: number }
  | { readonly closed: true }
  | { readonly aborted: true }
  | { readonly sinkFailed: Kept }
  | { readonly dropped: true };

export type WriterReply =
  | { readonly opened: true }
  | { readonly call: number; readonly rows: number; readonly done?: WriteResult & { readonly sentBlob?: SentBlob } }
  | { readonly call: number; readonly rows: number; readonly failed: Sent }
  | { readonly progress: Progress }
  | { readonly chunk: Uint8Array<ArrayBuffer> }
  | { readonly close: true }
  | { readonly abort: Sent }
  | { readonly gone: true };
