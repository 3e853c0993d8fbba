/**
 * Writes Apache Parquet files in browsers, workers, Deno, Bun and Node.
 *
 * @packageDocumentation
 */

export { ParquetError, type ParquetErrorCode } from './errors.js';
export { init, initSync } from './module.js';
export type {
  Codec,
  Column,
  ColumnData,
  ColumnOptions,
  Encoding,
  Progress,
  SchemaSpec,
  TableInput,
  TypedArray,
  TypeSpec,
  WasmSource,
  WriteOptions,
} from './types.js';
export { writeParquet, writeParquetBytes, writeParquetSync } from './writer.js';
