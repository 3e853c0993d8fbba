/** The compiled module: found, loaded once, and replaced after a trap. */

import * as glue from '#wasm';
import { ParquetError } from './errors.js';
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
let compiled: WebAssembly.Module | undefined;
let memory: WebAssembly.Memory | undefined;
/** Uses that are under way: while there are any, an instance that trapped stays, so that theirs are not cut off. */
let uses = 0;
let spoiled = false;

/**
 * Loads the module. All asynchronous functions do so by themselves; call it to choose the moment or the source.
 * Calls while it loads, or after, share one promise; after a failure the next call tries again.
 *
 * @param source Where the module comes from: compiled, its bytes, a Response, or an address that `fetch` takes.
 *   Default: the file `parquill_bg.wasm` of the package, or the copy inside `inline.js` where it cannot be fetched.
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
  if (compiled !== undefined) return (loading ??= Promise.resolve());
  return (loading ??= load(source).catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));
}

/**
 * Loads the module without waiting, from its bytes or compiled. Browsers limit what may be compiled at once on a page's
 * main thread to 8 MB; this module is far below.
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
  if (compiled !== undefined) return;
  try {
    start(isModule(source) ? source : new WebAssembly.Module(source));
  } catch (error) {
    throw unusable(error);
  }
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

function start(module: WebAssembly.Module): void {
  ({ memory } = glue.initSync({ module }));
  compiled = module;
}

/** A fresh instance of the same module, with a fresh memory. */
function renew(module: WebAssembly.Module): void {
  glue.__wbg_reset_state();
  ({ memory } = glue.initSync({ module }));
  spoiled = false;
}

async function load(source: WasmSource | undefined): Promise<void> {
  try {
    const module = source === undefined ? await standard() : await compile(await source);
    if (compiled === undefined) start(module);
  } catch (error) {
    throw error instanceof ParquetError ? error : unusable(error);
  }
}

function unusable(error: unknown): ParquetError {
  const text = error instanceof Error ? error.message : String(error);
  const policy = /unsafe-eval|content security/i.test(text)
    ? "; the page's Content-Security-Policy must have 'wasm-unsafe-eval' in script-src"
    : '';
  return new ParquetError('ERR_NOT_INITIALIZED', `the module cannot be loaded: ${text}${policy}`, { cause: error });
}

function isModule(source: unknown): source is WebAssembly.Module {
  return Object.prototype.toString.call(source) === '[object WebAssembly.Module]';
}

function isResponse(source: unknown): source is Response {
  return Object.prototype.toString.call(source) === '[object Response]';
}

async function compile(
  source: WebAssembly.Module | BufferSource | Response | URL | string,
): Promise<WebAssembly.Module> {
  if (isModule(source)) return source;
  if (isResponse(source)) return compileResponse(source);
  if (typeof source === 'string' || Object.prototype.toString.call(source) === '[object URL]') {
    return compileResponse(await fetch(source as string | URL));
  }
  return WebAssembly.compile(source as BufferSource);
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw new ParquetError(
      'ERR_NOT_INITIALIZED',
      `the module cannot be loaded: ${response.url} answers ${response.status}`,
    );
  }
  // The type must be just this: with parameters behind it compileStreaming refuses.
  if (response.headers.get('content-type') === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The module that the package ships. */
async function standard(): Promise<WebAssembly.Module> {
  try {
    // Bundlers look for exactly this expression. Without import.meta.url (other module formats) it throws.
    const url = new URL('./parquill_bg.wasm', import.meta.url);
    if (url.protocol === 'http:' || url.protocol === 'https:') return await compileResponse(await fetch(url));
  } catch {
    // A bundler or server that lost the file, or answers with a page in its place: the inlined copy is as good.
  }
  return inlined();
}

async function inlined(): Promise<WebAssembly.Module> {
  const { default: base64 } = await import('./inline.js');
  const text = atob(base64);
  const packed = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
