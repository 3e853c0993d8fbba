// `npm run size`: what users load, raw and compressed, against the budgets in wasm-pack.toml.

import { build } from './build.mjs';
import { whenProgram } from './command.mjs';
import { checkBudget, measure } from './measure.mjs';

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

await whenProgram(import.meta.url, async () => {
  const facts = await build();
  const sizes = measure(facts);
  console.log(sizes.flatMap((entry) => table(facts, entry)).join('\n'));
  checkBudget(facts, sizes);
});
