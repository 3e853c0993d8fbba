import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { root } from './command.mjs';
import { digest, filesUnder, once } from './stamp.mjs';

// Stamps name paths of the repository, so the test has its folder there, where git does not look.
mkdirSync(join(root, 'target'), { recursive: true });
const folder = relative(root, mkdtempSync(join(root, 'target/stamp-test-')));
const write = (name, text) => writeFileSync(join(root, folder, name), text);
after(() => rmSync(join(root, folder), { recursive: true }));

test('work is done again when an input, a word or an output changed, and not otherwise', async () => {
  let runs = 0;
  const step = (words = []) => once({
    stamp: `${folder}/stamp`, inputs: [`${folder}/in`], words, outputs: [`${folder}/out`],
  }, () => {
    runs += 1;
    write('out', 'made');
  });
  write('in', '1');
  assert.deepEqual([await step(), await step(), runs], [true, false, 1]);
  write('in', '2');
  assert.deepEqual([await step(), await step(), runs], [true, false, 2]);
  assert.deepEqual([await step(['new tool']), await step(['new tool']), runs], [true, false, 3]);
  write('out', 'touched');
  assert.deepEqual([await step(['new tool']), await step(['new tool']), runs], [true, false, 4]);
  rmSync(join(root, folder, 'out'));
  assert.deepEqual([await step(['new tool']), runs], [true, 5]);
});

test('work that failed, or whose input changed meanwhile, is done again', async () => {
  let runs = 0;
  const paths = { stamp: `${folder}/stamp2`, inputs: [`${folder}/in2`], outputs: [`${folder}/out2`] };
  const step = (work) => once(paths, work);
  write('in2', '1');
  write('out2', '');
  await assert.rejects(step(() => { throw new Error('no'); }), /no/);
  assert.equal(await step(() => write('in2', '2')), true);
  assert.equal(await step(() => { runs += 1; }), true);
  assert.equal(await step(() => { runs += 1; }), false);
  assert.equal(runs, 1);
});

test('the digest tells files apart by name, content and place of the cut', () => {
  write('a', 'xy');
  write('b', '');
  const first = digest([`${folder}/a`, `${folder}/b`]);
  write('a', 'x');
  write('b', 'y');
  assert.notEqual(digest([`${folder}/a`, `${folder}/b`]), first);
  assert.notEqual(digest([], ['ab', 'c']), digest([], ['a', 'bc']));
  assert.deepEqual(filesUnder(`${folder}/nothing`), []);
});
