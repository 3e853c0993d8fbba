/** The build that brings its module along as text. */

import { type ModulePlace, unpacked } from '../load.js';
import base64 from './parquill.base64.js';

export { absent, codecs } from './codecs.js';

export const place: ModulePlace = () => unpacked(base64);
