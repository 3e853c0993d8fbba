/** The small build: without zstd and lz4. */

import { type ModulePlace, shipped } from '../load.js';

/** Codecs of the module, by the numbers of the format; the first of them is the default. */
export const codecs = [1, 0];
/** What is said of all others. */
export const absent = 'is not in parquill/slim: import parquill, or give your own as codecs';

export const place: ModulePlace = () =>
  shipped(
    // Bundlers look for exactly this expression. Without import.meta.url (other module formats) it throws.
    () => new URL('./parquill_slim_bg.wasm', import.meta.url),
    () => import('./parquill_slim.base64.js'),
  );
