// LZ4 and zstd frames: all levels that pyarrow's codecs have, frames put together, and damaged ones.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixtures, load, randomFrom } from './arrow-expand.mjs';

const { decodeLz4, decodeZstd } = await load('lz4.ts', 'zstd-decode.ts');
const decoders = { lz4: decodeLz4, zstd: decodeZstd };
const file = new Uint8Array(readFileSync(new URL('frames.bin', fixtures)));
const frames = JSON.parse(readFileSync(new URL('frames.json', fixtures), 'utf8'))
  .map((entry) => ({ ...entry, bytes: file.subarray(entry.at, entry.at + entry.size) }));

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

function decode({ codec, bytes, length }) {
  const out = new Uint8Array(length);
  decoders[codec](bytes, out);
  return out;
}

for (const content of new Set(frames.map((frame) => frame.content))) {
  test(`${content}, all levels`, () => {
    for (const frame of frames.filter((other) => other.content === content)) {
      assert.equal(hash(decode(frame)), frame.sha256, `${frame.codec} level ${frame.level}`);
    }
  });
}

test('frames that follow each other, and skippable ones between', () => {
  const skippable = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9);
  for (const codec of ['lz4', 'zstd']) {
    const [text, skewed] = ['text', 'skewed']
      .map((content) => frames.find((frame) => frame.codec === codec && frame.content === content));
    const bytes = new Uint8Array(Buffer.concat([skippable, text.bytes, skippable, skewed.bytes, skippable]));
    const out = decode({ codec, bytes, length: text.length + skewed.length });
    assert.equal(hash(out.subarray(0, text.length)), text.sha256);
    assert.equal(hash(out.subarray(text.length)), skewed.sha256);
  }
});

test('a length that is not the frame\'s is an error', () => {
  for (const frame of frames.filter(({ level, length }) => level === 1 && length > 0)) {
    assert.throws(() => decode({ ...frame, length: frame.length - 1 }), Error);
    assert.throws(() => decode({ ...frame, length: frame.length + 1 }), Error);
    assert.throws(() => decode({ ...frame, length: 0 }), Error);
  }
});

test('every frame cut off anywhere is an error', () => {
  const contents = ['text', 'skewed', 'byte'];
  const some = frames.filter(({ content, level }) => contents.includes(content) && [1, 9, 19].includes(level));
  for (const frame of some) {
    for (let size = 0; size < frame.size; size += size < 40 ? 1 : 17) {
      const what = `${frame.codec} ${frame.content} ${size}`;
      assert.throws(() => decode({ ...frame, bytes: frame.bytes.subarray(0, size) }), Error, what);
    }
  }
});

test('20,000 damaged frames end at once, in an error or in bytes', (context) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  context.diagnostic(`SEED=${seed}`);
  const random = randomFrom(seed);
  let errors = 0;
  let slowest = 0;
  for (let round = 0; round < 20_000; round++) {
    const frame = frames[random(frames.length)];
    if (frame.size === 0) continue;
    const bytes = frame.bytes.slice();
    for (let change = random(4); change >= 0; change--) {
      // Headers, tables and the first sequences decide the most.
      const at = random(random(2) === 0 ? Math.min(48, bytes.length) : bytes.length);
      bytes[at] = random(3) === 0 ? [0, 255, 128, 1][random(4)] : bytes[at] ^ (1 << random(8));
    }
    const start = performance.now();
    try {
      decode({ ...frame, bytes });
    } catch (error) {
      const what = `SEED=${seed}, round ${round}: ${error.stack}`;
      assert.ok(error instanceof Error && error.constructor !== TypeError, what);
      errors++;
    }
    slowest = Math.max(slowest, performance.now() - start);
  }
  context.diagnostic(`${errors} errors, the slowest took ${slowest.toFixed(0)} ms`);
  assert.ok(errors > 1000);
  assert.ok(slowest < 1000, `SEED=${seed}: ${slowest} ms`);
});
