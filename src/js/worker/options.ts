/** What a worker can be told beyond the options of a write. */

import { describe } from '../errors.js';
import { refuse } from '../option-reader.js';
import type { StreamOptions, WriteOptions } from '../types.js';

export interface Transferring {
  /**
   * Default false: typed arrays are copied once. With `true` their buffers are transferred: the caller's arrays are
   * empty after the call, all that lie in the same buffers too. Shared memory is copied in any case.
   */
  transfer?: boolean;
}

/** Options of a write in the worker. */
export interface WorkerWriteOptions extends WriteOptions, Transferring {}

/** Options of a writer in the worker. */
export interface WorkerStreamOptions extends StreamOptions, Transferring {}

/** Errors: ERR_OPTION. */
export function readTransfer<Options extends Transferring>(
  options: Options | undefined,
): { transfer: boolean; rest: Omit<Options, 'transfer'> | undefined } {
  if (typeof options !== 'object' || options === null) return { transfer: false, rest: options };
  const { transfer = false, ...rest } = options;
  if (typeof transfer !== 'boolean') refuse('transfer', `expected true or false, got ${describe(transfer)}`);
  return { transfer, rest };
}
