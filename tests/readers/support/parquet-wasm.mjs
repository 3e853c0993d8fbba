// Has parquet-wasm read the support files. Its Arrow IPC streams lie beside them for check.py, or what it refuses with.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readParquet } from 'parquet-wasm';

function read(bytes, base, columns) {
  try {
    const table = readParquet(bytes, columns && { columns });
    writeFileSync(`${base}.parquet-wasm.arrows`, table.intoIPCStream());
    return true;
  } catch (error) {
    writeFileSync(`${base}.parquet-wasm.txt`, String(error?.message ?? error));
    return false;
  }
}

/** files: entries of files.json, each with the names of its columns. */
export function readWithParquetWasm(folder, files) {
  for (const { name, columns } of files) {
    const base = join(folder, name);
    const bytes = readFileSync(`${base}.parquet`);
    if (read(bytes, base)) continue;
    for (const column of columns) read(bytes, `${base}.${column}`, [column]);
  }
}
