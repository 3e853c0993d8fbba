/** Notes the memory of each wasm module that is instantiated from now on; the result tells their length in bytes. */
export function watchWasmMemory() {
  const memories = new Set();
  const note = (instance) => {
    for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value);
  };
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const result = await original(...args);
      note(result.instance ?? result);
      return result;
    };
  }
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct(target, args) {
      const instance = new target(...args);
      note(instance);
      return instance;
    },
  });
  return () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
