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
import { bind, bindgenArguments, cargoArguments, modulePaths, optimise, optimiserArguments } from './module.mjs';
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
    ['module', 'features', []],
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
  assert.throws(() => readFacts(text.replace('[budget]', '[budget]\nglue = 1')), /nobody reads \[budget\] glue/);
  assert.throws(() => readFacts(text.replace('features = ', 'feature = ')), /\[module\] features/);
  const big = text.replace(/module-and-glue = \S+/, 'module-and-glue = "big"');
  assert.throws(() => readFacts(big), /\[budget\] module-and-glue/);
});

test('a plain wasm-pack build is told the same flags for wasm-opt', () => {
  const { profile } = loadStatements().crate.package.metadata['wasm-pack'];
  assert.deepEqual(profile[facts.module.profile]['wasm-opt'], facts['wasm-opt'].flags);
});

test('the facts reach the programs', () => {
  const cargo = cargoArguments(facts);
  assert.equal(cargo[cargo.indexOf('--target') + 1], facts.module.target);
  assert.equal(cargo[cargo.indexOf('--profile') + 1], facts.module.profile);
  assert.deepEqual(rustFlags({ module: { features: ['a', 'b'] } }), ['-Ctarget-feature=+a', '-Ctarget-feature=+b']);
  for (const flag of facts.bindgen.flags) assert.ok(bindgenArguments(facts, 'in', 'out').includes(flag));
  for (const flag of facts['wasm-opt'].flags) assert.ok(optimiserArguments(facts, 'in', 'out').includes(flag));
});

test('the tools in use have the versions named', () => {
  const lock = read('Cargo.lock').toString();
  assert.match(lock, new RegExp(`name = "wasm-bindgen"\nversion = "${facts.bindgen.version}"\n`));
  const cli = read('tests/xtask/Cargo.lock').toString();
  assert.match(cli, new RegExp(`name = "wasm-bindgen-cli"\nversion = "${facts.bindgen.version}"\n`));
  assert.equal(JSON.parse(read('node_modules/binaryen/package.json')).version, facts['wasm-opt'].binaryen);
});

test('the module has the features named, and nothing of the builder', () => {
  const bytes = readFileSync(join(folder, wasmName));
  const found = featuresOf(bytes);
  for (const feature of facts.module.features) assert.ok(found.includes(feature), `${feature} is not in ${found}`);
  assert.deepEqual(bytes, read(modulePaths(facts).module));
  const text = bytes.toString('latin1');
  for (const place of [root, homedir() + '/']) assert.ok(!text.includes(place), `the module contains ${place}`);
  for (const name of ['name', 'producers']) {
    assert.deepEqual(WebAssembly.Module.customSections(new WebAssembly.Module(bytes), name), [], name);
  }
});

test('the package folder holds what its package.json promises', () => {
  const npm = JSON.parse(readFileSync(join(folder, 'package.json')));
  const { crate } = loadStatements();
  assert.equal(npm.version, crate.package.version);
  assert.equal(npm.dependencies, undefined);
  assert.equal(npm.sideEffects, false);
  assert.equal(Object.keys(npm.exports['.'])[0], 'types');
  const promised = Object.values(npm.exports)
    .flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
  const texts = ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
  for (const path of [npm.types, ...promised, ...texts]) assert.ok(readFileSync(join(folder, path)).length > 0, path);
  const inline = readFileSync(join(folder, 'inline.js'), 'utf8').match(/"(.+)"/)[1];
  assert.deepEqual(gunzipSync(Buffer.from(inline, 'base64')), readFileSync(join(folder, wasmName)));
});

test('src/js/wasm.d.ts says what wasm-bindgen made', async () => {
  const file = join(temporary, 'compare.ts');
  writeFileSync(file, `
    import type * as made from '${join(root, modulePaths(facts).glue)}';
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
    '--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', '',
    '--lib', 'esnext,dom', '--ignoreConfig', file,
  ]);
  assert.equal(code, 0, output);
});

test('nothing outside of the package is imported by it', () => {
  for (const name of readdirSync(folder).filter((file) => /\.(js|d\.ts)$/.test(file))) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, specifier] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*["']([\w.@#/][^"'\s]*)["']/g)) {
      assert.match(specifier, /^\.\//, `${name} imports ${specifier}`);
      const file = specifier.slice(2).replace(/\.js$/, name.endsWith('.d.ts') ? '.d.ts' : '.js');
      assert.ok(existsSync(join(folder, file)), `${name} imports ${specifier}`);
    }
  }
});

test('the same inputs give the same bytes', { timeout: 300_000 }, async () => {
  const paths = modulePaths(facts);
  const again = 'target/wasm-bindgen-again';
  await bind(facts, again);
  assert.deepEqual(filesOf(join(root, again)), filesOf(join(root, facts.bindgen.folder)));
  await optimise(facts, paths.bound, 'target/wasm-opt-again/module.wasm');
  assert.deepEqual(read('target/wasm-opt-again/module.wasm'), read(paths.module));
  await writePackage(facts, join(temporary, 'pkg'));
  assert.deepEqual(filesOf(join(temporary, 'pkg')), filesOf(folder));
});

test('the budget holds and is enforced', () => {
  const sizes = measure(facts);
  checkBudget(facts, sizes);
  const tight = { ...facts, budget: { 'module-and-glue': sizes.both.brotli - 1 } };
  assert.throws(() => checkBudget(tight, sizes), /the budget in wasm-pack\.toml is/);
});

test('npm run size prints the sizes and the budget', async () => {
  const { code, output } = await run(process.execPath, ['tests/tools/size.mjs']);
  assert.equal(code, 0, output);
  const { both } = measure(facts);
  assert.match(output, new RegExp(`^ +${both.raw} +${both.gzip} +${both.brotli}   module and glue$`, 'm'));
  assert.match(output, new RegExp(`^ +${facts.budget['module-and-glue']}   budget`, 'm'));
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
