/** The declarations as TypeScript projects of every kind see them. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageProgram } from '../tools/command.mjs';
import { packageText, program, project, runIn } from './stage.mjs';

const entries = Object.keys(JSON.parse(packageText('package.json')).exports)
  .filter((name) => !/\.(json|wasm)$/.test(name)).map((name) => name.replace(/^\./, 'parquill'));
const USE = `
import { ParquetError, ParquetWriter, writeParquet, writeParquetRows, type Column, type WriteOptions } from 'parquill';
const options: WriteOptions = { compression: 'zstd', compressionLevel: 3, columns: { id: { encoding: 'PLAIN' } } };
const columns: Column[] = [{ name: 'id', data: new Int32Array(3), type: 'int32', nullable: false }];
export async function all(sink: WritableStream<Uint8Array>): Promise<Blob> {
  const blob: Blob = await writeParquet(columns, options);
  await writeParquetRows([{ id: 1, name: 'x' }], { schema: { id: 'int32', name: { type: 'string', nullable: true } } });
  const writer = await ParquetWriter.open({ sink, spill: 'memory' });
  await writer.write({ id: new Int32Array(1) });
  const { rows } = await writer.finish();
  const count: number = rows;
  try {
    return blob;
  } catch (error) {
    if (error instanceof ParquetError && error.code === 'ERR_OPTION') throw error;
    throw new Error(String(count));
  }
}
// @ts-expect-error no such option
export const wrong = () => writeParquet(columns, { compressoin: 'zstd' });
// @ts-expect-error no such codec
export const wrongCodec = () => writeParquet(columns, { compression: 'zip' });
`;
const settings = (module, moduleResolution) => JSON.stringify({
  compilerOptions: {
    strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true,
    target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: [], module, moduleResolution,
  },
  include: ['*.ts', '*.cts', '*.mts'],
});

for (const [module, resolution] of [['ESNext', 'bundler'], ['Node16', 'node16'], ['NodeNext', 'nodenext']]) {
  test(`a strict project with moduleResolution ${resolution}`, async () => {
    const every = entries.map((name, at) => `import * as all${at} from '${name}';\nexport { all${at} };`).join('\n');
    const folder = project(`types-${resolution}`, {
      'use.ts': USE, 'every.mts': every, 'use.cts': resolution === 'bundler' ? 'export {};' : USE,
      'tsconfig.json': settings(module, resolution),
    });
    await runIn(folder, packageProgram('tsc'), ['--project', '.']);
  });
}

test('are the types wrong: no', async () => {
  const folder = project('attw');
  const said = await runIn(folder, program('attw'), [
    '--pack', join(folder, 'node_modules/parquill'), '--profile', 'node16', '--format', 'ascii', '--no-emoji',
    '--exclude-entrypoints', './parquill_bg.wasm', './parquill_slim_bg.wasm',
  ]);
  assert.equal(said.match(/^node16 \(from CJS\): OK/gm)?.length, entries.length + 1, said);
  assert.equal(said.match(/^node16 \(from ESM\): OK/gm)?.length, entries.length + 1, said);
});
