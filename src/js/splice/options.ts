/** Options where nothing is encoded: what is said of the file; the others are taken, and have nothing to do. */

import { ParquetError } from '../errors.js';
import { OptionReader, refuse } from '../option-reader.js';
import type { Words } from './assemble.js';

const IDLE = [
  'schema', 'columns', 'compatibility', 'pageVersion', 'sortingColumns', 'pageBytes', 'pageRows', 'rowGroupRows',
  'rowGroupBytes', 'dictionaryBytes', 'statisticsTruncateBytes', 'pageChecksum', 'verify', 'workers', 'onProgress',
  'contentDefinedChunking', 'arrowSchema', 'codecs', 'encoding', 'compression', 'compressionLevel', 'dictionary',
  'bloomFilter', 'statistics', 'padToBytes',
];

/** Errors: ERR_OPTION, ERR_ABORTED. */
export function readWords(given: unknown): Words {
  const read = new OptionReader(given ?? {}, '');
  IDLE.forEach((name) => read.get(name));
  const metadata = read.entries('metadata') ?? [];
  for (const [key, value] of metadata) {
    if (typeof value !== 'string') refuse(`metadata.${key}`, 'expected a string');
  }
  const createdBy: unknown = read.get('createdBy') ?? '';
  if (typeof createdBy !== 'string') return read.fail('createdBy', 'a string');
  const signal = read.get('signal') as AbortSignal | undefined;
  read.end();
  if (signal?.aborted) throw new ParquetError('ERR_ABORTED', 'the assembly was aborted', { cause: signal.reason });
  return { metadata: metadata as [string, string][], createdBy };
}
