/**
 * No writer but the limit of one: every column is copied into wasm memory and out of it again, a page at a time, and
 * nothing else is done. Typed arrays only.
 */
const PAGE = 1 << 20;

let memory;

export default {
  init() {
    memory = new WebAssembly.Memory({ initial: (2 * PAGE) >> 16 });
  },
  write({ columns }) {
    const parts = [];
    for (const { data } of columns) {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      for (let from = 0; from < bytes.length; from += PAGE) {
        const page = bytes.subarray(from, from + PAGE);
        new Uint8Array(memory.buffer).set(page);
        parts.push(new Uint8Array(memory.buffer, 0, page.length).slice());
      }
    }
    return new Blob(parts);
  },
};
