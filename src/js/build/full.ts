/** The full build: where its module lies. */

import { type ModulePlace, shipped } from '../load.js';

export { absent, codecs } from './codecs.js';

export const place: ModulePlace = () =>
  shipped(
    // Bundlers look for exactly this expression. Without import.meta.url (other module formats) it throws.
    () => new URL('./parquill_bg.wasm', import.meta.url),
    () => import('./parquill.base64.js'),
  );
