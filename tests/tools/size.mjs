// Sizes of what users load, against the budget in wasm-pack.toml: `npm run size`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root, Trouble, whenProgram } from './command.mjs';

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

function table(sizes) {
  const line = (cells) => cells.map((cell) => String(cell).padStart(9)).join('');
  return [
    `${line(['raw', 'gzip -9', 'brotli 11'])}   bytes`,
    ...Object.values(sizes).map(({ what, raw, gzip, brotli: small }) => `${line([raw, gzip, small])}   ${what}`),
  ].join('\n');
}

await whenProgram(import.meta.url, async () => {
  const { build } = await import('./build.mjs');
  const facts = await build();
  const sizes = measure(facts);
  console.log(table(sizes));
  console.log(`${String(facts.budget['module-and-glue']).padStart(27)}   budget for module and glue, brotli 11`);
  checkBudget(facts, sizes);
});
