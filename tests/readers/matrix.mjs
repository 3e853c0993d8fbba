// The test matrix: every flat type × shape × codec as one file, and beside it what it must hold.
//
//   <out>/<type>.<shape>.json              columns with canonical values (types.mjs) and the limits they were written with
//   <out>/<type>.<shape>.<codec>.parquet   the same rows, written by the package through its public API

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODED_SHAPES } from './encoded.mjs';
import { Random, seedOf } from './random.mjs';
import { TYPES } from './types.mjs';

const CODECS = ['none', 'snappy', 'zstd'];

// A column: values, nulls, form. Values: low (few distinct), medium (a thousand), high (many), ascending, descending, constant,
// nan (many, NaNs among them), nanhead (many, NaNs in the first half only), fewnan (few distinct, NaNs and both zeros among them). Nulls: none (required), open
// (nullable without a null), some, all, head (first third), middle (second third), tail (second half).
// Form: cells (a plain array) or typed (typed array or Arrow buffers; cells again where the type has no such form).
const VALUES = ['low', 'high', 'ascending', 'descending', 'constant'];
const NAN_VALUES = ['nan', 'nanhead', 'fewnan'];
const FORMS = ['cells', 'typed'];

const cross = (values, nulls, forms) => values.flatMap((v) => nulls.flatMap((n) => forms.map((f) => [v, n, f])));
const isFloat = (type) => type.nans !== undefined;
const allValues = (type) => (isFloat(type) ? [...VALUES, ...NAN_VALUES] : VALUES);
const textual = (type) => type.name === 'string' || type.name === 'binary';

const SHAPES = [
  { name: 'required', rows: 500, columns: (type) => cross(allValues(type), ['none'], FORMS) },
  {
    name: 'nullable',
    rows: 500,
    columns: (type) => [...cross(allValues(type), ['some'], FORMS), ...cross(['high'], ['open'], FORMS)],
  },
  { name: 'all-null', rows: 300, columns: () => cross(['low'], ['all'], FORMS) },
  { name: 'no-rows', rows: 0, columns: () => cross(['low'], ['none', 'some'], FORMS) },
  {
    name: 'one-row',
    rows: 1,
    columns: (type) => cross(isFloat(type) ? ['high', 'nan'] : ['high'], ['none', 'open', 'all'], FORMS),
  },
  {
    name: 'three-pages',
    rows: 450,
    options: { pageRows: 150 },
    columns: (type) => [
      ...cross(allValues(type), ['none', 'some'], ['typed']),
      ...cross(['low', 'high'], ['head', 'middle', 'tail'], ['cells']),
    ],
  },
  {
    name: 'two-row-groups',
    rows: 400,
    options: { rowGroupRows: 230 },
    columns: (type) => [
      ...cross(allValues(type), ['none', 'some'], ['typed']),
      ...cross(['low', 'high'], ['tail'], ['cells']),
    ],
  },
  // Beyond the required seven: pages cut by bytes (one value may be longer than a page), a dictionary given up half-way.
  {
    name: 'small-pages',
    rows: 400,
    only: textual,
    options: { pageBytes: 64 },
    columns: () => cross(['low', 'high'], ['none', 'some'], FORMS),
  },
  {
    name: 'small-dictionary',
    rows: 4000,
    only: (type) => ['int64', 'float64', 'string', 'binary', 'date'].includes(type.name),
    options: { pageRows: 500, dictionaryBytes: 256 },
    columns: () => cross(['late'], ['none', 'some'], FORMS),
  },
  // Pages that end by their content, in the middle of row groups too.
  {
    name: 'content-defined',
    rows: 6000,
    only: (type) => ['bool', 'int64', 'float64', 'string', 'fixed[5]'].includes(type.name),
    options: { contentDefinedChunking: { minBytes: 256, maxBytes: 4096 }, rowGroupRows: 2500 },
    columns: (type) => cross(['low', 'high', 'ascending'], ['none', 'some', 'middle'], ['typed']).slice(0, type.name === 'bool' ? 6 : 9),
  },
  // All limits as they are by default: pages of 20 000 rows, wide dictionary indices, long runs.
  {
    name: 'large',
    rows: 45000,
    only: (type) => ['bool', 'int32', 'float64', 'string'].includes(type.name),
    columns: () => [
      ['medium', 'none', 'typed'],
      ['medium', 'some', 'cells'],
      ['high', 'tail', 'typed'],
      ['ascending', 'none', 'cells'],
    ],
  },
  // What the writer chooses where it may choose anything.
  {
    name: 'modern',
    rows: 1200,
    options: { compatibility: 'modern', pageRows: 500 },
    columns: (type) => [
      ...cross(allValues(type), ['none', 'some'], ['typed']),
      ...cross(['low', 'ascending'], ['head'], ['cells']),
    ],
  },
  ...ENCODED_SHAPES,
];

function valuesOf(type, kind, form, rows, random) {
  const one = (cornered) => (random.chance(cornered) ? random.pick(type.corners) : type.random(random));
  const few = (extra = [], more = 4, cornered = 0.7) => {
    const pool = [...extra, ...Array.from({ length: more }, () => one(cornered))];
    return Array.from({ length: rows }, () => random.pick(pool));
  };
  const many = () => {
    const values = Array.from({ length: rows }, (_, i) =>
      i < type.corners.length && rows > 1 ? type.corners[i] : type.random(random),
    );
    for (let i = rows - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [values[i], values[j]] = [values[j], values[i]];
    }
    return values;
  };
  // A JavaScript number keeps no payload of a NaN for sure, so cells hold the plain one only.
  const nans = form === 'typed' ? type.nans : type.nans?.slice(0, 1);
  switch (kind) {
    case 'low':
      return few();
    case 'medium':
      return few(type.corners, 1000, 0);
    case 'high':
      return many();
    case 'ascending':
      return many().sort(type.compare);
    case 'descending':
      return many().sort((a, b) => type.compare(b, a));
    case 'constant':
      return Array(rows).fill(random.pick(type.corners));
    case 'nan':
      return many().map((value) => (rows === 1 || random.chance(0.1) ? random.pick(nans) : value));
    case 'nanhead':
      return many().map((value, row) => (row < rows / 2 && random.chance(0.1) ? random.pick(nans) : value));
    case 'fewnan':
      return few([...nans, ...type.corners.slice(0, 2)]);
    case 'late':
      return [...few().slice(0, rows >> 1), ...many().slice(rows >> 1)];
  }
  throw new Error(`unknown values ${kind}`);
}

function presenceOf(nulls, rows, random) {
  const third = rows / 3;
  const present = {
    none: () => true,
    open: () => true,
    some: () => random.chance(0.7),
    all: () => false,
    head: (row) => row >= third,
    middle: (row) => row < third || row >= 2 * third,
    tail: (row) => row < rows / 2,
  }[nulls];
  return Array.from({ length: rows }, (_, row) => present(row));
}

/** The column as the package takes it. Slots of nulls hold garbage where the form has such slots. */
function inputOf(type, form, values, present, nullable, random) {
  if (form === 'cells' || !type.typed)
    return values.map((value, row) => (present[row] ? type.cell(value) : random.chance(0.5) ? null : undefined));
  const data = type.typed(values);
  if (!nullable) return data;
  const validity = new Uint8Array((values.length + 7) >> 3);
  present.forEach((there, row) => (validity[row >> 3] |= Number(there) << (row & 7)));
  return ArrayBuffer.isView(data) ? { values: data, validity } : { ...data, validity };
}

function columnOf(type, [kind, nulls, form, fpp], rows, random) {
  const values = valuesOf(type, kind, form, rows, random);
  const present = presenceOf(nulls, rows, random);
  const name = `${kind}_${nulls}_${form}${fpp ? '_bloom' : ''}`;
  const nullable = nulls !== 'none';
  return {
    input: {
      name,
      type: type.name,
      nullable,
      data: inputOf(type, form, values, present, nullable, random),
      ...(fpp && { bloomFilter: { fpp } }),
    },
    expected: {
      name,
      nullable,
      bloom: fpp ?? 0,
      values: values.map((value, row) => (present[row] ? type.canonical(value) : null)),
    },
  };
}

const fileName = (type) => type.name.replace(/[^a-z0-9]+/gi, '_').replace(/_$/, '');

/** Writes all files; returns one entry per file: its name, and either its path or the error that the writer gave. */
export async function writeMatrix(writeParquetBytes, out, seed, only = '') {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const files = [];
  for (const type of TYPES) {
    for (const shape of SHAPES) {
      const stem = `${fileName(type)}.${shape.name}`;
      if (shape.only && !shape.only(type)) continue;
      if (!stem.includes(only)) continue;
      const random = new Random(seedOf(`${seed} ${fileName(type)}.${shape.values ?? shape.name}`));
      const columns = shape.columns(type).map((column) => columnOf(type, column, shape.rows, random));
      const expected = {
        type: type.name,
        shape: shape.name,
        rows: shape.rows,
        options: shape.options ?? {},
        columns: columns.map((column) => column.expected),
      };
      writeFileSync(join(out, `${stem}.json`), JSON.stringify(expected));
      for (const codec of shape.codecs ?? CODECS) {
        const name = `${stem}.${codec}`;
        try {
          const bytes = await writeParquetBytes(
            columns.map((column) => column.input),
            { compression: codec, ...shape.options },
          );
          writeFileSync(join(out, `${name}.parquet`), bytes);
          files.push({ name });
        } catch (error) {
          files.push({ name, error });
        }
      }
    }
  }
  return files;
}
