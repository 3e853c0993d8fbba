/**
 * JavaScript columns → Arrow JS table, in two ways.
 *
 * arrowTable      as the documentation of Arrow JS shows it: vectorFromArray with an explicit type
 * arrowTableFast  hand-written loops, the fastest that we found: validity and values straight into typed arrays,
 *                 strings joined and encoded in blocks, strings of few values as Arrow dictionaries (on request)
 *
 * Both take typed arrays without a copy.
 */
import * as arrow from 'apache-arrow';

const arrowTypes = {
  int32: () => new arrow.Int32(),
  int64: () => new arrow.Int64(),
  float64: () => new arrow.Float64(),
  bool: () => new arrow.Bool(),
  utf8: () => new arrow.Utf8(),
  date32: () => new arrow.DateDay(),
  timestamp_ms: () => new arrow.TimestampMillisecond(),
  timestamp_us: () => new arrow.TimestampMicrosecond(),
};

function tableOf({ columns, rows }, convert) {
  const children = columns.map(convert);
  const fields = columns.map(({ name, nullable }, i) => new arrow.Field(name, children[i].type, nullable));
  const schema = new arrow.Schema(fields);
  const struct = arrow.makeData({ type: new arrow.Struct(fields), length: rows, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

const typedColumn = (type, data) => arrow.makeData({ type, length: data.length, data, nullCount: 0 });

export function arrowTable(table) {
  return tableOf(table, ({ type, data }) => {
    const arrowType = arrowTypes[type]();
    return ArrayBuffer.isView(data) ? typedColumn(arrowType, data) : arrow.vectorFromArray(data, arrowType).data[0];
  });
}

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
  return arrow.makeData({ type: arrowTypes[type](), length: n, data, ...nulls.parts });
}

export function arrowTableFast(table, { dictionaries = false } = {}) {
  return tableOf(table, ({ type, data }) => {
    if (ArrayBuffer.isView(data)) return typedColumn(arrowTypes[type](), data);
    if (type !== 'utf8') return fixedColumn(type, data);
    if (dictionaries && hasFewValues(data)) return dictionaryColumn(data);
    return arrow.makeData({ type: new arrow.Utf8(), ...encodeStrings(data) });
  });
}
