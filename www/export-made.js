/** Writes a made-up table in the worker: batch by batch, into a Blob, the page's private files or a file of the visitor's. */

import { ParquetWriter } from '../pkg/worker.js';
import { MADE_TYPES } from './made.js';

const TYPE = { description: 'Apache Parquet', accept: { 'application/vnd.apache.parquet': ['.parquet'] } };

/** Where a file can go here: must be asked for in the visitor's own click. */
export async function openTarget(kind, name) {
  if (kind === 'blob') return { file: undefined };
  const file = kind === 'picked'
    ? await window.showSaveFilePicker({ suggestedName: name, types: [TYPE] })
    : await (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
  return { file, sink: await file.createWritable() };
}

/** Resolves to the file, a Blob in either case. */
export async function exportMade(table, { file, sink }, options) {
  const schema = Object.fromEntries(
    Object.entries(MADE_TYPES).map(([name, type]) => [name, { type, nullable: false }]),
  );
  const writer = await ParquetWriter.open({ ...options, schema, sink, transfer: true });
  for (const batch of table.batches()) await writer.write(batch);
  const { blob } = await writer.finish();
  return blob ?? file.getFile();
}
