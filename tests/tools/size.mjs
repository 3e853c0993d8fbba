// `npm run size`: what users load, raw and compressed, against the budgets in wasm-pack.toml.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { root, whenProgram } from './command.mjs';
import { checkBudget, measure } from './measure.mjs';
import { moduleNames, modulePaths, namedModule } from './module.mjs';
import { functionSizes, groupSizes, sectionSizes } from './sections.mjs';

const line = (cells, text) => `${cells.map((cell) => String(cell).padStart(11)).join('')}   ${text}`;
const sizeLine = ({ raw, gzip, brotli }, text) => line([raw, gzip, brotli], text);

function table(facts, { name, files, sum, later }) {
  return [
    '',
    line(['raw', 'gzip -9', 'brotli 11'], `bytes of the entry ${name}`),
    ...files.map((file) => sizeLine(file, file.name)),
    sizeLine(sum, 'all of it'),
    line(['', '', facts.budget[name]], 'its budget'),
    ...later.map((one) => sizeLine(one.sum, `only when asked for: ${one.files.map((file) => file.name).join(', ')}`)),
  ];
}

async function contents(facts, name) {
  const list = (sizes) => sizes.map(({ name: what, bytes }) => line([bytes], what));
  const module = readFileSync(join(root, modulePaths(facts, name).module));
  return [
    '',
    line(['raw'], `bytes of ${name}_bg.wasm by section`),
    ...list(sectionSizes(module)),
    line(['raw'], 'bytes of its code by crate, our own by module'),
    ...list(groupSizes(functionSizes(await namedModule(facts, name)))),
  ];
}

await whenProgram(import.meta.url, async () => {
  const facts = await build();
  const sizes = measure(facts);
  console.log(sizes.flatMap((entry) => table(facts, entry)).join('\n'));
  for (const name of moduleNames(facts)) console.log((await contents(facts, name)).join('\n'));
  checkBudget(facts, sizes);
});
