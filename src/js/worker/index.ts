/**
 * The functions of `parquill`, done by a Web Worker (in Node, Deno and Bun: a worker thread).
 *
 * @packageDocumentation
 */

export { ParquetError, type ParquetErrorCode } from '../errors.js';
export { tableFromArrowIPC } from '../ipc.js';
export {
  multipartSink,
  type MultipartStore,
  type R2BucketLike,
  r2MultipartSink,
  type R2MultipartOptions,
} from '../sink/multipart.js';
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
  SpillStore,
  StreamOptions,
  TableInput,
  TypedArray,
  TypeSpec,
  WasmSource,
  WriteOptions,
  WriteResult,
} from '../types.js';
export { writeParquet, writeParquetBytes, writeParquetRows } from './call.js';
export { init } from './init.js';
export { terminate } from './link.js';
export type { Transferring, WorkerStreamOptions, WorkerWriteOptions } from './options.js';
export { parquetStream, ParquetWriter } from './writer.js';
