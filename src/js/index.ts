/**
 * Writes Apache Parquet files in browsers, workers, Deno, Bun and Node.
 *
 * @packageDocumentation
 */

export { ParquetError, type ParquetErrorCode } from './errors.js';
export { appendParquet, assembleEnvelope, assembleParquet, concatParquet, encodeRowGroup } from './fragments.js';
export { tableFromArrowIPC } from './ipc.js';
export { init, initSync } from './module.js';
export {
  multipartSink,
  type MultipartStore,
  type R2BucketLike,
  r2MultipartSink,
  type R2MultipartOptions,
} from './sink/multipart.js';
export { parquetStream } from './stream/pipe.js';
export { ParquetWriter } from './stream/writer.js';
export type {
  ArrowTableLike,
  ArrowVectorLike,
  Codec,
  Column,
  ColumnData,
  ColumnOptions,
  Encoding,
  FragmentFooter,
  FragmentOptions,
  Progress,
  Row,
  RowGroupFragment,
  SchemaSpec,
  SpillStore,
  StreamOptions,
  TableInput,
  TypedArray,
  TypeSpec,
  WasmSource,
  WriteOptions,
  WriteResult,
} from './types.js';
export { writeParquet, writeParquetBytes, writeParquetRows, writeParquetSync } from './writer.js';
