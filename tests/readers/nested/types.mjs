// Random column types, and random values of them as JavaScript holds them.
//
// A type is { kind, text, … }; a value of it is null, a leaf's value, an array, a Map by field name (of a struct), or an
// array of [key, value] pairs (of a map).

const LEAVES = [
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float32',
  'float64',
  'string',
  'binary',
  'date',
  'timestamp[ms, UTC]',
  'timestamp[us]',
];
const KEYS = ['string', 'int32', 'int64', 'string'];
/** Names that are traps for objects, and plain ones. */
const NAMES = ['a', 'b', 'x', 'constructor', '__proto__', 'toString', 'length', 'key', 'ä ö', 'list', 'Z', '0', '1'];

const WORD = /^[A-Za-z_][A-Za-z_0-9]*$/;
const fieldText = (name) => (WORD.test(name) ? name : JSON.stringify(name));

/** A type at most `depth` groups deep. */
export function randomType(random, depth) {
  const kind = depth === 0 || random.chance(0.3) ? 'leaf' : random.pick(['list', 'struct', 'map']);
  const place = () => {
    const type = randomType(random, depth - 1);
    const nullable = random.chance(0.75);
    return { type, nullable, text: nullable ? type.text : `${type.text} not null` };
  };
  switch (kind) {
    case 'list': {
      const element = place();
      return { kind, text: `list<${element.text}>`, element };
    }
    case 'map': {
      const name = random.pick(KEYS);
      const value = place();
      return { kind, text: `map<${name}, ${value.text}>`, key: { type: leaf(name), nullable: false }, value };
    }
    case 'struct': {
      const names = [...NAMES].sort(() => random.chance(0.5) - 0.5).slice(0, 1 + random.below(3));
      const fields = names.map((name) => ({ name, ...place() }));
      return {
        kind,
        text: `struct<${fields.map(({ name, text }) => `${fieldText(name)}: ${text}`).join(', ')}>`,
        fields,
      };
    }
    default:
      return leaf(random.pick(LEAVES));
  }
}

function leaf(text) {
  return { kind: text.replace(/\[.*/, ''), text };
}

/** Names of the leaf types below a type. */
export function leavesOf(type) {
  const below = { list: () => [type.element], map: () => [type.key, type.value], struct: () => type.fields }[type.kind];
  return below ? below().flatMap((place) => leavesOf(place.type)) : [type.kind];
}

export const isLeaf = ({ kind }) => kind !== 'list' && kind !== 'map' && kind !== 'struct';

/** How a data set is made: share of nulls, usual length of lists, distinct values. */
export function randomManner(random) {
  return {
    nulls: random.pick([0, 0.1, 0.5, 0.95]),
    empty: random.pick([0, 0.3, 0.8]),
    length: random.pick([1, 3, 12]),
    distinct: random.pick([3, 50, 1e9]),
  };
}

export function randomValue(random, { type, nullable }, manner) {
  if (nullable && random.chance(manner.nulls)) return null;
  switch (type.kind) {
    case 'list':
      return Array.from({ length: lengthOf(random, manner) }, () => randomValue(random, type.element, manner));
    case 'map': {
      const pairs = new Map();
      for (let left = lengthOf(random, manner); left > 0; left--) {
        const key = randomLeaf(random, type.key.type, { ...manner, distinct: 1e9 });
        pairs.set(key, randomValue(random, type.value, manner));
      }
      return [...pairs];
    }
    case 'struct':
      return new Map(type.fields.map((field) => [field.name, randomValue(random, field, manner)]));
    default:
      return randomLeaf(random, type, manner);
  }
}

function lengthOf(random, { empty, length }) {
  return random.chance(empty) ? 0 : 1 + random.below(length);
}

/** Few distinct values are the first of a long row of hashes. */
function randomLeaf(random, { kind, text }, { distinct }) {
  const number = distinct > 1e6 ? random.u32() : Math.imul(random.below(distinct) + 1, 0x9e3779b1) >>> 0;
  const wide = () => (BigInt(number) << 31n) ^ BigInt(Math.imul(number, 0x85ebca6b) >>> 0);
  switch (kind) {
    case 'bool':
      return number % 2 === 0;
    case 'int8':
      return (number << 24) >> 24;
    case 'int16':
      return (number << 16) >> 16;
    case 'int32':
      return number | 0;
    case 'uint8':
      return number & 0xff;
    case 'uint16':
      return number & 0xffff;
    case 'uint32':
      return number;
    case 'int64':
      return BigInt.asIntN(64, wide() * 3n);
    case 'uint64':
      return BigInt.asUintN(64, wide() * 5n);
    case 'float32':
      return Math.fround(special(number) ?? (number - 2 ** 31) / 1000);
    case 'float64':
      return special(number) ?? (number - 2 ** 31) / 977;
    case 'string':
      return text16(number);
    case 'binary':
      return Uint8Array.from({ length: number % 19 }, (_, index) => (number >>> (index % 24)) & 0xff);
    case 'date':
      return (number % 60_000) - 10_000;
    case 'timestamp':
      return BigInt(number) * (text.startsWith('timestamp[ms') ? 1000n : 999_983n) - 10n ** 12n;
    default:
      throw new Error(`no values of ${kind}`);
  }
}

function special(number) {
  return number % 16 < 5 ? [0, -0, NaN, Infinity, -Infinity][number % 16] : undefined;
}

const LETTERS = ['a', 'Z', '0', ' ', 'é', 'ß', '漢', '🚀', '\u0000', '"', '\uffff'];

function text16(number) {
  return Array.from({ length: number % 23 }, (_, index) => LETTERS[(number >>> (index % 28)) % LETTERS.length]).join(
    '',
  );
}
