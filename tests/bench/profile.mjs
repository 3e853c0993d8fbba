/**
 * One contender, table and codec in a loop in one process, under V8's profiler:
 *
 *   node tests/bench/profile.mjs parquill lineitem zstd [--scale 1] [--seconds 5] [--top 20]
 *
 * Prints the functions by their own time and keeps the profile in out/ for the browser's tools.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { parseArgs } from 'node:util';
import { mainThreadCpu } from './lib/cpu.mjs';
import { buildPackage, here, installPeers } from './lib/setup.mjs';
import { writeTable } from './lib/write-table.mjs';
import { makeTable, rowsAt } from './tables/index.mjs';

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '5' },
    top: { type: 'string', default: '20' },
  },
});
const [name, tableName, codec = 'none'] = positionals;

/** Own time of each function as a share of the samples, largest first. */
function ownTimes({ nodes, samples, timeDeltas }) {
  const functions = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.split('/').at(-1)}${url.startsWith('wasm') ? '' : `:${lineNumber + 1}`}`,
    ]),
  );
  // the profiler's own start and stop
  const ours = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === 'dispatch').map(({ id }) => id));
  const times = new Map();
  let total = 0;
  samples.forEach((id, i) => {
    if (ours.has(id)) return;
    total += timeDeltas[i];
    times.set(functions.get(id), (times.get(functions.get(id)) ?? 0) + timeDeltas[i]);
  });
  return [...times].map(([label, time]) => ({ label, share: time / total })).sort((a, b) => b.share - a.share);
}

installPeers();
if (name.startsWith('parquill')) buildPackage();
const contender = (await import(`./contenders/${name}.mjs`)).default;
await contender.init();
const table = await makeTable(tableName, rowsAt(tableName, Number(given.scale)));
for (let i = 0; i < 2; i++) await writeTable(contender, table, { codec });

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 500 });
await session.post('Profiler.start');
const start = mainThreadCpu();
const end = performance.now() + Number(given.seconds) * 1000;
let writes = 0;
let file;
for (; performance.now() < end; writes++) file = await writeTable(contender, table, { codec });
const cpu = (mainThreadCpu() - start) / writes;
const { profile } = await session.post('Profiler.stop');

mkdirSync(here('out'), { recursive: true });
writeFileSync(here(`out/${name}-${tableName}-${codec}.cpuprofile`), JSON.stringify(profile));
const bytes = file.size ?? file.byteLength;
console.log(`${name} ${tableName} ${codec}: ${writes} writes, ${cpu.toFixed(1)} ms cpu each, ${bytes} bytes\n`);
for (const { label, share } of ownTimes(profile).slice(0, Number(given.top))) {
  console.log(`${(share * 100).toFixed(1).padStart(5)} %  ${(share * cpu).toFixed(1).padStart(7)} ms  ${label}`);
}
