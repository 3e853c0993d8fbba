/** Finding and compiling a module of the package, in whatever runs here. */

import { ParquetError } from './errors.js';
import type { WasmSource } from './types.js';

/** The module that the package ships, for what runs here. */
export type ModulePlace = () => Promise<WebAssembly.Module>;

interface FileSystem {
  readFileSync(url: URL): BufferSource;
}

/** Compiles a module from `source`, by default from its place. Errors: ERR_NOT_INITIALIZED with the cause. */
export async function loadModule(source: WasmSource | undefined, place: ModulePlace): Promise<WebAssembly.Module> {
  try {
    return source === undefined ? await place() : await compile(await source);
  } catch (error) {
    throw unusable(error);
  }
}

/** Compiles a module without waiting. Errors: ERR_NOT_INITIALIZED with the cause. */
export function compileSync(source: WebAssembly.Module | BufferSource): WebAssembly.Module {
  try {
    return isModule(source) ? source : new WebAssembly.Module(source);
  } catch (error) {
    throw unusable(error);
  }
}

/** The error for a module that cannot be used. */
export function unusable(error: unknown): ParquetError {
  if (error instanceof ParquetError) return error;
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

/** A module from its file next to the script, or from its base64, for places that cannot fetch the file. */
export async function shipped(
  file: () => URL,
  inline: () => Promise<{ readonly default: string }>,
): Promise<WebAssembly.Module> {
  try {
    const url = file();
    if (/^https?:$/.test(url.protocol)) return await compileResponse(await fetch(url));
    // Node's fetch takes no files. Asked for like this, the built-in module is nothing that a bundler stumbles over.
    const { process } = globalThis as { process?: { getBuiltinModule?(name: string): FileSystem } };
    const files = url.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs') : undefined;
    if (files !== undefined) return await WebAssembly.compile(files.readFileSync(url));
  } catch {
    // A bundler or server that lost the file, or answers with a page in its place: the inlined copy is as good.
  }
  return unpacked((await inline()).default);
}

/** A module from base64 of its gzip. */
export async function unpacked(base64: string): Promise<WebAssembly.Module> {
  const text = atob(base64);
  const packed = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  // Not from a Blob: that of jsdom has no stream.
  const stream = new Response(packed).body!.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
