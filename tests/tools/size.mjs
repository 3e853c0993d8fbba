// `npm run size`: what users load, raw and compressed, against the budget in wasm-pack.toml.

import { build } from './build.mjs';
import { whenProgram } from './command.mjs';
import { checkBudget, measure } from './measure.mjs';

function table(sizes) {
  const line = (cells) => cells.map((cell) => String(cell).padStart(11)).join('');
  return [
    `${line(['raw', 'gzip -9', 'brotli 11'])}   bytes`,
    ...Object.values(sizes).map(({ what, raw, gzip, brotli: small }) => `${line([raw, gzip, small])}   ${what}`),
  ].join('\n');
}

await whenProgram(import.meta.url, async () => {
  const facts = await build();
  const sizes = measure(facts);
  console.log(table(sizes));
  console.log(`${String(facts.budget['module-and-glue']).padStart(33)}   budget for module and glue, brotli 11`);
  checkBudget(facts, sizes);
});
