// One value written as a column of a type, and the text of what the file then holds, or the code of the refusal.

import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { writeParquetSync } from '../../pkg/index.js';
import { readBack } from './read-back.mjs';
import { typesOf } from './schema-text.mjs';

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function textOf(value) {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return `x${hex(value)}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}: ${textOf(member)}`)
      .join(', ')}}`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** As stored: counts of units, unscaled decimals, bytes in hexadecimal digits. */
export async function storedText(value, type) {
  let bytes;
  try {
    bytes = writeParquetSync([{ name: 'c', data: [value], ...(type === undefined ? {} : { type }) }]);
  } catch (error) {
    if (error.name !== 'ParquetError') throw error;
    return error.code;
  }
  if (type === undefined) return typesOf(bytes).get('c').text;
  if (!type.includes('<')) return textOf((await readBack(bytes)).columns.c[0]);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const [row] = await parquetReadObjects({ file, compressors });
  return textOf(row.c);
}
