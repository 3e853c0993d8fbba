import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertColumn, inferColumn } from '../../www/column.js';
import { readTable, tableFromCsv, tableFromJson, typedColumns } from '../../www/table.js';
import { typeOfTexts } from '../../www/text.js';

const TEXT_TYPES = [
  ['int32', '1', '-2147483648', '2147483647', '0'],
  ['int64', '2147483648', '-1'],
  ['int64', '9223372036854775807', '-9223372036854775808'],
  ['uint64', '18446744073709551615', '0'],
  ['string', '18446744073709551616'],
  ['string', '18446744073709551615', '-1'],
  ['string', '007', '1'],
  ['string', '+1'],
  ['string', '1 000'],
  ['string', ' 1'],
  ['float64', '1', '2.5'],
  ['float64', '1.0', '2.25'],
  ['float64', '1.50', '20.00'],
  ['float64', '0.30000000000000004', '1e-05', '1.2E+20', '-0'],
  ['string', '1.9', '1.10'],
  ['string', '1', '1.0'],
  ['string', '12E5'],
  ['string', '1e+400'],
  ['string', '9007199254740993', '0.5'],
  ['string', '0.1000000000000000055511151231257827'],
  ['string', '.5'],
  ['string', 'NaN', '1.5'],
  ['bool', 'true', 'false'],
  ['bool', 'FALSE'],
  ['string', 'true', 'False'],
  ['string', 'true', '1'],
  ['date', '2024-02-29', '0001-01-01', '9999-12-31'],
  ['date', '2024/02/29'],
  ['date', 'Jun 12 1998', 'Feb 28 2100'],
  ['string', '2023-02-29'],
  ['string', '2023-02-28', '2023/02/28'],
  ['string', '28.02.2023'],
  ['string', 'Foo 12 1998'],
  ['timestamp[ms]', '2001/01/01 06:55'],
  ['timestamp[ms]', '2001-01-01T06:55:00.123'],
  ['timestamp[us]', '2001-01-01 06:55:00', '2001-01-01 06:55:00.123456'],
  ['timestamp[ns]', '2001-01-01 06:55:00.123456789'],
  ['timestamp[ms, UTC]', '2001-01-01T06:55:00Z'],
  ['string', '2001-01-01T06:55:00+02:00'],
  ['string', '2001-01-01T06:55:00Z', '2001-01-01T06:55:00'],
  ['string', '2001-01-01 24:00'],
  ['string', '2001-01-01', '2001-01-01 10:00'],
];

for (const [type, ...texts] of TEXT_TYPES) {
  test(`texts ${texts.join(' | ')} are ${type}, with nulls among them too`, () => {
    assert.equal(typeOfTexts(texts), type);
    assert.equal(typeOfTexts([null, ...texts, null]), type);
  });
}

test('a column of nothing is text', () => {
  assert.equal(typeOfTexts([null, null]), 'string');
  assert.equal(inferColumn([null, undefined], false).type, 'string');
});

test('JSON columns: numbers by range, text stays text, a mix becomes text and says so', () => {
  const type = (...cells) => inferColumn(cells, false).type;
  assert.equal(type(1, null, 2), 'int32');
  assert.equal(type(1, 2 ** 31), 'int64');
  assert.equal(type(1, 0.5), 'float64');
  assert.equal(type(-0, 1), 'float64');
  assert.equal(type(1, 2n ** 63n), 'uint64');
  assert.equal(type(true, null), 'bool');
  assert.equal(type('1', '2'), 'string');
  assert.equal(type('1998-06-12'), 'date');
  assert.deepEqual(inferColumn(['300', 300, null], false), { type: 'string', kinds: ['text', 'number'] });
  assert.deepEqual(convertColumn(['x', 300, true, { a: 1n }, [1], null], 'string'), ['x', '300', 'true', '{"a":"1"}', '[1]', null]);
});

test('cells become values of the chosen type, and what cannot is left for the library to name', () => {
  assert.deepEqual(convertColumn(['1', ' 2 ', '3.0', '9007199254740993', 'x', null], 'int64'), [1, 2, 3, 9007199254740993n, 'x', null]);
  assert.deepEqual(convertColumn(['1.5', '.5', '1e3', 'NaN', '1,5'], 'float64'), [1.5, 0.5, 1000, NaN, '1,5']);
  assert.deepEqual(convertColumn(['TRUE', 'false', '1'], 'bool'), [true, false, '1']);
  assert.deepEqual(convertColumn(['Jun 12 1998', '12/06/98'], 'date'), [new Date('1998-06-12T00:00:00Z'), '12/06/98']);
  assert.deepEqual(convertColumn(['0099-01-01'], 'date')[0].getUTCFullYear(), 99);
  assert.deepEqual(convertColumn(['1969-12-31 23:59:59.999999'], 'timestamp[us]'), [-1n]);
  assert.deepEqual(convertColumn(['1970-01-01 00:00:00.000000001'], 'timestamp[ns]'), [1n]);
  assert.deepEqual(convertColumn(['1970-01-01 00:00:00.0001'], 'timestamp[ms]'), ['1970-01-01 00:00:00.0001']);
  assert.deepEqual(convertColumn([' 1.50 ', 2], 'decimal(9, 2)'), ['1.50', 2]);
});

const csvCells = async (text) => {
  const { names, columns } = await tableFromCsv(text);
  return { names, columns };
};

test('CSV: separators, quotes, line ends, empty lines and names', async () => {
  assert.deepEqual(await csvCells('a,b\r\n1,"x,\r\n""y"""\r\n'), { names: ['a', 'b'], columns: [['1'], ['x,\r\n"y"']] });
  assert.deepEqual(await csvCells('a;b\n1,5;2\n'), { names: ['a', 'b'], columns: [['1,5'], ['2']] });
  assert.deepEqual(await csvCells('"a;b;c",d\n1,2'), { names: ['a;b;c', 'd'], columns: [['1'], ['2']] });
  assert.deepEqual(await csvCells('a\tb\n1\t\n\n\t2\n'), { names: ['a', 'b'], columns: [['1', null], [null, '2']] });
  assert.deepEqual(await csvCells('a\n1\n\n3\n'), { names: ['a'], columns: [['1', null, '3']] });
  assert.deepEqual(await csvCells('a\n\n'), { names: ['a'], columns: [[null]] });
  assert.deepEqual(await csvCells('a,a,,a_2\n1,2,3,4\n'), {
    names: ['a', 'a_3', 'column_3', 'a_2'], columns: [['1'], ['2'], ['3'], ['4']],
  });
  assert.deepEqual(await csvCells('a,b\n'), { names: ['a', 'b'], columns: [[], []] });
});

test('CSV of several chunks keeps every row in order', async () => {
  const rows = Array.from({ length: 120_000 }, (_, row) => `${row},"text ${row}\nand ü, more"`);
  const { columns } = await tableFromCsv(`n,t\n${rows.join('\n')}\n`);
  assert.equal(columns[0].length, rows.length);
  assert.ok(columns[0].every((cell, row) => cell === String(row)));
  assert.ok(columns[1].every((cell, row) => cell === `text ${row}\nand ü, more`));
  const broken = `n,t\n${rows.join('\n')}\n1\n`;
  await assert.rejects(tableFromCsv(broken), { name: 'TableError', message: 'Record 120002 has 1 field, the header has 2.' });
});

test('a byte order mark is no part of the first name; the name or the text tells the format', async () => {
  assert.deepEqual((await readTable(new Blob(['\ufeffa,b\n1,2\n']), 'x.csv')).names, ['a', 'b']);
  assert.equal((await readTable(new Blob(['[{"a":1}]']), 'data')).format, 'JSON');
  assert.equal((await readTable(new Blob(['a\n[1]\n']), 'data')).format, 'CSV');
  await assert.rejects(readTable(new Blob([new Uint8Array([0x61, 0xff])]), 'x.csv'), { name: 'TableError' });
});

test('typedColumns: chosen types win over inferred ones', async () => {
  const list = await typedColumns(tableFromJson('[{"a":1,"b":"1998-06-12"},{"b":null}]'), ['int8', undefined]);
  assert.deepEqual(list, [
    { name: 'a', type: 'int8', data: [1, null] },
    { name: 'b', type: 'date', data: [new Date('1998-06-12'), null] },
  ]);
});
