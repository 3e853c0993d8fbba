/** parquet-wasm behind our own conversion to Arrow: the best that it can do. */
import { arrowTableFast } from '../lib/arrow.mjs';
import { parquetWasm } from './parquet-wasm.mjs';

export default parquetWasm((table) => arrowTableFast(table, { dictionaries: true }));
