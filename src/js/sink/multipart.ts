/** Object stores: the file in parts of one size, several of which are uploaded at once. */

import { describe } from '../errors.js';
import { refuse } from '../option-reader.js';
import { multipart } from '../parts.js';
import type { Upload } from './upload.js';

/** Where parts go. */
export interface MultipartStore<Part> {
  /** Bytes of every part but the last, which may be shorter. S3 and R2 take no less than 5 MiB (5 × 2^20). */
  partBytes: number;
  /** Uploads one part, numbered from 1. The bytes are the callee's own. */
  uploadPart(partNumber: number, bytes: Uint8Array): Promise<Part>;
  /** All parts are uploaded; they come in their order. */
  complete(parts: readonly Part[]): Promise<unknown>;
  /** Something failed, or the file was given up: nothing is called after this. */
  abort(reason?: unknown): Promise<unknown>;
  /** Most uploads at once, default 4. Memory: so many parts, and the one that is filled. */
  concurrency?: number;
}

/** The binding of an R2 bucket, as far as it is used here. */
export interface R2BucketLike {
  createMultipartUpload(key: string, options?: unknown): Promise<unknown>;
}

export interface R2MultipartOptions {
  /** Bytes of a part: at least 5 × 2^20, default 8 × 2^20. R2 takes up to 10 000 parts. */
  partBytes?: number;
  /** Most uploads at once, default 4. */
  concurrency?: number;
  /** Default: the content type of Parquet files. */
  httpMetadata?: unknown;
  customMetadata?: Record<string, string>;
}

const CONCURRENCY = 4;
const R2_LEAST_PART = 5 * 2 ** 20;
const R2_PART = 8 * 2 ** 20;

/**
 * A sink for `ParquetWriter.open` that uploads a file in parts, all of `partBytes` bytes but the last. While
 * `concurrency` uploads are under way, the writer waits. After a failed upload nothing more is uploaded, `abort` is
 * called once the uploads under way have ended, and the first failure is what the writer rejects with.
 *
 * @param store What uploads parts, and completes or aborts the whole; sizes in bytes.
 * @returns A stream that is closed when `complete` is done.
 * @throws {ParquetError} ERR_OPTION for a size or a number that is no whole number from 1 on.
 *
 * @example
 * ```ts
 * const parts: Uint8Array[] = [];
 * const sink = multipartSink({
 *   partBytes: 8 * 2 ** 20,
 *   uploadPart: async (number, bytes) => parts.push(bytes),
 *   complete: async (uploaded) => console.log(uploaded.length),
 *   abort: async (reason) => console.error(reason),
 * });
 * const writer = await ParquetWriter.open({ sink });
 * ```
 */
export function multipartSink<Part>(store: MultipartStore<Part>): WritableStream<Uint8Array> {
  const { partBytes, concurrency = CONCURRENCY } = store;
  mustBeSize('partBytes', partBytes, 1);
  mustBeSize('concurrency', concurrency, 1);
  let upload: Upload<Part>;
  return new WritableStream<Uint8Array>({
    async start(controller) {
      const script = await multipart.load();
      upload = new script.Upload(store, partBytes, concurrency, controller);
    },
    write: (bytes) => upload.write(bytes),
    close: () => upload.close(),
    abort: (reason) => upload.abort(reason),
  });
}

/**
 * The same for the binding of a Cloudflare R2 bucket. The upload is created with the first part.
 *
 * @param bucket The binding, `env.BUCKET`.
 * @param key Name of the object.
 * @param options Sizes in bytes.
 * @returns A stream that is closed when the object is there.
 * @throws {ParquetError} ERR_OPTION for parts that R2 does not take.
 *
 * @example
 * ```ts
 * const writer = await ParquetWriter.open({ sink: r2MultipartSink(env.BUCKET, 'rows.parquet') });
 * ```
 */
export function r2MultipartSink(
  bucket: R2BucketLike,
  key: string,
  options: R2MultipartOptions = {},
): WritableStream<Uint8Array> {
  const { partBytes = R2_PART, concurrency, customMetadata } = options;
  const { httpMetadata = { contentType: 'application/vnd.apache.parquet' } } = options;
  mustBeSize('partBytes', partBytes, R2_LEAST_PART);
  let created: Promise<R2Upload> | undefined;
  const upload = () =>
    (created ??= bucket.createMultipartUpload(key, { httpMetadata, customMetadata }) as Promise<R2Upload>);
  return multipartSink<unknown>({
    partBytes,
    concurrency,
    uploadPart: async (number, bytes) => (await upload()).uploadPart(number, bytes),
    complete: async (parts) => (await upload()).complete(parts),
    // An upload that could not be created, or never was, has nothing to abort.
    abort: async () => (await created?.catch(() => undefined))?.abort(),
  });
}

interface R2Upload {
  uploadPart(number: number, bytes: Uint8Array): Promise<unknown>;
  complete(parts: readonly unknown[]): Promise<unknown>;
  abort(): Promise<unknown>;
}

function mustBeSize(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  refuse(name, `expected a whole number from ${least} on, got ${describe(value)}`);
}
