/** CRC-32, the checksum of gzip and of Parquet's pages. */

let table: Uint32Array | undefined;

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
}

/** The checksum of bytes that follow others, whose checksum is `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const steps = (table ??= makeTable());
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ steps[(value ^ byte) & 255];
  return ~value >>> 0;
}
