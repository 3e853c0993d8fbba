// Reads the support files with hyparquet and compares value by value, with the records of check.py.
//
// Its own ways: a decimal is the number nearest to its unscaled integer divided by a power of ten, json a parsed value.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { floatOfBits } from '../floats.mjs';

const raw = (value) => value;
const parsers = {
  dateFromDays: raw,
  timestampFromMilliseconds: raw,
  timestampFromMicroseconds: raw,
  timestampFromNanoseconds: raw,
};
const BYTES = ['string', 'enum', 'json', 'binary', 'bson', 'fixed', 'uuid'];
const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

function hexOf(family, found) {
  if (found instanceof Uint8Array) return hex(found);
  if (family === 'json') return Buffer.from(JSON.stringify(found)).toString('hex');
  if (typeof found === 'string')
    return family === 'uuid' ? found.replaceAll('-', '') : Buffer.from(found).toString('hex');
  return undefined;
}

function intervalText(found) {
  if (!(found instanceof Uint8Array) || found.length !== 12) return undefined;
  const view = new DataView(found.buffer, found.byteOffset, 12);
  return [0, 4, 8].map((at) => view.getUint32(at, true)).join(' ');
}

/** Whether `found` is the value that files.mjs wrote down as `told`. */
function same(tree, told, found) {
  if (told === null || found === null || found === undefined) return told === (found ?? null);
  if (tree.list) return Array.isArray(found) && sameAll(told, found, () => tree.list);
  if (tree.struct) {
    const values = tree.struct.map(([name]) => found[name]);
    return Object.keys(found).length === values.length && sameAll(told, values, (at) => tree.struct[at][1]);
  }
  if (tree.map) {
    const [key, value] = tree.map;
    const pairs = Object.entries(found);
    return (
      pairs.length === told.length &&
      pairs.every((pair, at) => same(key, told[at][0], pair[0]) && same(value, told[at][1], pair[1]))
    );
  }
  const [family, first, second] = tree.match(/[a-z]+|\d+/g);
  if (BYTES.includes(family)) return hexOf(family, found) === told;
  if (family === 'bool') return found === told;
  if (family === 'float') {
    const number = floatOfBits(Number(first), BigInt(`0x${told}`));
    return typeof found === 'number' && Object.is(found, number);
  }
  if (family === 'decimal') return typeof found === 'number' && found === Number(BigInt(told)) / 10 ** Number(second);
  if (family === 'interval') return intervalText(found) === told;
  return (typeof found === 'number' || typeof found === 'bigint') && String(found) === told;
}

const sameAll = (told, found, treeAt) =>
  told.length === found.length && told.every((value, at) => same(treeAt(at), value, found[at]));

const show = (value) =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))?.slice(0, 100);

/** null or what is wrong with a column. */
async function problem(file, tree, { name, values }) {
  let rows;
  try {
    rows = await parquetReadObjects({ file, compressors, parsers, utf8: false, columns: [name] });
  } catch (error) {
    return { refuses: `${error.name}: ${error.message}` };
  }
  if (rows.length !== values.length) return { differs: `${rows.length} rows instead of ${values.length}` };
  const row = values.findIndex((told, at) => !same(tree, told, rows[at][name]));
  return row < 0 ? null : { differs: `row ${row}: expected ${show(values[row])}, found ${show(rows[row][name])}` };
}

export async function* readWithHyparquet(folder, files) {
  let stem;
  let told;
  for (const { name, expected } of files) {
    if (stem !== expected)
      [stem, told] = [expected, JSON.parse(readFileSync(join(folder, `${expected}.json`), 'utf8'))];
    const bytes = readFileSync(join(folder, `${name}.parquet`));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const columns = {};
    for (const column of told.columns) columns[column.name] = await problem(file, told.tree, column);
    yield { file: name, shown: '', ways: [], columns };
  }
}

export const version = JSON.parse(
  readFileSync(new URL('../../../node_modules/hyparquet/package.json', import.meta.url), 'utf8'),
).version;
