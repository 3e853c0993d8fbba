import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { CSV_TYPES, makeCsv } from './csv.mjs';
import { compareWithCsv, download, drop, exportFile, loaded, startStage } from './page.mjs';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
console.log(`seed of the CSV: ${seed} (SEED=${seed} repeats it)`);
const csv = makeCsv(seed, 5000);

let stage;
let csvPath;
before(async () => {
  stage = await startStage();
  csvPath = join(stage.folder, 'table.csv');
  await writeFile(csvPath, csv);
});
after(() => stage?.stop());

async function readObjects(path) {
  const bytes = await readFile(path);
  return parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors });
}

test('a dropped CSV becomes a file in which DuckDB finds the same rows', async () => {
  const page = await stage.open();
  await drop(page, '#drop', 'table.csv', csv);
  await loaded(page, 'table.csv');
  await exportFile(page);
  const found = await compareWithCsv(csvPath, await download(page, stage.folder));
  assert.deepEqual(found, { rows: 5000, types: CSV_TYPES, codecs: ['ZSTD'] });
  page.quiet();
});

test('so does one from the file chooser, dropped beside the zone, or without the newline at its end', async () => {
  const page = await stage.open();
  const choose = page.waitForEvent('filechooser');
  await page.locator('#drop label').click();
  await (await choose).setFiles(csvPath);
  await loaded(page, 'table.csv');
  await exportFile(page);
  await compareWithCsv(csvPath, await download(page, stage.folder));

  await drop(page, 'footer', 'trimmed.csv', csv.trimEnd());
  await loaded(page, 'trimmed.csv');
  await exportFile(page);
  await compareWithCsv(csvPath, await download(page, stage.folder));
  page.quiet();
});

for (const [codec, label] of [['zstd', 'ZSTD'], ['snappy', 'SNAPPY'], ['none', 'UNCOMPRESSED']]) {
  test(`codec ${codec}: the chosen one is in the file, and the figures are those of the file`, async () => {
    const page = await stage.open();
    await drop(page, '#drop', 'table.csv', csv);
    await loaded(page, 'table.csv');
    await page.getByRole('radio', { name: codec }).check();
    assert.equal(await page.locator('#level-row').isVisible(), codec === 'zstd');
    await exportFile(page);
    const path = await download(page, stage.folder);
    assert.deepEqual((await compareWithCsv(csvPath, path)).codecs, [label]);
    const ratio = Buffer.byteLength(csv) / (await readFile(path)).byteLength;
    assert.equal(await page.locator('#r-rows').innerText(), '5,000');
    assert.equal(await page.locator('#r-ratio').innerText(), `${ratio.toPrecision(3)} : 1`);
    assert.match(await page.locator('#r-time').innerText(), /^[\d.]+ (ms|s)$/);
    assert.match(await page.locator('#r-memory').innerText(), /^[\d.]+ MiB$/);
    page.quiet();
  });
}

test('every level on offer for zstd is one that the library takes', async () => {
  const page = await stage.open();
  await drop(page, '#drop', 'small.csv', 'a,b\n1,x\n2,y\n');
  await loaded(page, 'small.csv');
  const levels = await page.locator('#level option').evaluateAll((options) => options.map((option) => option.value));
  for (const level of levels) {
    await page.selectOption('#level', level);
    await exportFile(page);
  }
  page.quiet();
});

for (const [button, name, rows] of [
  ['Movies', 'movies.json', 3201], ['Flights 20k', 'flights-20k.json', 20000], ['Flights 200k', 'flights-200k.json', 200000],
]) {
  test(`sample ${name}: every cell comes back`, async () => {
    const page = await stage.open();
    await page.getByRole('button', { name: button, exact: true }).click();
    await loaded(page, name);
    await exportFile(page);
    const read = await readObjects(await download(page, stage.folder));
    const source = JSON.parse(await readFile(new URL(`../../node_modules/vega-datasets/data/${name}`, import.meta.url), 'utf8'));
    assert.equal(read.length, rows);
    source.forEach((row, index) => {
      for (const [key, cell] of Object.entries(row)) {
        const value = read[index][key] ?? null;
        const same = value instanceof Date
          ? value.getTime() === Date.parse(`${cell} UTC`)
          : (typeof value === 'bigint' ? Number(value) : value) === (typeof value === 'string' ? String(cell) : cell);
        assert.ok(same, `row ${index}, ${key}: ${value} for ${cell}`);
      }
    });
    page.quiet();
  });
}

test('a JSON file, one object a line, with a missing key, mixed and nested values and a long integer', async () => {
  const page = await stage.open();
  const lines = ['{"a":1,"b":"x","c":[1,2],"d":9007199254740993}', '{"a":2.5,"b":7,"d":-1}', '{"b":null,"c":{"k":true}}'];
  await drop(page, '#drop', 'lines.ndjson', lines.join('\n'));
  await loaded(page, 'lines.ndjson');
  await exportFile(page);
  assert.deepEqual(await readObjects(await download(page, stage.folder)), [
    { a: 1, b: 'x', c: '[1,2]', d: 9007199254740993n },
    { a: 2.5, b: '7', c: null, d: -1n },
    { a: null, b: null, c: '{"k":true}', d: null },
  ]);
  page.quiet();
});

test('a type chosen by hand is the type in the file', async () => {
  const page = await stage.open();
  const text = 'n,m,t\n1,2.50,2024-02-29\n200,-0.25,2024-03-01\n,,\n';
  const path = join(stage.folder, 'typed.csv');
  await writeFile(path, text);
  await drop(page, '#drop', 'typed.csv', text);
  await loaded(page, 'typed.csv');
  for (const [type, found] of [['uint8', 'UTINYINT'], ['int64', 'BIGINT'], ['float32', 'FLOAT'], ['decimal(9, 2)', 'DECIMAL(9,2)'], ['string', 'VARCHAR']]) {
    await page.getByLabel('Type of n').selectOption(type);
    await page.getByLabel('Type of m').selectOption('decimal(18, 2)');
    await page.getByLabel('Type of t').selectOption('timestamp[us]');
    await exportFile(page);
    const { types } = await compareWithCsv(path, await download(page, stage.folder));
    assert.deepEqual(types, { n: found, m: 'DECIMAL(18,2)', t: 'TIMESTAMP' });
  }
  page.quiet();
});

for (const [what, answer] of [
  ['does not know the type of a .wasm file', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'content-type': 'application/octet-stream' } });
  }],
  ['has lost the .wasm file', (route) => route.fulfill({ status: 404 })],
]) {
  test(`a server that ${what}: the export works all the same`, async () => {
    const page = await stage.open({}, (context) => context.route('**/*.wasm', answer));
    await drop(page, '#drop', 'table.csv', csv);
    await loaded(page, 'table.csv');
    await exportFile(page);
    assert.match(await page.locator('#r-memory').innerText(), /^[\d.]+ MiB$/);
    assert.equal((await compareWithCsv(csvPath, await download(page, stage.folder))).rows, 5000);
  });
}
