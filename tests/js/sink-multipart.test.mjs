// Uploads in parts of one size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { multipartSink, ParquetWriter, r2MultipartSink } from '../../pkg/index.js';
import { readBack } from './read-back.mjs';
import { errorOf, fileOf, join, tick } from './stream-tools.mjs';

const table = {
  id: Int32Array.from({ length: 20_000 }, (_, row) => row),
  text: Array.from({ length: 20_000 }, (_, row) => `text ${(row * 7919) % 20_011}`),
};
const options = { rowGroupRows: 3000, compression: 'none' };
const whole = await fileOf([table], options);

/** A store that keeps parts and says in which order things happened. */
function store({ partBytes = 10_000, upload, complete, abort, concurrency } = {}) {
  const log = { parts: [], events: [], underWay: 0, most: 0, completed: undefined, aborted: [] };
  log.sink = multipartSink({
    partBytes,
    ...(concurrency === undefined ? {} : { concurrency }),
    async uploadPart(number, bytes) {
      log.events.push(`upload ${number}`);
      log.most = Math.max(log.most, ++log.underWay);
      try {
        await upload?.(number, bytes);
      } finally {
        log.underWay--;
      }
      log.parts[number - 1] = bytes;
      return { number, etag: `e${number}` };
    },
    async complete(parts) {
      log.events.push('complete');
      await complete?.();
      log.completed = parts;
    },
    async abort(reason) {
      log.events.push('abort');
      log.aborted.push({ reason, underWay: log.underWay });
      await abort?.();
    },
  });
  return log;
}

async function write(sink, batches = 4) {
  const writer = await ParquetWriter.open({ ...options, sink });
  const size = table.id.length / batches;
  for (let from = 0; from < table.id.length; from += size) {
    await writer.write({ id: table.id.slice(from, from + size), text: table.text.slice(from, from + size) });
  }
  return writer.finish();
}

for (const partBytes of [1, 777, 10_000, whole.length - 1, whole.length, whole.length + 1].filter((size) => size > 1)) {
  test(`all parts but the last have ${partBytes} bytes`, async () => {
    const log = store({ partBytes });
    await write(log.sink);
    const sizes = log.parts.map(({ length }) => length);
    const last = sizes.pop();
    assert.ok(sizes.every((size) => size === partBytes), String(sizes));
    assert.ok(last > 0 && last <= partBytes);
    assert.deepEqual(join(log.parts), whole);
    assert.deepEqual(log.completed, log.parts.map((_, index) => ({ number: index + 1, etag: `e${index + 1}` })));
    assert.deepEqual(log.aborted, []);
  });
}

test('at most so many uploads at once, and parts in order however they end', async () => {
  for (const concurrency of [1, 3, undefined]) {
    const log = store({ partBytes: 5000, concurrency, upload: (number) => tick((number * 7) % 4) });
    await write(log.sink);
    assert.equal(log.most, concurrency ?? 4);
    assert.deepEqual(join(log.parts), whole);
  }
});

test('uploads that do not end hold the writer back', async () => {
  const gates = [];
  const upload = () => new Promise((resolve) => { gates.push(resolve); });
  const log = store({ partBytes: 5000, concurrency: 2, upload });
  const call = write(log.sink, 20);
  await tick(30);
  assert.equal(gates.length, 2);
  const open = setInterval(() => gates.splice(0).forEach((gate) => gate()), 1);
  await call;
  clearInterval(open);
  assert.deepEqual(join(log.parts), whole);
});

test('an upload that fails: nothing more is uploaded, abort comes when the others have ended, once', async () => {
  for (const failing of [1, 3, 5, Math.ceil(whole.length / 20_000)]) {
    const cause = new Error(`part ${failing}`);
    const log = store({
      partBytes: 20_000,
      concurrency: 3,
      async upload(number) {
        await tick(number === failing ? 1 : 8);
        if (number === failing) throw cause;
      },
    });
    const error = await errorOf(write(log.sink));
    const first = error.code === 'ERR_POISONED' ? error.cause : error;
    assert.equal(first.code, 'ERR_SINK');
    assert.equal(first.cause, cause);
    await tick(20);
    assert.deepEqual(log.aborted, [{ reason: cause, underWay: 0 }]);
    assert.equal(log.events.at(-1), 'abort');
    assert.equal(log.events.includes('complete'), false);
    assert.ok(log.events.filter((event) => event.startsWith('upload')).length <= failing + 3);
  }
});

test('a complete that fails aborts; an abort that fails does not hide why', async () => {
  const cause = new Error('no such upload');
  const log = store({ complete: () => { throw cause; }, abort: () => { throw new Error('neither'); } });
  const error = await errorOf(write(log.sink));
  assert.equal(error.code, 'ERR_SINK');
  assert.equal(error.cause, cause);
  assert.deepEqual(log.events.slice(-2), ['complete', 'abort']);
});

test('a writer that fails or is aborted aborts the upload, and nothing comes after', async () => {
  const log = store({ upload: () => tick(2) });
  const writer = await ParquetWriter.open({ ...options, sink: log.sink });
  await writer.write(table);
  const reason = new Error('enough');
  await writer.abort(reason);
  await tick(10);
  assert.deepEqual(log.aborted, [{ reason, underWay: 0 }]);
  const { length } = log.events;
  assert.equal(log.events[length - 1], 'abort');
  await tick(20);
  assert.equal(log.events.length, length);
  assert.equal(log.completed, undefined);
});

test('a sink that takes nothing uploads one empty part', async () => {
  const log = store();
  await log.sink.getWriter().close();
  assert.deepEqual(log.events, ['upload 1', 'complete']);
  assert.equal(log.parts[0].length, 0);
});

test('sizes that are none', () => {
  const rest = { uploadPart: async () => 1, complete: async () => 1, abort: async () => 1 };
  for (const partBytes of [0, -1, 1.5, NaN, undefined, '5']) {
    assert.throws(() => multipartSink({ ...rest, partBytes }), { code: 'ERR_OPTION', message: /partBytes/ });
  }
  for (const concurrency of [0, -1, 1.5, null]) {
    const refused = { code: 'ERR_OPTION', message: /concurrency/ };
    assert.throws(() => multipartSink({ ...rest, partBytes: 1, concurrency }), refused);
  }
  const small = { partBytes: 5 * 2 ** 20 - 1 };
  assert.throws(() => r2MultipartSink({}, 'key', small), { code: 'ERR_OPTION', message: /5242880/ });
});

/** A bucket as Workers see it: methods that need their own `this`. */
class Bucket {
  objects = new Map();
  calls = [];

  async createMultipartUpload(key, given) {
    this.calls.push(['create', key, given]);
    const bucket = this;
    const parts = [];
    return {
      async uploadPart(partNumber, bytes) {
        parts[partNumber - 1] = bytes;
        return { partNumber, etag: String(bytes.length) };
      },
      async complete(uploaded) {
        bucket.calls.push(['complete', uploaded]);
        bucket.objects.set(key, join(parts));
      },
      async abort() {
        bucket.calls.push(['abort']);
      },
    };
  }
}

test('R2: parts of 8 MiB, the content type, the object', async () => {
  const bucket = new Bucket();
  const sink = r2MultipartSink(bucket, 'rows.parquet', { customMetadata: { by: 'test' } });
  assert.deepEqual(bucket.calls, []);
  const numbers = Float64Array.from({ length: 1_200_000 }, (_, row) => Math.sin(row));
  const writer = await ParquetWriter.open({ sink, compression: 'none', dictionary: false });
  await writer.write({ numbers });
  const { byteLength } = await writer.finish();
  const [[create, key, given], [complete, parts]] = bucket.calls;
  assert.deepEqual([create, key, complete], ['create', 'rows.parquet', 'complete']);
  assert.deepEqual(given, {
    httpMetadata: { contentType: 'application/vnd.apache.parquet' },
    customMetadata: { by: 'test' },
  });
  assert.deepEqual(parts.map(({ etag }) => Number(etag)), [8 * 2 ** 20, byteLength - 8 * 2 ** 20]);
  assert.equal((await readBack(bucket.objects.get('rows.parquet'))).rows, 1_200_000);
});

test('R2: a writer that fails aborts the upload; one that never uploaded leaves none behind', async () => {
  const bucket = new Bucket();
  const early = await ParquetWriter.open({ sink: r2MultipartSink(bucket, 'a') });
  await early.abort();
  assert.deepEqual(bucket.calls, []);
  const refusing = { createMultipartUpload: async () => { throw new Error('no bucket'); } };
  const error = await errorOf(write(r2MultipartSink(refusing, 'a')));
  assert.equal(error.cause.message, 'no bucket');
});
