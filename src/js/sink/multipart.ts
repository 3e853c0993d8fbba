/** Object stores: the file in parts of one size, several of which are uploaded at once. */

import { describe } from '../errors.js';
import { refuse } from '../option-reader.js';

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
  const upload = new Upload(store, partBytes, concurrency);
  return new WritableStream<Uint8Array>({
    start: (controller) => upload.start(controller),
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

class Upload<Part> {
  readonly #store: MultipartStore<Part>;
  readonly #partBytes: number;
  readonly #concurrency: number;
  readonly #parts: Part[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #number = 0;
  #part: Uint8Array<ArrayBuffer> | undefined;
  #filled = 0;
  #failure: { readonly reason: unknown } | undefined;
  #aborted: Promise<void> | undefined;
  #controller: WritableStreamDefaultController | undefined;

  constructor(store: MultipartStore<Part>, partBytes: number, concurrency: number) {
    this.#store = store;
    this.#partBytes = partBytes;
    this.#concurrency = concurrency;
  }

  start(controller: WritableStreamDefaultController): void {
    this.#controller = controller;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const part = (this.#part ??= new Uint8Array(this.#partBytes));
      const to = Math.min(bytes.length, from + part.length - this.#filled);
      part.set(bytes.subarray(from, to), this.#filled);
      this.#filled += to - from;
      from = to;
      if (this.#filled === part.length) await this.#upload(part);
    }
  }

  /** Begins an upload; resolves when one more may begin. */
  async #upload(bytes: Uint8Array): Promise<void> {
    this.#part = undefined;
    this.#filled = 0;
    const number = ++this.#number;
    const upload = this.#run(number, bytes).finally(() => this.#underWay.delete(upload));
    this.#underWay.add(upload);
    while (this.#underWay.size >= this.#concurrency && this.#failure === undefined) await Promise.race(this.#underWay);
    await this.#mayGoOn();
  }

  async #run(number: number, bytes: Uint8Array): Promise<void> {
    try {
      this.#parts[number - 1] = await this.#store.uploadPart(number, bytes);
    } catch (reason) {
      this.#fail(reason);
    }
  }

  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { reason };
    // Between two writes nobody else would tell the stream.
    this.#controller?.error(reason);
    this.#abort(reason).catch(() => {});
  }

  async #mayGoOn(): Promise<void> {
    if (this.#failure === undefined) return;
    // What abort throws must not hide the first cause.
    await this.#aborted?.catch(() => {});
    throw this.#failure.reason;
  }

  async close(): Promise<void> {
    // A store needs a part, be it empty.
    if (this.#filled > 0 || this.#number === 0) {
      await this.#upload(this.#part?.slice(0, this.#filled) ?? new Uint8Array(0));
    }
    await Promise.all(this.#underWay);
    await this.#mayGoOn();
    try {
      await this.#store.complete(this.#parts);
    } catch (reason) {
      this.#fail(reason);
      await this.#mayGoOn();
    }
  }

  async abort(reason: unknown): Promise<void> {
    this.#failure ??= { reason };
    await this.#abort(reason);
  }

  /** Once, and when nothing is under way any more. */
  #abort(reason: unknown): Promise<void> {
    this.#part = undefined;
    return (this.#aborted ??= Promise.all(this.#underWay).then(async () => {
      await this.#store.abort(reason);
    }));
  }
}
