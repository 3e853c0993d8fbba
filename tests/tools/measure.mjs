// Sizes of what users load, against the budget in wasm-pack.toml.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root, Trouble } from './command.mjs';

const brotli = (bytes) => brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
}).length;

const measureFile = (what, bytes) =>
  ({ what, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes) });

/** Sizes of a package folder in bytes. Module and glue travel as two files: their sum counts. */
export function measure(facts, folder = join(root, facts.package.folder)) {
  const read = (name) => readFileSync(join(folder, name));
  const module = measureFile('module', read(`${facts.package.name}_bg.wasm`));
  const glue = measureFile('glue (index.js)', read('index.js'));
  const both = { what: 'module and glue' };
  for (const key of ['raw', 'gzip', 'brotli']) both[key] = module[key] + glue[key];
  const inline = measureFile('inline.js (only where the module cannot be fetched)', read('inline.js'));
  return { module, glue, both, inline };
}

export function checkBudget(facts, sizes) {
  const budget = facts.budget['module-and-glue'];
  const { brotli: found } = sizes.both;
  if (found > budget) {
    throw new Trouble(`module and glue take ${found} bytes in brotli, the budget in wasm-pack.toml is ${budget}`);
  }
}

/** One line for the end of a build. */
export function summary(facts, { both }) {
  const share = ((100 * both.brotli) / facts.budget['module-and-glue']).toFixed(0);
  return `module and glue ${both.raw} bytes, ${both.brotli} in brotli (${share} % of the budget)`;
}
