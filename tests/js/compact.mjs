// Thrift's compact protocol as trees: a struct is a list of fields { id, type, value }, a list is { of, items }. For tests
// that look into footers, or make footers that no writer makes.

const [TRUE, FALSE, I8, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID] = [1, 2, 3, 7, 8, 9, 10, 11, 12, 13];

class Reader {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error('the end');
    return this.bytes[this.at++];
  }

  varint() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  integer() {
    const value = this.varint();
    return (value >> 1n) ^ -(value & 1n);
  }

  value(type, inList = false) {
    if (type === TRUE || type === FALSE) return (inList ? this.byte() : type) === TRUE;
    if (type === I8) return this.byte();
    if (type < DOUBLE) return this.integer();
    if (type === DOUBLE) return this.bytes.slice(this.at, (this.at += 8));
    if (type === BINARY) {
      const length = Number(this.varint());
      if (this.at + length > this.bytes.length) throw new Error('the end');
      return this.bytes.slice(this.at, (this.at += length));
    }
    if (type === LIST || type === SET) {
      const header = this.byte();
      const count = header >> 4 === 15 ? Number(this.varint()) : header >> 4;
      const of = header & 15;
      const items = [];
      for (let index = 0; index < count; index++) items.push(this.value(of, true));
      return { of, items };
    }
    if (type === MAP) {
      const count = Number(this.varint());
      const kinds = count > 0 ? this.byte() : 0;
      const entries = [];
      for (let index = 0; index < count; index++) {
        entries.push([this.value(kinds >> 4, true), this.value(kinds & 15, true)]);
      }
      return { entries };
    }
    if (type === STRUCT) return this.struct();
    if (type === UUID) return this.bytes.slice(this.at, (this.at += 16));
    throw new Error(`type ${type}`);
  }

  struct() {
    const fields = [];
    for (let last = 0; ;) {
      const header = this.byte();
      if (header === 0) return fields;
      const id = header >> 4 === 0 ? Number(this.integer()) : last + (header >> 4);
      fields.push({ id, type: header & 15, value: this.value(header & 15) });
      last = id;
    }
  }
}

export function decode(bytes) {
  return new Reader(bytes).struct();
}

const varint = (value, out) => {
  let rest = BigInt(value);
  for (; rest >= 128n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  out.push(Number(rest));
};
const integer = (value, out) => varint(BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n)), out);

function encodeValue(type, value, out, inList = false) {
  if (type === TRUE || type === FALSE) {
    if (inList) out.push(value ? TRUE : FALSE);
  } else if (type === I8) out.push(value);
  else if (type < DOUBLE) integer(value, out);
  else if (type === DOUBLE) out.push(...value);
  else if (type === BINARY) {
    varint(value.length, out);
    out.push(...value);
  } else if (type === STRUCT) out.push(...encode(value));
  else {
    const count = value.count ?? value.items.length;
    if (count < 15) out.push((count << 4) | value.of);
    else {
      out.push(0xf0 | value.of);
      varint(count, out);
    }
    value.items.forEach((item) => encodeValue(value.of, item, out, true));
  }
}

export function encode(fields) {
  const out = [];
  let last = 0;
  for (const { id, type, value } of fields) {
    const said = type === TRUE || type === FALSE ? (value ? TRUE : FALSE) : type;
    const step = id - last;
    if (step >= 1 && step <= 15) out.push((step << 4) | said);
    else {
      out.push(said);
      integer(id, out);
    }
    last = id;
    encodeValue(type, value, out);
  }
  out.push(0);
  return Uint8Array.from(out);
}

/** The value of a field, found by ids from struct to struct; numbers between are indexes into lists. */
export function get(fields, ...path) {
  return path.reduce((at, step) => {
    if (at === undefined) return undefined;
    return Array.isArray(at) ? at.find(({ id }) => id === step)?.value : at.items[step];
  }, fields);
}

/** Sets or, with `undefined`, removes a field. */
export function put(fields, id, type, value) {
  const at = fields.findIndex((field) => field.id >= id);
  const place = at < 0 ? fields.length : at;
  const there = fields[place]?.id === id ? 1 : 0;
  fields.splice(place, there, ...(value === undefined ? [] : [{ id, type, value }]));
}

const MAGIC = [80, 65, 82, 49];

/** FileMetaData of a file as a tree, and where it begins. */
export function footerOf(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const start = file.length - 8 - view.getUint32(file.length - 8, true);
  return { start, tree: decode(file.subarray(start, file.length - 8)) };
}

/** The file with other bytes in the place of FileMetaData. */
export function withFooter(file, metadata, magic = MAGIC) {
  const { start } = footerOf(file);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, metadata.length, true);
  return Uint8Array.from([...file.subarray(0, start), ...metadata, ...length, ...magic]);
}

/** The file after `change` has worked on the tree of its footer. */
export function changed(file, change) {
  const { tree } = footerOf(file);
  change(tree);
  return withFooter(file, encode(tree));
}
