// Strings: every way that they go into the module, and what becomes of surrogates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTrip } from './read-back.mjs';

const wellFormed = (text) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
const shapes = [
  {},
  { dictionary: false },
  { pageBytes: 300 },
  { pageBytes: 1 },
  { pageRows: 3, rowGroupRows: 10 },
  { dictionaryBytes: 50, pageRows: 5 },
];

async function assertTexts(texts, options = shapes) {
  const expected = texts.map((text) => (text === null ? null : wellFormed(text)));
  for (const option of options) await assertStored(texts, 'string', expected, option);
}

test('every kind of character, every length around what is handled apart', async () => {
  const units = [
    'a',
    'é',
    '東',
    '🙂',
    '\u0000',
    '\u007f',
    '\u0080',
    '\u07ff',
    '\u0800',
    '\uffff',
    '\u{10000}',
    '\u{10ffff}',
    '\ufeff',
  ];
  for (const unit of units) {
    await assertTexts(
      [0, 1, 2, 7, 8, 31, 63, 64, 79, 80, 81, 159, 160, 161, 255, 256, 1000].map((count) => unit.repeat(count)),
    );
  }
});

test('lone surrogates become U+FFFD and never fuse with those of a neighbour', async () => {
  const high = '\ud83d';
  const low = '\ude42';
  await assertTexts([
    high,
    low,
    high,
    low,
    'x' + high,
    low + 'y',
    '🙂',
    high + 'a' + low,
    low + high,
    high + high + low,
    '',
  ]);
  await assertTexts([high, null, low, high, '', low]);
  const long = 'x'.repeat(300);
  await assertTexts([long + high, low + long, high + long + low, long + high + low]);
  await assertTexts(Array.from({ length: 200 }, (_, row) => (row % 2 === 0 ? high : low)));
});

test('ASCII and other text in turns, so that joined and single encoding alternate', async () => {
  const texts = Array.from({ length: 3000 }, (_, row) => {
    const plain = `row ${row}`.repeat(1 + (row % 5));
    return row % 97 === 0 || (row > 1000 && row < 1300) ? `${plain}é🙂` : row % 31 === 0 ? null : plain;
  });
  await assertTexts(texts, [
    {},
    { dictionary: false },
    { dictionary: false, pageBytes: 1000 },
    { pageRows: 64 },
    { pageRows: 65, dictionary: false },
  ]);
});

test('strings of several megabytes, a page each', async () => {
  const texts = [
    'a'.repeat(3_000_000),
    'b',
    '東'.repeat(1_500_000),
    null,
    '🙂'.repeat(700_000),
    'é' + 'c'.repeat(2_000_000),
    '',
  ];
  await assertTexts(texts, [{}, { dictionary: false, compression: 'none' }]);
});

test('slices and concatenations of other strings', async () => {
  const base = 'The quick brown fox jumps over the lazy dog. '.repeat(50);
  const texts = Array.from(
    { length: 500 },
    (_, row) => base.slice(row, row + 20 + row) + base.slice(row * 2, row * 3) + row,
  );
  await assertTexts(texts, [{}, { pageBytes: 5000 }]);
});

test('few distinct strings go as codes: kept, given up, with nulls, over row groups', async () => {
  for (const distinct of [1, 2, 255, 256, 257, 1000]) {
    const texts = Array.from({ length: 5000 }, (_, row) => `text ${(row * row) % distinct}`);
    const nulls = texts.map((text, row) => (row % 3 === 0 ? null : text));
    for (const options of [
      {},
      { rowGroupRows: 1111 },
      { pageRows: 100 },
      { pageBytes: 200 },
      { dictionaryBytes: 300 },
      { dictionaryBytes: 300, pageRows: 77 },
    ]) {
      await assertStored(texts, undefined, texts, options);
      await assertStored(nulls, undefined, nulls, options);
    }
  }
});

test('a dictionary that a sample promised and later rows break', async () => {
  const texts = Array.from({ length: 60_000 }, (_, row) => ((row >> 4) % 230 < 3 ? 'same' : `different ${row}`));
  texts.forEach((_, row) => {
    if (row % 3750 < 200) texts[row] = 'same';
  });
  for (const options of [{}, { dictionaryBytes: 10_000 }, { dictionaryBytes: 10_000, pageBytes: 3000 }])
    await assertStored(texts, undefined, texts, options);
});

test('HC-141: memory grows while strings are copied in', async () => {
  const texts = Array.from({ length: 300_000 }, (_, row) => `row ${row}😀`);
  await assertStored(texts, undefined, texts);
});

test('only strings are strings', async () => {
  for (const wrong of [1, true, 1n, new Date(0), {}, ['a'], new String('a'), Symbol('s')]) {
    for (const dictionary of [true, false]) {
      await assertRefused(
        () => writeParquetBytes([{ name: 'c', data: ['a', null, wrong], type: 'string' }], { dictionary }),
        'ERR_TYPE_MISMATCH',
        { column: 'c', row: 2, message: /expected string/ },
      );
    }
  }
});

test('names with lone surrogates are made well-formed, also for the comparison of names', async () => {
  const { elements } = await roundTrip({ 'a\ud800': [1], '': [2], '列🙂': [4] });
  assert.deepEqual(Object.keys(elements), ['a\ufffd', '', '列🙂']);
  await assertRefused(() => writeParquetBytes({ '\ud800': [1], '\ud801': [2] }), 'ERR_SCHEMA', { column: '\ufffd' });
});
