// First half of the build: Rust sources → target/wasm-bindgen (glue, declarations) → the optimised module.

import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { must, packageProgram, root } from './command.mjs';
import { rustFlags } from './facts.mjs';
import { filesUnder, once } from './stamp.mjs';

const OPTIMISED = 'target/wasm-opt';
const say = (text) => console.log(`build: ${text}`);

/** Paths of what this half makes, relative to the repository. */
export const modulePaths = (facts) => ({
  glue: `${facts.bindgen.folder}/${facts.package.name}.js`,
  glueTypes: `${facts.bindgen.folder}/${facts.package.name}.d.ts`,
  bound: `${facts.bindgen.folder}/${facts.package.name}_bg.wasm`,
  module: `${OPTIMISED}/${facts.package.name}_bg.wasm`,
});

export const cargoArguments = (facts) =>
  ['build', '--quiet', '--lib', '--profile', facts.module.profile, '--target', facts.module.target];

export const bindgenArguments = (facts, input, folder) =>
  ['bindgen', input, '--out-dir', folder, '--out-name', facts.package.name, ...facts.bindgen.flags];

export const optimiserArguments = (facts, input, output) => [input, ...facts['wasm-opt'].flags, '-o', output];

/** The same bytes whoever builds: no folder of the builder's machine in panic messages. */
function cargoEnvironment(facts) {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const renamed = [[cargoHome, '/cargo'], [root.slice(0, -1), '/parquill']];
  const flags = [...rustFlags(facts), ...renamed.map(([from, to]) => `--remap-path-prefix=${from}=${to}`)];
  return { CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') };
}

async function compile(facts) {
  say('Rust → wasm (cargo)');
  await must('cargo build', 'cargo', cargoArguments(facts), { env: cargoEnvironment(facts), show: true });
}

/** wasm-bindgen: binds the compiled library into `folder`. */
export async function bind(facts, folder) {
  const { target, profile } = facts.module;
  const compiled = `target/${target}/${profile === 'dev' ? 'debug' : profile}/${facts.package.name}.wasm`;
  rmSync(join(root, folder), { recursive: true, force: true });
  await must('wasm-bindgen', 'tests/xtask/target/debug/xtask', bindgenArguments(facts, compiled, folder));
}

export async function optimise(facts, input, output) {
  mkdirSync(join(root, output, '..'), { recursive: true });
  await must('wasm-opt', packageProgram('wasm-opt'), optimiserArguments(facts, input, output));
}

/** Makes the module and its glue where their inputs changed. */
export async function buildModule(facts) {
  const paths = modulePaths(facts);
  return once({
    stamp: 'target/stamps/module',
    inputs: [
      ...filesUnder('src').filter((file) => file.endsWith('.rs')),
      'Cargo.toml', 'Cargo.lock', '.cargo/config.toml', 'tests/xtask/Cargo.lock', 'tests/tools/module.mjs',
    ],
    words: [await must('rustc', 'rustc', ['-vV']), JSON.stringify(facts)],
    outputs: Object.values(paths),
  }, async () => {
    await compile(facts);
    say('glue (wasm-bindgen)');
    await bind(facts, facts.bindgen.folder);
    say('optimising (wasm-opt)');
    await optimise(facts, paths.bound, paths.module);
  });
}

/** Copies the module into the package. */
export function placeModule(facts, folder) {
  const { module } = modulePaths(facts);
  copyFileSync(join(root, module), join(folder, `${facts.package.name}_bg.wasm`));
  return readFileSync(join(root, module));
}
