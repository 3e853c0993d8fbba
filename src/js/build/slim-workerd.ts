/** The small build for Cloudflare's workerd: its module is compiled before the script runs. */

import module from './parquill_slim_bg.wasm';
import type { ModulePlace } from '../load.js';

export { absent, codecs } from './slim.js';

export const place: ModulePlace = async () => module;
