// A file beyond 4 GiB, of which a sink keeps no more than the start of every chunk. HC: number of a hard case.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { ParquetWriter } from '../../pkg/index.js';
import { join } from './stream-tools.mjs';

const LIMIT = 2 ** 32;

/** Counts, and keeps what begins at every chunk of the stream, and the last few chunks whole. */
function watcher() {
  const log = { length: 0, starts: new Map(), last: [] };
  log.sink = new WritableStream({
    write(chunk) {
      log.starts.set(log.length, chunk.slice(0, 64));
      log.length += chunk.length;
      log.last.push(chunk);
      if (log.last.length > 40) log.last.shift();
    },
  });
  return log;
}

test('HC-127: positions past 4 GiB', async () => {
  const log = watcher();
  const options = { compression: 'none', dictionary: false, pageChecksum: false, statistics: 'none', pageRows: 131_072 };
  const writer = await ParquetWriter.open({ ...options, sink: log.sink, rowGroupBytes: 2 ** 27 });
  const values = Float64Array.from({ length: 2 ** 20 }, (_, row) => row * 1.25);
  const batches = LIMIT / values.byteLength + 9;
  for (let batch = 0; batch < batches; batch++) await writer.write({ x: values });
  const { byteLength, rowGroups, rows } = await writer.finish();
  assert.equal(log.length, byteLength);
  assert.ok(byteLength > LIMIT);
  assert.equal(rows, batches * values.length);

  const metadata = parquetMetadata(join(log.last).buffer);
  assert.equal(metadata.row_groups.length, rowGroups);
  let end = 4n;
  for (const { columns, num_rows: count } of metadata.row_groups) {
    const { data_page_offset: at, total_compressed_size: size } = columns[0].meta_data;
    assert.equal(at, end);
    end = at + size;
    // The first page begins the chunk: with the stream's first chunk, the magic lies before it.
    const start = log.starts.get(Number(at)) ?? log.starts.get(0).subarray(4);
    const bytes = new DataView(start.slice().buffer);
    const header = parquetHeader({ view: bytes, offset: 0 });
    assert.equal(header.type, 'DATA_PAGE');
    assert.ok(header.data_page_header.num_values <= count);
  }
  assert.ok(end > BigInt(LIMIT) && end < BigInt(byteLength));
});
