/** parquet-wasm as its README shows it: JavaScript → Arrow JS → IPC → wasm → Parquet. Its zstd is at level 1. */
import { readFileSync } from 'node:fs';
import { tableToIPC } from 'apache-arrow';
import initWasm, { Compression, Table, WriterPropertiesBuilder, wasmMemory, writeParquet } from 'parquet-wasm/esm';
import { arrowTable } from '../lib/arrow.mjs';

const codecs = { none: Compression.UNCOMPRESSED, snappy: Compression.SNAPPY, zstd: Compression.ZSTD };
const module = new URL('../node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm', import.meta.url);

export const parquetWasm = (toArrow) => ({
  async init() {
    await initWasm({ module_or_path: readFileSync(module) });
  },
  write(table, { codec, rowGroupRows }) {
    const wasmTable = Table.fromIPCStream(tableToIPC(toArrow(table), 'stream'));
    let properties = new WriterPropertiesBuilder().setCompression(codecs[codec]);
    if (rowGroupRows) properties = properties.setMaxRowGroupSize(rowGroupRows);
    return writeParquet(wasmTable, properties.build());
  },
  wasmBytes: () => wasmMemory().buffer.byteLength,
});

export default parquetWasm(arrowTable);
