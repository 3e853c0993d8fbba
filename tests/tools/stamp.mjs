// Remembering that a step was done for exactly these inputs, so that it is not done again.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './command.mjs';

/** All files under a path (a file or a folder of the repository), sorted, as paths relative to the repository. */
export function filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** A hash over names and contents of all files under the paths, and over further words. */
export function digest(paths, words = []) {
  const hash = createHash('sha256');
  for (const word of words) hash.update(`${word.length} ${word}`);
  for (const file of paths.flatMap(filesUnder)) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file.length} ${file} ${bytes.length} `).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Does `work` unless the stamp says that it was done for the same inputs and what it made is still there, unchanged.
 * stamp: file of the mark. inputs, outputs: paths. words: further facts, such as versions.
 * Returns whether work was done.
 */
export async function once({ stamp, inputs, words = [], outputs }, work) {
  const mark = () => digest(inputs, words) + digest(outputs);
  const file = join(root, stamp);
  const complete = outputs.every((path) => existsSync(join(root, path)));
  if (complete && existsSync(file) && readFileSync(file, 'utf8') === mark()) return false;
  // Inputs are hashed before the work: a file changed meanwhile must count as a change the next time.
  const before = digest(inputs, words);
  rmSync(file, { force: true });
  await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, before + digest(outputs));
  return true;
}
