// www/docs/values.md from the table of values; run as a program, this writes it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { valueKinds } from './value-kinds.mjs';
import { groups, inferred } from './value-table.mjs';

export const pageFile = new URL('../../www/docs/values.md', import.meta.url);

/** What a cell of the table of values is to be. */
export function outcome(label, { written, outOfRange }) {
  if (label === 'null' || label === 'undefined') return 'null';
  if (Object.hasOwn(written, label)) return written[label];
  return outOfRange.includes(label) ? 'ERR_OUT_OF_RANGE' : 'ERR_TYPE_MISMATCH';
}

export const inference = (label) => (Object.hasOwn(inferred, label) ? inferred[label] : 'ERR_TYPE_MISMATCH');

const shortCodes = { ERR_TYPE_MISMATCH: '·', ERR_OUT_OF_RANGE: 'range', ERR_SCHEMA: 'schema' };
const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;
const cell = (text) => shortCodes[text] ?? code(text);
const row = (cells) => `| ${cells.join(' | ')} |`;

function matrix(types) {
  const columns = Object.entries(types);
  return [
    row(['value', ...columns.map(([type]) => code(type))]),
    row(['---', ...columns.map(() => '---')]),
    ...valueKinds
      .map(([label]) => [label, ...columns.map(([, type]) => outcome(label, type))])
      .filter(([, ...outcomes]) => outcomes.some((text) => text !== 'ERR_TYPE_MISMATCH'))
      .map(([label, ...outcomes]) => row([code(label), ...outcomes.map(cell)])),
  ].join('\n');
}

export const page = () => `# Values and types

What becomes of a JavaScript value in a column of each type. Every cell of these tables is a test
(\`tests/js/types-values.test.mjs\`); the page is made from them by \`node tests/js/values-page.mjs\`.

- A cell shows what the file holds: counts of the type's unit, decimals without their point (\`500\` in
  \`decimal(9, 2)\` is 5.00), bytes as \`x\` and hexadecimal digits, INT96 as nanoseconds since 1970.
- \`·\` is ERR_TYPE_MISMATCH: not a value of this type. Values that no type of a table takes have no row in it.
- \`range\` is ERR_OUT_OF_RANGE: a value of this kind, but it does not fit exactly, or there is no such day or time.
- \`schema\` is ERR_SCHEMA. Every error names column and row; nothing is written.
- \`null\` and \`undefined\` are nulls; in a column that is not nullable they are ERR_NULL.

## Without a type

The type is inferred from all values of the column; this is what one value alone gives.

${row(['value', 'type'])}
${row(['---', '---'])}
${valueKinds.map(([label]) => row([code(label), cell(inference(label))])).join('\n')}

${Object.entries(groups)
  .map(([title, types]) => `## ${title}\n\n${matrix(types)}`)
  .join('\n\n')}

## Rules behind the tables

- **Text** is strict. Dates are \`2024-02-29\` (years beyond 9999 with a sign and six digits), times \`12:34\`,
  \`12:34:56\` or \`12:34:56.789\` with up to nine digits; between both stands \`T\` or one space. In a type with a zone
  text ends in \`Z\` or, for timestamps, an offset such as \`+05:30\`; in a type without one it has neither. There is no
  second 60 and no hour 24.
- **Units**: a value with more digits than the type's unit has is refused, not cut.
- **Dates** are instants: a \`date\` column takes their day in UTC, a timestamp without a zone their time in UTC.
- **Temporal** values are known by their tag and fields, so polyfills work. Instant and ZonedDateTime go into types
  with a zone, PlainDateTime and PlainTime into those without, PlainDate into \`date\`; other calendars are converted.
- **Decimals**: a number stands for its shortest text, so 1.15 is 1.15; text may have an exponent; a bigint is whole.
- **int96**: what both kinds of timestamps take, from Julian day 0 (4714 BC) on.
- **interval**: a plain object with at least one of \`months\`, \`days\`, \`milliseconds\`, whole numbers from 0 to
  2^32 − 1, and nothing else.
- **json**: a string is JSON text and only checked; null is null, \`'null'\` is the JSON value. Other values become what
  \`JSON.stringify\` makes of them (\`toJSON\` is called, undefined fields are left out, undefined elements are null), but
  what it would lose is refused: bigints, NaN and infinities, invalid Dates, functions, symbols, Maps, Sets, Errors, bytes,
  class instances without \`toJSON\`, values that hold themselves or are nested more than 1000 deep. −0 stays −0.
- **Strings** and enums take strings only; a lone surrogate becomes U+FFFD.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(new URL('.', pageFile), { recursive: true });
  writeFileSync(pageFile, page());
}
