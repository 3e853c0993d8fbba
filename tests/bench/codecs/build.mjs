// Builds the modules and the native program. All stay in target/, and are made again only when their inputs change.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, must, packageProgram, root } from '../../tools/command.mjs';
import { loadFacts, rustFlags } from '../../tools/facts.mjs';
import { once } from '../../tools/stamp.mjs';

const folder = 'tests/bench/codecs';
const target = `${folder}/target`;
const sources = [`${folder}/src`, `${folder}/Cargo.toml`, `${folder}/Cargo.lock`];
const encoder = ['src/codec/zstd', 'src/error.rs'];
const native = `${target}/release/codecs`;

const cargo = (features, more, env) => must('cargo build', 'cargo', [
  'build', '--quiet', '--locked', '--release', '--manifest-path', `${folder}/Cargo.toml`, '--features', features, ...more,
], { env, show: true });

/** A module with the encoders of `features`, optimised as the package's own. */
async function buildModule(facts, name, features, inputs, env) {
  const module = `${target}/${name}.wasm`;
  await once({
    stamp: `${target}/${name}.stamp`,
    inputs: [...sources, ...inputs],
    words: [JSON.stringify([facts.rust, facts['wasm-opt']]), await must('rustc', 'rustc', ['-vV'])],
    outputs: [module],
  }, async () => {
    const flags = rustFlags(facts).join('\x1f');
    await cargo(features, ['--lib', '--target', facts.rust.target], { ...env, CARGO_ENCODED_RUSTFLAGS: flags });
    const built = `${target}/${facts.rust.target}/release/codecs.wasm`;
    mkdirSync(join(root, target), { recursive: true });
    const { flags: passes } = facts['wasm-opt'];
    await must('wasm-opt', packageProgram('wasm-opt'), [built, ...passes, '--strip-debug', '-o', module]);
  });
  return join(root, module);
}

/** The C compiler that knows wasm32, and its archiver; undefined where there is none. */
function wasmCompiler() {
  for (const suffix of ['', '-21', '-20', '-19', '-18', '-17', '-16', '-15', '-14']) {
    const [clang, archiver] = [findProgram(`clang${suffix}`), findProgram(`llvm-ar${suffix}`)];
    if (clang && archiver) return { CC_wasm32_unknown_unknown: clang, AR_wasm32_unknown_unknown: archiver };
  }
  return undefined;
}

/** Paths by name: modules `ours`, `empty` and, with clang, `c`; the program `native`. */
export async function build() {
  const facts = loadFacts();
  const ours = await buildModule(facts, 'ours', 'ours', encoder);
  const empty = await buildModule(facts, 'empty', '', []);
  const compiler = wasmCompiler();
  const c = compiler && await buildModule(facts, 'c', 'c', [], compiler);
  await once({
    stamp: `${target}/native.stamp`,
    inputs: [...sources, ...encoder],
    words: [await must('rustc', 'rustc', ['-vV'])],
    outputs: [native],
  }, () => cargo('ours,c', ['--bin', 'codecs'], {}));
  return { ours, empty, c, native: join(root, native) };
}
