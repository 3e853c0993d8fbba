/** Options of a writer, read before anything else happens. */

import { describe } from '../errors.js';
import { refuse } from '../option-reader.js';
import { type FileOptions, readOptions } from '../options.js';
import type { StreamOptions } from '../types.js';

export interface OpenOptions {
  readonly file: FileOptions;
  readonly sink: WritableStream<Uint8Array> | undefined;
  readonly disk: boolean;
}

/** Errors: ERR_OPTION. */
export function readOpenOptions(options: StreamOptions | undefined): OpenOptions {
  const { sink, spill = 'memory', ...rest } = options ?? {};
  const file = readOptions(typeof options === 'object' ? rest : options);
  if (spill !== 'memory' && spill !== 'disk') refuse('spill', `expected "memory" or "disk", got ${describe(spill)}`);
  if (sink !== undefined) mustBeSink(sink);
  return { file, sink, disk: spill === 'disk' };
}

function mustBeSink(sink: unknown): void {
  const given = sink as { getWriter?: unknown; locked?: unknown } | null;
  if (typeof given !== 'object' || given === null || typeof given.getWriter !== 'function') {
    refuse('sink', `expected a WritableStream, got ${describe(sink)}`);
  }
  if (given.locked === true) refuse('sink', 'the stream has another writer');
}
