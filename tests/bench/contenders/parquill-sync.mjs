/** parquill without yielding and without a Blob: one call, one Uint8Array. */
import { writeParquetSync } from '../../../pkg/index.js';
import { parquill } from './parquill.mjs';

export default parquill(writeParquetSync);
