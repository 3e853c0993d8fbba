// Writers fed with batches, and sinks that keep what they take.

import { ParquetWriter } from '../../pkg/index.js';

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The parts of an array, of sizes that are gone through again and again. */
export function cut(values, sizes) {
  const parts = [];
  for (let from = 0, part = 0; from < values.length; part++) {
    const to = from + sizes[part % sizes.length];
    parts.push(values.slice(from, to));
    from = to;
  }
  return parts;
}

/** Columns by name, cut into batches. */
export function batchesOf(table, sizes) {
  const names = Object.keys(table);
  const cuts = names.map((name) => cut(table[name], sizes));
  return cuts[0].map((_, index) => Object.fromEntries(names.map((name, column) => [name, cuts[column][index]])));
}

/** The file that batches make. */
export async function fileOf(batches, options) {
  const writer = await ParquetWriter.open(options);
  for (const batch of batches) await writer.write(batch);
  const { blob } = await writer.finish();
  return new Uint8Array(await blob.arrayBuffer());
}

/** A sink that keeps all chunks and says how it ended. */
export function keeper({ write, highWaterMark } = {}) {
  const log = { chunks: [], closed: false, aborted: [], get bytes() { return join(log.chunks); } };
  log.sink = new WritableStream(
    {
      async write(chunk, controller) {
        await write?.(chunk, controller);
        log.chunks.push(chunk);
      },
      close() {
        log.closed = true;
      },
      abort(reason) {
        log.aborted.push(reason);
      },
    },
    highWaterMark === undefined ? undefined : { highWaterMark },
  );
  return log;
}

export function join(chunks) {
  const bytes = new Uint8Array(sum(chunks.map((chunk) => chunk.length)));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The error that a promise rejects with. */
export async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

export const tick = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));
