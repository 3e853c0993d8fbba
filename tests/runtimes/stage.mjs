/** Scratch projects with the packed package in them, and the file that each of them has to write. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { root, run } from '../tools/command.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const CONSUMER = join(here, 'consumer');

/** A program of this folder's own packages. */
export const program = (name) => join(here, 'node_modules/.bin', name);
export const packageFolder = (name) => join(here, 'node_modules', name);

const folders = [];
process.on('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
const throwAway = (folder) => folders.push(folder);

let template;

/** Packs the package as npm publishes it and installs the tarball; once per process. */
function installed() {
  if (template !== undefined) return template;
  mkdirSync(join(here, 'scratch'), { recursive: true });
  const home = mkdtempSync(join(here, 'scratch', 'packed-'));
  throwAway(home);
  const npm = (args, cwd) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  // Built already: packing must not build again in the middle of the suites.
  npm(['pack', join(root, 'pkg'), '--ignore-scripts', '--pack-destination', home], root);
  const tarball = readdirSync(home).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'packed', private: true }));
  npm(['install', '--offline', '--no-audit', '--no-fund', join(home, tarball)], home);
  template = join(home, 'node_modules');
  return template;
}

/** A new project of its own: the package from its tarball, the consumer's table, and `files` (path → text). */
export function project(name, files = {}, manifest = { type: 'module' }) {
  const packed = installed();
  const folder = mkdtempSync(join(here, 'scratch', `${name}-`));
  throwAway(folder);
  cpSync(packed, join(folder, 'node_modules'), { recursive: true });
  cpSync(CONSUMER, folder, { recursive: true });
  const all = { 'package.json': JSON.stringify({ name, private: true, version: '0.0.0', ...manifest }), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

let expected;

/** The file of consumer/table.js in base64, written by this Node and read back value for value. */
export async function reference() {
  return (expected ??= makeReference());
}

async function makeReference() {
  const folder = project('reference');
  const { prove, table } = await import(pathToFileURL(join(folder, 'table.js')));
  const parquill = await import(pathToFileURL(join(folder, 'node_modules/parquill/index.js')));
  const file = await prove(parquill);
  const bytes = Buffer.from(file, 'base64');
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const rows = await parquetReadObjects({ file: buffer, compressors });
  assert.equal(rows.length, table.id.length);
  for (const [name, column] of Object.entries(table)) {
    rows.forEach((row, at) => assert.deepEqual(row[name], column[at], `${name}, row ${at}`));
  }
  return file;
}

const PROOF = /proof:([A-Za-z0-9+/=]+)/;

/** Fails unless `output` holds the line `proof:<file in base64>` with the very file. */
export async function proven(output) {
  const found = PROOF.exec(output)?.[1];
  assert.ok(found, `no file was written:\n${output.slice(-4_000)}`);
  await same(found);
}

/** Fails unless the file in base64 is the very file. */
export async function same(file) {
  const wanted = await reference();
  const print = (text) => `${Buffer.from(text, 'base64').length} bytes, ${createHash('sha256').update(text).digest('hex')}`;
  assert.equal(print(file), print(wanted));
}

/** Runs a program in a project's folder; it must end well within two minutes. Returns what it wrote. */
export async function runIn(folder, name, args, env = {}) {
  const { code, output, timedOut } = await run(name, args, { cwd: folder, env, timeout: 120 });
  assert.ok(code === 0 && !timedOut, `${name} ${args.join(' ')} ended with ${timedOut ? 'the clock' : code}:\n${output}`);
  return output;
}

/** A script that writes the file and prints it. */
export const SCRIPT = `
import * as parquill from 'parquill';
import { prove } from './table.js';
console.log('proof:' + await prove(parquill));
`;

export const packageText = (path) => readFileSync(join(installed(), 'parquill', path), 'utf8');
