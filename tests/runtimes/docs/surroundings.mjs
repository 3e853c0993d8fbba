/** What snippets of the README, and scripts of pages, take for granted. */

const LINK = `globalThis.document = { createElement: () => ({ click() {} }) };\n`;
const OPTIONS = `import { writeParquet as write } from 'parquill';
let blob;
const writeParquet = async (...given) => (blob = await write(...given));
const show = () => {};
const controller = new AbortController();
const table = {
  id: [1, 2],
  price: ['1.50', null],
  tags: [['a'], []],
  at: [new Date(0), null],
};
`;
const BATCHES = `import { ParquetWriter } from 'parquill';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
const sink = Writable.toWeb(createWriteStream('rows.parquet'));
const batches = [{ id: [1, 2] }, { id: [3] }];
`;

const KNOWN = [
  ["link.download = 'people.parquet'", { before: LINK }],
  ['show(rows / totalRows)', { before: OPTIONS, after: 'export { blob };\n' }],
  ['for await (const batch of batches) await writer.write(batch);', { before: BATCHES }],
  [
    "import { ParquetWriter, writeParquet } from 'parquill/worker';",
    { after: 'const blob = await writeParquet({ id: [1] });\nexport { blob };\n' },
  ],
];

const PAGE = 'const document = globalThis.pageOfSnippet;\n';

/** Text before and after a snippet; nothing around those that stand alone. */
export function surroundings(script, title, language) {
  if (language === 'html') return { before: PAGE, after: '' };
  const own = title.startsWith('README.md') ? KNOWN.find(([sign]) => script.includes(sign))?.[1] : undefined;
  return { before: '', after: '', ...own };
}
