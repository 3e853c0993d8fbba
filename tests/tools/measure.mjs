// Sizes of what users load, against the budgets in wasm-pack.toml.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { root, Trouble } from './command.mjs';
import { entries } from './facts.mjs';

const KEYS = ['raw', 'gzip', 'brotli'];
/** How scripts name what they load at once, when asked for, and by address. */
const STATIC = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;
const DYNAMIC = /\bimport\(\s*"\.\/([^"]+\.js)"\s*\)/g;
const MODULE = /"\.\/(\w+_bg\.wasm)"/g;

export const brotli = (bytes) => brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
}).length;

function sum(files) {
  return Object.fromEntries(KEYS.map((key) => [key, files.reduce((all, file) => all + file[key], 0)]));
}

/**
 * For each entry the files that are there once it is imported and used (`files`, with their `sum`), and what it loads
 * only when asked for (`later`), as further files each. A copy of a module inside a script stands for itself.
 */
export function measure(facts, folder = join(root, facts.package.folder)) {
  const known = new Map();
  const file = (name) => {
    if (!known.has(name)) {
      const bytes = readFileSync(join(folder, name));
      known.set(name, {
        name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes),
        text: /\.c?js$/.test(name) && !name.endsWith('.base64.js') ? bytes.toString() : '',
      });
    }
    return known.get(name);
  };
  const named = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
  const loaded = (name, without = []) => {
    const names = [name];
    for (const one of names) {
      const { text } = file(one);
      for (const other of [...named(text, STATIC), ...named(text, MODULE)]) {
        if (!names.includes(other)) names.push(other);
      }
    }
    return names.filter((one) => !without.includes(one)).sort().map(file);
  };
  return entries(facts).map(({ name, script }) => {
    const files = loaded(script);
    const all = files.map((one) => one.name);
    const asked = [];
    const queue = files.flatMap(({ text }) => named(text, DYNAMIC));
    for (const script of queue) {
      if (all.includes(script) || asked.some((one) => one.name === script)) continue;
      const more = loaded(script, all);
      asked.push({ name: script, files: more, sum: sum(more) });
      queue.push(...more.flatMap(({ text }) => named(text, DYNAMIC)));
    }
    const later = asked.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { name, script, files, sum: sum(files), later };
  });
}

export function checkBudget(facts, sizes) {
  for (const { name, sum: { brotli: found } } of sizes) {
    const budget = facts.budget[name];
    if (found > budget) {
      throw new Trouble(`${name}: ${found} bytes in brotli, the budget in wasm-pack.toml is ${budget}`);
    }
  }
}

/** A line for each entry, for the end of a build. */
export function summary(facts, sizes) {
  return sizes.map(({ name, sum: { raw, brotli: found } }) => {
    const share = ((100 * found) / facts.budget[name]).toFixed(0);
    return `${name}: modules and scripts ${raw} bytes, ${found} in brotli (${share} % of the budget)`;
  });
}
