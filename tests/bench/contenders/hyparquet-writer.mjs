/** hyparquet-writer, pure JavaScript; with hysnappy for snappy as its README says, and zstd-wasm at level 3. */
import { compress, init as initZstd } from '@bokuweb/zstd-wasm';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { snappyCompressor } from 'hysnappy';

const elements = {
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

export default {
  async init() {
    await initZstd();
    compressors.SNAPPY = snappyCompressor();
    compressors.ZSTD = (bytes) => compress(bytes, 3);
  },
  write({ columns }, { codec, rowGroupRows }) {
    const writer = new ByteWriter();
    const schema = [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type, nullable }) => ({
        name,
        repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
        ...elements[type],
      })),
    ];
    const columnData = columns.map(({ name, data }) => ({ name, data }));
    parquetWrite({ writer, schema, columnData, codec: codecs[codec], compressors, rowGroupSize: rowGroupRows });
    return writer.getBytes();
  },
};
