// The Arrow sources, built for tests by themselves; and chunks as the plain values of the fixtures' JSON.

import { build } from 'esbuild';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const source = (name) => fileURLToPath(new URL(`../../src/js/arrow/${name}`, import.meta.url));
export const fixtures = new URL('../fixtures/arrow/', import.meta.url);

/** Exports of the given modules of src/js/arrow, from one bundle, so that they share their classes. */
export async function load(...names) {
  const contents = [...names.map((name) => `export * from ${JSON.stringify(source(name))};`),
    `export { ParquetError } from ${JSON.stringify(source('../errors.ts'))};`].join('\n');
  const { outputFiles: [{ text }] } = await build({
    stdin: { contents, resolveDir: source('.'), loader: 'ts' },
    bundle: true, format: 'esm', write: false, target: 'es2022',
  });
  const folder = mkdtempSync(join(tmpdir(), 'parquill-arrow-'));
  try {
    const file = join(folder, 'arrow.mjs');
    writeFileSync(file, text);
    return await import(pathToFileURL(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** All fixtures that have expected values: name, bytes, expected. */
export function readFixtures() {
  const files = readdirSync(fixtures);
  return files.filter((file) => file.endsWith('.json') && file !== 'frames.json').map((file) => {
    const name = file.slice(0, -'.json'.length);
    const data = ['arrows', 'arrow'].map((end) => `${name}.${end}`).find((other) => files.includes(other));
    return {
      name, bytes: new Uint8Array(readFileSync(new URL(data, fixtures))),
      expected: JSON.parse(readFileSync(new URL(file, fixtures), 'utf8')),
    };
  });
}

/** Random whole numbers below a bound, from a seed: xorshift. */
export function randomFrom(seed) {
  let state = (seed >>> 0) || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export const bit = (bitmap, row) => ((bitmap[row >> 3] >> (row & 7)) & 1) === 1;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function floatBits(value) {
  if (Number.isNaN(value)) return 'nan';
  return Buffer.from(new Float64Array([value]).buffer).reverse().toString('hex');
}

function halfToNumber(half) {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  let size = (1 + fraction / 1024) * 2 ** (exponent - 15);
  if (exponent === 0) size = fraction * 2 ** -24;
  if (exponent === 31) size = fraction === 0 ? Infinity : NaN;
  return (half & 0x8000) === 0 ? size : -size;
}

function signed(bytes) {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = value * 256n + BigInt(bytes[at]);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** Reads the types of api.d.ts as far as they say how to show a value; an independent reading of what columns claim. */
function parse(text) {
  let at = 0;
  const space = () => { while (text[at] === ' ') at++; };
  const take = (pattern) => {
    space();
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) throw new Error(`${text}, position ${at}: expected ${pattern}`);
    at += found[0].length;
    return found[0];
  };
  const field = () => {
    const type = one();
    space();
    if (text.startsWith('not null', at)) at += 'not null'.length;
    return type;
  };
  const one = () => {
    const name = take(/\w+/y);
    if (name === 'list') {
      take(/</y);
      const child = field();
      take(/>/y);
      return { name, child };
    }
    if (name === 'map') {
      take(/</y);
      const key = field();
      take(/,/y);
      const value = field();
      take(/>/y);
      return { name, key, value };
    }
    if (name === 'struct') {
      const fields = [];
      take(/</y);
      do {
        const key = take(/\w+|"(?:[^"\\]|\\.)*"/y);
        take(/:/y);
        fields.push([key.startsWith('"') ? JSON.parse(key) : key, field()]);
      } while (take(/[,>]/y) === ',');
      return { name, fields };
    }
    space();
    const more = text[at] === '[' ? take(/\[[^\]]*\]/y) : text[at] === '(' ? take(/\([^)]*\)/y) : '';
    return { name, more };
  };
  const type = one();
  if (at !== text.length) throw new Error(`${text}: goes on at ${at}`);
  return type;
}

function valueAt(type, chunk, row) {
  if (chunk.nulls) return null;
  if (chunk.validity !== undefined && !bit(chunk.validity, row)) return null;
  if (chunk.indices) return valueAt(type, chunk.dictionary, chunk.indices[row]);
  switch (type.name) {
    case 'bool': return bit(chunk.bits, row);
    case 'string':
    case 'json': return decoder.decode(bytesAt(chunk, row));
    case 'binary': return { hex: Buffer.from(bytesAt(chunk, row)).toString('hex') };
    case 'fixed':
    case 'uuid': return { hex: Buffer.from(fixedAt(chunk, row)).toString('hex') };
    case 'float16': return floatBits(halfToNumber(Number(signed(fixedAt(chunk, row)) & 0xffffn)));
    case 'float32':
    case 'float64': return floatBits(chunk.values[row]);
    case 'decimal': return { unscaled: String(signed(fixedAt(chunk, row))) };
    case 'interval': {
      const bytes = fixedAt(chunk, row);
      return [0, 4, 8].map((at) => String(new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true)));
    }
    case 'list': return slots(chunk, row, (at) => valueAt(type.child, chunk.child, at));
    case 'map': return slots(chunk, row, (at) =>
      [valueAt(type.key, chunk.child.children.key, at), valueAt(type.value, chunk.child.children.value, at)]);
    case 'struct': return Object.fromEntries(
      type.fields.map(([key, child]) => [key, valueAt(child, chunk.children[key], row)]));
    default: return String(chunk.values[row]);
  }
}

const bytesAt = (chunk, row) => chunk.bytes.subarray(chunk.offsets[row], chunk.offsets[row + 1]);
const fixedAt = (chunk, row) => chunk.fixed.subarray(row * chunk.width, (row + 1) * chunk.width);

function slots(chunk, row, value) {
  const found = [];
  for (let at = chunk.offsets[row]; at < chunk.offsets[row + 1]; at++) found.push(value(at));
  return found;
}

/** All values of a column. */
export function expand(column) {
  const type = parse(column.type);
  return column.chunks.flatMap((chunk) => Array.from({ length: chunk.length }, (_, row) => valueAt(type, chunk, row)));
}

/** A table in the form of the fixtures' JSON. */
export function plain(table) {
  return {
    rows: table.numRows,
    metadata: Object.fromEntries(table.schema.metadata),
    columns: table.columns.map((column) => ({
      name: column.name, type: column.type, nullable: column.nullable, values: expand(column),
    })),
  };
}
