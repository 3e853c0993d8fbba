// Mutated footers and page indexes: an error that says so, or a file as right as the one that came in. Never a crash, a
// hang, or memory by the word of a damaged number. MUTATIONS=100000 for a long run; the seed is printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concatParquet, ParquetError, writeParquetBytes } from '../../pkg/index.js';
import { decode, footerOf } from './compact.mjs';

const MUTATIONS = Number(process.env.MUTATIONS ?? 10_000);
const SEED = Number(process.env.SEED ?? 20261130);
const BATCH = 500;
/** Bytes that every call takes, however small its files are. */
const CONSTANT = 2048;

function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const EXTREMES = [
  [0xff, 0xff, 0xff, 0xff, 0x0f], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], [0x80, 0x80, 0x80, 0x80, 0x80],
  [0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f], [0x1c, 0x1c, 0x1c, 0x1c, 0x1c, 0x1c], [0x19, 0xfc], [0x00], [0xff], [0x01],
];

/** One to four changes between `from` and the last eight bytes; the length of the footer follows. */
function mutate(file, from, random) {
  let bytes = [...file.subarray(from, file.length - 8)];
  let length = new DataView(file.buffer, file.byteOffset).getUint32(file.length - 8, true);
  for (let changes = 1 + random(4); changes > 0; changes--) {
    const at = random(bytes.length);
    const kind = random(8);
    const size = bytes.length;
    if (kind < 3) bytes[at] ^= 1 << random(8);
    else if (kind === 3) bytes[at] = random(256);
    else if (kind === 4) bytes.splice(at, random(12), ...EXTREMES[random(EXTREMES.length)]);
    else if (kind === 5) bytes.splice(at, 1 + random(8));
    else if (kind === 6) bytes = [...bytes.slice(0, at), ...bytes.slice(at, at + 1 + random(40)), ...bytes.slice(at)];
    else length = random(4) === 0 ? random(2 ** 32) : length + random(9) - 4;
    if (kind < 7 && random(4) > 0) length += bytes.length - size;
  }
  const out = Uint8Array.from([...file.subarray(0, from), ...bytes, 0, 0, 0, 0, 80, 65, 82, 49]);
  new DataView(out.buffer).setUint32(out.length - 8, length >>> 0, true);
  return out;
}

const table = (rows) => ({
  id: Int32Array.from({ length: rows }, (_, row) => row),
  name: Array.from({ length: rows }, (_, row) => (row % 3 ? `n${row % 10}` : null)),
  list: Array.from({ length: rows }, (_, row) => [row, null].slice(0, row % 3)),
});

/** Sums what typed arrays are made of, by the word of a number. */
function watchAllocations() {
  const counts = { bytes: 0 };
  const kept = ['Uint8Array', 'Float64Array'].map((name) => [name, globalThis[name]]);
  for (const [name, Native] of kept) {
    globalThis[name] = new Proxy(Native, {
      construct(target, args, made) {
        if (typeof args[0] === 'number') counts.bytes += args[0] * target.BYTES_PER_ELEMENT;
        return Reflect.construct(target, args, made === globalThis[name] ? target : made);
      },
    });
  }
  counts.end = () => kept.forEach(([name, Native]) => (globalThis[name] = Native));
  return counts;
}

/** Whatever is not an offset is as it was, and offsets have all moved by the same: `shift`, or as the first has. */
function sameButMoved(before, after, shift) {
  const groups = (tree) => tree.find(({ id }) => id === 4)?.value.items ?? [];
  const old = groups(before);
  const moved = groups(after).slice(-old.length || undefined);
  if (old.length === 0) return;
  const value = (fields, ...path) => path.reduce((at, id) => at?.find((field) => field.id === id)?.value, fields);
  old.forEach((group, index) => {
    assert.equal(value(moved[index], 3), value(group, 3));
    const chunks = value(moved[index], 1).items;
    value(group, 1).items.forEach((chunk, column) => {
      const [from, to] = [value(chunk, 3), value(chunks[column], 3)];
      for (const id of [1, 2, 3, 4, 5, 6, 7, 13, 15]) assert.deepEqual(value(to, id), value(from, id), `field ${id}`);
      shift ??= value(to, 9) - value(from, 9);
      assert.equal(value(to, 9) - value(from, 9), shift);
    });
  });
}

test(`${MUTATIONS} mutated footers and indexes, seed ${SEED}`, async (context) => {
  const random = generator(SEED);
  const files = await Promise.all([
    writeParquetBytes(table(40), { pageRows: 7, rowGroupRows: 25, metadata: { k: 'v' } }),
    writeParquetBytes(table(40), { columns: { name: { bloomFilter: true } }, sortingColumns: [{ column: 'id' }] }),
    writeParquetBytes({ x: [1.5, NaN] }, { statistics: 'none' }),
  ]);
  const good = await writeParquetBytes(table(3));
  let [refused, taken, most] = [0, 0, 0];
  const begun = performance.now();
  for (let done = 0; done < MUTATIONS; done++) {
    const file = files[done % files.length];
    const { start } = footerOf(file);
    // Indexes lie in front of the footer.
    const from = random(3) === 0 ? Math.max(4, start - 300) : start;
    const mutated = mutate(file, from, random);
    const where = `mutation ${done} of seed ${SEED}`;
    const watched = watchAllocations();
    let joined;
    try {
      joined = await concatParquet([new Blob([mutated])]);
    } catch (error) {
      assert.ok(error instanceof ParquetError, `${where}: ${error?.stack}`);
      assert.ok(['ERR_FORMAT', 'ERR_SCHEMA'].includes(error.code), `${where}: ${error.message}`);
      refused++;
    } finally {
      watched.end();
    }
    const footer = mutated.length - from;
    most = Math.max(most, (watched.bytes - CONSTANT) / footer);
    assert.ok(watched.bytes <= 4 * footer + CONSTANT, `${where}: ${watched.bytes} bytes for a footer of ${footer}`);
    if (joined === undefined) continue;
    taken++;
    // What was taken is whole: it is taken again, and comes out as it is.
    const bytes = new Uint8Array(await joined.arrayBuffer());
    const again = new Uint8Array(await (await concatParquet([new Blob([bytes])])).arrayBuffer());
    assert.ok(Buffer.from(again).equals(bytes), where);
    const before = decode(mutated.subarray(footerOf(mutated).start, mutated.length - 8));
    sameButMoved(before, footerOf(bytes).tree, 0n);
    if (done % 10 === 0) {
      try {
        const both = new Uint8Array(await (await concatParquet([new Blob([good]), new Blob([mutated])])).arrayBuffer());
        sameButMoved(before, footerOf(both).tree);
      } catch (error) {
        assert.equal(error.code, 'ERR_SCHEMA', `${where}: ${error?.stack}`);
      }
    }
    if (done % BATCH === 0) await new Promise(setImmediate);
  }
  const rate = Math.round(MUTATIONS / ((performance.now() - begun) / 1000));
  context.diagnostic(`${refused} refused, ${taken} taken, ${rate} a second, at most ${most.toFixed(1)} times the footer`);
  assert.ok(refused > MUTATIONS / 2 && taken > MUTATIONS / 100);
});
