// Types inferred from nested values: the whole column, at every place inside of its rows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused } from './read-back.mjs';
import { typesOf } from './schema-text.mjs';
import { buddhistDate, instant, other, plainDate, plainDateTime, plainTime, zonedDateTime } from './temporal-like.mjs';

const column = (data) => () => writeParquetBytes({ c: data });
const infer = async (data) => typesOf(await writeParquetBytes({ c: data })).get('c');
const refused = (data, row, message, code = 'ERR_TYPE_MISMATCH') =>
  assertRefused(column(data), code, { column: 'c', row, message });

async function assertTypes(cases) {
  for (const [data, text, nullable = false] of cases) assert.deepEqual(await infer(data), { text, nullable });
}

test('arrays become lists of what all of them hold', async () => {
  await assertTypes([
    [[[1, 2], [], [3]], 'list<int32>'],
    [[[1], null, [2 ** 40]], 'list<int64>', true],
    [[[1], [0.5]], 'list<float64>'],
    [[[1], [-0]], 'list<float64>'],
    [[[1n], [2]], 'list<int64>'],
    [[['a', null], [undefined]], 'list<string>'],
    [[[true]], 'list<bool>'],
    [[[new Date(0)]], 'list<timestamp[ms, UTC]>'],
    [[[Uint8Array.of(1)], [new ArrayBuffer(1)]], 'list<binary>'],
    [[[[1]], [[], [0.5]]], 'list<list<float64>>'],
    [[[, 1]], 'list<int32>'],
    [[[], []], 'list<null>'],
    [[[null], undefined], 'list<null>', true],
    [[[[]], []], 'list<list<null>>'],
  ]);
});

test('typed arrays become lists of their own type', async () => {
  const cases = [
    [Int8Array, 'int8'],
    [Uint8ClampedArray, 'uint8'],
    [Int16Array, 'int16'],
    [Uint16Array, 'uint16'],
    [Int32Array, 'int32'],
    [Uint32Array, 'uint32'],
    [BigInt64Array, 'int64'],
    [BigUint64Array, 'uint64'],
    [Float32Array, 'float32'],
    [Float64Array, 'float64'],
  ];
  for (const [Made, text] of cases) {
    await assertTypes([
      [[new Made(2), new Made(0)], `list<${text}>`],
      [[{ a: [new Made(1)] }], `struct<a: list<list<${text}>>>`],
    ]);
  }
  await assertTypes([[[Uint8Array.of(1), Buffer.of(2)], 'binary']]);
  await refused([Int8Array.of(1), Int16Array.of(1)], 1, /expected Int8Array as in row 0, got Int16Array/);
  await refused([[1], Int32Array.of(1)], 1, /expected array as in row 0, got Int32Array/);
  await refused([Float32Array.of(1), [1]], 1, /expected Float32Array as in row 0, got Array/);
  await refused([Float32Array.of(1), Uint8Array.of(1)], 1, /expected Float32Array as in row 0, got Uint8Array/);
  const gone = new Float64Array(2);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  await refused([[gone]], 0, /Float64Array/);
});

test('plain objects become structs of all their keys, in the order in which they appear', async () => {
  await assertTypes([
    [[{ b: 1, a: 'x' }, { a: null, c: true }, { d: undefined }], 'struct<b: int32, a: string, c: bool, d: null>'],
    [[{}, { k: 1 }], 'struct<k: int32>'],
    [
      [{ a: { b: { c: [] } } }, { a: { b: { c: [{ d: 1 }] } } }],
      'struct<a: struct<b: struct<c: list<struct<d: int32>>>>>',
    ],
    [[[{ x: 1 }, { y: 2 }], [], [{ x: 0.5 }]], 'list<struct<x: float64, y: int32>>'],
    [[Object.create(null, { n: { value: 1, enumerable: true } }), null], 'struct<n: int32>', true],
    [[{ a: 1, [Symbol('s')]: 2 }], 'struct<a: int32>'],
    [[Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })], 'struct<a: int32>'],
    [
      [
        {
          get a() {
            return 'text';
          },
        },
      ],
      'struct<a: string>',
    ],
    [
      [{ 2: 1, 1: 1, 'a b': 1, '': 1, 'x.y': 1 }],
      'struct<"1": int32, "2": int32, "a b": int32, "": int32, "x.y": int32>',
    ],
    [[{ [Symbol.toStringTag]: 'Date', a: 1 }], 'struct<a: int32>'],
  ]);
});

test('keys that objects are born with are ordinary', async () => {
  const rows = [
    {},
    JSON.parse(
      '{"__proto__": 1, "constructor": "x", "toString": [1], "hasOwnProperty": null, "valueOf": {"__proto__": true}}',
    ),
  ];
  await assertTypes([
    [
      rows,
      'struct<__proto__: int32, constructor: string, toString: list<int32>, hasOwnProperty: null, valueOf: struct<__proto__: bool>>',
    ],
  ]);
});

test('HC-31: objects without a single key', async () => {
  const rows = [
    { id: 1, meta: {} },
    { id: 2, meta: {} },
  ];
  const message = /all objects are empty, but a struct needs at least one field/;
  await assertRefused(
    () => writeParquetBytes({ id: rows.map(({ id }) => id), meta: rows.map(({ meta }) => meta) }),
    'ERR_SCHEMA',
    { column: 'meta', message },
  );
  await assertRefused(column(rows), 'ERR_SCHEMA', { column: 'c', message: /at c\.meta: all objects are empty/ });
  await assertRefused(column([[{}], [{}, null]]), 'ERR_SCHEMA', { column: 'c', message: /at c\.list\.element: all/ });
  await assertRefused(column([null, Object.create(null)]), 'ERR_SCHEMA', { column: 'c', message });
  await assertRefused(column([new Map([['k', {}]])]), 'ERR_SCHEMA', {
    column: 'c',
    message: /at c\.key_value\.value: all/,
  });
});

test('Maps become maps', async () => {
  class Subclass extends Map {
    forEach() {
      throw new Error('not ours to call');
    }
  }
  await assertTypes([
    [
      [
        new Map([
          ['a', 1],
          ['b', null],
        ]),
        new Map(),
      ],
      'map<string, int32>',
    ],
    [[new Map([[1, 'x']]), null, new Map([[2 ** 40, 'y']])], 'map<int64, string>', true],
    [[new Map([['a', new Map([[1n, [0.5]]])]])], 'map<string, map<int64, list<float64>>>'],
    [[new Map([[{ k: 1 }, { v: 1 }]])], 'map<struct<k: int32>, struct<v: int32>>'],
    [[new Map(), new Map()], 'map<string, null>'],
    [[new Subclass([['a', 1]])], 'map<string, int32>'],
  ]);
  await refused(
    [new Map([['a', 1]]), new Map([[1, 1]])],
    1,
    /at c\.key_value\.key: expected string as in row 0, got 1 \(number\)/,
  );
  await refused([new Map([['a', 1]]), { a: 1 }], 1, /expected Map as in row 0, got an object/);
  await refused([{ a: 1 }, new Map([['a', 1]])], 1, /expected object as in row 0, got Map/);
});

test('Temporal values: microseconds, and nanoseconds only where a value needs them', async () => {
  const micros = 1_000n;
  await assertTypes([
    [[instant(micros), instant(-5_000n)], 'timestamp[us, UTC]'],
    [[instant(micros), instant(micros + 1n)], 'timestamp[ns, UTC]'],
    [[zonedDateTime(0n), null], 'timestamp[us, UTC]', true],
    [[zonedDateTime(0n), zonedDateTime(-1n)], 'timestamp[ns, UTC]'],
    [[plainDateTime([2024, 1, 1], [1, 2, 3, 4, 5])], 'timestamp[us]'],
    [[plainDateTime([2024, 1, 1], [0]), plainDateTime([2024, 1, 1], [0, 0, 0, 0, 0, 6])], 'timestamp[ns]'],
    [[plainTime(1, 2, 3, 4, 5)], 'time[us]'],
    [[plainTime(1), plainTime(1, 2, 3, 4, 5, 6)], 'time[ns]'],
    [[plainDate(2024, 2, 29), buddhistDate(2024, 2, 29)], 'date'],
    [[[{ at: instant(1n) }]], 'list<struct<at: timestamp[ns, UTC]>>'],
    [[new Map([[plainDate(2024, 1, 1), plainTime(1)]])], 'map<date, time[us]>'],
  ]);
  await refused([instant(0n), new Date(0)], 1, /expected Temporal\.Instant as in row 0, got .*Date/);
  await refused(
    [instant(0n), zonedDateTime(0n)],
    1,
    /expected Temporal\.Instant as in row 0, got Temporal\.ZonedDateTime/,
  );
  await refused([plainDate(2024, 1, 1), plainDateTime([2024, 1, 1], [0])], 1, /Temporal\.PlainDate as in row 0/);
  for (const kind of ['PlainYearMonth', 'PlainMonthDay', 'Duration', 'Instant', 'PlainDate', 'Now']) {
    await refused([null, other(kind)], 1, /no column type/);
    await refused([[other(kind)]], 0, /no column type/);
  }
});

test('mixed values name the place, both kinds and the row', async () => {
  await refused(
    [[1], null, [2, 'x']],
    2,
    /^column "c", row 2: at c\.list\.element: expected number as in row 0, got "x" \(string\)/,
  );
  await refused(
    [{ a: { b: 1 } }, { a: { b: true } }],
    1,
    /at c\.a\.b: expected number as in row 0, got true \(boolean\)/,
  );
  await refused([{ a: [] }, { a: {} }], 1, /at c\.a: expected array as in row 0, got an object/);
  await refused([[1], 2], 1, /expected array as in row 0, got 2 \(number\)/);
  await refused([[1n], [0.5]], 1, /at c\.list\.element: expected bigint.*numbers beside bigints must be integers/);
  await refused([[0.5, 1n]], 0, /at c\.list\.element: expected number as in row 0, got 1 \(bigint\)/);
  await refused(['x', { a: 1 }], 1, /expected string as in row 0, got an object/);
  await refused([[new Date(0)], [0]], 1, /expected Date as in row 0, got 0 \(number\)/);
});

test('the last element of the last row counts as much as the first', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => [{ n: row }]);
  rows.at(-1)[0].n = 0.5;
  await assertTypes([[rows, 'list<struct<n: float64>>']]);
  rows.at(-1)[0] = { n: 1, late: 'x' };
  await assertTypes([[rows, 'list<struct<n: int32, late: string>>']]);
  rows.at(-1)[0] = { n: 'x' };
  await refused(rows, rows.length - 1, /at c\.list\.element\.n/);
});

test('what has no column type is refused wherever it is', async () => {
  class Point {
    x = 1;
  }
  const values = [
    new Set(),
    Symbol('s'),
    () => 1,
    new Error('e'),
    new Point(),
    /x/,
    Promise.resolve(),
    new Number(1),
    new String('x'),
    new WeakMap(),
    new URL('https://example.org'),
    Object.create({ a: 1 }),
    Object.setPrototypeOf({ a: 1 }, Date.prototype),
    Object.setPrototypeOf({ a: 1 }, Map.prototype),
  ];
  for (const value of values) {
    await refused([value], 0, /no column type/);
    await refused([[value]], 0, /at c\.list\.element: .*no column type/);
    await refused([{ a: null }, { a: value }], 1, /at c\.a: .*no column type/);
    await refused([new Map([['k', value]])], 0, /at c\.key_value\.value: .*no column type/);
  }
});

test('a name that is half a surrogate pair', async () => {
  await refused([{ a: 1 }, { '\ud800': 1 }], 1, /half a surrogate pair/, 'ERR_SCHEMA');
  await assertTypes([[[{ '😀': 1 }], 'struct<"😀": int32>']]);
});

test('values that hold themselves, and very deep ones', async () => {
  const array = [];
  array.push(array);
  const object = {};
  object.self = { back: object };
  const map = new Map();
  map.set('self', map);
  const wide = [];
  for (let index = 0; index < 100; index++) wide.push(wide);
  for (const value of [array, object, map, wide])
    await refused([null, value], 1, /more than 100 deep, or hold themselves/, 'ERR_LIMIT');
  const nest = (depth, wrap) => {
    let value = 1;
    for (let floor = 0; floor < depth; floor++) value = wrap(value);
    return value;
  };
  const wraps = [(value) => [value], (value) => ({ a: value }), (value) => new Map([['k', value]])];
  for (const wrap of wraps) {
    await refused([nest(101, wrap)], 0, /more than 100 deep/, 'ERR_LIMIT');
    await refused([nest(50_000, wrap)], 0, /more than 100 deep/, 'ERR_LIMIT');
  }
  await assertTypes([
    [[nest(100, wraps[0])], `${'list<'.repeat(100)}int32${'>'.repeat(100)}`],
    [[nest(100, wraps[1])], `${'struct<a: '.repeat(100)}int32${'>'.repeat(100)}`],
    [[nest(100, wraps[2])], `${'map<string, '.repeat(100)}int32${'>'.repeat(100)}`],
  ]);
});

test('HC-143: nested values of another realm are what they are', async () => {
  const foreign = runInContext(
    `[{ a: [1, 2], m: new Map([['k', new Date(0)]]), b: [new Uint8Array(1)], f: [new Float32Array(1)], n: Object.create(null, { x: { value: 1, enumerable: true } }) }]`,
    createContext({}),
  );
  await assertTypes([
    [
      foreign,
      'struct<a: list<int32>, m: map<string, timestamp[ms, UTC]>, b: list<binary>, f: list<list<float32>>, n: struct<x: int32>>',
    ],
  ]);
  for (const text of [
    'new Set()',
    'new Error("e")',
    'new (class Point { x = 1; })()',
    '/x/',
    'new Number(1)',
    '(() => 1)',
  ]) {
    await refused([runInContext(text, createContext({}))], 0, /no column type/);
  }
});

test('an error that a getter throws comes through as it is', async () => {
  const mine = new Error('mine');
  await assert.rejects(
    column([
      {
        get a() {
          throw mine;
        },
      },
    ]),
    (error) => error === mine,
  );
});
