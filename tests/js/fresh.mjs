/** The package as a program finds it that has just begun: a copy of its own, with nothing loaded. */

import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const built = fileURLToPath(new URL('../../pkg/', import.meta.url));
const copies = mkdtempSync(join(tmpdir(), 'parquill-copies-'));
after(() => rmSync(copies, { recursive: true }));
let count = 0;

/** Imports an entry of a new copy. */
export function fresh(entry = 'index') {
  const folder = join(copies, String(count++));
  cpSync(built, folder, { recursive: true });
  return import(pathToFileURL(join(folder, `${entry}.js`)));
}

/** Takes the scripts of the last copy away that are loaded later than its main one. */
export function rmParts() {
  const folder = join(copies, String(count - 1));
  for (const name of readdirSync(folder)) {
    if (/^(?!chunk).+-\w+\.js$/.test(name)) rmSync(join(folder, name));
  }
}
