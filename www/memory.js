/**
 * The page's own look at wasm memory. The library keeps its memory to itself, so this watches which instances are
 * made and keeps the memory that they export. Wasm memory never shrinks: its length is its peak.
 */

let memory;
let peak = 0;

WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, parameters) {
    const instance = Reflect.construct(target, parameters);
    // A second instance has a memory of its own; what the first one took still counts.
    peak = wasmMemoryPeak() ?? 0;
    memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  },
});

/** Most bytes of wasm memory taken so far, or undefined while no module is loaded. */
export function wasmMemoryPeak() {
  if (memory) peak = Math.max(peak, memory.buffer.byteLength);
  return memory && peak;
}
