/** Wasm memory after one call that writes ten float64 columns: bounded, and the same for ten times the rows. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildPackage } from './lib/setup.mjs';
import { watchWasmMemory } from './lib/wasm-memory.mjs';
import { sensor } from './tables/numbers.mjs';

const MIB = 1 << 20;
const MOST = 16 * MIB;
const MOST_GROWTH = MIB;
const FEW = 500_000;
const MANY = 5_000_000;
const COLUMNS = 10;

/** Half of the sensors at full precision, half to 2 decimals, so that dictionaries are tried too; the walk repeats. */
function makeTable(rows) {
  return Array.from({ length: COLUMNS }, (_, c) => {
    const walk = sensor(c + 5, FEW);
    const data = new Float64Array(rows);
    for (let at = 0; at < rows; at += FEW) data.set(walk, at);
    return { name: `c${c}`, data };
  });
}

/** In a process of its own, since wasm memory never shrinks. */
async function writeOnce(rows, compression) {
  const wasmBytes = watchWasmMemory();
  const { init, writeParquet } = await import('../../pkg/index.js');
  await init();
  const before = wasmBytes();
  const { size } = await writeParquet(makeTable(rows), { compression });
  console.log(JSON.stringify({ before, after: wasmBytes(), size }));
}

function measure(rows, compression) {
  const args = [fileURLToPath(import.meta.url), String(rows), compression];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

function compareSizes() {
  buildPackage();
  const mib = (bytes) => (bytes / MIB).toFixed(2).padStart(6);
  let failed = false;
  console.log(`wasm memory in MiB: ${COLUMNS} float64 columns in one writeParquet call\n`);
  console.log('codec    after init   500,000 rows   5,000,000 rows   file of these');
  for (const codec of ['none', 'snappy', 'zstd']) {
    const few = measure(FEW, codec);
    const many = measure(MANY, codec);
    const within = few.before > 0 && many.after <= MOST && Math.abs(many.after - few.after) <= MOST_GROWTH;
    failed ||= !within;
    const figures = [mib(few.before).padStart(13), mib(few.after).padStart(15), mib(many.after).padStart(17)].join('');
    console.log(`${codec.padEnd(6)}${figures}${mib(many.size).padStart(16)}  ${within ? 'ok' : 'TOO MUCH'}`);
  }
  console.log(`\nat most ${MOST / MIB} MiB, and at most ${MOST_GROWTH / MIB} MiB apart: ${failed ? 'no' : 'yes'}`);
  if (failed) process.exitCode = 1;
}

const [rows, codec] = process.argv.slice(2);
if (codec) await writeOnce(Number(rows), codec);
else compareSizes();
