import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closing, count, skipLines } from './counts.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'parquill-counts-'));
after(() => rmSync(temporary, { recursive: true }));

const numbers = ({ passed, failed, skipped }) => [passed, failed, skipped];

test('cargo: the sum over all test programs', () => {
  const text = [
    'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s',
    'test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s',
  ].join('\n');
  assert.deepEqual(numbers(count('cargo', 101, text)), [7, 2, 1]);
});

test('cargo: what does not compile is a failure', () => {
  const result = count('cargo', 101, 'error: could not compile `parquill`');
  assert.deepEqual(numbers(result), [0, 1, 0]);
  assert.equal(result.reason, 'ended with code 101');
});

test('a suite that ran nothing has failed', () => {
  assert.equal(count('cargo', 0, 'no tests to run!').failed, 1);
  assert.equal(count('cargo', 0, 'test result: ok. 0 passed; 0 failed; 0 ignored').failed, 1);
  assert.equal(count('line', 0, 'done').failed, 1);
});

test('node: counts of this Node, colours or not', () => {
  const file = join(temporary, 'some.test.mjs');
  writeFileSync(file, `
    import { describe, test } from 'node:test';
    test('good', () => {});
    describe('more', () => { test('good too', () => {}); test('bad', () => { throw new Error('no'); }); });
    test('left out', { skip: 'no camera here' }, () => {});`);
  for (const FORCE_COLOR of ['0', '1']) {
    const env = { ...process.env, FORCE_COLOR };
    // Otherwise the inner run reports to this one, in its own format.
    delete env.NODE_TEST_CONTEXT;
    const args = ['--test', '--test-reporter=spec', file];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.deepEqual(numbers(count('node', status, stdout)), [2, 1, 1]);
    assert.match(skipLines(stdout)[0], /left out.*no camera here/);
  }
});

test('line: the last one counts', () => {
  assert.deepEqual(numbers(count('line', 0, '1 passed, 0 failed\nmore\n12 passed, 0 failed, 3 skipped\n')), [12, 0, 3]);
  assert.deepEqual(numbers(count('line', 1, '12 passed, 0 failed\n')), [12, 1, 0]);
});

test('exit: one check', () => {
  assert.deepEqual(numbers(count('exit', 0, '')), [1, 0, 0]);
  assert.deepEqual(numbers(count('exit', 1, '')), [0, 1, 0]);
});

test('the closing line names skipped tests only where there are some', () => {
  const some = { passed: 2, failed: 0, skipped: 0 };
  assert.equal(closing([some, some]), '4 passed, 0 failed');
  assert.equal(closing([some, { passed: 0, failed: 1, skipped: 2 }]), '2 passed, 1 failed, 2 skipped');
});
