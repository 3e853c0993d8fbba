/**
 * Writes Apache Parquet files in browsers, workers, Deno, Bun and Node.
 *
 * @packageDocumentation
 */

export { ParquetError, type ParquetErrorCode } from './errors.js';
export { tableFromArrowIPC } from './ipc.js';
export { init, initSync } from './module.js';
export type {
  ArrowTableLike,
  ArrowVectorLike,
  Codec,
  Column,
  ColumnData,
  ColumnOptions,
  Encoding,
  Progress,
  Row,
  SchemaSpec,
  TableInput,
  TypedArray,
  TypeSpec,
  WasmSource,
  WriteOptions,
} from './types.js';
export { writeParquet, writeParquetBytes, writeParquetRows, writeParquetSync } from './writer.js';
