// Second half of the build: TypeScript and the module → the folder that npm publishes.

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as bundle } from 'esbuild';
import { must, packageProgram, root, Trouble } from './command.mjs';
import { ENDINGS, entries } from './facts.mjs';
import { boundNames, moduleNames, modulePaths, placeModule } from './module.mjs';
import { filesUnder, once } from './stamp.mjs';

const SOURCES = 'src/js';
const TEXTS = ['README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
/** What users of the package need of package.json; scripts and tools stay with the repository. */
const MANIFEST_KEYS = [
  'name', 'version', 'type', 'description', 'keywords', 'license', 'repository',
  'sideEffects', 'types', 'exports', 'engines',
];
const say = (text) => console.log(`build: ${text}`);

/** package.json of the package folder, from that of the repository: the same, seen from inside the folder. */
export function manifest(facts, npm) {
  const kept = Object.fromEntries(MANIFEST_KEYS.filter((key) => key in npm).map((key) => [key, npm[key]]));
  return `${JSON.stringify(kept, null, 2).replaceAll(`"./${facts.package.folder}/`, '"./')}\n`;
}

/** The module as text, for places that cannot fetch the file next to the script. */
export const inlineModule = (bytes) => `export default "${gzipSync(bytes, { level: 9 }).toString('base64')}";\n`;

/**
 * Parts are loaded after the main script, so that all they share with it may stand in one file with it: without this
 * esbuild makes a file of its own of everything that only some of them need.
 */
const parts = {
  name: 'parts',
  setup({ onLoad }) {
    const names = new Set(filesUnder(SOURCES).flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/(?<!typeof )\bimport\('(\..+?)\.js'\)/g)]
        .map(([, name]) => join(root, dirname(file), `${name}.ts`));
    }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!names.has(path)) return undefined;
      const main = `import ${JSON.stringify(join(root, SOURCES, 'index.ts'))};`;
      return { contents: `${main}\n${readFileSync(path, 'utf8')}`, loader: 'ts' };
    });
  },
};

/** What scripts that are required have in place of import.meta.url. */
const OWN_ADDRESS = {
  define: { 'import.meta.url': 'ownAddress' },
  banner: {
    js: "const ownAddress='file:///'+encodeURI(__filename.replace(/^\\/|\\\\/g,(c,at)=>at?'/':'')).replace(/[?#]/g,encodeURIComponent);",
  },
};

async function writeBundle(facts, { module, build, format, split, entries: sources }, folder) {
  const glue = (name) => join(root, modulePaths(facts, name).glue);
  await bundle({
    absWorkingDir: root,
    entryPoints: Object.entries(sources).map(([out, source]) => ({ in: source, out })),
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': `.${ENDINGS[format]}` },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: split,
    format,
    ...(format === 'cjs' ? OWN_ADDRESS : {}),
    target: facts.package.ecmascript,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    alias: {
      ...Object.fromEntries(boundNames(facts).map((name) => [`#wasm/${name}`, glue(name)])),
      '#wasm': glue(module),
      '#build': join(root, build),
    },
    external: ['./*.base64.js', './*.wasm'],
    plugins: [parts],
    logLevel: 'warning',
    // Something the glue does not have, for want of a flag in wasm-pack.toml, say.
    logOverride: { 'import-is-undefined': 'error', 'ignored-bare-import': 'silent' },
  });
}

/** Checks all TypeScript, then copies the declarations that those of the entries lead to, and no others. */
async function writeDeclarations(facts, folder) {
  const emitted = 'target/types';
  rmSync(join(root, emitted), { recursive: true, force: true });
  await must('TypeScript', packageProgram('tsc'), [
    '--project', 'tsconfig.json', '--noEmit', 'false', '--declaration', '--emitDeclarationOnly',
    '--rootDir', SOURCES, '--outDir', emitted,
  ]);
  const sources = entries(facts).map(({ source }) => posix.relative(SOURCES, source).replace(/\.ts$/, '.d.ts'));
  const wanted = [...new Set(sources)];
  for (const name of wanted) {
    const path = join(root, emitted, name);
    if (!existsSync(path)) throw new Trouble(`a public declaration leads to ${name}, which is not part of the package`);
    const imports = /(from\s+|import\()(['"])(.+?)\2/g;
    const text = (ending) => readFileSync(path, 'utf8').replace(imports, (_, before, quote, specifier) => {
      if (!specifier.startsWith('.')) {
        throw new Trouble(`${name} needs ${specifier}, which users lack: mark what uses it @internal`);
      }
      const target = posix.join(posix.dirname(name), specifier).replace(/\.[jt]s$/, '');
      if (!wanted.includes(`${target}.d.ts`)) wanted.push(`${target}.d.ts`);
      return `${before}${quote}${specifier.replace(/\.[jt]s$/, '')}.${ending}${quote}`;
    });
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text('js'));
    // TypeScript holds declarations to the format of the script: what is required needs its own.
    writeFileSync(join(folder, name.replace(/\.ts$/, '.cts')), text('cjs'));
  }
}

/** Writes the whole package into `folder`, anew. */
export async function writePackage(facts, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of moduleNames(facts)) {
    const bytes = placeModule(facts, name, folder);
    writeFileSync(join(folder, `${name}.base64.js`), inlineModule(bytes));
  }
  await writeDeclarations(facts, folder);
  for (const one of Object.values(facts.bundle)) await writeBundle(facts, one, folder);
  const npm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), manifest(facts, npm));
  for (const name of TEXTS.flatMap(filesUnder)) copyFileSync(join(root, name), join(folder, name));
}

/** Makes the package folder where anything that goes into it changed. */
export async function buildPackage(facts) {
  return once({
    stamp: 'target/stamps/package',
    inputs: [
      ...filesUnder('src').filter((file) => file.endsWith('.ts')),
      ...moduleNames(facts).flatMap((name) => Object.values(modulePaths(facts, name))),
      'tsconfig.json', 'package.json', 'package-lock.json', ...TEXTS, 'tests/tools/package.mjs',
    ],
    words: [JSON.stringify(facts)],
    outputs: [facts.package.folder],
  }, async () => {
    say('package (tsc, esbuild)');
    // Made aside and put in place whole: a failed build leaves no half package.
    const aside = join(root, 'target/package');
    const folder = join(root, facts.package.folder);
    await writePackage(facts, aside);
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
  });
}
