/** One column → Arrow data by hand-written loops: the fast way of arrow.mjs. */
import * as arrow from 'apache-arrow';
import { arrowType } from './arrow-type.mjs';

export const typedColumn = (type, data) => arrow.makeData({ type, length: data.length, data, nullCount: 0 });

/** A validity bitmap that exists from the first null on. */
class Nulls {
  nullBitmap = null;
  nullCount = 0;

  constructor(length) {
    this.bytes = (length + 7) >> 3;
  }

  add(row) {
    this.nullBitmap ??= new Uint8Array(this.bytes).fill(255);
    this.nullBitmap[row >> 3] &= ~(1 << (row & 7));
    this.nullCount++;
  }

  get parts() {
    return { nullBitmap: this.nullBitmap, nullCount: this.nullCount };
  }
}

const encoder = new TextEncoder();
const BLOCK = 2048;

function encodeStrings(values) {
  const n = values.length;
  const nulls = new Nulls(n);
  const valueOffsets = new Int32Array(n + 1);
  let bytes = new Uint8Array(Math.max(1024, n * 16));
  let used = 0;
  for (let start = 0; start < n; start += BLOCK) {
    const end = Math.min(n, start + BLOCK);
    let units = 0;
    for (let i = start; i < end; i++) {
      if (values[i] === null) nulls.add(i);
      else units += values[i].length;
      valueOffsets[i + 1] = used + units;
    }
    if (used + units * 3 > bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, used + units * 3));
      larger.set(bytes.subarray(0, used));
      bytes = larger;
    }
    // join() takes null as an empty string
    const { written } = encoder.encodeInto(values.slice(start, end).join(''), bytes.subarray(used));
    if (written !== units) {
      let at = used;
      for (let i = start; i < end; i++) {
        if (values[i] !== null) at += encoder.encodeInto(values[i], bytes.subarray(at)).written;
        valueOffsets[i + 1] = at;
      }
    }
    used += written;
  }
  return { length: n, valueOffsets, data: bytes.subarray(0, used), ...nulls.parts };
}

/** Of some 1000 values spread over the column, are fewer than a quarter different? */
function hasFewValues(values) {
  const sample = new Set();
  const step = Math.max(1, Math.floor(values.length / 1000));
  let seen = 0;
  for (let i = 0; i < values.length; i += step, seen++) sample.add(values[i]);
  return sample.size <= seen / 4;
}

function dictionaryColumn(values) {
  const n = values.length;
  const nulls = new Nulls(n);
  const codes = new Map();
  const data = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    if (values[i] === null) {
      nulls.add(i);
      continue;
    }
    let code = codes.get(values[i]);
    if (code === undefined) codes.set(values[i], (code = codes.size));
    data[i] = code;
  }
  const dictionary = new arrow.Vector([
    arrow.makeData({ type: new arrow.Utf8(), ...encodeStrings([...codes.keys()]) }),
  ]);
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  return arrow.makeData({ type, length: n, data, dictionary, ...nulls.parts });
}

/** How a value is put into the storage of its type. */
const storages = {
  int32: (n) => new Int32Array(n),
  float64: (n) => new Float64Array(n),
  bool: (n) => new Uint8Array((n + 7) >> 3),
  date32: (n) => new Int32Array(n),
  timestamp_ms: (n) => new Uint32Array(2 * n),
};
const plain = (storage, i, value) => {
  storage[i] = value;
};
const puts = {
  int32: plain,
  float64: plain,
  bool: (storage, i, value) => {
    if (value) storage[i >> 3] |= 1 << (i & 7);
  },
  date32: (storage, i, value) => {
    storage[i] = Math.floor(value.getTime() / 86400000);
  },
  timestamp_ms: (storage, i, value) => {
    const ms = value.getTime();
    storage[2 * i] = ms % 4294967296;
    storage[2 * i + 1] = Math.floor(ms / 4294967296);
  },
};

function fixedColumn(type, values) {
  const n = values.length;
  const nulls = new Nulls(n);
  const storage = storages[type](n);
  const put = puts[type];
  for (let i = 0; i < n; i++) {
    if (values[i] === null) nulls.add(i);
    else put(storage, i, values[i]);
  }
  const data = type === 'timestamp_ms' ? new BigInt64Array(storage.buffer) : storage;
  return arrow.makeData({ type: arrowType(type), length: n, data, ...nulls.parts });
}

/** Where each list or map starts in its items, and these in one array. */
function flatten(values) {
  const n = values.length;
  const nulls = new Nulls(n);
  const valueOffsets = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) {
    if (values[i] === null) nulls.add(i);
    valueOffsets[i + 1] = valueOffsets[i] + (values[i]?.length ?? 0);
  }
  const items = new Array(valueOffsets[n]);
  let at = 0;
  for (const value of values) if (value !== null) for (let k = 0; k < value.length; k++) items[at++] = value[k];
  return { items, lists: { length: n, valueOffsets, ...nulls.parts } };
}

function listColumn(type, values) {
  const { items, lists } = flatten(values);
  return arrow.makeData({ type: arrowType(type), ...lists, child: arrowColumnFast(type.list, items, false) });
}

function mapColumn(type, values) {
  const { items, lists } = flatten(values);
  const map = arrowType(type);
  const pick = (k) => items.map((entry) => entry[k]);
  const children = type.map.map((part, k) => arrowColumnFast(part, pick(k), false));
  const child = arrow.makeData({ type: map.children[0].type, length: items.length, nullCount: 0, children });
  return arrow.makeData({ type: map, ...lists, child });
}

function structColumn(type, values) {
  const pick = (name) => values.map((value) => value[name]);
  const children = type.struct.map((field) => arrowColumnFast(field.type, pick(field.name), false));
  return arrow.makeData({ type: arrowType(type), length: values.length, nullCount: 0, children });
}

export function arrowColumnFast(type, data, dictionaries) {
  if (ArrayBuffer.isView(data)) return typedColumn(arrowType(type), data);
  if (type.list) return listColumn(type, data);
  if (type.map) return mapColumn(type, data);
  if (type.struct) return structColumn(type, data);
  if (type !== 'utf8') return fixedColumn(type, data);
  if (dictionaries && hasFewValues(data)) return dictionaryColumn(data);
  return arrow.makeData({ type: new arrow.Utf8(), ...encodeStrings(data) });
}
