/** parquill as its README shows it: the columns or rows as they are, and a type only where the data does not say it. */
import { init, writeParquet, writeParquetRows } from '../../../pkg/index.js';
import { watchWasmMemory } from '../lib/wasm-memory.mjs';

const types = { float64: 'float64', date32: 'date', timestamp_ms: 'timestamp[ms, UTC]', timestamp_us: 'timestamp[us]' };
const texts = { ...types, int32: 'int32', utf8: 'string' };

/** undefined where inference finds the type. */
function typeOf(type, data) {
  // entries in arrays would be lists
  if (type.map) return `map<${type.map.map((part) => texts[part]).join(', ')}>`;
  if (type === 'float64' && data instanceof Float64Array) return undefined;
  if (type === 'timestamp_ms' && data[0] instanceof Date) return undefined;
  return types[type];
}

const optionsFor = ({ codec, level, rowGroupRows, compatibility }) => ({
  compression: codec,
  ...(level && { compressionLevel: level }),
  ...(rowGroupRows && { rowGroupRows }),
  ...(compatibility && { compatibility }),
});

export const parquill = (write) => ({
  async init() {
    this.wasmBytes = watchWasmMemory();
    await init();
  },
  write({ columns }, options) {
    const table = columns.map(({ name, type, data }) => ({ name, data, type: typeOf(type, data) }));
    return write(table, optionsFor(options));
  },
});

export default {
  ...parquill(writeParquet),
  writeRows: ({ objects }, options) => writeParquetRows(objects, optionsFor(options)),
};
