import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findProgram, must, run } from './command.mjs';
import { suites } from './suites.mjs';

const node = (program) => [process.execPath, ['--eval', program]];

test('output and code come back', async () => {
  const { code, output, timedOut } = await run(...node('console.log("out"); console.error("err"); process.exit(3)'));
  assert.deepEqual([code, timedOut], [3, false]);
  assert.match(output, /out/);
  assert.match(output, /err/);
});

test('a program that must succeed names itself when it does not', async () => {
  const expected = /^Trouble: the step failed: .* ended with code 4$/;
  await assert.rejects(must('the step', ...node('process.exit(4)')), expected);
});

test('there is no input, so nothing waits for it', async () => {
  const { code } = await run(...node('process.stdin.resume().on("end", () => process.exit(0))'), { timeout: 30 });
  assert.equal(code, 0);
});

test('a time limit ends the program and what it started', { timeout: 60_000 }, async () => {
  const child = 'setInterval(() => {}, 1000)';
  const parent = `
    require('node:child_process').spawn(process.execPath, ['--eval', '${child}'], { stdio: 'inherit' });
    ${child}`;
  // The child holds the same pipe: as long as it lives, this call does not return.
  const { code, timedOut } = await run(...node(parent), { timeout: 2 });
  assert.deepEqual([code, timedOut], [1, true]);
});

test('programs are found on PATH only', () => {
  assert.ok(findProgram('sh').startsWith('/'));
  assert.equal(findProgram('no-such-program-here'), undefined);
});

test('every suite is whole and has a name of its own', () => {
  for (const { name, what, needs, program, args, form, minutes } of suites) {
    assert.ok(name && what && Array.isArray(needs) && program && Array.isArray(args) && form && minutes > 0, name);
  }
  assert.equal(new Set(suites.map(({ name }) => name)).size, suites.length);
});
