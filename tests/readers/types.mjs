// The flat types of the matrix: their corner values, random values, order, canonical text and input forms.
//
// A value is held in one plain form per family, independent of the writer: integers of any meaning as bigint (dates in
// days, timestamps in their unit, decimals unscaled), floats as their bits in a bigint, text as a string, bytes as
// Uint8Array. `canonical` is what the oracles compare: decimal text, hex bits, hex bytes or a boolean.

import { float } from './floats.mjs';

export const hex = (bytes) => Buffer.from(bytes).toString('hex');
export const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Limits of an integer of `bits` bits. */
const range = (bits, signed) =>
  signed ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n] : [0n, (1n << BigInt(bits)) - 1n];

/** A random integer of [min, max], of a random magnitude, so that small ones are as likely as large ones. */
export function randomInteger(random, min, max) {
  const value = random.bits(1 + random.below(64)) * (min < 0n && random.chance(0.5) ? -1n : 1n);
  return value < min || value > max ? min + (random.bits(64) % (max - min + 1n)) : value;
}

export function integer(name, bits, signed, more = {}) {
  const [min, max] = more.range ?? range(bits, signed);
  const Typed =
    more.Typed ??
    globalThis[bits === 64 ? `Big${signed ? 'I' : 'Ui'}nt64Array` : `${signed ? 'I' : 'Ui'}nt${bits}Array`];
  const element = bits === 64 ? (value) => value : Number;
  return {
    name,
    corners: [
      ...new Set([
        min,
        max,
        min + 1n,
        max - 1n,
        0n,
        1n,
        min < 0n ? -1n : 2n,
        127n < max ? 127n : max,
        ...(more.corners ?? []),
      ]),
    ],
    random: (random) => randomInteger(random, min, max),
    compare: order,
    canonical: String,
    cell: more.cell ?? element,
    typed: more.typed !== undefined ? more.typed : (values) => Typed.from(values, element),
  };
}

export const utf8 = (text) => Buffer.from(text, 'utf8');
const LETTERS = [
  'a',
  'Z',
  '0',
  ' ',
  'é',
  'ß',
  '\u07ff',
  '\u0800',
  '中',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '😀',
  '\u{10ffff}',
  '\0',
  '\x7f',
];

/** Offsets and bytes as Arrow holds them, starting behind a few foreign bytes. */
function spans(parts) {
  const lead = Buffer.from('lead');
  const offsets = new Int32Array(parts.length + 1);
  offsets[0] = lead.length;
  parts.forEach((part, i) => (offsets[i + 1] = offsets[i] + part.length));
  return { offsets, bytes: new Uint8Array(Buffer.concat([lead, ...parts])) };
}

const string = {
  name: 'string',
  corners: [
    '',
    'a',
    'a\0',
    'ab',
    'é',
    'zebra',
    '😀',
    '\ud83d',
    '\ude00x',
    'x\ud800',
    '\ufeffbom',
    "it's",
    'line\nbreak',
    'x'.repeat(70),
    'x'.repeat(63) + 'é',
    '\u{10ffff}'.repeat(18),
    'é'.repeat(35),
    'x'.repeat(60) + '\u{d7ff}\u{d7ff}\u{d7ff}',
  ],
  random: (random) =>
    Array.from({ length: random.below(random.chance(0.1) ? 90 : 12) }, () => random.pick(LETTERS)).join(''),
  compare: (a, b) => Buffer.compare(utf8(a), utf8(b)),
  canonical: (value) => hex(utf8(value)),
  cell: (value) => value,
  typed: (values) => spans(values.map(utf8)),
};

const binary = {
  name: 'binary',
  corners: [
    [],
    [0],
    [0xff],
    [0xff, 0xff],
    [0x80],
    [0x7f, 0xff],
    Array(70).fill(0xff),
    [...Array(63).fill(0x41), 0xff, 0xff, 1],
    Array(70).fill(0),
    [0xc3, 0x28],
  ].map((bytes) => Uint8Array.from(bytes)),
  random: (random) => random.bytes(random.below(random.chance(0.1) ? 90 : 12)),
  compare: (a, b) => Buffer.compare(a, b),
  canonical: hex,
  cell: (value) => value,
  typed: (values) => spans(values),
};

export function fixed(length) {
  return {
    name: `fixed[${length}]`,
    corners: [0, 1, 0x7f, 0x80, 0xff].flatMap((byte) => [
      new Uint8Array(length).fill(byte),
      Uint8Array.from({ length }, (_, i) => (i ? byte : 0xff)),
    ]),
    random: (random) => random.bytes(length),
    compare: (a, b) => Buffer.compare(a, b),
    canonical: hex,
    cell: (value) => value,
  };
}

const bool = {
  name: 'bool',
  corners: [false, true],
  random: (random) => random.chance(0.5),
  compare: (a, b) => Number(a) - Number(b),
  canonical: (value) => value,
  cell: (value) => value,
  typed(values) {
    const bits = new Uint8Array((values.length + 7) >> 3);
    values.forEach((value, i) => (bits[i >> 3] |= Number(value) << (i & 7)));
    return { bits, length: values.length };
  },
};

// From year 1 to 9999, and what is left of int64 beyond it for nanoseconds: every oracle holds these instants.
const PER_SECOND = { ms: 1000n, us: 1000000n, ns: 1000000000n };

function timestamp(unit, zone) {
  const per = PER_SECOND[unit];
  const limits =
    unit === 'ns'
      ? range(64, true).map((limit, i) => limit + (i ? -1n : 2n))
      : [-62135596800n * per, 253402300800n * per - 1n];
  return integer(`timestamp[${unit}${zone ? ', UTC' : ''}]`, 64, true, {
    range: limits,
    corners: [-per, per, -1n, 951782400n * per, 1709208000n * per + 1n, -1000n, -999n],
  });
}

/** Text of an unscaled decimal: what a cell of a decimal column holds. */
export function decimalText(unscaled, scale) {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export function decimal(precision, scale, bits) {
  const limit = 10n ** BigInt(precision) - 1n;
  return integer(`decimal(${precision}, ${scale})`, bits, true, {
    range: [-limit, limit],
    corners: [10n ** BigInt(scale), -5n, 50n],
    cell: (value) => decimalText(value, scale),
    // Numbers mean the value itself; up to 15 digits each decimal has its own.
    typed: precision <= 15 ? (values) => Float64Array.from(values, (value) => Number(decimalText(value, scale))) : null,
  });
}

export const TYPES = [
  bool,
  ...[8, 16, 32, 64].map((bits) => integer(`int${bits}`, bits, true)),
  ...[8, 16, 32, 64].map((bits) =>
    integer(`uint${bits}`, bits, false, { corners: [1n << BigInt(bits - 1), (1n << BigInt(bits - 1)) - 1n] }),
  ),
  ...[16, 32, 64].map(float),
  string,
  binary,
  fixed(5),
  integer('date', 32, true, { range: [-719162n, 2932896n], corners: [-141428n, -25567n, 19782n] }),
  ...['ms', 'us', 'ns'].flatMap((unit) => [timestamp(unit, false), timestamp(unit, true)]),
  decimal(7, 2, 32),
  decimal(18, 4, 64),
];
