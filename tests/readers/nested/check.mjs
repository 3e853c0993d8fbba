// Random nested columns: the same bytes from every form of input, and equal values in pyarrow and hyparquet.
// Run by ../run.mjs; a case is the same for the same seed and number.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodingsOf } from '../encoded.mjs';
import { Random, seedOf } from '../random.mjs';
import { expected } from './expected.mjs';
import { asForm, asJs } from './forms.mjs';
import { differenceInHyparquet } from './hyparquet.mjs';
import { leavesOf, randomManner, randomType, randomValue } from './types.mjs';

const MOST_DEPTH = 5;
const defaults = { pageVersion: 1, pageBytes: 2 ** 20, pageRows: 20_000, rowGroupRows: 2 ** 20 };

/** One case: columns as values, options, and what the walker is told of them. */
export function randomCase(seed, number) {
  const random = new Random(seedOf(`${seed} nested ${number}`));
  const rows = random.pick([0, 1, 2, 9, 30, 80, 200]);
  const columns = Array.from({ length: 1 + random.below(2) }, (_, index) => {
    const type = randomType(random, random.below(MOST_DEPTH + 1));
    const place = { type, nullable: random.chance(0.7) };
    const manner = randomManner(random);
    const values = Array.from({ length: rows }, () => randomValue(random, place, manner));
    return { name: `c${index}`, place, values, options: randomOptions(random, type) };
  });
  const options = {
    compression: random.pick(['none', 'snappy', 'zstd', 'lz4']),
    dictionary: random.chance(0.8),
    pageVersion: random.pick([1, 2]),
    ...(random.chance(0.4) && { pageBytes: random.pick([16, 100, 1000]) }),
    ...(random.chance(0.3) && { pageRows: random.pick([1, 3, 10]) }),
    ...(random.chance(0.3) && { rowGroupRows: random.pick([1, 8, 50]) }),
    ...(random.chance(0.2) && { contentDefinedChunking: randomLimits(random) }),
  };
  return { name: `${seed} ${number}`, random, columns, options, rows };
}

function randomLimits(random) {
  const minBytes = random.pick([1, 20, 200]);
  return { minBytes, maxBytes: minBytes + random.pick([1, 30, 400, 3000]) };
}

/** An encoding that fits all leaves of a type, and a Bloom filter, which no bool can have; or neither. */
function randomOptions(random, type) {
  const leaves = leavesOf(type);
  const [first, ...others] = leaves.map(encodingsOf);
  const fitting = first.filter((encoding) => others.every((encodings) => encodings.includes(encoding)));
  const bloomed = !leaves.includes('bool') && random.chance(0.3);
  return {
    ...(random.chance(0.5) && { encoding: random.pick(fitting) }),
    ...(bloomed && { bloomFilter: { fpp: random.pick([0.1, 0.01]) } }),
  };
}

function table({ random, columns }, data) {
  return columns.map(({ name, place, values, options }) => {
    return { ...options, name, type: place.type.text, nullable: place.nullable, data: data(random, place, values) };
  });
}

/** What is wrong with a case, and its file. */
async function write(writeParquetBytes, one) {
  const { columns, options, rows } = one;
  const js = await writeParquetBytes(
    table(one, (random, place, values) => values.map((value) => asJs(random, place, value))),
    options,
  );
  const problems = [];
  for (let round = 0; round < 2; round++) {
    const other = await writeParquetBytes(table(one, asForm), options);
    // Strings as bytes and as codes are cut into pages at different rows, where bytes decide.
    const byBytes = options.pageBytes !== undefined && options.contentDefinedChunking === undefined;
    const cut = byBytes && columns.some(({ place }) => /string|binary/.test(place.type.text));
    if (!cut && Buffer.compare(js, other) !== 0) problems.push(`form ${round} gives other bytes`);
    const found = cut && (await differenceInHyparquet(other, columns, rows));
    if (found) problems.push(`form ${round}, hyparquet: ${found}`);
  }
  const difference = await differenceInHyparquet(js, columns, rows);
  if (difference) problems.push(`hyparquet: ${difference}`);
  return { file: js, problems };
}

/** Writes the cases of a range into a batch for oracle.py; counts what is found wrong on this side. */
export async function writeBatch(writeParquetBytes, folder, seed, from, to) {
  mkdirSync(folder, { recursive: true });
  const files = [];
  const lines = [];
  const failures = [];
  let at = 0;
  for (let number = from; number < to; number++) {
    const one = randomCase(seed, number);
    try {
      const { file, problems } = await write(writeParquetBytes, one);
      if (problems.length > 0) failures.push(`${one.name}: ${problems[0]} (${typesOf(one)})`);
      files.push(file);
      lines.push(line(one, at, at + file.length));
      at += file.length;
    } catch (error) {
      failures.push(`${one.name}: ${error.stack} (${typesOf(one)})`);
    }
  }
  writeFileSync(join(folder, 'files.bin'), Buffer.concat(files));
  writeFileSync(join(folder, 'cases.jsonl'), lines.join(''));
  return { passed: to - from - failures.length, failed: failures.length, failures };
}

const typesOf = ({ columns }) => columns.map(({ place }) => place.type.text).join('; ');

/** What `of` finds in the columns' options; JSON leaves out the columns where that is nothing. */
const byColumn = (columns, of) => Object.fromEntries(columns.map(({ name, options }) => [name, of(options)]));

function line({ name, columns, options }, from, to) {
  const { compression, pageVersion, pageBytes, pageRows, rowGroupRows } = { ...defaults, ...options };
  const content = options.contentDefinedChunking;
  const ours = {
    codec: compression,
    page_version: pageVersion,
    page_bytes: pageBytes,
    page_rows: pageRows,
    // Less than the least where the next row does not fit.
    content_defined: content && [0, content.maxBytes],
    row_group_rows: rowGroupRows,
    encodings: byColumn(columns, ({ encoding }) => encoding),
    bloom: byColumn(columns, ({ bloomFilter }) => bloomFilter?.fpp),
  };
  const told = columns.map((column) => ({
    name: column.name,
    type: column.place.type.text,
    nullable: column.place.nullable,
    values: column.values.map((value) => expected(column.place, value)),
  }));
  return `${JSON.stringify({ name, from, to, ours, columns: told })}\n`;
}
