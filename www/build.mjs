/** Makes www/dist: the page with everything it needs, ready for any static server. */

import { cp, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const SAMPLES = ['movies.json', 'flights-20k.json', 'flights-200k.json'];

/** Needs a built ../pkg; resolves to the folder it filled. */
export async function buildPage(dist = here('dist')) {
  await rm(dist, { recursive: true, force: true });
  await mkdir(`${dist}/data`, { recursive: true });
  await build({
    // The worker's script must lie beside that which starts it.
    entryPoints: [here('app.js'), here('../pkg/worker-thread.js')],
    entryNames: '[name]',
    outdir: dist,
    bundle: true,
    // The library's inlined module stays a chunk of its own, loaded only where the .wasm file cannot be fetched.
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'linked',
    logLevel: 'warning',
    // Chunks of the package that bring one another along do nothing by themselves.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  await Promise.all([
    ...['index.html', 'style.css', 'icon.svg'].map((name) => cp(here(name), `${dist}/${name}`)),
    cp(here('../pkg/parquill_bg.wasm'), `${dist}/parquill_bg.wasm`),
    ...SAMPLES.map((name) => cp(here(`../node_modules/vega-datasets/data/${name}`), `${dist}/data/${name}`)),
  ]);
  return dist;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(await buildPage());
