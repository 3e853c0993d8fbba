/** The full build: where its module lies. */

import type { ModulePlace } from '../load.js';

export const place: ModulePlace = {
  // Bundlers look for exactly this expression. Without import.meta.url (other module formats) it throws.
  url: () => new URL('./parquill_bg.wasm', import.meta.url),
  inline: () => import('./parquill.base64.js'),
};
