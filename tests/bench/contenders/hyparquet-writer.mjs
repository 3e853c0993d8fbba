/** hyparquet-writer, pure JavaScript; with hysnappy for snappy as its README says, and zstd-wasm at level 3. */
import { compress, init as initZstd } from '@bokuweb/zstd-wasm';
import { ByteWriter, parquetWrite, parquetWriteRows } from 'hyparquet-writer';
import { snappyCompressor } from 'hysnappy';

const leaves = {
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  float64: { type: 'DOUBLE' },
  bool: { type: 'BOOLEAN' },
  utf8: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  date32: { type: 'INT32', converted_type: 'DATE' },
  timestamp_ms: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  timestamp_us: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
};
const codecs = { none: 'UNCOMPRESSED', snappy: 'SNAPPY', zstd: 'ZSTD' };
const compressors = {};

/** A column as the elements of a Parquet schema, depth first. */
function elementsOf({ name, type, nullable }) {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  const repeated = (converted_type, repeatedName, children) => [
    { name, repetition_type, converted_type, num_children: 1 },
    { name: repeatedName, repetition_type: 'REPEATED', num_children: children.length },
    ...children.flatMap(elementsOf),
  ];
  if (type.struct) {
    return [{ name, repetition_type, num_children: type.struct.length }, ...type.struct.flatMap(elementsOf)];
  }
  if (type.list) return repeated('LIST', 'list', [{ name: 'element', type: type.list, nullable: true }]);
  if (type.map) {
    const [key, value] = type.map;
    return repeated('MAP', 'key_value', [
      { name: 'key', type: key },
      { name: 'value', type: value, nullable: true },
    ]);
  }
  return [{ name, repetition_type, ...leaves[type] }];
}

const optionsFor = ({ columns }, { codec, rowGroupRows }) => ({
  writer: new ByteWriter(),
  schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
  codec: codecs[codec],
  compressors,
  rowGroupSize: rowGroupRows,
});

export default {
  async init() {
    await initZstd();
    compressors.SNAPPY = snappyCompressor();
    compressors.ZSTD = (bytes) => compress(bytes, 3);
  },
  write(table, options) {
    const given = optionsFor(table, options);
    parquetWrite({ ...given, columnData: table.columns.map(({ name, data }) => ({ name, data })) });
    return given.writer.getBytes();
  },
  writeRows(table, options) {
    const given = optionsFor(table, options);
    parquetWriteRows({ ...given, rows: table.objects, columns: table.columns.map(({ name }) => ({ name })) });
    return given.writer.getBytes();
  },
};
