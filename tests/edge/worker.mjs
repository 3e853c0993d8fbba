// A Worker of Cloudflare's kind: rows come in as NDJSON, a Parquet file goes to a bucket, neither is ever whole in memory.

import { initSync, ParquetWriter, r2MultipartSink } from '../../pkg/index.js';
import module from '../../pkg/parquill_bg.wasm';

const ROWS_AT_ONCE = 2000;

const schema = {
  id: 'int64',
  at: 'timestamp[ms, UTC]',
  name: 'string',
  value: 'float64',
  ok: 'bool',
  note: 'string',
  tags: 'list<string>',
};

/** For the figures only: the package keeps its memory to itself. */
const memories = [];
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, parameters) {
    const instance = Reflect.construct(target, parameters);
    memories.push(...Object.values(instance.exports).filter((value) => value instanceof WebAssembly.Memory));
    return instance;
  },
});
initSync(module);

/** Rows of a stream of lines, some at a time. */
async function* batchesOf(stream) {
  let rest = '';
  let rows = [];
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      rows.push(JSON.parse(line));
      if (rows.length < ROWS_AT_ONCE) continue;
      yield rows;
      rows = [];
    }
  }
  if (rest !== '') rows.push(JSON.parse(rest));
  yield rows;
}

export default {
  async fetch(request, { BUCKET }) {
    const sink = r2MultipartSink(BUCKET, new URL(request.url).pathname.slice(1), { concurrency: 2 });
    const writer = await ParquetWriter.open({ schema, sink, rowGroupBytes: 2 ** 24 });
    for await (const rows of batchesOf(request.body)) await writer.writeRows(rows);
    const { rows, rowGroups, byteLength } = await writer.finish();
    const wasmBytes = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    return Response.json({ rows, rowGroups, byteLength, wasmBytes });
  },
};
