// `npm start`: builds, writes example.parquet from real data, then serves the demo page.
// `npm start -- --once` ends after the file.

import { join } from 'node:path';
import { build } from './build.mjs';
import { root, Trouble, whenProgram } from './command.mjs';
import { serve } from './serve.mjs';

const FIRST_PORT = 8080;

await whenProgram(import.meta.url, async (args) => {
  const unknown = args.filter((argument) => argument !== '--once');
  if (unknown.length > 0) throw new Trouble(`npm start does not know ${unknown.join(' ')}, only --once`);
  await build();
  const { writeExample } = await import('../../www/example.mjs');
  await writeExample(join(root, 'example.parquet'));
  if (args.includes('--once')) return;

  const { buildPage } = await import('../../www/build.mjs');
  const { url } = await serve(await buildPage(), FIRST_PORT);
  console.log(`The demo page: ${url} (Ctrl+C ends it)`);
});
