/** The file as a Blob. */

export function parquetBlob(parts: BlobPart[]): Blob {
  return new Blob(parts, { type: 'application/vnd.apache.parquet' });
}
