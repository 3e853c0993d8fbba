// Files read back by an independent reader, as the values that are stored: integers of timestamps, unscaled decimals;
// int96 as nanoseconds since 1970.

import assert from 'node:assert/strict';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ParquetError, writeParquetBytes } from '../../pkg/index.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function float16(bytes) {
  const bits = bytes[0] | (bytes[1] << 8);
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

function bigEndian(bytes) {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), bytes[0] >= 128 ? -1n : 0n);
}

function decoderOf({ type, logical_type: logical }) {
  switch (logical?.type) {
    case 'STRING':
    case 'ENUM':
    case 'JSON':
      return (bytes) => decoder.decode(bytes);
    case 'FLOAT16':
      return float16;
    case 'DECIMAL':
      return type === 'FIXED_LEN_BYTE_ARRAY' ? bigEndian : BigInt;
    case 'INTEGER':
      if (logical.isSigned) return (value) => value;
      return type === 'INT64' ? (value) => BigInt.asUintN(64, value) : (value) => value >>> 0;
    default:
      return (value) => value;
  }
}

/** Types, metadata and values (null or what is stored) of a file, by column name. */
export async function readBack(bytes) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = parquetMetadata(file);
  const elements = metadata.schema.slice(1);
  // Without their annotations values come as they are stored.
  const bare = metadata.schema.map(({ logical_type: _, converted_type: __, ...element }) => element);
  const rows = await parquetReadObjects({
    file,
    compressors,
    metadata: { ...metadata, schema: bare },
    utf8: false,
    parsers: { timestampFromNanoseconds: (nanoseconds) => nanoseconds },
  });
  const columns = Object.fromEntries(
    elements.map((element) => {
      const decode = decoderOf(element);
      return [
        element.name,
        rows.map((row) => {
          const value = row[element.name];
          return value === null || value === undefined ? null : decode(value);
        }),
      ];
    }),
  );
  return {
    metadata,
    rows: rows.length,
    columns,
    elements: Object.fromEntries(elements.map((element) => [element.name, element])),
  };
}

/** Writes a table and reads it back. */
export async function roundTrip(table, options) {
  return readBack(await writeParquetBytes(table, options));
}

/** One column written and read back: the values and the schema element. */
export async function roundTripColumn(data, type, options = {}) {
  const column = { name: 'c', data, ...(type === undefined ? {} : { type }) };
  const { columns, elements } = await roundTrip([column], options);
  return { values: columns.c, element: elements.c };
}

/** The column's values come back equal, NaN and −0 told apart from other numbers. */
export async function assertStored(data, type, expected, options) {
  const { values, element } = await roundTripColumn(data, type, options);
  assert.deepEqual(values, [...expected]);
  return element;
}

/** `write` fails with a ParquetError of this code, about this column and row; the message is given back. */
export async function assertRefused(write, code, { column, row, message } = {}) {
  let error;
  try {
    await write();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof ParquetError, `expected a ParquetError, got ${error?.stack ?? 'none'}`);
  assert.equal(error.code, code, error.message);
  assert.equal(error.name, 'ParquetError');
  if (column !== undefined) {
    assert.equal(error.column, column, error.message);
    assert.ok(error.message.includes(JSON.stringify(column)), error.message);
  }
  assert.equal(error.row, row, error.message);
  if (row !== undefined) assert.ok(error.message.includes(`row ${row}`), error.message);
  if (message !== undefined) assert.match(error.message, message);
  return error;
}
