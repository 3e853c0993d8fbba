import { readFileSync } from 'node:fs';
import { processCpu } from '../lib/cpu.mjs';

/** An encoder as a module. `measure` gives what native.mjs gives, a record per call. */
export class Module {
  constructor(name, path) {
    this.name = name;
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {}).exports;
  }

  /** The frame of one page. */
  compress(page, level) {
    this.#fill(page);
    const size = this.exports.compress(0, page.length, level);
    return new Uint8Array(this.exports.memory.buffer, this.exports.output(), size).slice();
  }

  #fill(bytes) {
    const at = this.exports.input(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  /** Compresses `content` in pages of `size`; milliseconds of processor time without the copy into the module. */
  measure(content, size, level) {
    this.#fill(content);
    const { compress } = this.exports;
    let bytesOut = 0;
    const start = processCpu();
    for (let at = 0; at < content.length; at += size) bytesOut += compress(at, size, level);
    return { bytesIn: content.length, bytesOut, milliseconds: processCpu() - start };
  }
}
