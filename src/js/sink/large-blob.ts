/** Blobs that are larger than the browser has room for are made without an error, and cannot be read. */

import { ParquetError } from '../errors.js';

/** Errors: ERR_LIMIT. */
export async function mustBeReadable(blob: Blob): Promise<void> {
  try {
    await blob.slice(-4).arrayBuffer();
  } catch (error) {
    const text = `there is no room for a Blob of ${blob.size} bytes here: write to a sink`;
    throw new ParquetError('ERR_LIMIT', text, { cause: error });
  }
}
