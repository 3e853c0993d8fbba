/** Column types: from their text to what the file says about them. */

import { ParquetError } from './errors.js';

/** `Type` of the format. */
export const Physical = { boolean: 0, int32: 1, int64: 2, float: 4, double: 5, bytes: 6, fixed: 7 } as const;

/** `LogicalType` of the format. */
const Logical = {
  none: 0, string: 1, decimal: 5, date: 6, timestamp: 8, integer: 10, unknown: 11, float16: 15,
} as const;

export type Unit = 'ms' | 'us' | 'ns';

export type Kind =
  | 'bool' | 'int8' | 'int16' | 'int32' | 'int64' | 'uint8' | 'uint16' | 'uint32' | 'uint64'
  | 'float16' | 'float32' | 'float64' | 'string' | 'binary' | 'fixed' | 'decimal' | 'date' | 'timestamp' | 'null';

/** A flat column type. */
export interface LeafType {
  /** The type in its usual spelling. */
  readonly text: string;
  readonly kind: Kind;
  readonly physical: number;
  /** Bytes of a value in PLAIN form; 0 for bool and for byte arrays, whose values have no width of their own. */
  readonly width: number;
  readonly logical: number;
  /** The logical type's two numbers: precision and scale, unit and UTC, bit width and sign. */
  readonly a: number;
  readonly b: number;
  /** Of a decimal. */
  readonly precision: number;
  readonly scale: number;
  /** Of a timestamp. */
  readonly unit: Unit;
}

function leaf(kind: Kind, physical: number, width: number, logical: number, more: Partial<LeafType> = {}): LeafType {
  return { text: kind, kind, physical, width, logical, a: 0, b: 0, precision: 0, scale: 0, unit: 'ms', ...more };
}

const integer = (kind: Kind, bits: number, signed: boolean) => {
  const [physical, width] = bits === 64 ? [Physical.int64, 8] : [Physical.int32, 4];
  return leaf(kind, physical, width, Logical.integer, { a: bits, b: signed ? 1 : 0 });
};

/** Types without arguments. */
export const plainTypes = {
  bool: leaf('bool', Physical.boolean, 0, Logical.none),
  int8: integer('int8', 8, true),
  int16: integer('int16', 16, true),
  int32: leaf('int32', Physical.int32, 4, Logical.none),
  int64: leaf('int64', Physical.int64, 8, Logical.none),
  uint8: integer('uint8', 8, false),
  uint16: integer('uint16', 16, false),
  uint32: integer('uint32', 32, false),
  uint64: integer('uint64', 64, false),
  float16: leaf('float16', Physical.fixed, 2, Logical.float16),
  float32: leaf('float32', Physical.float, 4, Logical.none),
  float64: leaf('float64', Physical.double, 8, Logical.none),
  string: leaf('string', Physical.bytes, 0, Logical.string),
  binary: leaf('binary', Physical.bytes, 0, Logical.none),
  date: leaf('date', Physical.int32, 4, Logical.date),
  null: leaf('null', Physical.int32, 4, Logical.unknown),
} as const satisfies Record<string, LeafType>;

const byName = new Map<string, LeafType>(
  [...Object.entries(plainTypes), ['float', plainTypes.float32], ['double', plainTypes.float64]]);
const later = [
  'enum', 'json', 'bson', 'uuid', 'time', 'interval', 'int96', 'list', 'struct', 'map', 'variant', 'geometry', 'geography',
];
const units: readonly Unit[] = ['ms', 'us', 'ns'];
const MOST_DIGITS = 18;
const MOST_FIXED = 2 ** 31 - 1;

export function timestamp(unit: Unit, utc: boolean): LeafType {
  return leaf('timestamp', Physical.int64, 8, Logical.timestamp, {
    text: `timestamp[${unit}${utc ? ', UTC' : ''}]`, a: units.indexOf(unit), b: utc ? 1 : 0, unit,
  });
}

function decimal(precision: number, scale: number): LeafType {
  const [physical, width] = precision <= 9 ? [Physical.int32, 4] : [Physical.int64, 8];
  const text = `decimal(${precision}, ${scale})`;
  return leaf('decimal', physical, width, Logical.decimal, { text, a: precision, b: scale, precision, scale });
}

/** The text of a type, read from left to right. */
class Scanner {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws ERR_SCHEMA about position `at`. */
  fail(problem: string, at = this.#at): never {
    throw new ParquetError('ERR_SCHEMA', `type ${JSON.stringify(this.#text)}, position ${at}: ${problem}`);
  }

  /** Goes past spaces; the position of what follows. */
  start(): number {
    while (this.#text[this.#at] === ' ') this.#at++;
    return this.#at;
  }

  /** The longest match of `pattern` (sticky) here; fails with `expected` when there is none. */
  take(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.start();
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) this.fail(`expected ${expected}`);
    this.#at += found.length;
    return found;
  }

  skip(mark: string): void {
    if (!this.skipIf(mark)) this.fail(`expected "${mark}"`);
  }

  skipIf(mark: string): boolean {
    const here = this.#text.startsWith(mark, this.start());
    if (here) this.#at += mark.length;
    return here;
  }

  /** A whole number from `least` to `most`. */
  number(what: string, least: number, most: number, hint = ''): number {
    const at = this.start();
    const value = Number(this.take(/\d+/y, `${what}, a whole number`));
    if (value < least || value > most) this.fail(`${what} must be ${least} to ${most}${hint}`, at);
    return value;
  }

  end(): void {
    if (this.start() < this.#text.length) this.fail('expected the end of the type');
  }
}

/**
 * Reads the text of a type. Errors: ERR_SCHEMA with the position of what is wrong.
 */
export function parseType(text: unknown): LeafType {
  if (typeof text !== 'string') throw new ParquetError('ERR_SCHEMA', `a type is a text such as "int32", not a ${typeof text}`);
  const scan = new Scanner(text);
  const type = parse(scan);
  scan.end();
  return type;
}

function parse(scan: Scanner): LeafType {
  const at = scan.start();
  const name = scan.take(/\w+/y, 'the name of a type');
  const plain = byName.get(name);
  if (plain !== undefined) return plain;
  switch (name) {
    case 'fixed': {
      scan.skip('[');
      const width = scan.number('the length in bytes', 1, MOST_FIXED);
      scan.skip(']');
      return leaf('fixed', Physical.fixed, width, Logical.none, { text: `fixed[${width}]` });
    }
    case 'decimal': {
      scan.skip('(');
      const precision = scan.number('the precision', 1, MOST_DIGITS, ' in this version');
      scan.skip(',');
      const scale = scan.number('the scale', 0, precision, ' (the precision)');
      scan.skip(')');
      return decimal(precision, scale);
    }
    case 'timestamp': {
      scan.skip('[');
      const start = scan.start();
      const unit = scan.take(/\w+/y, 'a unit: ms, us or ns') as Unit;
      if (!units.includes(unit)) scan.fail('expected a unit: ms, us or ns', start);
      const utc = scan.skipIf(',');
      if (utc) scan.take(/[\w+\-/:]+/y, 'a time zone such as UTC');
      scan.skip(']');
      return timestamp(unit, utc);
    }
  }
  return scan.fail(later.includes(name) ? `${name} is not in this version` : `there is no type ${JSON.stringify(name)}`, at);
}
