/** The full build: where its module lies. */

import type { ModulePlace } from '../load.js';

/** Codecs of the module, by the numbers of the format; the first of them is the default. */
export const codecs = [6, 1, 7, 0];
/** What is said of all others. */
export const absent = 'is no codec of this package: give your own as codecs';

export const place: ModulePlace = {
  // Bundlers look for exactly this expression. Without import.meta.url (other module formats) it throws.
  url: () => new URL('./parquill_bg.wasm', import.meta.url),
  inline: () => import('./parquill.base64.js'),
};
