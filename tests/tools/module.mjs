// First half of the build: Rust sources → target/wasm-bindgen (glue, declarations) → the optimised modules.

import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { must, packageProgram, root } from './command.mjs';
import { rustFlags } from './facts.mjs';
import { filesUnder, once } from './stamp.mjs';

const COMPILED = 'target/modules';
const OPTIMISED = 'target/wasm-opt';
const say = (text) => console.log(`build: ${text}`);

/** Paths of what this half makes of the module `name`, relative to the repository. */
export function modulePaths(facts, name) {
  const compiled = `${COMPILED}/${name}.wasm`;
  const module = `${OPTIMISED}/${name}_bg.wasm`;
  if (!facts.module[name].bindgen) return { compiled, bound: compiled, module };
  const { folder } = facts.bindgen;
  return {
    compiled,
    glue: `${folder}/${name}.js`,
    glueTypes: `${folder}/${name}.d.ts`,
    bound: `${folder}/${name}_bg.wasm`,
    module,
  };
}

/** The names of the modules, and of those that have glue. */
export const moduleNames = (facts) => Object.keys(facts.module);
export const boundNames = (facts) => moduleNames(facts).filter((name) => facts.module[name].bindgen);

export function cargoArguments(facts, name) {
  const { crate, 'cargo-features': features } = facts.module[name];
  return [
    'build', '--quiet', '--lib', '--profile', facts.rust.profile, '--target', facts.rust.target,
    '--manifest-path', join(crate, 'Cargo.toml'), '--target-dir', 'target',
    '--no-default-features', ...(features.length > 0 ? ['--features', features.join()] : []),
  ];
}

export const bindgenArguments = (facts, name, input, folder) =>
  ['bindgen', input, '--out-dir', folder, '--out-name', name, ...facts.bindgen.flags];

export function optimiserArguments(facts, name, input, output) {
  // Where wasm-bindgen does not do it: nothing of the tools' names and versions.
  const strip = facts.module[name].bindgen ? [] : ['--strip-debug', '--strip-producers'];
  return [input, ...facts['wasm-opt'].flags, ...strip, '-o', output];
}

/** The same bytes whoever builds: no folder of the builder's machine in panic messages. */
function cargoEnvironment(facts) {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const renamed = [[cargoHome, '/cargo'], [root.slice(0, -1), '/parquill']];
  const flags = [...rustFlags(facts), ...facts.rust.flags, ...renamed.map(([from, to]) => `--remap-path-prefix=${from}=${to}`)];
  return { CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') };
}

const textOf = (path) => readFileSync(join(root, path), 'utf8');

async function compile(facts, name) {
  say(`${name}: Rust → wasm (cargo)`);
  await must('cargo build', 'cargo', cargoArguments(facts, name), { env: cargoEnvironment(facts), show: true });
  const { target, profile } = facts.rust;
  const library = parse(textOf(join(facts.module[name].crate, 'Cargo.toml'))).package.name.replaceAll('-', '_');
  // The next module of the same crate overwrites the file.
  const built = `target/${target}/${profile === 'dev' ? 'debug' : profile}/${library}.wasm`;
  mkdirSync(join(root, COMPILED), { recursive: true });
  copyFileSync(join(root, built), join(root, modulePaths(facts, name).compiled));
}

/** wasm-bindgen: binds the compiled library into `folder`. */
export async function bind(facts, name, folder) {
  const { compiled } = modulePaths(facts, name);
  await must('wasm-bindgen', 'tests/xtask/target/debug/xtask', bindgenArguments(facts, name, compiled, folder));
}

export async function optimise(facts, name, input, output) {
  mkdirSync(dirname(join(root, output)), { recursive: true });
  await must('wasm-opt', packageProgram('wasm-opt'), optimiserArguments(facts, name, input, output));
}

async function buildModule(facts, name) {
  const paths = modulePaths(facts, name);
  const { crate, bindgen } = facts.module[name];
  const shared = [facts.rust, facts.bindgen, facts['wasm-opt'], facts.module[name]];
  return once({
    stamp: `target/stamps/${name}`,
    inputs: [
      ...filesUnder(join(crate, 'src')).filter((file) => file.endsWith('.rs')),
      join(crate, 'Cargo.toml'), join(crate, 'Cargo.lock'),
      '.cargo/config.toml', 'tests/xtask/Cargo.lock', 'tests/tools/module.mjs',
    ],
    words: [await must('rustc', 'rustc', ['-vV']), JSON.stringify(shared)],
    outputs: Object.values(paths),
  }, async () => {
    for (const path of Object.values(paths)) rmSync(join(root, path), { force: true });
    await compile(facts, name);
    if (bindgen) {
      say(`${name}: glue (wasm-bindgen)`);
      await bind(facts, name, facts.bindgen.folder);
    }
    say(`${name}: optimising (wasm-opt)`);
    await optimise(facts, name, paths.bound, paths.module);
  });
}

/** Makes the modules and their glue where their inputs changed. */
export async function buildModules(facts) {
  for (const name of moduleNames(facts)) await buildModule(facts, name);
}

/** The module once more, as it is but with the names of its functions. */
export async function namedModule(facts, name) {
  const { compiled, bound } = modulePaths(facts, name);
  const folder = 'target/named';
  let input = bound;
  if (facts.module[name].bindgen) {
    const flags = facts.bindgen.flags.filter((flag) => flag !== '--remove-name-section');
    await must('wasm-bindgen', 'tests/xtask/target/debug/xtask',
      bindgenArguments({ bindgen: { flags } }, name, compiled, folder));
    input = `${folder}/${name}_bg.wasm`;
  }
  const output = join(root, folder, `${name}.wasm`);
  mkdirSync(join(root, folder), { recursive: true });
  await must('wasm-opt', packageProgram('wasm-opt'), [input, ...facts['wasm-opt'].flags, '-g', '-o', output]);
  return readFileSync(output);
}

/** Copies a module into the package; gives its bytes. */
export function placeModule(facts, name, folder) {
  const { module } = modulePaths(facts, name);
  copyFileSync(join(root, module), join(folder, `${name}_bg.wasm`));
  return readFileSync(join(root, module));
}
