/** parquetjs in its maintained form: rows are appended one by one. It has no zstd. */
import { ParquetSchema, ParquetWriter } from '@dsnp/parquetjs';

const leaves = {
  int32: 'INT32',
  int64: 'INT64',
  float64: 'DOUBLE',
  bool: 'BOOLEAN',
  utf8: 'UTF8',
  date32: 'DATE',
  timestamp_ms: 'TIMESTAMP_MILLIS',
  timestamp_us: 'TIMESTAMP_MICROS',
};
const codecs = { none: 'UNCOMPRESSED', snappy: 'SNAPPY' };
/** It keeps a row group in memory as it came: its own default of 4096 rows would make ten times as many footers. */
const ROW_GROUP_ROWS = 100_000;

function fieldOf(type, optional, compression) {
  const inner = (one, nullable) => fieldOf(one, nullable, compression);
  if (type.list) {
    return { type: 'LIST', optional, fields: { list: { repeated: true, fields: { element: inner(type.list, true) } } } };
  }
  if (type.map) {
    const fields = { key: inner(type.map[0], false), value: inner(type.map[1], true) };
    return { type: 'MAP', optional, fields: { key_value: { repeated: true, fields } } };
  }
  if (type.struct) {
    return { optional, fields: Object.fromEntries(type.struct.map((one) => [one.name, inner(one.type, one.nullable)])) };
  }
  return { type: leaves[type], optional, compression };
}

/** A value in the shape of the format's own groups; it takes no bigint for milliseconds. */
function valueOf(type, value) {
  if (value === null || value === undefined) return value;
  if (type.list) return { list: value.map((element) => ({ element })) };
  if (type.map) return { key_value: value.map(([key, one]) => ({ key, value: one })) };
  return type === 'timestamp_ms' && typeof value === 'bigint' ? Number(value) : value;
}

async function writeEach({ columns, rows }, rowAt, { codec, rowGroupRows = ROW_GROUP_ROWS }) {
  const fields = columns.map(({ name, type, nullable }) => [name, fieldOf(type, nullable, codecs[codec])]);
  const chunks = [];
  const sink = {
    write(bytes, done) {
      chunks.push(bytes);
      done?.();
      return true;
    },
    end: (done) => done?.(),
  };
  const sizes = { rowGroupSize: rowGroupRows, pageSize: rowGroupRows };
  const writer = await ParquetWriter.openStream(new ParquetSchema(Object.fromEntries(fields)), sink, sizes);
  for (let row = 0; row < rows; row++) await writer.appendRow(rowAt(row));
  await writer.close();
  return new Uint8Array(Buffer.concat(chunks));
}

export default {
  init() {},
  write(table, options) {
    const rowAt = (row) =>
      Object.fromEntries(table.columns.map(({ name, type, data }) => [name, valueOf(type, data[row])]));
    return writeEach(table, rowAt, options);
  },
  writeRows: (table, options) => writeEach(table, (row) => table.objects[row], options),
};
