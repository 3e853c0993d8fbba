// The types of the support table: the flat ones of the matrix, the other leaves of the format, and nested ones.
//
// As in ../types.mjs: `corners`, `random`, `canonical` (here of nested values, too: lists, structs and maps are arrays)
// and `cell`. `far`: values that the format has and some readers have not, kept apart from `corners` so that they stand
// in a column of their own. `tree` says the type to the Python side: a text for a leaf, an object for a group.
// `leaves`: their names.

import { encodingsOf } from '../encoded.mjs';
import { decimal, fixed, hex, integer, randomInteger, TYPES as FLAT, utf8 } from '../types.mjs';

/** Seconds from 1900 to 2261: days and instants that every reader holds in every unit. */
const HELD = [-2_208_988_800n, 9_214_646_400n];
const PER_SECOND = { ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n };

function near(type, [min, max]) {
  return {
    ...type,
    corners: [min, max, ...type.corners.filter((value) => value > min && value < max)],
    random: (random) => randomInteger(random, min, max),
    far: type.corners,
  };
}

/** A flat type with the values that readers differ about set apart. */
function apart(type) {
  // A JavaScript number keeps no payload of a NaN for sure.
  if (type.nans) return { ...type, far: [type.nans[0], ...type.corners.slice(0, 2)] };
  if (type.name === 'string') {
    return {
      ...type,
      corners: type.corners.filter((value) => !value.startsWith('\ufeff')),
      far: ['\ufeffbom', '\ufeff'],
    };
  }
  if (type.name === 'date')
    return near(
      type,
      HELD.map((second) => second / 86_400n),
    );
  const unit = /^timestamp\[(..)/.exec(type.name)?.[1];
  return unit
    ? near(
        type,
        HELD.map((second) => second * PER_SECOND[unit]),
      )
    : type;
}

const PER_DAY = { ms: 86_400_000n, us: 86_400_000_000n, ns: 86_400_000_000_000n };

const time = (unit, utc) =>
  integer(`time[${unit}${utc ? ', UTC' : ''}]`, 64, true, { range: [0n, PER_DAY[unit] - 1n] });

/** Decimals beyond 64 bits. */
function wide(precision, scale) {
  const limit = 10n ** BigInt(precision);
  const random = (random) => (random.bits(128) % limit) * (random.chance(0.5) ? 1n : -1n);
  return { ...decimal(precision, scale, 64), random };
}

const text = (name, corners) => ({
  name,
  corners,
  random: (random) => random.pick(corners),
  canonical: (value) => hex(utf8(value)),
  cell: (value) => value,
});

/** A document with one field of 32 bits, x. */
const bson = (number) => Uint8Array.of(12, 0, 0, 0, 0x10, 0x78, 0, number, number >> 8, number >> 16, number >> 24, 0);

const BYTES = { canonical: hex, cell: (value) => value };
const interval = (months, days, milliseconds) => ({ months, days, milliseconds });
const MOST = 2 ** 32 - 1;
const INT96_RANGE = [-(1n << 63n) + 2n, (1n << 63n) - 1n];
const int96 = integer('int96', 64, true, { range: INT96_RANGE, corners: [-1n, 86_400_000_000_000n] });
const microseconds = (value) => (value / 1000n) * 1000n;

const MORE = [
  text('enum', ['', 'RED', 'GREEN', 'é', 'x'.repeat(70)]),
  {
    ...text('json', ['{}', '{"a":[1,2.5,"é"]}', `{"b":"${'x'.repeat(70)}"}`]),
    far: ['null', '[]', '""', '0', 'true'],
  },
  { ...BYTES, name: 'bson', corners: [Uint8Array.of(5, 0, 0, 0, 0)], random: (random) => bson(random.u32() | 0) },
  { ...fixed(16), name: 'uuid' },
  ...['ms', 'us', 'ns'].map((unit) => time(unit, false)),
  time('us', true),
  {
    name: 'interval',
    corners: [interval(0, 0, 0), interval(1, 2, 3), interval(0, 400, 0), interval(1200, 0, 0)],
    far: [interval(0, 0, MOST), interval(0, MOST, 0), interval(MOST, 0, 0)],
    random: (random) => interval(random.below(1000), random.below(1000), random.below(1e6)),
    canonical: ({ months, days, milliseconds }) => `${months} ${days} ${milliseconds}`,
    cell: (value) => value,
  },
  {
    ...int96,
    corners: [...HELD.map((second) => second * PER_SECOND.ns), 0n, 1000n, -1000n],
    random: (random) => microseconds(randomInteger(random, ...HELD.map((second) => second * PER_SECOND.ns))),
    far: int96.corners,
  },
  wide(25, 3),
  wide(38, 10),
  { name: 'null', corners: [], random: () => null, canonical: String, cell: (value) => value },
];

const leaves = new Map(
  [...FLAT.map(apart), ...MORE].map((type) => [type.name, { tree: type.name, leaves: [type.name], ...type }]),
);

/** Null or what `of` makes of the value. */
const orNull = (of) => (value) => (value === null ? null : of(value));
const one = (random, type) =>
  random.chance(0.2) ? null : random.chance(0.3) ? random.pick(type.corners) : type.random(random);

function list(element) {
  const type = {
    name: `list<${element.name}>`,
    tree: { list: element.tree },
    leaves: element.leaves,
    corners: [[], [null], element.corners, [null, ...element.corners, null]],
    random: (random) => Array.from({ length: random.below(4) }, () => one(random, element)),
    canonical: (value) => value.map(orNull(element.canonical)),
    cell: (value) => value.map(orNull(element.cell)),
  };
  return type;
}

function struct(fields) {
  const each = (of) => fields.map(([name, type]) => of(type, name));
  return {
    name: `struct<${each((type, name) => `${name}: ${type.name}`).join(', ')}>`,
    tree: { struct: each((type, name) => [name, type.tree]) },
    leaves: each((type) => type.leaves).flat(),
    corners: [each(() => null), each((type) => type.corners[0])],
    random: (random) => each((type) => one(random, type)),
    canonical: (value) => fields.map(([, type], at) => orNull(type.canonical)(value[at])),
    cell: (value) => Object.fromEntries(fields.map(([name, type], at) => [name, orNull(type.cell)(value[at])])),
  };
}

function map(key, value) {
  const unique = (pairs) => [...new Map(pairs)];
  return {
    name: `map<${key.name}, ${value.name}>`,
    tree: { map: [key.tree, value.tree] },
    leaves: [...key.leaves, ...value.leaves],
    corners: [
      [],
      [['', null]],
      [
        ['a', value.corners[0]],
        ['b', null],
      ],
    ],
    random: (random) =>
      unique(Array.from({ length: random.below(4) }, () => [`k${random.below(20)}`, one(random, value)])),
    canonical: (pairs) => pairs.map(([k, v]) => [key.canonical(k), orNull(value.canonical)(v)]),
    cell: (pairs) => new Map(pairs.map(([k, v]) => [key.cell(k), orNull(value.cell)(v)])),
  };
}

const leaf = (name) => leaves.get(name);
const NESTED = [
  list(leaf('int32')),
  list(leaf('string')),
  struct([
    ['a', leaf('int64')],
    ['b', leaf('string')],
  ]),
  map(leaf('string'), leaf('float64')),
  list(list(leaf('bool'))),
  list(
    struct([
      ['x', leaf('date')],
      ['y', list(leaf('string'))],
    ]),
  ),
  map(leaf('string'), list(leaf('int32'))),
];

const REST = { int96: ['PLAIN', 'RLE_DICTIONARY'], null: ['PLAIN'] };
const LIKE = { enum: 'string', json: 'string', bson: 'binary', uuid: 'fixed[16]', interval: 'fixed[12]' };

function encodingsOfLeaf(name) {
  const precision = Number(/^decimal\((\d+)/.exec(name)?.[1] ?? 0);
  return REST[name] ?? encodingsOf(precision > 18 ? 'fixed[16]' : (LIKE[name] ?? name));
}

/** Encodings that fit all leaves of a type. */
export function encodingsOfType(type) {
  const [first, ...others] = type.leaves.map(encodingsOfLeaf);
  return first.filter((encoding) => others.every((encodings) => encodings.includes(encoding)));
}

export const TYPES = [...leaves.values(), ...NESTED];
