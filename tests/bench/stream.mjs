/**
 * A file far larger than memory: 200 million rows of 4 columns, batch by batch, into a sink that walks the pages as they
 * come by. Memory must stay level after the second row group, every offset of the footer must be where a page is, and
 * pyarrow and DuckDB must find the rows of the last row group.
 *
 *   npm run bench:stream -- [--rows 5000000] [--no-file]
 */
import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parquetMetadata } from 'hyparquet';
import { readOffsetIndex } from 'hyparquet/src/indexes.js';
import { processCpu } from './lib/cpu.mjs';
import { PageWalk } from './lib/page-walk.mjs';
import { buildPackage, here, pythonWith } from './lib/setup.mjs';
import { watchWasmMemory } from './lib/wasm-memory.mjs';

const MIB = 1 << 20;
const MOST_SPREAD = 32 * MIB;
const BATCH = 1 << 16;
/** Not a part of a row group's batches: samples fall on all states of an open row group. */
const SAMPLE_EVERY = 7;
const FILE = fileURLToPath(new URL('../../target/stream.parquet', import.meta.url));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Random numbers of which every batch takes another stretch: nothing to compress, and no time to make. */
function makeBatches() {
  const pool = 1 << 20;
  const random = new Float64Array(pool + BATCH);
  const bits = new Uint32Array(random.buffer);
  let state = 1;
  for (let at = 0; at < bits.length; at++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0;
    // The upper half of a float below 2, so that no sum overflows.
    bits[at] = at % 2 === 0 ? state : state & 0xbfff_ffff;
  }
  const moments = new BigInt64Array(random.buffer);
  const validity = new Uint8Array(BATCH / 8).fill(255);
  for (let at = 0; at < validity.length; at += 512) validity[at] = 0b1110_1111;
  const id = new BigInt64Array(BATCH);
  const words = new Uint32Array(id.buffer);
  return (first, rows) => {
    for (let row = 0; row < rows; row++) {
      words[2 * row] = (first + row) >>> 0;
      words[2 * row + 1] = (first + row) / 2 ** 32;
    }
    const from = (place) => (first / BATCH) * place % pool;
    return {
      id: id.subarray(0, rows),
      x: random.subarray(from(7919), from(7919) + rows),
      y: random.subarray(from(104_729), from(104_729) + rows),
      z: { values: moments.subarray(from(1_299_709), from(1_299_709) + rows), validity },
    };
  };
}

/** JavaScript's heap with all arrays, and the module's memory. */
async function held(wasmBytes) {
  for (let attempt = 0; attempt < 2; attempt++) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { js: heapUsed + arrayBuffers, wasm: wasmBytes() };
}

/** Every chunk, page and row that the footer speaks of is where the walk saw it. */
function checkFooter(walk, tail, rows) {
  const start = walk.length - tail.length;
  const bytes = new Uint8Array(tail).buffer;
  const metadata = parquetMetadata(bytes);
  let at = 4;
  let seen = 0;
  let group = 0;
  for (const { columns, num_rows: count } of metadata.row_groups) {
    group += Number(count);
    for (const { meta_data: chunk, offset_index_offset: index } of columns) {
      const begin = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      if (begin !== at) throw new Error(`a chunk is said to begin at ${begin}, and not at ${at}`);
      const reader = { view: new DataView(bytes), offset: Number(index) - start };
      const { page_locations: locations } = readOffsetIndex(reader);
      let end = Number(chunk.data_page_offset);
      for (const { offset, compressed_page_size: size } of locations) {
        const page = walk.pages.get(Number(offset));
        if (Number(offset) !== end || page?.length !== size) throw new Error(`no page of ${size} bytes at ${offset}`);
        end += size;
        seen++;
      }
      if (end !== begin + Number(chunk.total_compressed_size)) throw new Error(`a chunk ends at ${end}`);
      seen += begin === Number(chunk.data_page_offset) ? 0 : 1;
      at = end;
    }
  }
  if (at !== start) throw new Error(`chunks end at ${at}, pages at ${start}`);
  if (seen !== walk.pages.size) throw new Error(`${walk.pages.size} pages, of which the footer knows ${seen}`);
  if (group !== rows || Number(metadata.num_rows) !== rows) throw new Error(`the footer has ${metadata.num_rows} rows`);
  return { pages: seen, rowGroups: metadata.row_groups.length };
}

async function write(rows, file) {
  const wasmBytes = watchWasmMemory();
  const { ParquetWriter } = await import('../../pkg/index.js');
  const walk = new PageWalk();
  const sink = new WritableStream({
    async write(bytes) {
      walk.take(bytes);
      await file?.write(bytes);
    },
  });
  const batch = makeBatches();
  const schema = { id: { type: 'int64', nullable: false }, x: 'float64', y: 'float64', z: 'timestamp[us, UTC]' };
  const samples = [];
  const cpu = processCpu();
  const began = performance.now();
  const writer = await ParquetWriter.open({ schema, sink, dictionary: false });
  let left = 0;
  for (let first = 0, count = 0; first < rows; first += BATCH, count++) {
    await writer.write(batch(first, Math.min(BATCH, rows - first)));
    if (writer.rows < 2 * 2 ** 20 || count % SAMPLE_EVERY > 0) continue;
    samples.push(await held(wasmBytes));
    left = walk.length;
  }
  const { byteLength, rowGroups } = await writer.finish();
  const seconds = (performance.now() - began) / 1000;
  const tail = walk.end();
  if (walk.length !== byteLength) throw new Error(`${walk.length} bytes came, ${byteLength} were promised`);
  const checked = checkFooter(walk, tail, rows);
  if (checked.rowGroups !== rowGroups) throw new Error(`${checked.rowGroups} row groups`);
  return { byteLength, rowGroups, pages: checked.pages, samples, left, seconds, cpu: (processCpu() - cpu) / 1000 };
}

function range(samples, key) {
  const values = samples.map((sample) => (key === 'sum' ? sample.js + sample.wasm : sample[key]));
  return { least: Math.min(...values), most: Math.max(...values) };
}

const mib = (bytes) => `${(bytes / MIB).toFixed(2)} MiB`;

const { values } = parseArgs({ options: { rows: { type: 'string' }, 'no-file': { type: 'boolean' } } });
const rows = Number(values.rows ?? 200_000_000);
buildPackage();
const python = values['no-file'] ? undefined : pythonWith('pyarrow, duckdb');
const file = python === undefined ? undefined : await open(FILE, 'w');
let failed = false;
try {
  const { byteLength, rowGroups, pages, samples, left, seconds, cpu } = await write(rows, file);
  const count = (number) => number.toLocaleString('en');
  console.log(`${count(rows)} rows × 4 columns, ${count(byteLength)} bytes, ${rowGroups} row groups, ${count(pages)} pages`);
  console.log(`${(byteLength / 1e6 / seconds).toFixed(0)} MB/s; ${(cpu / rows * 1e9).toFixed(1)} ns of processor time a row`);
  console.log('every page: place, length and checksum as the footer and its header say');
  if (samples.length > 1) {
    const [js, wasm, sum] = ['js', 'wasm', 'sum'].map((key) => range(samples, key));
    console.log(`${samples.length} looks at memory after the second row group:`);
    for (const [name, { least, most }] of Object.entries({ 'JS heap and arrays': js, wasm, both: sum })) {
      console.log(`  ${name.padEnd(18)} ${mib(least).padStart(11)} to ${mib(most).padStart(11)}`);
    }
    failed = sum.most - sum.least > MOST_SPREAD;
    console.log(`  within ${mib(MOST_SPREAD)}: ${failed ? 'no' : 'yes'}; ${mib(left)} had left at the last look`);
  }
  if (python !== undefined) {
    await file.close();
    const { status } = spawnSync(python, [here('python/last_rows.py'), FILE, String(rows)], { stdio: 'inherit' });
    failed ||= status !== 0;
  }
} finally {
  await file?.close().catch(() => {});
  await rm(FILE, { force: true });
}
if (failed) process.exitCode = 1;
