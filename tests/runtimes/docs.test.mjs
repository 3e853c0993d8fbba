/** Documentation: every snippet of README and www/docs runs against the packed package, and its file is read back. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { root } from '../tools/command.mjs';
import { program, project, runIn } from './stage.mjs';
import { surroundings } from './docs/surroundings.mjs';

const PAGES = ['README.md', ...readdirSync(join(root, 'www/docs')).map((name) => `www/docs/${name}`)];
const CODE = ['js', 'ts', 'html'];
/** Fences that are no code of the package. */
const OTHER = ['sh'];

/** The fences of a page: its language, its text, the heading above it, and where it runs. */
function snippetsOf(page) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const found = [];
  let heading = '';
  for (let at = 0; at < lines.length; at++) {
    heading = /^#+ (.+)/.exec(lines[at])?.[1] ?? heading;
    const language = /^```(.*)/.exec(lines[at])?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    assert.ok(end > at, `${page}:${at + 1} is never closed`);
    assert.ok([...CODE, ...OTHER].includes(language), `${page}:${at + 1}: nothing runs ${language || 'plain text'}`);
    const where = /^<!-- runs (?:as|in) (\w+) -->$/.exec(lines[at - 1])?.[1] ?? 'node';
    const place = `${basename(page)}, ${heading}, line ${at + 1}`;
    if (CODE.includes(language)) found.push({ language, text: lines.slice(at + 1, end).join('\n'), where, place });
    at = end;
  }
  return found;
}

const snippets = PAGES.flatMap(snippetsOf);
const folder = project('docs', { 'run.mjs': readFileSync(join(root, 'tests/runtimes/docs/run.mjs'), 'utf8') });
let count = 0;

/** Puts a snippet into a folder of its own, with all that it declares shown. */
function place({ language, text, where, place: title }) {
  const home = join(folder, String(count++));
  mkdirSync(home);
  const script = language === 'html' ? /<script type="module">([\s\S]*?)<\/script>/.exec(text)[1] : text;
  const declared = [...script.matchAll(/^(?:const|let) (?:\{ (.+?) \}|(\w+))/gm)];
  const shown = declared.flatMap(([, many, one]) => one ?? many.split(', '));
  const around = surroundings(script, title, language);
  const names = shown.filter((name) => ['bytes', 'blob', 'same'].includes(name));
  const file = `snippet.${{ cjs: 'cjs' }[where] ?? (language === 'ts' ? 'ts' : 'mjs')}`;
  const tail = names.length > 0 && where !== 'cjs' ? `\nexport { ${names.join(', ')} };\n` : '\n';
  writeFileSync(join(home, file), `${around.before}${script}${tail}${around.after}`);
  if (language === 'html') writeFileSync(join(home, 'page.html'), text);
  return { home, args: ['../run.mjs', file, ...(language === 'html' ? ['page.html'] : [])] };
}

const RUNNERS = {
  node: [process.execPath, []],
  cjs: [process.execPath, []],
  bun: [program('bun'), ['run']],
  deno: [program('deno'), ['run', '--allow-read=.', '--allow-write=.', '--no-remote', '--cached-only']],
};
const QUIET = { DENO_NO_UPDATE_CHECK: '1', DENO_NO_PROMPT: '1', NO_COLOR: '1' };

test('there are snippets of every page', () => {
  assert.ok(snippets.length > 30, String(snippets.length));
  for (const { where, place: title } of snippets) assert.ok(where in RUNNERS, title);
});

test('links between pages lead somewhere', () => {
  for (const page of PAGES) {
    const text = readFileSync(join(root, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, target]) => target);
    for (const target of targets.filter((one) => !/^https?:/.test(one))) {
      assert.ok(existsSync(join(root, dirname(page), target)), `${page}: ${target}`);
    }
  }
});

for (const snippet of snippets) {
  test(snippet.place, async () => {
    const { home, args } = place(snippet);
    const [name, first] = RUNNERS[snippet.where];
    const output = await runIn(home, name, [...first, ...args], QUIET);
    const files = [...output.matchAll(/^file:(.*)$/gm)].map(([, text]) => Buffer.from(text, 'base64'));
    assert.ok(files.length > 0, `no file was made:\n${output}`);
    for (const file of files) {
      const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
      const rows = await parquetReadObjects({ file: buffer, compressors });
      assert.ok(rows.length > 0 && Object.keys(rows[0]).length > 0);
    }
  });
}
