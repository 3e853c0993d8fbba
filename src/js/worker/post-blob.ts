/** A Blob on its way to the page. */

import type { SentBlob } from './messages.js';

/** Where Blobs cannot be posted, their bytes are. */
export async function postBlob(blob: Blob, post: (blob: SentBlob, transfers: Transferable[]) => void): Promise<void> {
  let canBePosted = false;
  try {
    canBePosted = structuredClone(new Blob(['x'])) instanceof Blob;
  } catch {
    // Not even tried, in some environments.
  }
  if (canBePosted) {
    post(blob, []);
    return;
  }
  const bytes = new Uint8Array(await blob.arrayBuffer());
  post(bytes, [bytes.buffer]);
}
