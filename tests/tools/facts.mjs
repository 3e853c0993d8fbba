// The build facts of wasm-pack.toml, checked: a fact that is missing, misspelt or of the wrong kind is an error.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { root, Trouble } from './command.mjs';

/** What scripts of each format end with. */
export const ENDINGS = { esm: 'js', cjs: 'cjs' };

const shape = {
  rust: { target: 'string', profile: 'string', features: 'list', flags: 'list' },
  bindgen: { version: 'string', folder: 'string', flags: 'list' },
  'wasm-opt': { binaryen: 'string', flags: 'list' },
  package: { name: 'string', folder: 'string', ecmascript: 'string' },
};
/** Sections of which there are several, by name. */
const shapes = {
  module: { crate: 'string', 'cargo-features': 'list', bindgen: 'boolean' },
  bundle: { module: 'string', build: 'string', format: 'string', split: 'boolean', entries: 'object' },
};

const kindOf = (value) => {
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return 'list';
  return typeof value;
};

function check(section, found, keys) {
  for (const [key, kind] of Object.entries(keys)) {
    const is = kindOf(found?.[key]);
    if (is !== kind) throw new Trouble(`wasm-pack.toml: [${section}] ${key} is ${is}, not a ${kind}`);
  }
  for (const key of Object.keys(found)) {
    if (!keys[key]) throw new Trouble(`wasm-pack.toml: nobody reads [${section}] ${key}`);
  }
}

/** Facts from the text of wasm-pack.toml: facts.bindgen.flags, facts.module.parquill.crate, facts.budget.index … */
export function readFacts(text) {
  const facts = parse(text);
  for (const section of Object.keys(facts)) {
    if (!shape[section] && !shapes[section] && section !== 'budget') {
      throw new Trouble(`wasm-pack.toml: nobody reads [${section}]`);
    }
  }
  for (const [section, keys] of Object.entries(shape)) check(section, facts[section] ?? {}, keys);
  for (const [section, keys] of Object.entries(shapes)) {
    for (const [name, found] of Object.entries(facts[section] ?? {})) check(`${section}.${name}`, found, keys);
  }
  for (const [name, { module, format }] of Object.entries(facts.bundle)) {
    if (!facts.module[module]?.bindgen) throw new Trouble(`wasm-pack.toml: [bundle.${name}] module has no glue`);
    if (!['esm', 'cjs'].includes(format)) throw new Trouble(`wasm-pack.toml: [bundle.${name}] format is esm or cjs`);
  }
  check('budget', facts.budget ?? {}, Object.fromEntries(entries(facts).map(({ name }) => [name, 'number'])));
  return facts;
}

/** The entries of all bundles: which source becomes which script. Entries of one name in two bundles are one to users. */
export const entries = (facts) =>
  Object.values(facts.bundle).flatMap(({ format, entries: sources }) =>
    Object.entries(sources).map(([name, source]) => ({ name, source, script: `${name}.${ENDINGS[format]}` })));

const textOf = (path) => readFileSync(join(root, path), 'utf8');

export const loadFacts = () => readFacts(textOf('wasm-pack.toml'));

/** The same facts as the other files state them, for the comparison before each build. */
export function loadStatements() {
  const crate = parse(textOf('Cargo.toml'));
  const cargo = parse(textOf('.cargo/config.toml'));
  const xtask = parse(textOf('tests/xtask/Cargo.toml'));
  const npm = JSON.parse(textOf('package.json'));
  const wasmOnly = crate.target['cfg(target_arch = "wasm32")'].dependencies;
  return { crate, cargo, xtask, npm, wasmOnly };
}

/** The flags for rustc that turn the features on. */
export const rustFlags = (facts) => facts.rust.features.map((feature) => `-Ctarget-feature=+${feature}`);

/** Where the facts and the other files disagree, a line each. */
export function disagreements(facts, { crate, cargo, xtask, npm, wasmOnly }) {
  const { target } = facts.rust;
  return [
    ['package name, package.json', facts.package.name, npm.name],
    ['package name, Cargo.toml', facts.package.name, crate.package.name],
    ['version, Cargo.toml and package.json', crate.package.version, npm.version],
    ['licence, Cargo.toml and package.json', crate.package.license, npm.license],
    ['features, .cargo/config.toml', rustFlags(facts), cargo.target[target]?.rustflags],
    ['wasm-bindgen, Cargo.toml', `=${facts.bindgen.version}`, wasmOnly['wasm-bindgen']],
    ['wasm-bindgen, tests/xtask', `=${facts.bindgen.version}`, xtask.dependencies['wasm-bindgen-cli'].version],
    ['binaryen, package.json', facts['wasm-opt'].binaryen, npm.devDependencies.binaryen],
  ]
    .filter(([, ours, theirs]) => JSON.stringify(ours) !== JSON.stringify(theirs))
    .map(([what, ours, theirs]) => `${what}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`);
}
