/** Compressed buffers of a batch: eight bytes that say how long the buffer is, then one LZ4 frame or zstd frames. */

import { ParquetError } from '../errors.js';
import { type Budget, formatError, noBytes } from './array.js';
import type { Table } from './flatbuffer.js';
import { decodeLz4 } from './lz4.js';
import { decodeZstd } from './zstd-decode.js';

/** Fills `out` with what `bytes` hold, no more and no less; throws `Error` or RangeError with the reason otherwise. */
type Decoder = (bytes: Uint8Array, out: Uint8Array) => void;

const LENGTH_BYTES = 8;
/** By the number of the codec: the decoder, and how many bytes one compressed byte can stand for at most. */
const codecs: readonly { name: string; decode: Decoder; most: number }[] = [
  { name: 'LZ4', decode: decodeLz4, most: 256 },
  { name: 'zstd', decode: decodeZstd, most: 1 << 15 },
];
/** Gives what reads one buffer. Buffers of all batches share `budget`. */
export function bodyReader(
  compression: Table | undefined, budget: Budget): (bytes: Uint8Array, where: string) => Uint8Array {
  if (compression === undefined) return (bytes) => bytes;
  const number = compression.byte(0);
  const codec = codecs[number] ?? compression.fail(`there is no codec ${number}`);
  const method = compression.byte(1);
  if (method !== 0) compression.fail(`there is no method ${method} of compression`);
  return (bytes, where) => {
    if (bytes.length < LENGTH_BYTES) throw formatError(where, `a compressed buffer has ${bytes.length} bytes`);
    const claimed = new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES).getBigInt64(0, true);
    const packed = bytes.subarray(LENGTH_BYTES);
    if (claimed === -1n) return packed;
    const size = Number(claimed);
    if (size === 0) return noBytes;
    if (size < 0 || size > packed.length * codec.most) {
      throw formatError(where, `${packed.length} bytes of ${codec.name} cannot hold ${claimed}`);
    }
    budget.unpack(size, where);
    const out = allocate(size, where);
    try {
      codec.decode(packed, out);
    } catch (error) {
      throw formatError(where, `${codec.name}: ${(error as Error).message}`);
    }
    return out;
  };
}

function allocate(size: number, where: string): Uint8Array {
  try {
    return new Uint8Array(size);
  } catch (error) {
    throw new ParquetError('ERR_LIMIT', `Arrow ${where}: no memory for ${size} bytes`, { cause: error });
  }
}
