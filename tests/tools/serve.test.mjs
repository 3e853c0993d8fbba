import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from './serve.mjs';

const temporary = mkdtempSync(join(tmpdir(), 'parquill-serve-'));
const folder = join(temporary, 'page');
let server;

before(async () => {
  mkdirSync(folder);
  writeFileSync(join(temporary, 'secret.txt'), 'not for visitors');
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'a b.wasm'), 'wasm');
  server = await serve(folder);
});
after(async () => {
  await server.close();
  rmSync(temporary, { recursive: true });
});

/** The answer to a path exactly as written; fetch would tidy it up first. */
function ask(path) {
  return new Promise((resolve, reject) => {
    const socket = connect(new URL(server.url).port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.0\r\n\r\n`));
    let answer = '';
    socket.on('data', (bytes) => { answer += bytes; }).on('end', () => resolve(answer)).on('error', reject);
  });
}

test('a folder has its index, files have their types', async () => {
  const page = await fetch(server.url);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(await page.text(), '<p>page</p>');
  const module = await fetch(`${server.url}a%20b.wasm`);
  assert.equal(module.headers.get('content-type'), 'application/wasm');
});

test('what is not in the folder is not found', async () => {
  for (const path of ['/nothing', '/../secret.txt', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/%', '/%00']) {
    assert.match(await ask(path), /^HTTP\/1\.1 404 /, path);
  }
});

test('a taken port is passed over', async () => {
  const taken = Number(new URL(server.url).port);
  const second = await serve(folder, taken);
  assert.ok(Number(new URL(second.url).port) > taken);
  await second.close();
});
