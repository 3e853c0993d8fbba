import { writeFileSync } from 'node:fs';
import { tableToIPC } from 'apache-arrow';
import { makeTable } from '../tables/index.mjs';
import { pivot } from '../tables/rows.mjs';
import { arrowTableFast } from './arrow.mjs';

/** Writes the table as an Arrow IPC file: what verify.py compares with, and what the native writers read. */
export async function writeArrowFile(name, rows, path) {
  const table = await makeTable(name, rows);
  writeFileSync(path, tableToIPC(arrowTableFast(table.objects ? pivot(table) : table), 'file'));
}
