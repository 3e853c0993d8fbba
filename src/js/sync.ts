/**
 * For programs that cannot wait: the synchronous functions with all that any table may need at hand.
 *
 * @packageDocumentation
 */

import * as arrowPart from './arrow/index.js';
import * as valueTypesPart from './input/value-types.js';
import { initSync as start } from './module.js';
import * as nestedPart from './nested/compile.js';
import * as ownCodecsPart from './own-codecs.js';
import { arrow, nested, ownCodecs, valueTypes } from './parts.js';

export { ParquetError, type ParquetErrorCode } from './errors.js';
export { tableFromArrowIPC } from './ipc.js';
export { writeParquetSync } from './writer.js';

/**
 * Loads the module without waiting, for `writeParquetSync` with any table; otherwise as `initSync` of `parquill`.
 *
 * @param source The compiled module, or its bytes.
 * @throws {ParquetError} ERR_NOT_INITIALIZED when it cannot be compiled or instantiated.
 *
 * @example
 * ```ts
 * initSync(readFileSync(new URL(import.meta.resolve('parquill/parquill_bg.wasm'))));
 * const bytes = writeParquetSync({ tags: [['a', 'b'], []] });
 * ```
 */
export function initSync(source: WebAssembly.Module | BufferSource): void {
  valueTypes.put(valueTypesPart);
  nested.put(nestedPart);
  arrow.put(arrowPart);
  ownCodecs.put(ownCodecsPart);
  start(source);
}
