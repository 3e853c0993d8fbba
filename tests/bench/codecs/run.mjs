// `npm run bench:codecs`: our zstd encoder beside the C library, as modules and natively, in turns and in one run.
//   --rounds 9   --mebibytes 4   --levels 1,3   --sizes 65536,262144,1048576   --no-native
// Ends with a line for each target and fails where one is missed.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, whenProgram } from '../../tools/command.mjs';
import { brotli } from '../../tools/measure.mjs';
import { build } from './build.mjs';
import { Module } from './module.mjs';
import { kinds } from './pages.mjs';
import { Results } from './results.mjs';

const DEFAULT = 1;
const names = Object.keys(kinds);

function* cases(sizes, bytes) {
  for (const size of sizes) for (const kind of names) yield { size, kind, content: kinds[kind](bytes, size) };
}

/** Modules take turns, page kind by page kind. */
function measureModules(modules, contents, levels, rounds) {
  const results = new Results();
  // Two rounds until the engine's compiler is through.
  for (let round = -2; round < rounds; round++) {
    for (const { size, kind, content } of contents) {
      for (const level of levels) {
        for (const module of modules) {
          const record = module.measure(content, size, level);
          if (round >= 0) results.add(module.name, level, size, kind, record);
        }
      }
    }
  }
  return results;
}

function measureNative(program, contents, sizes, levels, rounds) {
  const results = new Results();
  const folder = join(root, 'tests/bench/data/codecs');
  mkdirSync(folder, { recursive: true });
  for (const { size, kind, content } of contents) writeFileSync(join(folder, `${kind}-${size}`), content);
  const output = execFileSync(program, [folder, String(rounds), sizes.join(), levels.join(), ...names]);
  rmSync(folder, { recursive: true });
  for (const line of output.toString().trim().split('\n')) {
    const [name, level, size, kind, bytesIn, bytesOut, nanoseconds] = line.split(' ');
    const record = { bytesIn: Number(bytesIn), bytesOut: Number(bytesOut), milliseconds: Number(nanoseconds) / 1e6 };
    results.add(name, Number(level), Number(size), kind, record);
  }
  return results;
}

function print(title, results, encoders, sizes, levels) {
  const cell = ({ ratio, speed, spread }) =>
    `${ratio.toFixed(3)} ${speed.toFixed(0).padStart(5)} ±${spread.toFixed(0).padStart(2)}`.padStart(18);
  const row = (label, cells) => console.log(label.padEnd(16) + cells.join(''));
  for (const size of sizes) {
    console.log(`\n${title}, pages of ${size >> 10} KiB: ratio, MB/s, spread in %`);
    row('', ['total', ...names].map((name) => name.padStart(18)));
    for (const level of levels) {
      for (const name of encoders) {
        const each = names.map((kind) => cell(results.kind(name, level, size, kind)));
        row(`${name} level ${level}`, [cell(results.total(name, level, size)), ...each]);
      }
    }
  }
}

/** Prints a line for each target; gives how many were missed. */
class Targets {
  missed = 0;

  check(what, found, least, digits = 3) {
    const good = found >= least;
    if (!good) this.missed++;
    console.log(`${good ? 'pass' : 'FAIL'}  ${what}: ${found.toFixed(digits)}, target ≥ ${least}`);
  }

  compare(what, { speed, spread, ratio }, leastSpeed, leastRatio) {
    this.check(`${what}, speed (±${spread.toFixed(1)} %)`, speed, leastSpeed);
    if (leastRatio) this.check(`${what}, ratio`, ratio, leastRatio);
  }
}

await whenProgram(import.meta.url, async (given) => {
  const { values: options } = parseArgs({
    args: given,
    options: {
      rounds: { type: 'string', default: '9' },
      mebibytes: { type: 'string', default: '4' },
      levels: { type: 'string', default: '1,3' },
      sizes: { type: 'string', default: '65536,262144,1048576' },
      'no-native': { type: 'boolean', default: false },
    },
  });
  const [rounds, bytes] = [Number(options.rounds), Number(options.mebibytes) << 20];
  const numbers = (list) => list.split(',').map(Number);
  const [levels, sizes] = [numbers(options.levels), numbers(options.sizes)];
  const built = await build();
  const contents = [...cases(sizes, bytes)];

  const modules = [new Module('ours', built.ours)];
  if (built.c) modules.push(new Module('c', built.c));
  const wasm = measureModules(modules, contents, levels, rounds);
  print('wasm', wasm, modules.map(({ name }) => name), sizes, levels);
  const native = !options['no-native'] && measureNative(built.native, contents, sizes, levels, rounds);
  if (native) print('native', native, ['ours', 'c'], sizes, levels);

  console.log('');
  const targets = new Targets();
  for (const size of sizes) {
    const page = `pages of ${size >> 10} KiB`;
    if (built.c && levels.includes(DEFAULT)) {
      targets.compare(`wasm, default / C level 1, ${page}`, wasm.compare(['ours', DEFAULT], ['c', 1], size), 1, 1.02);
    }
    if (built.c && levels.includes(3)) {
      targets.compare(`wasm, level 3 / C level 3, ${page}`, wasm.compare(['ours', 3], ['c', 3], size), 1, 0.99);
    }
    if (levels.includes(DEFAULT)) {
      targets.check(`wasm, random ${page}, MB/s`, wasm.kind('ours', DEFAULT, size, 'rand').speed, 1000, 0);
    }
    if (native && levels.includes(DEFAULT)) {
      const found = native.compare(['ours', DEFAULT], ['c', 1], size);
      targets.compare(`native, default / C level 1, ${page}`, found, 0.85);
    }
  }
  if (!built.c) console.log('skipped: the C library as a module; it needs clang and llvm-ar for wasm32');
  const [with_, without] = [built.ours, built.empty].map((path) => brotli(readFileSync(path)));
  targets.check('zstd encoder alone, bytes below 22 KB in brotli', 22_000 - (with_ - without), 0, 0);
  if (targets.missed > 0) process.exitCode = 1;
});
