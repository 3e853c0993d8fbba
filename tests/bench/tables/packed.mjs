import { pivot } from './rows.mjs';

const widths = { int32: 4, int64: 8, float64: 8, bool: 1, date32: 4, timestamp_ms: 8, timestamp_us: 8 };

function utf8Length(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

const sum = (list, bytes) => list.reduce((total, one) => total + bytes(one), 0);

function columnBytes(type, data) {
  if (type in widths) return widths[type] * data.length;
  if (type === 'utf8') return sum(data, (text) => 4 + (text === null ? 0 : utf8Length(text)));
  if (type.struct) {
    const pick = (name) => data.map((value) => value[name]);
    return sum(type.struct, (field) => columnBytes(field.type, pick(field.name)));
  }
  const offsets = 4 * data.length;
  const items = data.flatMap((value) => value ?? []);
  if (type.list) return offsets + columnBytes(type.list, items);
  // flatMap has opened the map and not its entries
  return offsets + sum([0, 1], (part) => columnBytes(type.map[part], items.map((entry) => entry[part])));
}

/** Bytes of a table in a packed layout, as Arrow would hold it: the MB of "MB/s". */
export const packedBytes = (table) =>
  sum((table.objects ? pivot(table) : table).columns, ({ type, data }) => columnBytes(type, data));
