// Reads every file of the matrix with hyparquet and compares value by value.
//
// Two ways of its own are allowed for, exactly: a NaN of a JavaScript number has no payload, and a decimal comes back as
// the number nearest to its unscaled integer, divided by a power of ten.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { floatOfBits } from './floats.mjs';

const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

// What only text, dates and timestamps go through; the marks show that the reader saw the logical type.
const parsers = {
  stringFromBytes: (bytes) => bytes && `text ${hex(bytes)}`,
  dateFromDays: (days) => (days === undefined ? undefined : `days ${days}`),
  timestampFromMilliseconds: (ticks) => (ticks === undefined ? undefined : `ms ${ticks}`),
  timestampFromMicroseconds: (ticks) => (ticks === undefined ? undefined : `us ${ticks}`),
  timestampFromNanoseconds: (ticks) => (ticks === undefined ? undefined : `ns ${ticks}`),
};

/** Whether the reader's value is the expected canonical text, for a type. */
function matcher(type) {
  const [family, first, second] = type.match(/[a-z]+|\d+/g);
  switch (family) {
    case 'bool':
      return (expected, found) => found === expected;
    case 'int':
    case 'uint':
      return first === '64'
        ? (expected, found) => typeof found === 'bigint' && String(found) === expected
        : (expected, found) => typeof found === 'number' && String(found) === expected;
    case 'float':
      return (expected, found) =>
        typeof found === 'number' && Object.is(found, floatOfBits(Number(first), BigInt(`0x${expected}`)));
    case 'string':
      return (expected, found) => found === `text ${expected}`;
    case 'binary':
    case 'fixed':
      return (expected, found) => found instanceof Uint8Array && hex(found) === expected;
    case 'date':
      return (expected, found) => found === `days ${expected}`;
    case 'timestamp':
      return (expected, found) => found === `${first} ${expected}`;
    case 'decimal':
      return (expected, found) =>
        typeof found === 'number' && found === Number(BigInt(expected)) / 10 ** Number(second);
  }
  throw new Error(`no matcher for ${type}`);
}

function* differences(rows, expected) {
  if (rows.length !== expected.rows) yield `${rows.length} rows instead of ${expected.rows}`;
  const matches = matcher(expected.type);
  for (const { name, values } of expected.columns) {
    const row = values.findIndex((value, i) => {
      const found = rows[i]?.[name];
      return value === null ? found !== null && found !== undefined : !matches(value, found);
    });
    if (row >= 0) yield `column ${name}, row ${row}: expected ${values[row]}, found ${show(rows[row]?.[name])}`;
  }
}

const show = (value) => (value instanceof Uint8Array ? `bytes ${hex(value)}` : `${typeof value} ${String(value)}`);

/** Checks all files of the folder; returns passed, failed and the failures' texts. */
export async function checkWithHyparquet(folder) {
  const failures = [];
  let passed = 0;
  let stem;
  let expected;
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.parquet'))
    .sort()) {
    const own = name.split('.').slice(0, 2).join('.');
    if (own !== stem) [stem, expected] = [own, JSON.parse(readFileSync(join(folder, `${own}.json`), 'utf8'))];
    let problems;
    try {
      const bytes = readFileSync(join(folder, name));
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      problems = [...differences(await parquetReadObjects({ file, compressors, parsers, utf8: false }), expected)];
    } catch (error) {
      problems = [`${error.name}: ${error.message}`];
    }
    if (problems.length) failures.push(`${name}: ${problems.slice(0, 3).join('; ')}`);
    else passed++;
  }
  return { passed, failed: failures.length, failures };
}
