/**
 * `npm run bench:cold`: import, init and the first file of 1,000 rows and 10 columns in a fresh process per run, beside
 * other writers. Processor time of all threads in ms, medians; contenders take turns.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildPackage, here, installPeers } from './lib/setup.mjs';

const { values: given } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(given.runs);
/** Most of parquill's share of hyparquet-writer's time. */
const goals = { zstd: 40 / 82, snappy: 35 / 40 };
const contenders = {
  zstd: ['parquill', 'parquill-lazy', 'hyparquet-writer', 'parquet-wasm'],
  snappy: ['parquill', 'parquill-lazy', 'parquill-slim', 'hyparquet-writer', 'parquet-wasm'],
};

installPeers();
buildPackage();

function run(contender, codec) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [here('cold-child.mjs'), contender, codec], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${contender}, ${codec}: ${stderr}`);
  return JSON.parse(stdout);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

for (const [codec, names] of Object.entries(contenders)) {
  const results = new Map(names.map((name) => [name, []]));
  for (let round = 0; round <= runs; round++) {
    for (const [name, list] of results) {
      const result = run(name, codec);
      // The first round finds files that are not in the page cache.
      if (round > 0) list.push(result);
    }
  }
  const of = (name, key) => median(results.get(name).map((result) => result[key]));
  console.log(`\n${codec}, 1,000 rows: ms of processor time, medians of ${runs} fresh processes`);
  console.log(['import+init', '+ first file', 'spread', 'warm call', 'bytes'].map((text) => text.padStart(13)).join(''));
  for (const name of names) {
    const all = results.get(name).map((result) => result.all).sort((a, b) => a - b);
    const spread = `±${(((all.at(-1) - all[0]) / 2 / of(name, 'all')) * 100).toFixed(0)} %`;
    const cells = [of(name, 'init').toFixed(1), of(name, 'all').toFixed(1), spread, of(name, 'warm').toFixed(2)];
    console.log([...cells, of(name, 'bytes')].map((cell) => String(cell).padStart(13)).join(''), ` ${name}`);
  }
  const ratios = results.get('parquill').map((result, i) => result.all / results.get('hyparquet-writer')[i].all);
  const share = median(ratios);
  const verdict = share <= goals[codec] ? 'holds' : 'does not hold';
  console.log(`parquill / hyparquet-writer ${share.toFixed(2)}; the goal, at most ${goals[codec].toFixed(2)}, ${verdict}`);
}
