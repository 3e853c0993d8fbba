// The same values in hyparquet, which knows maps as objects and nothing of a field called __proto__.

import { isDeepStrictEqual } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

const raw = (value) => value;
const parsers = {
  timestampFromMilliseconds: raw,
  timestampFromMicroseconds: raw,
  timestampFromNanoseconds: raw,
  dateFromDays: raw,
};

function shown({ type }, value) {
  if (value === null) return null;
  switch (type.kind) {
    case 'list':
      return value.map((element) => shown(type.element, element));
    case 'map':
      return Object.fromEntries(value.map(([key, inner]) => [String(key), shown(type.value, inner)]));
    case 'struct':
      return Object.fromEntries(type.fields.map((field) => [field.name, shown(field, value.get(field.name))]));
    default:
      return value;
  }
}

/** Objects without prototypes and undefined fields as those that are written down. */
function plain(value) {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

export async function differenceInHyparquet(bytes, columns, rows) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const known = columns.filter(({ place }) => !place.type.text.includes('__proto__'));
  const found = await parquetReadObjects({
    file,
    compressors,
    parsers,
    utf8: false,
    columns: known.map(({ name }) => name),
  });
  if (known.length > 0 && found.length !== rows) return `${found.length} rows instead of ${rows}`;
  for (const { name, place, values } of known) {
    for (let row = 0; row < rows; row++) {
      const wanted = shown(place, values[row]);
      const there = plain(found[row][name]);
      if (!isDeepStrictEqual(there, wanted))
        return `${place.type.text}, row ${row}: ${show(wanted)} became ${show(there)}`;
    }
  }
  return undefined;
}

const show = (value) => JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner));
