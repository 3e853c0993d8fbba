// One value of every kind that JavaScript has, by the name that the table of values gives it.

import { instant, other, plainDate, plainDateTime, plainTime, zonedDateTime } from './temporal-like.mjs';

class Point {
  x = 5;
}

class Named extends Point {
  toJSON() {
    return { named: this.x };
  }
}

const noon = 1_709_210_096n * 10n ** 9n;

export const valueKinds = [
  ['null', null],
  ['undefined', undefined],
  ['true', true],
  ['5', 5],
  ['-0', -0],
  ['200', 200],
  ['-5', -5],
  ['0.5', 0.5],
  ['2 ** 40', 2 ** 40],
  ['2 ** 53', 2 ** 53],
  ['1e300', 1e300],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['5n', 5n],
  ['2n ** 63n', 2n ** 63n],
  ['2n ** 64n', 2n ** 64n],
  ["''", ''],
  ["'text'", 'text'],
  ["'5'", '5'],
  ["'0.005'", '0.005'],
  ['\'{"a":5}\'', '{"a":5}'],
  ["'2024-02-29'", '2024-02-29'],
  ["'2023-02-29'", '2023-02-29'],
  ["'12:34:56'", '12:34:56'],
  ["'12:34:56Z'", '12:34:56Z'],
  ["'2024-02-29T12:34:56'", '2024-02-29T12:34:56'],
  ["'2024-02-29T12:34:56Z'", '2024-02-29T12:34:56Z'],
  ["'0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'", '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'],
  ['a Date', new Date(Number(noon / 1_000_000n))],
  ['an invalid Date', new Date(NaN)],
  ['Temporal.Instant', instant(noon)],
  ['Temporal.ZonedDateTime', zonedDateTime(noon)],
  ['Temporal.PlainDateTime', plainDateTime([2024, 2, 29], [12, 34, 56])],
  ['Temporal.PlainDate', plainDate(2024, 2, 29)],
  ['Temporal.PlainTime', plainTime(12, 34, 56)],
  ['Temporal.Duration', other('Duration')],
  ['4 bytes (Uint8Array)', Uint8Array.of(1, 2, 3, 4)],
  ['16 bytes (Uint8Array)', new Uint8Array(16).fill(7)],
  ['4 bytes (ArrayBuffer)', Uint8Array.of(1, 2, 3, 4).buffer],
  ['4 bytes (DataView)', new DataView(Uint8Array.of(1, 2, 3, 4).buffer)],
  ['Int32Array.of(5)', Int32Array.of(5)],
  ['Float64Array.of(0.5)', Float64Array.of(0.5)],
  ['[]', []],
  ['[5, null]', [5, null]],
  ["['text']", ['text']],
  ['{}', {}],
  ['{ a: 5 }', { a: 5 }],
  ['{ a: null }', { a: null }],
  ['{ days: 5 }', { days: 5 }],
  ['new Map()', new Map()],
  ["new Map([['a', 5]])", new Map([['a', 5]])],
  ['new Map([[5, 5]])', new Map([[5, 5]])],
  ['new Set([5])', new Set([5])],
  ['an Error', new Error('text')],
  ['a RegExp', /text/],
  ['a class instance', new Point()],
  ['one with toJSON', new Named()],
  ['new Number(5)', new Number(5)],
  ["new String('text')", new String('text')],
  ['a symbol', Symbol('text')],
  ['a function', () => 5],
];
