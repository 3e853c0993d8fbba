/**
 * Real data through the library and back: flights into the given path, the messier movies into movies.parquet
 * beside it. Both are read again by hyparquet, which shares no code with us, and compared cell by cell.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { init, writeParquetBytes } from '../pkg/index.js';
import { formatBytes, formatCount, formatTime } from './format.js';
import { tableFromJson, typedColumns } from './table.js';

/** Resolves to true when everything read back is what went in; otherwise says what is not and sets the exit code. */
export async function writeExample(outPath) {
  await init();
  const files = [
    [outPath, 'flights-200k.json'],
    [join(dirname(outPath), 'movies.parquet'), 'movies.json'],
  ];
  const lines = [['file', 'from', 'rows', 'columns', 'bytes', 'time', 'read back']];
  const problems = [];
  for (const [path, name] of files) {
    const source = await readFile(new URL(`../node_modules/vega-datasets/data/${name}`, import.meta.url), 'utf8');
    const written = await write(path, source);
    const { summary, problem } = await readBack(path, written);
    lines.push([
      basename(path), `${name} (${formatBytes(Buffer.byteLength(source))})`, formatCount(written.table.rows),
      formatCount(written.columns.length), formatBytes(written.bytes), formatTime(written.time), summary,
    ]);
    if (problem) problems.push(`${basename(path)}: ${problem}`);
  }
  printAligned(lines);
  problems.forEach((problem) => console.error(problem));
  if (problems.length > 0) process.exitCode = 1;
  return problems.length === 0;
}

async function write(path, source) {
  const table = tableFromJson(source);
  const columns = await typedColumns(table, []);
  const start = performance.now();
  const bytes = await writeParquetBytes(columns);
  const time = performance.now() - start;
  await writeFile(path, bytes);
  return { table, columns, bytes: bytes.byteLength, time };
}

async function readBack(path, { table, columns }) {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const rows = await parquetReadObjects({ file, metadata, compressors });
  const names = metadata.schema.slice(1).map((field) => field.name);
  const summary = `${formatCount(rows.length)} rows, ${formatCount(names.length)} columns, ${formatBytes(file.byteLength)}`;
  return { summary, problem: difference(rows, names, table, columns) };
}

function difference(rows, names, table, columns) {
  if (rows.length !== table.rows) return `${rows.length} rows came back instead of ${table.rows}`;
  if (names.join('\n') !== table.names.join('\n')) return `the columns came back as ${names.join(', ')}`;
  for (const [place, { name, type }] of columns.entries()) {
    const row = table.columns[place].findIndex((cell, index) => asSource(rows[index][name], type) !== plain(cell, type));
    if (row >= 0) {
      return `column ${name}, row ${row}: ${rows[row][name]} came back for ${table.columns[place][row]}`;
    }
  }
  return undefined;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A value that was read, in the notation of the source: the check goes back to the JSON and not to our typing of it. */
function asSource(value, type) {
  if (value === null || value === undefined) return null;
  if (type === 'date') {
    return `${MONTHS[value.getUTCMonth()]} ${String(value.getUTCDate()).padStart(2, '0')} ${value.getUTCFullYear()}`;
  }
  return typeof value === 'bigint' ? Number(value) : value;
}

function plain(cell, type) {
  return cell !== null && type === 'string' ? String(cell) : cell;
}

function printAligned(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) console.log(line.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
}
