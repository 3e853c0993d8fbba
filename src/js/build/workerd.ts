/** The build for Cloudflare's workerd: its module is compiled before the script runs. */

import module from './parquill_bg.wasm';
import type { ModulePlace } from '../load.js';

export { absent, codecs } from './codecs.js';

export const place: ModulePlace = async () => module;
