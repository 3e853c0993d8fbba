/** An Arrow schema as the text of `ARROW:schema`: base64 of an IPC message (Message.fbs, Schema.fbs). */

import { type ArrowField, type ArrowType, TypeId } from './field.js';

type Metadata = ReadonlyMap<string, string>;
/** What stands in a slot of a table: a number of some bytes, or something behind the table that is pointed to. */
type Slot = undefined | readonly [size: 1 | 2 | 4 | 8, value: number] | ((out: Flatbuffer) => number);

const VERSION_5 = 4;
const SCHEMA = 1;
const CONTINUATION = 0xffff_ffff;
const encoder = new TextEncoder();

const byte = (value: number | boolean): Slot => [1, Number(value)];
const short = (value: number): Slot => [2, value];
const int = (value: number): Slot => [4, value];

/** Bytes from the front to the back: what is pointed to always comes later. Positions are those in the buffer. */
class Flatbuffer {
  length = 0;
  #bytes = new Uint8Array(1 << 10);
  #view = new DataView(this.#bytes.buffer);

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Room for `size` more bytes at a multiple of `alignment`; where they are. */
  #take(size: number, alignment: number): number {
    const at = Math.ceil(this.length / alignment) * alignment;
    this.length = at + size;
    if (this.length > this.#bytes.length) {
      const old = this.#bytes;
      this.#bytes = new Uint8Array(this.length * 2);
      this.#bytes.set(old);
      this.#view = new DataView(this.#bytes.buffer);
    }
    return at;
  }

  pad(alignment: number): void {
    this.#take(0, alignment);
  }

  #put(at: number, size: number, value: number): void {
    if (size === 1) this.#view.setUint8(at, value);
    else if (size === 2) this.#view.setInt16(at, value, true);
    else if (size === 4) this.#view.setUint32(at, value, true);
    else this.#view.setBigInt64(at, BigInt(value), true);
  }

  word(value: number): number {
    const at = this.#take(4, 4);
    this.#put(at, 4, value);
    return at;
  }

  /** Lets the offset at `from` point to `to`. */
  point(from: number, to: number): void {
    this.#put(from, 4, to - from);
  }

  table(slots: readonly Slot[]): number {
    const vtable = this.#take(4 + slots.length * 2, 2);
    const table = this.#take(4, 8);
    this.#put(table, 4, table - vtable);
    const places = slots.map((slot) => {
      if (slot === undefined) return 0;
      const size = typeof slot === 'function' ? 4 : slot[0];
      const at = this.#take(size, size);
      if (typeof slot !== 'function') this.#put(at, size, slot[1]);
      return at;
    });
    this.#put(vtable, 2, 4 + slots.length * 2);
    this.#put(vtable + 2, 2, this.length - table);
    places.forEach((at, index) => this.#put(vtable + 4 + index * 2, 2, at === 0 ? 0 : at - table));
    slots.forEach((slot, index) => {
      if (typeof slot === 'function') this.point(places[index], slot(this));
    });
    return table;
  }

  text(text: string): number {
    const bytes = encoder.encode(text);
    const at = this.word(bytes.length);
    // A zero stands behind every text.
    const place = this.#take(bytes.length + 1, 1);
    this.#bytes.set(bytes, place);
    return at;
  }

  tables(tables: readonly (readonly Slot[])[]): number {
    const at = this.word(tables.length);
    const places = tables.map(() => this.word(0));
    tables.forEach((slots, index) => this.point(places[index], this.table(slots)));
    return at;
  }
}

const textSlot = (text: string): Slot => (out) => out.text(text);
const tableSlot = (slots: readonly Slot[]): Slot => (out) => out.table(slots);
const tablesSlot = (tables: readonly (readonly Slot[])[]): Slot => (out) => out.tables(tables);

function metadataSlot(metadata: Metadata): Slot {
  if (metadata.size === 0) return undefined;
  return tablesSlot([...metadata].map(([key, value]) => [textSlot(String(key)), textSlot(String(value))]));
}

/** The slots of a type's own table. */
function typeSlots(type: ArrowType): Slot[] {
  switch (type.id) {
    case TypeId.int:
      return [int(type.bits), byte(type.signed)];
    case TypeId.float:
      return [short(Math.log2(type.bits / 16))];
    case TypeId.decimal:
      return [int(type.precision), int(type.scale), int(type.bits)];
    case TypeId.time:
      return [short(type.unit), int(type.unit <= 1 ? 32 : 64)];
    case TypeId.timestamp:
      return [short(type.unit), type.zone === undefined ? undefined : textSlot(type.zone)];
    case TypeId.date:
    case TypeId.duration:
    case TypeId.interval:
      return [short(type.unit)];
    case TypeId.fixedSizeBinary:
    case TypeId.fixedSizeList:
      return [int(type.width)];
    case TypeId.map:
      return [byte(type.ordered)];
    default:
      return [];
  }
}

class SchemaWriter {
  /** Every dictionary has a number of its own, as they have in files. */
  #dictionaries = 0;

  field({ name, nullable, type, metadata }: ArrowField): Slot[] {
    let plain = type;
    let encoding: Slot;
    if (type.values !== undefined) {
      plain = type.values;
      const indices = type.indices === undefined ? undefined : tableSlot(typeSlots(type.indices));
      encoding = tableSlot([[8, this.#dictionaries++], indices, byte(type.ordered)]);
    }
    const children = plain.children.map((child) => this.field(child));
    return [
      textSlot(name), byte(nullable), byte(plain.id), tableSlot(typeSlots(plain)), encoding, tablesSlot(children),
      metadataSlot(metadata),
    ];
  }
}

/** Field order is that of the file's columns. */
export function schemaText(fields: readonly ArrowField[], metadata: Metadata): string {
  const writer = new SchemaWriter();
  const schema = tableSlot([short(0), tablesSlot(fields.map((field) => writer.field(field))), metadataSlot(metadata)]);
  const out = new Flatbuffer();
  const root = out.word(0);
  out.point(root, out.table([short(VERSION_5), byte(SCHEMA), schema]));
  out.pad(8);
  const head = new Uint8Array(8);
  new DataView(head.buffer).setUint32(0, CONTINUATION, true);
  new DataView(head.buffer).setUint32(4, out.length, true);
  return base64(head, out.bytes);
}

function base64(...parts: Uint8Array[]): string {
  let text = '';
  for (const part of parts) for (const byte of part) text += String.fromCharCode(byte);
  return btoa(text);
}
