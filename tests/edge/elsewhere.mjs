// parquill/worker in whatever runtime this is started with; says `fine` at the end, and lets the program end by itself.

const { writeParquetBytes: here, ParquetError } = await import('../../pkg/index.js');
const { ParquetWriter, writeParquet, writeParquetBytes } = await import('../../pkg/worker.js');

function must(what, holds) {
  if (!holds) throw new Error(`not so: ${what}`);
}
const same = (a, b) => a.length === b.length && a.every((byte, index) => byte === b[index]);
const errorOf = (promise) => promise.then(() => undefined, (error) => error);

const table = { a: Int32Array.of(1, 2, 3), s: ['x', null, 'y'], d: [new Date(0), null, new Date(5)] };
const expected = await here(table);
must('the same bytes', same(await writeParquetBytes(table), expected));
const blob = await writeParquet(table);
must('a Blob', blob instanceof Blob && blob.type === 'application/vnd.apache.parquet');
must('of the same bytes', same(new Uint8Array(await blob.arrayBuffer()), expected));

const chunks = [];
let closed = false;
const sink = new WritableStream({
  write(chunk) { chunks.push(chunk); },
  close() { closed = true; },
});
const writer = await ParquetWriter.open({ sink, spill: 'disk', rowGroupRows: 1000 });
for (let batch = 0; batch < 20; batch++) await writer.write({ x: Float64Array.from({ length: 5000 }, (_, row) => row * batch) });
must('all rows', (await writer.finish()).rows === 100_000);
must('a closed sink', closed && chunks.length > 1);

const wrong = await errorOf(writeParquet({ a: [1, 'x'] }));
must('an error with its place', wrong instanceof ParquetError && wrong.column === 'a' && wrong.row === 1);
const stop = new AbortController();
const reason = new Error('enough');
const aborted = errorOf(writeParquet({ x: new Float64Array(3_000_000) }, { signal: stop.signal }));
setTimeout(() => stop.abort(reason), 5);
must('the reason of an abort', (await aborted)?.cause === reason);

const stalled = new WritableStream({ write: () => new Promise(() => {}) });
const stuck = await ParquetWriter.open({ sink: stalled, rowGroupRows: 10_000, compression: 'none', dictionary: false });
const calls = Array.from({ length: 80 }, () => errorOf(stuck.write({ x: new Float64Array(20_000).map(Math.random) })));
await stuck.abort(reason);
must('an abort in spite of a stalled sink', (await Promise.all(calls)).at(-1)?.code === 'ERR_ABORTED');
console.log('fine');
