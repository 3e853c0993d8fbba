/** A table with a bit of everything; every runtime writes it, and all must write the same bytes. */

const ROWS = 2_000;
const rows = Array.from({ length: ROWS }, (_, row) => row);

export const table = {
  id: Int32Array.from(rows),
  reading: Float64Array.from(rows, (row) => (row % 7 === 0 ? NaN : Math.fround(row / 3) - 100)),
  big: BigInt64Array.from(rows, (row) => BigInt(row) ** 5n * (row % 2 === 0 ? 1n : -1n)),
  name: rows.map((row) => (row % 5 === 0 ? null : `name ${row % 50} \u{1f4be}`)),
  unique: rows.map((row) => `row-${row * 2_654_435_761}`),
  when: rows.map((row) => new Date(1_700_000_000_000 + row * 60_000)),
  flag: rows.map((row) => row % 3 === 0),
  tags: rows.map((row) => (row % 11 === 0 ? null : rows.slice(0, row % 4).map((tag) => `tag ${tag}`))),
  place: rows.map((row) => ({ city: `city ${row % 9}`, at: row % 8 === 0 ? null : row / 4 })),
};

export const options = { compression: 'zstd', rowGroupRows: 1_500, metadata: { made: 'by a runtime' } };

function base64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The Blob of jsdom lacks the newer methods. */
const bytesOf = (blob) => new Promise((resolve, reject) => {
  if (blob.arrayBuffer) {
    resolve(blob.arrayBuffer());
    return;
  }
  const reader = Object.assign(new FileReader(), { onload: () => resolve(reader.result), onerror: reject });
  reader.readAsArrayBuffer(blob);
});

/** Writes the table twice, as a Blob and as bytes, and returns the file in base64. */
export async function prove(parquill) {
  const blob = await parquill.writeParquet(table, options);
  const file = base64(new Uint8Array(await bytesOf(blob)));
  const again = base64(await parquill.writeParquetBytes(table, options));
  if (again !== file) throw new Error('Blob and bytes differ');
  if (blob.type !== 'application/vnd.apache.parquet') throw new Error(`type ${blob.type}`);
  return file;
}
