import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { here } from './setup.mjs';

/** Compares files with the table's Arrow file in pyarrow, value for value; problems by file path. */
export function verifyWithPython(python, source, files) {
  const { status, stdout } = spawnSync(python, [here('python/verify.py'), source, ...files], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error('verify.py failed');
  return JSON.parse(stdout);
}

/** Without Python: decodes every row with hyparquet and counts them; problems by file path. */
export async function verifyWithHyparquet(rows, files) {
  const problems = {};
  for (const path of files) {
    const { buffer, byteOffset, byteLength } = readFileSync(path);
    try {
      const file = buffer.slice(byteOffset, byteOffset + byteLength);
      const { length } = await parquetReadObjects({ file, compressors });
      problems[path] = length === rows ? [] : [`${length} rows instead of ${rows}`];
    } catch (error) {
      problems[path] = [String(error)];
    }
  }
  return problems;
}
