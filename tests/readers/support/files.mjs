// The files of the support table, and files.json that says what each is:
//
//   cells     every type × encoding × page version × codec, three pages; 'auto' is the writer's own choice
//   defaults  what a caller gets who asks for nothing but a codec: enough rows for the choice to matter
//   fallback  a dictionary given up in the middle of a column chunk
//
// Columns: `none` without nulls, `some` with them, `head` whose first page has only nulls, `nulls` of nulls alone,
// `far` with the values that types.mjs sets apart.
// <type>.<group>.json holds the type and its columns' values; Python reads them with kinds.py.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random, seedOf } from '../random.mjs';
import { encodingsOfType, TYPES } from './types.mjs';

export const CODECS = ['none', 'snappy', 'zstd', 'lz4'];
const NULLS = {
  none: () => true,
  some: (row, random) => random.chance(0.7),
  head: (row, random, rows) => row >= rows / 3,
  nulls: () => false,
};
const FALLING_BACK = ['int64', 'float64', 'string', 'binary', 'date'];

const GROUPS = [
  { group: 'cells', rows: 120, options: { pageRows: 40 }, values: shuffled },
  { group: 'defaults', rows: 1500, options: {}, values: few },
  {
    group: 'fallback',
    rows: 1200,
    options: { pageRows: 150, dictionaryBytes: 256, encoding: 'RLE_DICTIONARY' },
    values: late,
    only: ({ name }) => FALLING_BACK.includes(name),
  },
];

function shuffled(type, rows, random) {
  const values = Array.from({ length: rows }, (_, row) => type.corners[row] ?? type.random(random));
  for (let row = rows - 1; row > 0; row--) {
    const other = random.below(row + 1);
    [values[row], values[other]] = [values[other], values[row]];
  }
  return values;
}

function few(type, rows, random) {
  const pool = [...type.corners, ...Array.from({ length: 20 }, () => type.random(random))];
  return Array.from({ length: rows }, () => random.pick(pool));
}

function late(type, rows, random) {
  return [...few(type, rows / 2, random).map((_, row) => type.corners[row % 3]), ...shuffled(type, rows / 2, random)];
}

export const fileName = ({ name }) => name.replace(/[^a-z0-9]+/gi, '_').replace(/_$/, '');

function columnsOf(type, { rows, values }, random) {
  const names = type.name === 'null' ? ['nulls'] : Object.keys(NULLS);
  const columns = names.map((name) => {
    const column = values(type, rows, random);
    return { name, values: column.map((value, row) => (NULLS[name](row, random, rows) ? value : null)) };
  });
  if (type.far) columns.push({ name: 'far', values: Array.from({ length: rows }, () => random.pick(type.far)) });
  return columns;
}

/** What is asked of the writer for the files of a group: encoding, page version, codec and the options themselves. */
function* variantsOf(type, { group, options }) {
  if (group !== 'cells') {
    for (const codec of CODECS) yield { encoding: group, pages: 1, codec, options: { ...options, compression: codec } };
    return;
  }
  for (const encoding of ['auto', ...encodingsOfType(type)])
    for (const pages of [1, 2])
      for (const codec of CODECS)
        yield { encoding, pages, codec, options: { ...options, encoding, pageVersion: pages, compression: codec } };
}

/** Writes the files; returns the entries of files.json and what the writer refused. */
export async function writeSupportFiles(writeParquetBytes, out, seed, only = '') {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const files = [];
  const failures = [];
  for (const type of TYPES) {
    for (const set of GROUPS) {
      if (set.only && !set.only(type)) continue;
      const stem = `${fileName(type)}.${set.group}`;
      if (!stem.includes(only)) continue;
      const columns = columnsOf(type, set, new Random(seedOf(`${seed} support ${stem}`)));
      const told = columns.map(({ name, values }) => ({
        name,
        values: values.map((value) => (value === null ? null : type.canonical(value))),
      }));
      writeFileSync(join(out, `${stem}.json`), JSON.stringify({ type: type.name, tree: type.tree, columns: told }));
      const table = columns.map(({ name, values }) => ({
        name,
        type: type.name,
        nullable: name !== 'none' && name !== 'far',
        data: values.map((value) => (value === null ? null : type.cell(value))),
      }));
      for (const { options, ...variant } of variantsOf(type, set)) {
        const name = `${stem}.${variant.encoding}.v${variant.pages}.${variant.codec}`;
        try {
          writeFileSync(join(out, `${name}.parquet`), await writeParquetBytes(table, options));
          files.push({
            name,
            expected: stem,
            columns: columns.map((column) => column.name),
            type: type.name,
            group: set.group,
            ...variant,
          });
        } catch (error) {
          failures.push(`${name}: ${error.message}`);
        }
      }
    }
  }
  writeFileSync(join(out, 'files.json'), JSON.stringify(files));
  return { files, failures };
}
