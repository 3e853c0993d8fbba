/** parquill as its README shows it: the columns as they are, and a type only where the data does not say it. */
import { init, writeParquet } from '../../../pkg/index.js';
import { watchWasmMemory } from '../lib/wasm-memory.mjs';

const types = { float64: 'float64', date32: 'date', timestamp_ms: 'timestamp[ms, UTC]', timestamp_us: 'timestamp[us]' };
const saysItsType = (type, data) =>
  type === 'float64' ? data instanceof Float64Array : type === 'timestamp_ms' && data[0] instanceof Date;

export const parquill = (write) => ({
  async init() {
    this.wasmBytes = watchWasmMemory();
    await init();
  },
  write({ columns }, { codec, rowGroupRows }) {
    const table = columns.map(({ name, type, data }) =>
      type in types && !saysItsType(type, data) ? { name, data, type: types[type] } : { name, data },
    );
    return write(table, { compression: codec, ...(rowGroupRows && { rowGroupRows }) });
  },
});

export default parquill(writeParquet);
