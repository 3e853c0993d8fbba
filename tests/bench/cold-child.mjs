/** One cold start: import, init, the first file of 1,000 rows, then warm calls; the processor time of each as JSON. */
import { readFileSync } from 'node:fs';
import { processCpu } from './lib/cpu.mjs';
import { makeTable } from './tables/index.mjs';

const [contender, codec] = process.argv.slice(2);
const WARM_CALLS = 20;

/** Each imports what a program imports that writes with this codec, and gives what writes. */
const contenders = {
  async parquill(table) {
    const { init, writeParquetBytes } = await import('../../pkg/index.js');
    await init();
    return () => writeParquetBytes(table, { compression: codec });
  },
  /** Without init: what the first write needs is loaded by it. */
  async 'parquill-lazy'(table) {
    const { writeParquetBytes } = await import('../../pkg/index.js');
    return () => writeParquetBytes(table, { compression: codec });
  },
  async 'parquill-slim'(table) {
    const { init, writeParquetBytes } = await import('../../pkg/slim.js');
    await init();
    return () => writeParquetBytes(table, { compression: codec });
  },
  async 'hyparquet-writer'(table) {
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const columnData = Object.entries(table).map(([name, data]) => ({ name, data }));
    if (codec === 'snappy') {
      const { snappyCompressor } = await import('hysnappy');
      const compressors = { SNAPPY: snappyCompressor() };
      return () => parquetWriteBuffer({ columnData, codec: 'SNAPPY', compressors });
    }
    const { compress, init } = await import('@bokuweb/zstd-wasm');
    await init();
    const compressors = { ZSTD: (bytes) => compress(bytes, 3) };
    return () => parquetWriteBuffer({ columnData, codec: 'ZSTD', compressors });
  },
  async 'parquet-wasm'(table) {
    const { tableFromArrays, tableToIPC } = await import('apache-arrow');
    const parquet = await import('parquet-wasm/esm');
    const module = new URL('node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm', import.meta.url);
    await parquet.default({ module_or_path: readFileSync(module) });
    const compression = codec === 'snappy' ? parquet.Compression.SNAPPY : parquet.Compression.ZSTD;
    return () => {
      const wasmTable = parquet.Table.fromIPCStream(tableToIPC(tableFromArrays(table), 'stream'));
      const properties = new parquet.WriterPropertiesBuilder().setCompression(compression).build();
      return parquet.writeParquet(wasmTable, properties);
    };
  },
};

const table = Object.fromEntries((await makeTable('small', 1000)).columns.map(({ name, data }) => [name, data]));
const start = processCpu();
const write = await contenders[contender](table);
const ready = processCpu();
const file = await write();
const first = processCpu();
const warm = [];
for (let call = 0; call < WARM_CALLS; call++) {
  const before = processCpu();
  await write();
  warm.push(processCpu() - before);
}
warm.sort((a, b) => a - b);
const bytes = file.byteLength;
console.log(JSON.stringify({ init: ready - start, all: first - start, warm: warm[WARM_CALLS / 2], bytes }));
