// The same values in other forms: as JavaScript values of any make, and in Arrow's memory layout with all it allows.

import { isLeaf, randomManner, randomValue } from './types.mjs';

const typedArrays = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
  date: Int32Array,
  timestamp: BigInt64Array,
};

/** A value as one that users might have in its place. */
export function asJs(random, { type }, value) {
  if (value === null) return random.chance(0.5) ? null : undefined;
  switch (type.kind) {
    case 'list': {
      const list = value.map((element) => asJs(random, type.element, element));
      const View = typedArrays[type.element.type.kind];
      const numeric = View !== undefined && !value.includes(null) && random.chance(0.3);
      return numeric ? View.from(value) : list;
    }
    case 'map': {
      const pairs = value.map(([key, inner]) => [key, asJs(random, type.value, inner)]);
      // Integer-like keys of an object are put in order by the engine.
      const plain = pairs.every(([key]) => typeof key === 'string' && !/^\d*$/.test(key) && key !== '__proto__');
      return random.pick([new Map(pairs), plain ? Object.fromEntries(pairs) : new Map(pairs), pairs]);
    }
    case 'struct':
      return asObject(random, type.fields, value);
    case 'timestamp':
      return type.text.startsWith('timestamp[ms') && random.chance(0.5) ? new Date(Number(value)) : value;
    default:
      return value;
  }
}

function asObject(random, fields, value) {
  const object = random.chance(0.3) ? Object.create(null) : {};
  for (const field of fields) {
    const inner = value.get(field.name);
    if (inner === null && random.chance(0.3)) continue;
    const given = asJs(random, field, inner);
    Object.defineProperty(object, field.name, { value: given, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Values of one place as column data of another form. */
export function asForm(random, place, values) {
  const { type } = place;
  if (random.chance(0.15)) return values.map((value) => asJs(random, place, value));
  if (random.chance(0.15)) return dictionaryForm(random, place, values);
  const length = values.length;
  const validity = validityOf(random, values);
  switch (type.kind) {
    case 'list':
      return {
        ...listForm(random, values, (all) => asForm(random, type.element, all), type.element),
        validity,
        length,
      };
    case 'map': {
      const entry = { type: { kind: 'pair', type }, nullable: false };
      const child = (all) => ({
        children: {
          key: asForm(
            random,
            { ...type.key, nullable: false },
            all.map(([key]) => key),
          ),
          value: asForm(
            random,
            type.value,
            all.map(([, value]) => value),
          ),
        },
        length: all.length,
      });
      return { ...listForm(random, values, child, entry), validity, length };
    }
    case 'struct': {
      const children = Object.create(null);
      for (const field of type.fields) {
        const inner = values.map((value) => (value === null ? garbage(random, field) : value.get(field.name)));
        children[field.name] = asForm(random, field, inner);
      }
      return { children, validity, length };
    }
    default:
      return { ...leafForm(random, type, values), validity, length };
  }
}

/** What lies under a null: nulls too, wherever they are allowed otherwise. */
function garbage(random, place) {
  return place.type.kind !== 'pair' && random.chance(0.2) ? null : filler(random, place);
}

function filler(random, place) {
  if (place.type.kind === 'pair') {
    const { key, value } = place.type.type;
    return [filler(random, key), garbage(random, value)];
  }
  return randomValue(random, { ...place, nullable: false }, { ...randomManner(random), length: 2 });
}

function validityOf(random, values) {
  if (!values.includes(null))
    return random.chance(0.5) ? undefined : new Uint8Array((values.length + 15) >>> 3).fill(0xff);
  const bitmap = new Uint8Array((values.length + 7 + random.below(20)) >>> 3);
  values.forEach((value, row) => {
    if (value !== null) bitmap[row >>> 3] |= 1 << (row & 7);
  });
  return bitmap;
}

/** Offsets of any kind, which need not start at 0; null rows may have values. */
function listForm(random, values, child, element) {
  const all = [];
  const stray = () => {
    for (let left = random.below(3); left > 0; left--) all.push(garbage(random, element));
  };
  if (random.chance(0.3)) stray();
  const ends = [all.length];
  for (const value of values) {
    if (value === null) {
      if (random.chance(0.5)) stray();
    } else {
      all.push(...value);
    }
    ends.push(all.length);
  }
  if (random.chance(0.3)) stray();
  return { offsets: offsetsOf(random, ends), child: child(all) };
}

function offsetsOf(random, ends) {
  const Offsets = random.pick([Int32Array, Uint32Array, BigInt64Array]);
  return Offsets.from(Offsets === BigInt64Array ? ends.map(BigInt) : ends);
}

function leafForm(random, type, values) {
  const present = values.map((value) => value ?? filler(random, { type }));
  if (type.kind === 'bool') {
    const bits = new Uint8Array((values.length + 7) >>> 3);
    present.forEach((value, row) => {
      if (value) bits[row >>> 3] |= 1 << (row & 7);
    });
    return { bits };
  }
  if (type.kind !== 'string' && type.kind !== 'binary') {
    const View = typedArrays[type.kind];
    // Somewhere inside a larger buffer.
    const buffer = new ArrayBuffer((present.length + 3) * View.BYTES_PER_ELEMENT);
    const array = new View(buffer, View.BYTES_PER_ELEMENT, present.length);
    array.set(present);
    return { values: array };
  }
  const parts = present.map((value) => (type.kind === 'string' ? Buffer.from(value) : value));
  const before = random.below(4);
  const ends = [before];
  for (const part of parts) ends.push(ends.at(-1) + part.length);
  return {
    offsets: offsetsOf(random, ends),
    bytes: new Uint8Array(Buffer.concat([Buffer.alloc(before, 'x'), ...parts])),
  };
}

/** Entries in any order, some twice, some unused, some null. */
function dictionaryForm(random, place, values) {
  const entries = [];
  const places = new Map();
  const add = (value) => {
    entries.push(value);
    return entries.length - 1;
  };
  if (random.chance(0.5)) add(garbage(random, place));
  if (random.chance(0.5)) add(null);
  const indices = values.map((value) => {
    const hidden = value === null && random.chance(0.6);
    if (hidden) return -1;
    const key =
      isLeaf(place.type) && value !== null ? `${typeof value} ${String(value)} ${Object.is(value, -0)}` : value;
    const known = places.get(key);
    if (known !== undefined && random.chance(0.8)) return known;
    const at = add(value);
    places.set(key, at);
    return at;
  });
  const validity = new Uint8Array((values.length + 7) >>> 3);
  indices.forEach((index, row) => {
    if (index >= 0) validity[row >>> 3] |= 1 << (row & 7);
  });
  const Indices =
    entries.length <= 127 ? random.pick([Int8Array, Uint8Array, Int32Array]) : random.pick([Int32Array, Uint32Array]);
  const array = Indices.from(indices);
  const dictionary = asForm(random, { ...place, nullable: true }, entries);
  return { indices: array, dictionary, length: values.length, ...(indices.includes(-1) && { validity }) };
}
