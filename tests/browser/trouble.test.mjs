import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeCsv } from './csv.mjs';
import { compareWithCsv, download, drop, exportFile, loaded, startStage } from './page.mjs';

let stage;
before(async () => {
  stage = await startStage();
});
after(() => stage?.stop());

const alertText = async (page) => {
  await page.locator('#alert').waitFor();
  return page.locator('#alert').innerText();
};

const BAD_FILES = [
  ['empty.csv', '', /The file is empty\./],
  ['ragged.csv', 'a,b\n1,2\n3\n', /Record 3 has 1 field, the header has 2\./],
  ['open.csv', 'a,b\n1,"never closed\n', /Quoted field unterminated/],
  ['latin.csv', Buffer.from('a\nGr\xfc\xdfe\n', 'latin1'), /not UTF-8/],
  ['broken.json', '[{"a": 1},', /not valid JSON/],
  ['scalars.json', '[{"a": 1}, 2]', /Item 1 of the JSON array is not an object\./],
  ['document.json', '{\n  "a": [1, 2]\n}', /not an array of objects/],
  ['keyless.json', '[{}, {}]', /no columns/],
];

for (const [name, content, message] of BAD_FILES) {
  test(`${name} is refused in words, and the table before it stays usable`, async () => {
    const page = await stage.open();
    await drop(page, '#drop', 'good.csv', 'a,b\n1,x\n');
    await loaded(page, 'good.csv');
    await page.setInputFiles('#file', { name, mimeType: 'text/plain', buffer: Buffer.from(content) });
    assert.match(await alertText(page), message);
    await exportFile(page);
    assert.equal(await page.locator('#alert').isVisible(), false);
    page.quiet();
  });
}

test('a value that the chosen type cannot hold is reported with code, column and row; then the export works', async () => {
  const page = await stage.open();
  await drop(page, '#drop', 'range.csv', 'small,word\n1,x\n300,y\n');
  await loaded(page, 'range.csv');
  for (const [column, type, code, row] of [['small', 'int8', 'ERR_OUT_OF_RANGE', 1], ['word', 'int32', 'ERR_TYPE_MISMATCH', 0]]) {
    await page.getByLabel(`Type of ${column}`).selectOption(type);
    await page.getByRole('button', { name: 'Export Parquet' }).click();
    const text = await alertText(page);
    assert.match(text, new RegExp(`${code} · column ${column} · row ${row}`));
    assert.equal(await page.locator('th.wrong .name').innerText(), column);
    assert.equal(await page.locator('#result').isVisible(), false);
    await page.getByLabel(`Type of ${column}`).selectOption('');
    await exportFile(page);
    assert.equal(await page.locator('th.wrong').count(), 0);
  }
  page.quiet();
});

test('markup in a file stays text', async () => {
  const page = await stage.open();
  await drop(page, '#drop', '<img src=x>.csv', '<img src=x onerror=alert(1)>\n<script>alert(1)</script>\n');
  await loaded(page, '<img src=x>.csv');
  assert.equal(await page.locator('main img, table script').count(), 0);
  assert.equal(await page.locator('td').last().innerText(), '<script>alert(1)</script>');
  page.quiet();
});

test('Abort ends an export in its midst: no file, no alert, and the next export is whole', async () => {
  const page = await stage.open();
  const csv = makeCsv(1, 60_000);
  const path = join(stage.folder, 'long.csv');
  await writeFile(path, csv);
  await page.setInputFiles('#file', path);
  await loaded(page, 'long.csv');
  // A person presses once the bar moves; the page does it here at the first step, however fast the machine.
  await page.evaluate(() => {
    const status = document.getElementById('status');
    new MutationObserver((_changes, observer) => {
      if (!/^[1-9][\d,]* of /.test(status.textContent)) return;
      observer.disconnect();
      window.stoppedAt = status.textContent;
      document.getElementById('abort').click();
    }).observe(status, { childList: true, characterData: true, subtree: true });
  });
  await page.getByRole('button', { name: 'Export Parquet' }).click();
  await page.getByText('Aborted. No file was made.').waitFor();
  const [done, total] = (await page.evaluate(() => window.stoppedAt)).match(/[\d,]+/g).map((text) => Number(text.replaceAll(',', '')));
  assert.ok(done < total, `${done} of ${total}`);
  assert.equal(await page.locator('#result').isVisible(), false);
  assert.equal(await page.locator('#alert').isVisible(), false);
  assert.equal(await page.getByRole('button', { name: 'Abort' }).isVisible(), false);

  await exportFile(page);
  assert.equal((await compareWithCsv(path, await download(page, stage.folder))).rows, 60_000);
  page.quiet();
});

test('the keyboard alone chooses a file, a type and a codec, exports and downloads', async () => {
  const page = await stage.open();
  const csv = 'n,word\n1,x\n2,y\n';
  const path = join(stage.folder, 'keys.csv');
  await writeFile(path, csv);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label')
    || document.activeElement.value || document.activeElement.textContent);
  const tabTo = async (wanted) => {
    for (let step = 0; step < 30; step += 1) {
      await page.keyboard.press('Tab');
      if (await focused() === wanted) return;
    }
    assert.fail(`Tab never came to ${wanted}`);
  };

  // Asked for well before the key: only then is Chromium sure to hand the dialog over instead of showing it.
  const choose = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'file', 'the drop zone comes first');
  const ring = await page.locator('#drop').evaluate((zone) => getComputedStyle(zone).outlineStyle);
  assert.equal(ring, 'solid', 'its focus can be seen');
  await page.keyboard.press('Enter');
  await (await choose).setFiles(path);
  await loaded(page, 'keys.csv');

  await tabTo('Type of n');
  await page.keyboard.type('int64');
  await tabTo('zstd');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'snappy');
  await tabTo('write');
  await page.keyboard.press('Enter');
  await page.locator('#result').waitFor();
  assert.match(await page.locator('#status').innerText(), /^Done: /);
  assert.equal(await focused(), 'write', 'the focus is where it was');
  await tabTo('download');
  const event = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const saved = join(stage.folder, 'keys.parquet');
  await (await event).saveAs(saved);
  const found = await compareWithCsv(path, saved);
  assert.deepEqual(found, { rows: 2, types: { n: 'BIGINT', word: 'VARCHAR' }, codecs: ['SNAPPY'] });
  page.quiet();
});
