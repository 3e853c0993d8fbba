// The support table: what each reader cannot open or reads otherwise, as text that is the same for the same results.
//
// A cell is one column of one file for one reader. Cells with the same result are merged: columns, codecs, page
// versions, encodings, then types; a dimension in which all values are met is "all".

import { CODECS } from './files.mjs';

const LONGEST = 150;

/** Why readers differ where the files are as the format has them: what no refusal of a type or an encoding says. */
const REASONS = [
  'fastparquet gives strings on the PLAIN pages behind a dictionary given up as null, reads DELTA_BINARY_PACKED wrong',
  '  or crashes on it, stops at nulls on pages of version 2, and holds days as nanoseconds in 64 bits.',
  'Polars gives the largest int96 for one near the smallest; Spark and DuckDB hold int96 as microseconds.',
  'ClickHouse refuses int96 before 1900, and json that is no object.',
  'In Spark the array for dictionary indices is too short where a nested column starts with a page of nulls alone.',
  'Spark looks for another day in Bloom filters when asked for one from 5 to 14 October 1582, which java.sql.Date has',
  '  not (filtering.py).',
  'DataFusion and parquet-wasm drop the months of intervals; DuckDB holds months and days in 32 bits with a sign.',
  'hyparquet takes a byte order mark off a text, and gives json as its value, in which `null` is no value.',
];

/** A result in words that do not depend on places or random values. */
export function resultText(result) {
  if (result === null) return '';
  if (result.differs) return /^shown as/.test(result.differs) ? result.differs : 'other values';
  const text = result.refuses
    .replace(/(file:)?\/[^\s'"`,:)]*\.parquet/g, '…')
    .replace(/\d{3,}/g, '…')
    .replace(/calling o\d+/g, 'calling …')
    .replace(/\|/g, '/')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const DIMENSIONS = ['column', 'codec', 'pages', 'encoding', 'type'];

/** Rows of sets from cells of one result each; `all` says which values a row's dimension could have. */
function merge(cells, all) {
  let rows = cells.map((cell) => ({ ...cell }));
  for (const dimension of DIMENSIONS) {
    const groups = new Map();
    for (const row of rows) {
      const key = JSON.stringify(
        DIMENSIONS.filter((one) => one !== dimension)
          .map((one) => row[one])
          .concat(row.result),
      );
      const found = groups.get(key);
      if (found) found[dimension].push(row[dimension]);
      else groups.set(key, { ...row, [dimension]: [row[dimension]] });
    }
    rows = [...groups.values()].map((row) => ({ ...row, [dimension]: shown(row, dimension, all) }));
  }
  return rows;
}

function shown(row, dimension, all) {
  const met = [...new Set(row[dimension])];
  if (dimension === 'type') return met.join('; ');
  return met.length === all(row, dimension) ? 'all' : met.join(', ');
}

/**
 * The table as Markdown lines.
 * readers: { name, version, records }; files: entries of files.json.
 */
export function supportTable(readers, files) {
  const byName = new Map(files.map((file) => [file.name, file]));
  const lines = [
    '# What readers make of our files',
    '',
    'Written by `npm run test:readers -- --update` from a run, compared with every later run. What is not listed was',
    'read with equal values. Columns: `none` without nulls, `some` with them, `head` whose first page has only nulls,',
    '`nulls` of nulls alone, `far` with values at the limits of the format (years 1 and 9999, NaN, 32 bits of days).',
    "Encodings: `auto` is the writer's choice, `defaults` with no option but the codec, `fallback` a dictionary given",
    `up in the middle of a column chunk. Codecs: ${CODECS.join(', ')}.`,
    '',
    `${files.length} files, ${new Set(files.map(({ type }) => type)).size} types.`,
  ];
  for (const { name, version, records } of readers) {
    const cells = records.flatMap((record) => cellsOf(record, byName.get(record.file)));
    const bad = cells.filter(({ result }) => result !== '');
    lines.push(
      '',
      `## ${name} ${version}`,
      '',
      `${cells.length - bad.length} of ${cells.length} columns with equal values.`,
    );
    const shapes = shapesOf(records, byName);
    if (shapes.length > 0) lines.push('', ...shapes);
    if (bad.length === 0) continue;
    lines.push('', '| type | encoding | page version | codec | columns | result |', '|---|---|---|---|---|---|');
    const rows = merge(bad, (row, dimension) => countOf(cells, row, dimension));
    for (const row of rows) {
      lines.push(`| ${[row.type, row.encoding, row.pages, row.codec, row.column, row.result].join(' | ')} |`);
    }
  }
  lines.push('', '## Reasons', '', ...REASONS.map((reason) => (reason.startsWith(' ') ? reason : `- ${reason}`)));
  return lines;
}

export function cellsOf(record, file) {
  return Object.entries(record.columns).map(([column, result]) => ({
    type: file.type,
    encoding: file.encoding,
    pages: String(file.pages),
    codec: file.codec,
    column,
    result: resultText(result),
  }));
}

/** Finds the result that a table has for a cell: '' where nothing is listed. */
export function readTable(text) {
  const rows = new Map();
  let reader;
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) rows.set((reader = line.slice(3).split(' ')[0]), []);
    const cells = line.startsWith('| ') ? line.slice(2, -2).split(' | ') : [];
    if (cells.length !== 6 || cells[0] === 'type') continue;
    const [type, encoding, pages, codec, column, result] = cells;
    const dimensions = { encoding, pages, codec, column };
    const sets = Object.entries(dimensions).map(([name, words]) => [name, words === 'all' ? null : words.split(', ')]);
    rows.get(reader).push({ types: type.split('; '), sets, result });
  }
  return (name, cell) => {
    const row = rows
      .get(name)
      ?.find(
        ({ types, sets }) => types.includes(cell.type) && sets.every(([key, set]) => !set || set.includes(cell[key])),
      );
    return row?.result ?? '';
  };
}

/** How many values a dimension has among all cells of the row's type (and encoding, for page versions). */
function countOf(cells, row, dimension) {
  const alike = cells.filter(
    (cell) => cell.type === row.type && (dimension === 'encoding' || cell.encoding === row.encoding),
  );
  return new Set(alike.map((cell) => cell[dimension])).size;
}

/** As which types a reader shows ours, and which of its own ways it needs. */
function shapesOf(records, byName) {
  const found = new Map();
  for (const { file, shown, ways } of records) {
    const { type, encoding, codec, pages } = byName.get(file);
    const plain = encoding === 'PLAIN' && codec === 'none' && pages === 1;
    if (!plain || (shown === '' && ways.length === 0)) continue;
    found.set(type, [shown, ...ways].filter(Boolean).join(', '));
  }
  const texts = [...found].filter(([type, text]) => text !== type).map(([type, text]) => `${type} as ${text}`);
  return texts.length > 0 ? [`Shown as other types: ${texts.join('; ')}.`] : [];
}
