/** Codecs of the caller's: pages go out of the module's memory and come back compressed. */

import { columnError, describe } from './errors.js';
import { typedArrayName } from './input/views.js';
import { codecWord, EXTERNAL, type FileOptions, type LeafOptions } from './options.js';

/** The format counts a page in 31 bits, with its header. */
const MOST_BYTES = 2 ** 31 - 1 - 2 ** 16;

/** What the module calls for a page: first for its size, then for the bytes. */
export interface PageCodec {
  compress(leaf: number, address: number, bytes: number): number;
  give(address: number): void;
}

/** Errors, within the calls: ERR_OPTION with what the codec threw. */
export function pageCodec(
  leaves: readonly { readonly path: string; readonly options: LeafOptions }[],
  { codecs }: Pick<FileOptions, 'codecs'>,
  memory: WebAssembly.Memory,
): PageCodec {
  let result = new Uint8Array(0);
  return {
    compress(leaf, address, bytes) {
      const { path, options } = leaves[leaf];
      const id = options.codec - EXTERNAL;
      const fail = (text: string, cause?: unknown): never => {
        throw columnError('ERR_OPTION', path, undefined, `option codecs.${codecWord(id)}: ${text}`, cause);
      };
      // A copy: what the codec is given is its own, and it may keep it.
      const page = new Uint8Array(memory.buffer, address >>> 0, bytes >>> 0).slice();
      let given: unknown;
      try {
        given = codecs.get(id)?.(page);
      } catch (error) {
        fail(`it threw ${String(error)}`, error);
      }
      if (typedArrayName(given) !== 'Uint8Array') fail(`expected a Uint8Array from it, got ${describe(given)}`);
      result = given as Uint8Array<ArrayBuffer>;
      if (result.length > MOST_BYTES) fail(`${result.length} bytes are too many for a page`);
      return result.length;
    },
    give(address) {
      new Uint8Array(memory.buffer, address >>> 0, result.length).set(result);
      result = new Uint8Array(0);
    },
  };
}
