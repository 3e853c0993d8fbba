// `npm run build`: the package folder, from whatever state the clone is in. What is up to date is left alone.

import { Trouble, whenProgram } from './command.mjs';
import { setUp } from './setup.mjs';

/** Builds module and package; returns the facts of wasm-pack.toml by which they were built. */
export async function build() {
  await setUp(['node', 'rust', 'xtask']);
  // These need the npm packages that set-up has just made sure of.
  const { disagreements, loadFacts, loadStatements } = await import('./facts.mjs');
  const { buildModules } = await import('./module.mjs');
  const { buildPackage } = await import('./package.mjs');
  const { checkBudget, measure, summary } = await import('./measure.mjs');

  const facts = loadFacts();
  const found = disagreements(facts, loadStatements());
  if (found.length > 0) throw new Trouble(`wasm-pack.toml and the files disagree\n  ${found.join('\n  ')}`);
  await buildModules(facts);
  const changed = await buildPackage(facts);
  const sizes = measure(facts);
  checkBudget(facts, sizes);
  console.log(`build: ${facts.package.folder}/ ${changed ? 'made' : 'is up to date'}`);
  for (const line of summary(facts, sizes)) console.log(`build: ${line}`);
  return facts;
}

await whenProgram(import.meta.url, () => build());
