// All that the commands need, fetched or built once. A second run finds everything in place and does nothing.
//   node tests/tools/setup.mjs            everything
//   node tests/tools/setup.mjs rust ...   only the named steps
// Plain Node: this runs before `npm ci`.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, must, root, run, Trouble, whenProgram } from './command.mjs';
import { once } from './stamp.mjs';

const OLDEST_JAVA = '17';
const WASM_TARGET = 'wasm32-unknown-unknown';
const say = (text) => console.log(`set-up: ${text}`);
const isRoot = () => process.getuid?.() === 0;

function olderThan(found, wanted) {
  const [a, b] = [found, wanted].map((version) => version.split('.').map(Number));
  const at = b.findIndex((number, index) => number !== (a[index] ?? 0));
  return at >= 0 && (a[at] ?? 0) < b[at];
}

/** Packages of the distribution, where we may install them. */
async function installPackages(names, otherwise) {
  if (!isRoot() || !findProgram('apt-get')) throw new Trouble(otherwise, { mayBeMissing: true });
  say(`installing ${names.join(' and ')} (apt-get)`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await must('apt-get update', 'apt-get', ['update', '-qq'], { env });
  await must(otherwise, 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}

async function node() {
  if (olderThan(process.versions.node, '20.0')) {
    throw new Trouble(`Node 20 or newer is needed, this is ${process.version}: https://nodejs.org`);
  }
  if (!findProgram('npm')) throw new Trouble('npm is missing: it comes with Node, https://nodejs.org');
  await once({
    stamp: 'node_modules/.set-up',
    inputs: ['package-lock.json'],
    words: [process.version],
    outputs: ['node_modules/.package-lock.json'],
  }, async () => {
    say('npm packages (npm ci)');
    await must('npm ci', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

async function rust() {
  if (!findProgram('cargo') || !findProgram('rustc')) {
    throw new Trouble('Rust is missing: install it from https://rustup.rs');
  }
  const { code, output } = await run('rustc', ['--version']);
  const found = /^rustc (\d+\.\d+)/m.exec(output)?.[1];
  if (code !== 0 || !found) throw new Trouble('rustc does not start: `rustup default stable` gives it a toolchain');
  const wanted = /^rust-version = "(.+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))?.[1];
  if (olderThan(found, wanted)) {
    throw new Trouble(`Rust ${wanted} or newer is needed, this is ${found}: rustup update stable`);
  }

  const sysroot = (await must('rustc', 'rustc', ['--print', 'sysroot'])).trim();
  const has = (path) => existsSync(join(sysroot, path));
  const missing = [
    !has(`lib/rustlib/${WASM_TARGET}/lib`) && ['target', WASM_TARGET],
    !has('bin/cargo-clippy') && ['component', 'clippy'],
    !has('bin/rustfmt') && ['component', 'rustfmt'],
  ].filter(Boolean);
  for (const [kind, name] of missing) {
    if (!findProgram('rustup')) {
      throw new Trouble(`Rust's ${kind} ${name} is missing, and so is rustup to add it: https://rustup.rs`);
    }
    say(`Rust's ${kind} ${name} (rustup)`);
    await must(`rustup ${kind} add`, 'rustup', [kind, 'add', name]);
  }
}

/** wasm-bindgen and its test runner, built from source: nothing is installed outside of the repository. */
async function xtask() {
  await rust();
  const folder = 'tests/xtask';
  await once({
    stamp: `${folder}/target/.set-up`,
    inputs: [`${folder}/Cargo.toml`, `${folder}/Cargo.lock`, `${folder}/src`],
    outputs: [`${folder}/target/debug/xtask`],
  }, async () => {
    say('the wasm-bindgen tool, from source (a minute or two)');
    const args = ['build', '--quiet', '--locked', '--manifest-path', `${folder}/Cargo.toml`];
    await must('building tests/xtask', 'cargo', args);
  });
}

/** A Python environment of its own in `folder`, with exactly the packages of `requirements`. */
async function environment(folder, requirements, what) {
  await once({
    stamp: `${folder}/.set-up`,
    inputs: [requirements],
    outputs: [`${folder}/pyvenv.cfg`],
  }, async () => {
    const program = findProgram('python3');
    if (!program) {
      throw new Trouble('Python is missing: install python3 (3.10 or newer) with its venv module');
    }
    const { code, output } = await run(program, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
    if (code !== 0) throw new Trouble('python3 does not start');
    if (olderThan(output, '3.10')) throw new Trouble(`Python 3.10 or newer is needed, python3 is ${output.trim()}`);
    if ((await run(program, ['-c', 'import ensurepip, venv'])).code !== 0) {
      await installPackages(['python3-venv'], "Python's venv module is missing: install python3-venv");
    }
    say(`${what} (${folder})`);
    rmSync(join(root, folder), { recursive: true, force: true });
    await must('python3 -m venv', program, ['-m', 'venv', folder]);
    await must('pip install', `${folder}/bin/python`,
      ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input', '-r', requirements]);
  });
}

const python = () => environment('.venv', 'tests/readers/requirements.txt', 'Python packages of the readers');

/** ClickHouse, fastparquet and Spark, apart from the others: half a gigabyte that few commands need. */
const readers = () => environment('.venv-readers', 'tests/readers/support/requirements.txt',
  'Python packages of further readers, half a gigabyte');

/** For Spark. */
async function java() {
  const otherwise = `Java ${OLDEST_JAVA} or newer is missing: install a JRE (Debian: default-jre-headless)`;
  if (!findProgram('java')) await installPackages(['default-jre-headless'], otherwise);
  const { code, output } = findProgram('java') ? await run('java', ['-version']) : { code: 1 };
  const found = /version "(\d+)/.exec(output)?.[1];
  if (code !== 0 || !found || olderThan(found, OLDEST_JAVA)) throw new Trouble(otherwise, { mayBeMissing: true });
}

async function browser() {
  const missing = () => ['chromium', 'chromedriver'].filter((name) => !findProgram(name));
  if (missing().length === 0) return;
  const names = missing().join(' and ');
  const otherwise = `${names} missing: install Chromium and its driver (Debian: chromium chromium-driver)`;
  await installPackages(['chromium', 'chromium-driver'], otherwise);
  if (missing().length > 0) throw new Trouble(otherwise);
}

/** Every other runtime and bundler, as npm packages of a folder of their own: large, and needed by one suite only. */
async function runtimes() {
  const folder = 'tests/runtimes';
  await once({
    stamp: `${folder}/node_modules/.set-up`,
    inputs: [`${folder}/package-lock.json`],
    words: [process.version],
    outputs: [`${folder}/node_modules/.package-lock.json`],
  }, async () => {
    say('runtimes and bundlers (npm ci in tests/runtimes)');
    await must('npm ci in tests/runtimes', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: join(root, folder) });
  });
}

const steps = { node, rust, xtask, python, readers, java, browser, runtimes };
const done = new Map();

/** Does the named steps, each once per process. */
export async function setUp(names) {
  for (const name of names) {
    if (!Object.hasOwn(steps, name)) throw new Trouble(`no set-up step "${name}": ${Object.keys(steps).join(', ')}`);
    if (!done.has(name)) done.set(name, steps[name]());
    await done.get(name);
  }
}

await whenProgram(import.meta.url, (names) => setUp(names.length > 0 ? names : Object.keys(steps)));
