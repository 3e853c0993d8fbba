/** Strings and bytes: offsets as they lie, views copied into one run of bytes. */

import { noBytes } from './array.js';
import { TypeId } from './field.js';
import { TOO_MANY } from './gather.js';
import type { Layout } from './layout.js';
import type { BytesChunk } from './table.js';

const VIEW_BYTES = 16;
const MOST_INLINE = 12;
const MOST_BYTES = 2 ** 32 - 1;

export function bytesChunk(from: Layout): BytesChunk {
  const { type, length, validity } = from;
  const large = type.id === TypeId.largeUtf8 || type.id === TypeId.largeBinary;
  const bytes = from.array.buffers[1] ?? noBytes;
  return { offsets: from.offsets(large, bytes.length), bytes, validity, length };
}

/** Of a view's four words: length, then 12 bytes of the value itself, or 4 of them, number and offset of a buffer. */
export function viewsChunk(from: Layout): BytesChunk {
  const { length, validity } = from;
  const views = from.elements(Int32Array, 0, length * (VIEW_BYTES / 4), 'views');
  const inline = new Uint8Array(views.buffer, views.byteOffset, views.byteLength);
  const offsets = measureViews(from, views);
  const total = offsets[length];
  from.take(total);
  const bytes = new Uint8Array(total);
  for (let row = 0; row < length; row++) {
    const start = offsets[row];
    const size = offsets[row + 1] - start;
    if (size === 0) continue;
    const isInline = size <= MOST_INLINE;
    const source = isInline ? inline : from.array.buffers[1 + views[4 * row + 2]];
    const at = isInline ? row * VIEW_BYTES + 4 : views[4 * row + 3];
    // Making a subarray costs more than copying a few bytes one by one.
    if (size <= 32) for (let index = 0; index < size; index++) bytes[start + index] = source[at + index];
    else bytes.set(source.subarray(at, at + size), start);
  }
  return { offsets, bytes, validity, length };
}

function measureViews(from: Layout, views: Int32Array): Uint32Array {
  const { length } = from;
  const { buffers } = from.array;
  from.take((length + 1) * 4);
  const offsets = new Uint32Array(length + 1);
  let total = 0;
  for (let row = 0; row < length; row++) {
    if (!from.isNull(row)) {
      const size = views[4 * row];
      if (size < 0) from.fail(`a view has the length ${size}`, row);
      if (size > MOST_INLINE) {
        const buffer = views[4 * row + 2];
        const at = views[4 * row + 3];
        if (buffer < 0 || buffer > buffers.length - 2) {
          from.fail(`a view points into buffer ${buffer} of ${buffers.length - 1}`, row);
        }
        if (at < 0 || at + size > buffers[1 + buffer].length) {
          from.fail(`a view ends at ${at + size} in a buffer of ${buffers[1 + buffer].length} bytes`, row);
        }
      }
      total += size;
      if (total > MOST_BYTES) from.tooLarge(TOO_MANY);
    }
    offsets[row + 1] = total;
  }
  return offsets;
}
