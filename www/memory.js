/**
 * The page's own look at wasm memory. The library keeps its memory to itself, so this wraps the two functions that
 * every loader of a module ends in and keeps the memory that the instance exports. Wasm memory never shrinks:
 * its length is its peak.
 */

let memory;

for (const name of ['instantiate', 'instantiateStreaming']) {
  const original = WebAssembly[name];
  if (!original) continue;
  WebAssembly[name] = async (...parameters) => {
    const made = await original.apply(WebAssembly, parameters);
    const { exports } = made.instance ?? made;
    memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory) ?? memory;
    return made;
  };
}

/** Bytes of wasm memory taken so far, or undefined while no module is loaded. */
export function wasmMemoryBytes() {
  return memory?.buffer.byteLength;
}
