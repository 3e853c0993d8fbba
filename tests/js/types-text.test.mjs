// Types as text: what each spelling makes of the file's schema, and what is wrong with others, and where.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata } from 'hyparquet';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';

const nested = (depth, open = 'list<', close = '>') => open.repeat(depth) + 'int32' + close.repeat(depth);

/** The schema elements of a table without rows whose one column has this type. */
async function elements(type, more = {}) {
  const bytes = await writeParquetBytes({ c: [] }, { schema: { c: { type, ...more } } });
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return parquetMetadata(file).schema.slice(1);
}

/** An element in short: repetition, name, physical and converted type, or its number of children. */
const short = ({
  name,
  repetition_type: repetition,
  type,
  type_length: length,
  converted_type: converted,
  num_children,
}) =>
  [
    repetition.toLowerCase(),
    name,
    type === undefined ? num_children : length > 0 ? `${type}(${length})` : type,
    ...(converted === undefined ? [] : [converted]),
  ].join(' ');

const shape = async (type, more) => (await elements(type, more)).map(short);

/** Converted types of local times: old readers take them for instants, the format allows them all the same. */
const ANY = Symbol('any');

test('leaf types: physical type, annotations, unit and zone', async () => {
  const cases = {
    enum: ['BYTE_ARRAY', 'ENUM', { type: 'ENUM' }],
    json: ['BYTE_ARRAY', 'JSON', { type: 'JSON' }],
    // DuckDB and hyparquet refuse files that name the converted type.
    bson: ['BYTE_ARRAY', undefined, { type: 'BSON' }],
    uuid: ['FIXED_LEN_BYTE_ARRAY', undefined, { type: 'UUID' }],
    interval: ['FIXED_LEN_BYTE_ARRAY', 'INTERVAL', undefined],
    int96: ['INT96', undefined, undefined],
    'time[ms]': ['INT32', ANY, { type: 'TIME', isAdjustedToUTC: false, unit: 'MILLIS' }],
    'time[us]': ['INT64', ANY, { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' }],
    'time[ns]': ['INT64', undefined, { type: 'TIME', isAdjustedToUTC: false, unit: 'NANOS' }],
    'time[ms, UTC]': ['INT32', 'TIME_MILLIS', { type: 'TIME', isAdjustedToUTC: true, unit: 'MILLIS' }],
    'time[us,UTC]': ['INT64', 'TIME_MICROS', { type: 'TIME', isAdjustedToUTC: true, unit: 'MICROS' }],
    'time[ns, Europe/Vienna]': ['INT64', undefined, { type: 'TIME', isAdjustedToUTC: true, unit: 'NANOS' }],
    'timestamp[us, America/Argentina/Buenos_Aires]': [
      'INT64',
      'TIMESTAMP_MICROS',
      { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    ],
  };
  for (const [type, [physical, converted, logical]] of Object.entries(cases)) {
    const [element] = await elements(type);
    assert.equal(element.type, physical, type);
    if (converted !== ANY) assert.equal(element.converted_type, converted, type);
    assert.deepEqual(element.logical_type, logical, type);
  }
});

test('decimals of every precision: the narrowest form that holds all their digits', async () => {
  for (let precision = 1; precision <= 38; precision++) {
    const [element] = await elements(`decimal(${precision}, ${precision >> 1})`);
    const most = 10n ** BigInt(precision) - 1n;
    let width = 1;
    while (2n ** BigInt(8 * width - 1) - 1n < most) width++;
    const expected = precision <= 9 ? 'INT32' : precision <= 18 ? 'INT64' : `FIXED_LEN_BYTE_ARRAY(${width})`;
    assert.equal(short(element), `required c ${expected} DECIMAL`);
    assert.deepEqual([element.precision, element.scale], [precision, precision >> 1]);
    assert.deepEqual(element.logical_type, { type: 'DECIMAL', precision, scale: precision >> 1 });
  }
});

test('lists: three levels, elements nullable unless they are not', async () => {
  const list = (element) => ['required c 1 LIST', 'repeated list 1', element];
  assert.deepEqual(await shape('list<int32>'), list('optional element INT32'));
  assert.deepEqual(await shape(' list < int32  not  null > '), list('required element INT32'));
  assert.deepEqual(await shape('list<string>', { nullable: true }), [
    'optional c 1 LIST',
    'repeated list 1',
    'optional element BYTE_ARRAY UTF8',
  ]);
  assert.deepEqual(await shape('list<list<bool not null> not null>'), [
    ...list('required element 1 LIST'),
    'repeated list 1',
    'required element BOOLEAN',
  ]);
});

test('maps: entries with a required key', async () => {
  const map = (...entry) => ['required c 1 MAP', 'repeated key_value 2', ...entry];
  const plain = map('required key BYTE_ARRAY UTF8', 'optional value INT64');
  assert.deepEqual(await shape('map<string, int64>'), plain);
  assert.deepEqual(await shape('map<string not null,int64>'), plain);
  assert.deepEqual(await shape('map<int32, float not null>'), map('required key INT32', 'required value FLOAT'));
  assert.deepEqual(
    await shape('map<struct<a: int32>, list<int8>>'),
    map(
      'required key 1',
      'optional a INT32',
      'optional value 1 LIST',
      'repeated list 1',
      'optional element INT32 INT_8',
    ),
  );
});

test('structs: fields in their order, names as words or quoted as in JSON', async () => {
  assert.deepEqual(await shape('struct<b: int32, a: struct<x: date not null> not null>'), [
    'required c 2',
    'optional b INT32',
    'required a 1',
    'required x INT32 DATE',
  ]);
  const names = async (type) => (await elements(type)).slice(1).map(({ name }) => name);
  assert.deepEqual(
    await names('struct<größe: int32, _1: int32, 名前: int32, list: int32, not: int32, A: int32, a: int32>'),
    ['größe', '_1', '名前', 'list', 'not', 'A', 'a'],
  );
  const odd = [
    '',
    ' ',
    'a.b',
    'a b',
    'x>',
    '"',
    '\\',
    '\n',
    '\u0000',
    '1st',
    '😀',
    '__proto__',
    'constructor',
    'not null',
  ];
  const text = odd.map((name) => `${JSON.stringify(name)}: int32`).join(', ');
  assert.deepEqual(await names(`struct<${text}>`), odd);
  assert.deepEqual(await names('struct<"\\u0061\\/\\ud83d\\ude00" : int32>'), ['a/😀']);
});

test('a schema entry: type, nullable and the field id, which goes to the column itself', async () => {
  const found = await elements('list<struct<a: int32>>', { nullable: true, fieldId: 17 });
  assert.deepEqual(
    found.map(({ field_id: id }) => id),
    [17, undefined, undefined, undefined],
  );
  assert.equal(found[0].repetition_type, 'OPTIONAL');
  assert.equal((await elements('uuid', { fieldId: 0 }))[0].field_id, 0);
});

test('100 groups inside one another, and no more', async () => {
  assert.equal((await elements(nested(100))).length, 201);
  assert.equal((await elements(nested(100, 'struct<a: '))).length, 101);
  assert.equal((await elements(nested(100, 'map<int8, '))).length, 301);
  for (const open of ['list<', 'struct<a: ', 'map<int8, ', 'map<']) {
    for (const depth of [101, 100_000]) {
      await assertRefused(() => elements(nested(depth, open)), 'ERR_SCHEMA', {
        column: 'c',
        message: new RegExp(`position ${100 * open.length}: types are nested more than 100 deep`),
      });
    }
  }
});

test('HC-30: two fields of one name', async () => {
  const cases = [
    ['struct<x: int32, x: int32>', 'position 17: there are two fields "x"'],
    ['struct<x: int32, "x": int32>', 'position 17: there are two fields "x"'],
    ['struct<x: int32, y: struct<"": int32, "": int32>>', 'position 38: there are two fields ""'],
  ];
  for (const [type, message] of cases) {
    await assertRefused(() => elements(type), 'ERR_SCHEMA', { column: 'c', message: new RegExp(message) });
  }
  assert.deepEqual(
    (await elements('struct<v: int32, V: int32>')).map(({ name }) => name),
    ['c', 'v', 'V'],
  );
});

test('HC-31: a struct without fields', async () => {
  await assertRefused(() => elements('struct<>'), 'ERR_SCHEMA', {
    message: /position 7: expected the name of a field/,
  });
});

test('HC-22: fixed bytes of no length', async () => {
  await assertRefused(() => elements('list<fixed[0]>'), 'ERR_SCHEMA', {
    message: /position 11: the length in bytes must be/,
  });
});

test('what is wrong, where, and what was expected', async () => {
  const cases = [
    ['list', 4, /expected "<"/],
    ['list<', 5, /expected the name of a type/],
    ['list<>', 5, /expected the name of a type/],
    ['list<int32', 10, /expected ">" or "not null"/],
    ['list<int32 not', 11, /expected ">" or "not null"/],
    ['list<int32 not null', 19, /expected ">"$/],
    ['list<int32 notnull>', 11, /expected ">" or "not null"/],
    ['list<int32 null>', 11, /expected ">" or "not null"/],
    ['list<int32>>', 11, /expected the end of the type$/],
    ['list<int32> not null', 12, /expected the end of the type; .*nullable: false/],
    ['int32 not null', 6, /nullable: false/],
    ['list[int32]', 4, /expected "<"/],
    ['list<int>', 5, /there is no type "int"/],
    ['struct<a>', 8, /expected ":"/],
    ['struct<a int32>', 9, /expected ":"/],
    ['struct<a: int32,>', 16, /expected the name of a field/],
    ['struct<a: int32 b: int32>', 16, /expected ",", ">" or "not null"/],
    ['struct<a: int32 not null b: int32>', 25, /expected "," or ">"/],
    ['struct<1a: int32>', 7, /expected the name of a field/],
    ["struct<'a': int32>", 7, /expected the name of a field/],
    ['struct<"a: int32>', 7, /expected the name of a field/],
    ['struct<"\\x": int32>', 7, /expected the name of a field/],
    ['struct<"\n": int32>', 7, /expected the name of a field/],
    ['struct<"\\ud800": int32>', 7, /half a surrogate pair/],
    ['struct<\ud800: int32>', 7, /expected the name of a field/],
    ['map<string>', 10, /expected "," and the type of the values/],
    ['map<string, >', 12, /expected the name of a type/],
    ['map<string, int32, int32>', 17, /expected ">" or "not null"/],
    ['map<string: int32>', 10, /expected "," and the type of the values/],
    ['decimal(39, 0)', 8, /the precision must be 1 to 38/],
    ['decimal(38, 39)', 12, /the scale must be 0 to 38/],
    ['decimal(1e1, 0)', 9, /expected ","/],
    ['decimal(10)', 10, /expected ","/],
    ['decimal', 7, /expected "\("/],
    ['time', 4, /expected "\["/],
    ['time[s]', 5, /expected a unit: ms, us or ns/],
    ['time[us UTC]', 8, /expected "\]" or ", UTC"/],
    ['time[us, UTC, UTC]', 12, /expected "\]"/],
    ['uuid[16]', 4, /expected the end/],
    ['interval[us]', 8, /expected the end/],
    ['Struct<a: int32>', 0, /there is no type "Struct"/],
    ['variant', 0, /variant is not in this version/],
    ['list<geometry(OGC:CRS84)>', 5, /geometry is not in this version/],
    ['struct<g: geography>', 10, /geography is not in this version/],
    ['\tint32', 0, /expected the name of a type/],
  ];
  for (const [type, position, message] of cases) {
    const error = await assertRefused(() => elements(type), 'ERR_SCHEMA', { column: 'c', message });
    assert.ok(
      error.message.startsWith(`column "c": type ${JSON.stringify(type)}, position ${position}: `),
      error.message,
    );
  }
});

test('a long text is shown in part', async () => {
  const { message } = await assertRefused(() => elements(`struct<${'a'.repeat(1000)}`), 'ERR_SCHEMA');
  assert.ok(message.length < 400, message);
  assert.match(message, /position 1007: expected ":"/);
});

test('texts of every kind of junk end in a clean error or a type', async () => {
  const seed = 20240229;
  console.log(`seed ${seed}`);
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const parts = 'list< struct< map< > , : a " not null int32 decimal( 5 ) time[ us ] UTC "b" string \\ \ud800 é'.split(
    ' ',
  );
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: random(12) }, () => parts[random(parts.length)]).join(random(2) === 0 ? '' : ' ');
    try {
      await elements(text);
    } catch (error) {
      assert.equal(error.code, 'ERR_SCHEMA', `${JSON.stringify(text)}: ${error.stack}`);
    }
  }
});
