import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drop, exportFile, loaded, OUT, startStage } from './page.mjs';
import { contrasts, hasInk, overlaps } from './measure.mjs';

let stage;
before(async () => {
  stage = await startStage();
});
after(() => stage?.stop());

const LOOKS = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 900 } }],
  ['narrow', { colorScheme: 'light', viewport: { width: 360, height: 780 } }],
  ['narrow-dark', { colorScheme: 'dark', viewport: { width: 360, height: 780 } }],
];

const EMPTY = ['.masthead', '#drop', '.samples', 'footer'];
const LOADED = ['.masthead', '#drop', '.samples', '.preview', '#export', 'footer'];
const INSIDE_EXPORT = ['.codecs', '#level-row', '.actions', '#status', '#download', '.bars', 'dl'];

async function check(page, name, selectors, viewport) {
  const image = await page.screenshot({ path: join(OUT, `${name}.png`), fullPage: true, animations: 'disabled' });
  assert.ok(await hasInk(page, image), `${name}: the screenshot is blank`);
  for (const selector of selectors) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box && box.width > 0 && box.height > 0, `${name}: ${selector} is not there`);
    assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, `${name}: ${selector} leaves the screen sideways`);
  }
  assert.deepEqual(await overlaps(page, selectors), [], `${name}: boxes overlap`);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= viewport.width, `${name}: the page is ${width} px wide`);
  const faint = (await contrasts(page)).filter(({ ratio, wanted }) => ratio < wanted);
  assert.deepEqual(faint, [], `${name}: text without contrast`);
}

for (const [look, options] of LOOKS) {
  test(`${look}: empty, with a result and with an error`, async () => {
    const page = await stage.open(options);
    await check(page, `${look}-empty`, EMPTY, options.viewport);

    await page.getByRole('button', { name: 'Movies' }).click();
    await loaded(page, 'movies.json');
    await exportFile(page);
    await check(page, `${look}-result`, LOADED, options.viewport);
    assert.deepEqual(await overlaps(page, INSIDE_EXPORT), []);

    await page.getByLabel('Type of Distributor').selectOption('int16');
    await page.getByRole('button', { name: 'Export Parquet' }).click();
    await page.locator('#alert').waitFor();
    await check(page, `${look}-error`, ['#alert', ...LOADED], options.viewport);
    const marked = await page.locator('th.wrong').boundingBox();
    assert.ok(marked.x >= 0 && marked.x < options.viewport.width, 'the column at fault is scrolled into view');
    page.quiet();
  });
}

test('light and dark differ, and the zone answers to a file over it', async () => {
  const shades = [];
  for (const colorScheme of ['light', 'dark']) {
    const page = await stage.open({ colorScheme });
    shades.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    const still = await page.screenshot({ animations: 'disabled' });
    await page.dispatchEvent('#drop', 'dragenter');
    const over = await page.screenshot({ path: join(OUT, `${colorScheme}-dragging.png`), animations: 'disabled' });
    assert.notDeepEqual(over, still);
  }
  assert.notEqual(shades[0], shades[1]);
});

test('long names and texts keep to their places', async () => {
  const viewport = { width: 360, height: 780 };
  const page = await stage.open({ viewport });
  const name = `${'a-very-long-file-name-'.repeat(6)}.csv`;
  await drop(page, '#drop', name, `${'column'.repeat(30)},b\n${'text'.repeat(200)},1\n`);
  await loaded(page, name);
  await exportFile(page);
  await check(page, 'narrow-long', LOADED, viewport);
  page.quiet();
});
