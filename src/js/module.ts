/** The module: loaded once, and replaced after a trap. */

import { place } from '#build';
import * as glue from '#wasm';
import { ParquetError } from './errors.js';
import { compileSync, loadModule, unusable } from './load.js';
import { loadParts } from './parts.js';
import type { WasmSource } from './types.js';

/**
 * One use of the module; `release` must follow.
 *
 * @internal
 */
export interface Core {
  readonly memory: WebAssembly.Memory;
  readonly WasmWriter: typeof glue.WasmWriter;
  /** `trapped`: the instance cannot be trusted any more. */
  release(trapped: boolean): void;
}

let loading: Promise<void> | undefined;
let loadingAll: Promise<void> | undefined;
let compiled: WebAssembly.Module | undefined;
let memory: WebAssembly.Memory | undefined;
/** Uses that are under way: while there are any, an instance that trapped stays, so that theirs are not cut off. */
let uses = 0;
let spoiled = false;

/**
 * Loads the module, and the scripts that only some tables need. All asynchronous functions load what they need by
 * themselves; call it to choose the moment or the source, or before synchronous functions.
 * Calls while it loads, or after, share one promise; after a failure the next call tries again.
 *
 * @param source Where the module comes from: compiled, its bytes, a Response, or an address that `fetch` takes.
 *   Default: the file `parquill_bg.wasm` of the package, or its copy in `parquill.base64.js` where it cannot be fetched.
 * @returns A promise that resolves when the module can be used.
 * @throws {ParquetError} ERR_NOT_INITIALIZED when it cannot be fetched, compiled or instantiated; `cause` says why.
 *
 * @example
 * ```ts
 * await init();
 * const bytes = writeParquetSync({ id: new Int32Array([1, 2, 3]) });
 * ```
 */
export function init(source?: WasmSource): Promise<void> {
  return (loadingAll ??= Promise.all([loadCore(source), loadParts()]).then(
    () => {},
    (error: unknown) => {
      loadingAll = undefined;
      throw error;
    },
  ));
}

/**
 * Loads the module alone. Errors: ERR_NOT_INITIALIZED.
 *
 * @internal
 */
export function loadCore(source?: WasmSource): Promise<void> {
  if (compiled !== undefined) return (loading ??= Promise.resolve());
  return (loading ??= loadModule(source, place).then(startUnlessThere).catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));
}

/**
 * Loads the module without waiting, from its bytes or compiled. Synchronous writes can then take plain columns: numbers,
 * bools, strings and bytes; for all others `initSync` of `parquill/sync` has all at hand. Browsers limit what may be
 * compiled at once on a page's main thread to 8 MB; this module is far below.
 *
 * @param source The compiled module, or its bytes.
 * @throws {ParquetError} ERR_NOT_INITIALIZED when it cannot be compiled or instantiated.
 *
 * @example
 * ```ts
 * initSync(readFileSync(new URL(import.meta.resolve('parquill/parquill_bg.wasm'))));
 * ```
 */
export function initSync(source: WebAssembly.Module | BufferSource): void {
  if (compiled === undefined) startUnlessThere(compileSync(source));
}

/**
 * The module for one write. Errors: ERR_NOT_INITIALIZED.
 *
 * @internal
 */
export function useCore(): Core {
  if (compiled === undefined || memory === undefined) {
    throw new ParquetError('ERR_NOT_INITIALIZED', 'the module is not loaded: call await init() or initSync() first');
  }
  if (spoiled && uses === 0) renew(compiled);
  uses++;
  return {
    memory,
    WasmWriter: glue.WasmWriter,
    release(trapped) {
      uses--;
      spoiled ||= trapped;
    },
  };
}

/** `initSync` may have been called while the module was on its way. */
function startUnlessThere(module: WebAssembly.Module): void {
  if (compiled !== undefined) return;
  try {
    ({ memory } = glue.initSync({ module }));
    compiled = module;
  } catch (error) {
    throw unusable(error);
  }
}

/** A fresh instance of the same module, with a fresh memory. */
function renew(module: WebAssembly.Module): void {
  glue.__wbg_reset_state();
  ({ memory } = glue.initSync({ module }));
  spoiled = false;
}
