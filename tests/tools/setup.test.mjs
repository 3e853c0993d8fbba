// Set-up as a newcomer meets it: with tools missing, with an old tool, and a second time.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findProgram, root, run } from './command.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'parquill-setup-'));
after(() => rmSync(temporary, { recursive: true }));

/** A clone without anything built, and a PATH on which only the given programs lie. */
function newcomer(name, programs = {}) {
  const clone = join(temporary, name);
  const bin = join(clone, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const file of ['tests/tools', 'Cargo.toml', 'package.json', 'package-lock.json']) {
    cpSync(join(root, file), join(clone, file), { recursive: true });
  }
  mkdirSync(join(clone, 'tests/readers'));
  writeFileSync(join(clone, 'tests/readers/requirements.txt'), '');
  for (const [program, script] of Object.entries(programs)) {
    const path = join(bin, program);
    if (script === true) symlinkSync(findProgram(program), path);
    else {
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
    }
  }
  return (...steps) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, 'tests/tools/setup.mjs'), ...steps], {
      encoding: 'utf8',
      env: { PATH: bin, HOME: clone },
    });
    return { status, stdout, stderr };
  };
}

const NO_TARGET = '[ "$1" = --version ] && echo rustc 1.999.0 || echo /nowhere';
const NO_VENV = 'case "$2" in *version*) echo 3.12;; *) exit 1;; esac';

const complaints = [
  ['no npm', 'node', {}, /npm is missing: .*nodejs\.org/],
  ['no Rust', 'rust', {}, /Rust is missing: .*rustup\.rs/],
  ['no toolchain', 'rust', { cargo: 'exit 1', rustc: 'exit 1' }, /rustup default stable/],
  ['an old Rust', 'rust', { cargo: 'exit 0', rustc: 'echo rustc 1.70.0' }, /this is 1\.70: rustup update stable/],
  ['no rustup', 'rust', { cargo: 'exit 0', rustc: NO_TARGET }, /target wasm32-unknown-unknown is missing/],
  ['no Python', 'python', {}, /Python is missing: .*3\.10/],
  ['an old Python', 'python', { python3: 'echo 3.9' }, /Python 3\.10 or newer is needed, python3 is 3\.9/],
  ['no venv module', 'python', { python3: NO_VENV }, /install python3-venv/],
  ['no Java', 'java', {}, /Java 17 or newer is missing: install/],
  ['an old Java', 'java', { java: 'echo \'openjdk version "11.0.2"\' >&2' }, /Java 17 or newer is missing: install/],
  ['no browser', 'browser', {}, /chromium and chromedriver missing: install/],
  ['no driver', 'browser', { chromium: 'exit 0' }, /parquill: chromedriver missing: install/],
];

for (const [what, step, programs, expected] of complaints) {
  test(`${what}: one line says what to do`, () => {
    const { status, stderr } = newcomer(what, programs)(step);
    assert.equal(status, 1);
    assert.match(stderr, expected);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  });
}

test('a failed installation shows what the program wrote, and is tried again', () => {
  const setUp = newcomer('failing', { npm: 'echo registry is asleep >&2; exit 7' });
  for (const attempt of [1, 2]) {
    const { status, stdout, stderr } = setUp('node');
    assert.equal(status, 1, `attempt ${attempt}`);
    assert.match(stdout, /npm packages/);
    assert.match(stderr, /registry is asleep[^]*npm ci failed/);
  }
});

test('root installs the browser, anyone else is told to', () => {
  const bin = join(temporary, 'apt', 'bin');
  const install = `[ "$1" = update ] && exit 0
    for name in chromium chromedriver; do echo "#!/bin/sh" > "${bin}/$name"; chmod 755 "${bin}/$name"; done`;
  const setUp = newcomer('apt', { 'apt-get': install, chmod: true });
  const { stdout, stderr } = setUp('browser');
  if (process.getuid?.() === 0) {
    assert.match(stdout, /installing chromium and chromium-driver/);
    assert.deepEqual(setUp('browser'), { status: 0, stdout: '', stderr: '' });
  } else {
    assert.match(stderr, /chromium and chromedriver missing: install/);
  }
});

test('the second time nothing is done', () => {
  const lock = 'mkdir -p node_modules; echo "{}" > node_modules/.package-lock.json';
  const setUp = newcomer('twice', { npm: lock, mkdir: true });
  assert.match(setUp('node').stdout, /npm ci/);
  assert.deepEqual(setUp('node'), { status: 0, stdout: '', stderr: '' });
  writeFileSync(join(temporary, 'twice/package-lock.json'), '{}');
  assert.match(setUp('node').stdout, /npm ci/);
});

test('this clone is set up, and asking for it again costs nearly nothing', async () => {
  const start = performance.now();
  const { code, output } = await run(process.execPath, ['tests/tools/setup.mjs', 'node', 'rust', 'xtask']);
  assert.equal(code, 0);
  assert.equal(output, '');
  // Well under a second on an idle machine; the limit is for one that is busy.
  assert.ok(performance.now() - start < 5000);
});

test('an unknown step is refused', async () => {
  const { code, output } = await run(process.execPath, ['tests/tools/setup.mjs', 'kitchen']);
  assert.equal(code, 1);
  assert.match(output, /no set-up step "kitchen"/);
});
