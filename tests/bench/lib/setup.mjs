import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bench = new URL('../', import.meta.url);
const root = new URL('../../', bench);

/** Path of a file of this folder. */
export const here = (path) => fileURLToPath(new URL(path, bench));

function npm(args, folder) {
  const { status, error } = spawnSync('npm', args, {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
}

/** Installs the packages of the lock file, unless its stamp says that they are there. */
export function installPeers() {
  const stamp = here('node_modules/.stamp');
  const wanted = createHash('sha256')
    .update(readFileSync(here('package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'latin1') === wanted) return;
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], bench);
  writeFileSync(stamp, wanted);
}

/** Builds parquill when there is no build; an old one is left as it is. */
export function buildPackage() {
  if (!existsSync(new URL('pkg/index.js', root))) npm(['run', 'build'], root);
}

/** The repository's Python, when it has the module; undefined otherwise. */
export function pythonWith(module) {
  const python = fileURLToPath(new URL('.venv/bin/python', root));
  return spawnSync(python, ['-c', `import ${module}`]).status === 0 ? python : undefined;
}
