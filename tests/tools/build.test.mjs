// wasm-pack.toml, the other files and what was really built must say the same.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { packageProgram, root, run } from './command.mjs';
import { disagreements, loadFacts, loadStatements, readFacts, rustFlags } from './facts.mjs';
import {
  bind, bindgenArguments, boundNames, cargoArguments, moduleNames, modulePaths, optimise, optimiserArguments,
} from './module.mjs';
import { writePackage } from './package.mjs';
import { checkBudget, measure } from './measure.mjs';

const facts = loadFacts();
const folder = join(root, facts.package.folder);
const read = (path) => readFileSync(join(root, path));
const wasmName = `${facts.package.name}_bg.wasm`;
const temporary = mkdtempSync(join(tmpdir(), 'parquill-build-'));
after(() => rmSync(temporary, { recursive: true }));

/** Names in the module's target_features section, as far as they are used. */
function featuresOf(bytes) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'target_features');
  const found = [];
  for (let at = 1, view = new Uint8Array(section); at < view.length; at += 2 + view[at + 1]) {
    if (view[at] === 0x2b) found.push(Buffer.from(view.subarray(at + 2, at + 2 + view[at + 1])).toString());
  }
  return found;
}

function filesOf(path) {
  return Object.fromEntries(readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => [file.slice(path.length + 1), readFileSync(file).toString('base64')]));
}

test('the files agree with wasm-pack.toml', () => {
  assert.deepEqual(disagreements(facts, loadStatements()), []);
});

test('every disagreement is found', () => {
  const statements = loadStatements();
  const changes = [
    ['rust', 'features', []],
    ['bindgen', 'version', '0.2.1'],
    ['wasm-opt', 'binaryen', '1.0.0'],
    ['package', 'name', 'other'],
  ];
  for (const [section, key, value] of changes) {
    const changed = { ...facts, [section]: { ...facts[section], [key]: value } };
    assert.notDeepEqual(disagreements(changed, statements), [], `[${section}] ${key}`);
  }
  const npm = { ...statements.npm, version: '9.9.9' };
  assert.equal(disagreements(facts, { ...statements, npm }).length, 1);
});

test('a fact that nobody reads, or of the wrong kind, is refused', () => {
  const text = read('wasm-pack.toml').toString();
  const changed = (before, after) => () => readFacts(text.replace(before, after));
  assert.throws(changed('[budget]', '[budget]\nglue = 1'), /nobody reads \[budget\] glue/);
  assert.throws(changed('[budget]', '[budgets]'), /nobody reads \[budgets\]/);
  assert.throws(changed('\nfeatures = ', '\nfeature = '), /\[rust\] features/);
  assert.throws(changed(/\nindex = \S+/, '\nindex = "big"'), /\[budget\] index/);
  assert.throws(changed(/\nindex = \S+/, ''), /\[budget\] index is undefined/);
  assert.throws(changed('module = "parquill"', 'module = "other"'), /\[bundle\.full\] module/);
});

test('a plain wasm-pack build is told the same flags for wasm-opt', () => {
  const { profile } = loadStatements().crate.package.metadata['wasm-pack'];
  assert.deepEqual(profile[facts.rust.profile]['wasm-opt'], facts['wasm-opt'].flags);
});

test('the facts reach the programs', () => {
  assert.deepEqual(rustFlags({ rust: { features: ['a', 'b'] } }), ['-Ctarget-feature=+a', '-Ctarget-feature=+b']);
  for (const name of moduleNames(facts)) {
    const cargo = cargoArguments(facts, name);
    assert.equal(cargo[cargo.indexOf('--target') + 1], facts.rust.target);
    assert.equal(cargo[cargo.indexOf('--profile') + 1], facts.rust.profile);
    for (const flag of facts.bindgen.flags) assert.ok(bindgenArguments(facts, name, 'in', 'out').includes(flag));
    for (const flag of facts['wasm-opt'].flags) assert.ok(optimiserArguments(facts, name, 'in', 'out').includes(flag));
  }
});

test('the tools in use have the versions named', () => {
  const lock = read('Cargo.lock').toString();
  assert.match(lock, new RegExp(`name = "wasm-bindgen"\nversion = "${facts.bindgen.version}"\n`));
  const cli = read('tests/xtask/Cargo.lock').toString();
  assert.match(cli, new RegExp(`name = "wasm-bindgen-cli"\nversion = "${facts.bindgen.version}"\n`));
  assert.equal(JSON.parse(read('node_modules/binaryen/package.json')).version, facts['wasm-opt'].binaryen);
});

for (const name of moduleNames(facts)) {
  test(`${name} has the features named, and nothing of the builder`, () => {
    const bytes = readFileSync(join(folder, `${name}_bg.wasm`));
    const found = featuresOf(bytes);
    for (const feature of facts.rust.features) assert.ok(found.includes(feature), `${feature} is not in ${found}`);
    assert.deepEqual(bytes, read(modulePaths(facts, name).module));
    const text = bytes.toString('latin1');
    for (const place of [root, homedir() + '/']) assert.ok(!text.includes(place), `the module contains ${place}`);
    for (const section of ['name', 'producers']) {
      assert.deepEqual(WebAssembly.Module.customSections(new WebAssembly.Module(bytes), section), [], section);
    }
  });
}

test('the package folder holds what its package.json promises', () => {
  const npm = JSON.parse(readFileSync(join(folder, 'package.json')));
  const { crate } = loadStatements();
  assert.equal(npm.version, crate.package.version);
  assert.equal(npm.dependencies, undefined);
  assert.equal(npm.sideEffects, false);
  const promised = [];
  // The first condition that holds is taken: `types` must stand before scripts, `default` behind all.
  const walk = (entry) => {
    if (typeof entry === 'string') {
      promised.push(entry);
      return;
    }
    const conditions = Object.keys(entry);
    if ('default' in entry) assert.deepEqual([conditions[0], conditions.at(-1)], ['types', 'default']);
    Object.values(entry).forEach(walk);
  };
  Object.values(npm.exports).forEach(walk);
  const texts = ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
  for (const path of [npm.types, ...promised, ...texts]) assert.ok(readFileSync(join(folder, path)).length > 0, path);
  for (const name of moduleNames(facts)) {
    const inline = readFileSync(join(folder, `${name}.base64.js`), 'utf8').match(/"(.+)"/)[1];
    assert.deepEqual(gunzipSync(Buffer.from(inline, 'base64')), readFileSync(join(folder, `${name}_bg.wasm`)), name);
  }
});

for (const name of Object.values(facts.bundle).map(({ module }) => module)) {
  test(`src/js/wasm.d.ts says what wasm-bindgen made of ${name}`, async () => {
    const file = join(temporary, 'compare.ts');
    writeFileSync(file, `
      import type * as made from '${join(root, modulePaths(facts, name).glue)}';
      import type * as written from '${join(root, 'src/js/wasm.d.ts')}';
      // TypeScript takes a function with fewer parameters for one with more; here their number must be the same.
      type Shape<T> = { [K in keyof T]: T[K] extends (...args: infer A) => infer R ? [A['length'], R] : T[K] };
      type Written = Shape<written.WasmWriter>;
      type Made = Pick<Shape<made.WasmWriter>, keyof Written>;
      export const forth = (writer: Made): Written => writer;
      export const back = (writer: Written): Made => writer;
      export const constructor = (args: ConstructorParameters<typeof written.WasmWriter>) =>
        args satisfies ConstructorParameters<typeof made.WasmWriter>;
      export const reset = (found: typeof made.__wbg_reset_state): typeof written.__wbg_reset_state => found;
      export const initSync = (found: typeof made.initSync): typeof written.initSync => found;`);
    const { code, output } = await run(packageProgram('tsc'), [
      '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler',
      '--types', '', '--lib', 'esnext,dom', '--ignoreConfig', file,
    ]);
    assert.equal(code, 0, output);
  });
}

test('nothing outside of the package is imported by it', () => {
  for (const name of readdirSync(folder).filter((file) => /\.(c?js|d\.c?ts)$/.test(file))) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, specifier] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*["']([\w.@#/][^"'\s]*)["']/g)) {
      assert.match(specifier, /^\.\//, `${name} imports ${specifier}`);
      const file = specifier.slice(2).replace(/\.(c?)js$/, /\.d\.c?ts$/.test(name) ? '.d.$1ts' : '.$1js');
      assert.ok(existsSync(join(folder, file)), `${name} imports ${specifier}`);
    }
  }
});

test('the same inputs give the same bytes', { timeout: 300_000 }, async () => {
  const again = 'target/wasm-bindgen-again';
  rmSync(join(root, again), { recursive: true, force: true });
  for (const name of boundNames(facts)) await bind(facts, name, again);
  assert.deepEqual(filesOf(join(root, again)), filesOf(join(root, facts.bindgen.folder)));
  for (const name of moduleNames(facts)) {
    const paths = modulePaths(facts, name);
    await optimise(facts, name, paths.bound, 'target/wasm-opt-again/module.wasm');
    assert.deepEqual(read('target/wasm-opt-again/module.wasm'), read(paths.module), name);
  }
  await writePackage(facts, join(temporary, 'pkg'));
  assert.deepEqual(filesOf(join(temporary, 'pkg')), filesOf(folder));
});

test('the budget holds and is enforced', () => {
  const sizes = measure(facts);
  checkBudget(facts, sizes);
  for (const { name, sum } of sizes) {
    const tight = { ...facts, budget: { ...facts.budget, [name]: sum.brotli - 1 } };
    assert.throws(() => checkBudget(tight, sizes), new RegExp(`: ${name}: .* the budget in wasm-pack\\.toml is`));
  }
});

test('npm run size prints the sizes and the budgets', async () => {
  const { code, output } = await run(process.execPath, ['tests/tools/size.mjs']);
  assert.equal(code, 0, output);
  for (const { name, script, files, sum, later } of measure(facts)) {
    assert.ok(files.some((file) => file.name === script));
    // The synchronous functions are given the module's bytes; the worker has a script of its own that brings it; and
    // fragments are joined without it.
    if (!['sync.require', 'worker.require', 'fragments.require'].includes(name)) assert.ok(files.some((file) => /_bg\.wasm$|\.base64\.js$/.test(file.name)), name);
    assert.match(output, new RegExp(`^ +${sum.raw} +${sum.gzip} +${sum.brotli}   all of it$`, 'm'));
    assert.match(output, new RegExp(`^ +${facts.budget[name]}   its budget`, 'm'));
    for (const { name: script } of later) assert.match(output, new RegExp(`only when asked for: .*${script}`));
  }
});

test('every file of the package is counted in some size', () => {
  const counted = new Set(measure(facts).flatMap(({ files, later }) => [
    ...files, ...later.flatMap((one) => one.files),
  ]).map((file) => file.name));
  const code = readdirSync(folder, { recursive: true }).filter((file) => /\.(c?js|wasm)$/.test(file));
  assert.deepEqual(code.filter((file) => !counted.has(file)), []);
});

for (const [what, place] of [['the repository', '.'], ['the package folder', `./${facts.package.folder}`]]) {
  test(`npm pack of ${what} makes a tarball that works elsewhere`, { timeout: 120_000 }, () => {
    const home = mkdtempSync(join(temporary, 'user-'));
    const npm = (args, cwd) => execFileSync('npm', [...args, '--silent', '--no-audit', '--no-fund'], { cwd });
    // Built already: packing must not build again in the middle of the suites.
    npm(['pack', place, '--ignore-scripts', '--pack-destination', home], root);
    const [tarball] = readdirSync(home);
    execFileSync('npm', ['init', '--yes', '--silent'], { cwd: home });
    npm(['install', '--offline', `./${tarball}`], home);
    const installed = readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, [facts.package.name]);
    const program = `
      import { writeParquetBytes } from '${facts.package.name}';
      const bytes = await writeParquetBytes({ n: new Int32Array([1, 2, 3]), s: ['a', null, 'c'] });
      console.log(new TextDecoder('latin1').decode(bytes.subarray(0, 4)) + bytes.length);
      console.log(import.meta.resolve('${facts.package.name}/${wasmName}').endsWith('${wasmName}'));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: home });
    assert.match(output.toString(), /^PAR1\d{3,}\ntrue\n$/);
  });
}
