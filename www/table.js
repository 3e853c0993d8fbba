/** A table out of a file's bytes or text: names, and under each name its cells. An empty CSV field is null. */

import Papa from 'papaparse';
import { convertColumn, inferColumn } from './column.js';
import { formatCountOf } from './format.js';

/** What is wrong with a file, in words for whoever chose it. */
export class TableError extends Error {
  name = 'TableError';
}

/** Reads a Blob or File; its name's ending, or else its first character, tells CSV from JSON. */
export async function readTable(file, name = file.name) {
  const text = await decode(file);
  if (text.trim() === '') throw new TableError('The file is empty.');
  const isJson = /\.(json|ndjson|jsonl)$/i.test(name) || (!/\.(csv|tsv|txt)$/i.test(name) && /^\s*[[{]/.test(text));
  return isJson ? tableFromJson(text) : tableFromCsv(text);
}

/** Engines hold no text much longer than this. */
const MOST_BYTES = 500e6;

async function decode(file) {
  if (file.size > MOST_BYTES) throw new TableError('The file is larger than 500 MB, more than this page can hold as text.');
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TableError('The file is not UTF-8 text. Save it as UTF-8 and choose it again.');
  }
}

/** Rows parsed between two turns of the event loop are about this many characters. */
const CHUNK = 1 << 20;

/** Comma, semicolon, tab or pipe: whichever the header holds most of outside quotes. */
function delimiterOf(text) {
  const header = /^[^\r\n]*/.exec(text.slice(0, CHUNK).replace(/"[^"]*"/g, ''))[0];
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, header.split(mark).length]);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** The first record names the columns; every other one has as many fields. */
export async function tableFromCsv(text) {
  let names;
  let columns;
  let line = 0;
  let blank = 0;

  const takeRow = (fields) => {
    line += 1;
    if (!names) {
      names = uniqueNames(fields);
      columns = names.map(() => []);
      return;
    }
    // With several columns an empty line is no row; with one it is a null, unless only the file's end follows.
    if (fields.length === 1 && fields[0] === '') {
      if (names.length === 1) blank += 1;
      return;
    }
    if (fields.length !== names.length) {
      throw new TableError(`Record ${line} has ${formatCountOf(fields.length, 'field')}, the header has ${names.length}.`);
    }
    for (; blank > 0; blank -= 1) columns[0].push(null);
    fields.forEach((field, column) => columns[column].push(field === '' ? null : field));
  };

  await new Promise((resolve, reject) => {
    Papa.parse(text, {
      chunkSize: CHUNK,
      delimiter: delimiterOf(text),
      chunk(results, parser) {
        try {
          const quotes = results.errors.find((error) => error.type === 'Quotes');
          if (quotes) throw new TableError(`${quotes.message}, near record ${line + quotes.row + 1}.`);
          results.data.forEach(takeRow);
        } catch (error) {
          // Before the abort, which calls complete.
          reject(error);
          parser.abort();
          return;
        }
        parser.pause();
        setTimeout(() => parser.resume());
      },
      complete: resolve,
      error: reject,
    });
  });
  if (text.endsWith('\n')) blank -= 1;
  for (; blank > 0; blank -= 1) columns[0].push(null);
  return { names, columns, rows: columns[0].length, fromText: true, format: 'CSV' };
}

/** An empty name becomes its place, a repeated one gets a number: Parquet wants each name once. */
function uniqueNames(fields) {
  const taken = new Set(fields);
  const used = new Set();
  return fields.map((field, place) => {
    const name = field === '' ? `column_${place + 1}` : field;
    if (!used.has(name)) {
      used.add(name);
      return name;
    }
    let copy = 2;
    while (taken.has(`${name}_${copy}`) || used.has(`${name}_${copy}`)) copy += 1;
    used.add(`${name}_${copy}`);
    return `${name}_${copy}`;
  });
}

/** An array of objects, or one object a line. */
export function tableFromJson(text) {
  const rows = /^\s*\{/.test(text) ? parseLines(text) : parseJson(text);
  if (!Array.isArray(rows)) throw new TableError('The JSON is not an array of objects.');
  const wrong = rows.findIndex((row) => row === null || typeof row !== 'object' || Array.isArray(row));
  if (wrong >= 0) throw new TableError(`Item ${wrong} of the JSON array is not an object.`);
  return tableFromRows(rows);
}

/** Columns are the union of the rows' keys in order of appearance. */
export function tableFromRows(rows) {
  const places = new Map();
  for (const row of rows) {
    for (const name of Object.keys(row)) if (!places.has(name)) places.set(name, places.size);
  }
  const names = [...places.keys()];
  if (names.length === 0) throw new TableError('The JSON holds no columns: no object has a key.');
  const columns = names.map((name) => rows.map((row) => (Object.hasOwn(row, name) ? row[name] : null)));
  return { names, columns, rows: rows.length, fromText: false, format: 'JSON' };
}

function parseLines(text) {
  const lines = text.split('\n');
  // One object over many lines is a document, not a table.
  if (lines.some((line) => line.trim() !== '' && !/^\s*\{.*\}\s*$/.test(line))) return parseJson(text);
  return lines.flatMap((line, place) => (line.trim() === '' ? [] : [parseJson(line, ` Line ${place + 1}.`)]));
}

function parseJson(text, where = '') {
  try {
    return JSON.parse(text, /\d{16}/.test(text) ? exactInteger : undefined);
  } catch (error) {
    throw new TableError(`The file is not valid JSON: ${error.message}.${where}`);
  }
}

/** Where the engine shows the source of a number, an integer beyond 2^53 keeps all its digits. */
function exactInteger(_key, value, context) {
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context.source) : value;
}

/** The library's list of columns, each of its chosen or inferred type. Yields between columns: cells may be many. */
export async function typedColumns(table, types) {
  const list = [];
  for (const [place, name] of table.names.entries()) {
    const type = types[place] ?? inferColumn(table.columns[place], table.fromText).type;
    list.push({ name, type, data: convertColumn(table.columns[place], type) });
    await new Promise((resolve) => setTimeout(resolve));
  }
  return list;
}
