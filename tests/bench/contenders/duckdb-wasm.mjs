/**
 * duckdb-wasm: JavaScript → Arrow JS → IPC → insert → COPY TO a file in memory. Version 1.28 is the last with the
 * Parquet writer inside; later ones load it from a server.
 */
import { mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tableToIPC } from 'apache-arrow';
import { arrowTableFast } from '../lib/arrow.mjs';

const require = createRequire(import.meta.url);
const codecs = { none: 'uncompressed', snappy: 'snappy', zstd: 'zstd' };
let database;
let connection;
let folder;
let files = 0;

export default {
  async init() {
    const duckdb = require('duckdb-wasm-with-parquet/dist/duckdb-node-blocking.cjs');
    const bundle = {
      mainModule: require.resolve('duckdb-wasm-with-parquet/dist/duckdb-eh.wasm'),
      mainWorker: require.resolve('duckdb-wasm-with-parquet/dist/duckdb-node-eh.worker.cjs'),
    };
    folder = mkdtempSync('/dev/shm/duckdb-wasm-');
    process.on('exit', () => rmSync(folder, { recursive: true }));
    database = await duckdb.createDuckDB({ mvp: bundle, eh: bundle }, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
    await database.instantiate(() => {});
    database.open({ path: ':memory:' });
    connection = database.connect();
  },
  write(table, { codec, rowGroupRows }) {
    connection.insertArrowFromIPCStream(tableToIPC(arrowTableFast(table), 'stream'), { name: 't', create: true });
    const file = `${folder}/${files++}.parquet`;
    const rowGroups = rowGroupRows ? `, ROW_GROUP_SIZE ${rowGroupRows}` : '';
    connection.query(`COPY t TO '${file}' (FORMAT parquet, CODEC '${codecs[codec]}'${rowGroups})`);
    const bytes = database.copyFileToBuffer(file);
    database.dropFile(file);
    unlinkSync(file);
    connection.query('DROP TABLE t');
    return bytes;
  },
};
