/** The text of a type, read from left to right. */

import { ParquetError } from './errors.js';
import {
  decimal,
  fixed,
  type LeafType,
  list,
  map,
  MOST_DEPTH,
  MOST_DIGITS,
  plainTypes,
  struct,
  time,
  timestamp,
  type Type,
  type Unit,
  units,
  WORD,
} from './schema.js';

const byName = new Map<string, LeafType>([
  ...Object.entries(plainTypes),
  ['float', plainTypes.float32],
  ['double', plainTypes.float64],
]);
const later = ['variant', 'geometry', 'geography'];
const MOST_FIXED = 2 ** 31 - 1;
/** Longest text that a message quotes as a whole. */
const LONGEST = 200;

class Scanner {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws ERR_SCHEMA about position `at`. */
  fail(problem: string, at = this.#at): never {
    const text = this.#text;
    const shown = text.length > LONGEST ? `${JSON.stringify(text.slice(0, LONGEST))}…` : JSON.stringify(text);
    throw new ParquetError('ERR_SCHEMA', `type ${shown}, position ${at}: ${problem}`);
  }

  /** Goes past spaces; the position of what follows. */
  start(): number {
    while (this.#text[this.#at] === ' ') this.#at++;
    return this.#at;
  }

  /** The longest match of `pattern` (sticky) here; fails with `expected` when there is none. */
  take(pattern: RegExp, expected: string): string {
    return this.takeIf(pattern) ?? this.fail(`expected ${expected}`);
  }

  takeIf(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.start();
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  skip(mark: string, expected = `"${mark}"`): void {
    if (!this.skipIf(mark)) this.fail(`expected ${expected}`);
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
    const at = this.start();
    if (at === this.#text.length) return;
    const hint =
      this.takeIf(NOT_NULL) === undefined ? '' : '; of a column itself, nullable: false says that it has no nulls';
    this.fail(`expected the end of the type${hint}`, at);
  }
}

const NOT_NULL = /not +null\b/y;
/** A string as in JSON. */
const QUOTED = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/**
 * Reads the text of a type. Errors: ERR_SCHEMA with the position of what is wrong.
 */
export function parseType(text: unknown): Type {
  if (typeof text !== 'string') {
    throw new ParquetError('ERR_SCHEMA', `a type is a text such as "int32", not a ${typeof text}`);
  }
  const scan = new Scanner(text);
  const type = parse(scan, 0);
  scan.end();
  return type;
}

/** `depth`: groups around this type. */
function parse(scan: Scanner, depth: number): Type {
  const at = scan.start();
  const name = scan.take(/\w+/y, 'the name of a type');
  const plain = byName.get(name);
  if (plain !== undefined) return plain;
  switch (name) {
    case 'fixed': {
      scan.skip('[');
      const width = scan.number('the length in bytes', 1, MOST_FIXED);
      scan.skip(']');
      return fixed(width);
    }
    case 'decimal': {
      scan.skip('(');
      const precision = scan.number('the precision', 1, MOST_DIGITS);
      scan.skip(',');
      const scale = scan.number('the scale', 0, precision, ' (the precision)');
      scan.skip(')');
      return decimal(precision, scale);
    }
    case 'time':
    case 'timestamp': {
      scan.skip('[');
      const start = scan.start();
      const unit = scan.take(/\w+/y, 'a unit: ms, us or ns') as Unit;
      if (!units.includes(unit)) scan.fail('expected a unit: ms, us or ns', start);
      const utc = scan.skipIf(',');
      if (utc) scan.take(/[\w+\-/:]+/y, 'a time zone such as UTC');
      scan.skip(']', utc ? '"]"' : '"]" or ", UTC"');
      return name === 'time' ? time(unit, utc) : timestamp(unit, utc);
    }
    case 'list':
    case 'struct':
    case 'map': {
      if (depth === MOST_DEPTH) scan.fail(`types are nested more than ${MOST_DEPTH} deep`, at);
      scan.skip('<');
      return groups[name](scan, depth + 1);
    }
  }
  return scan.fail(
    later.includes(name) ? `${name} is not in this version` : `there is no type ${JSON.stringify(name)}`,
    at,
  );
}

const groups = {
  list(scan: Scanner, depth: number): Type {
    const type = parse(scan, depth);
    const nullable = mayBeNull(scan);
    scan.skip('>', nullable ? '">" or "not null"' : undefined);
    return list(type, nullable);
  },

  struct(scan: Scanner, depth: number): Type {
    const fields: { name: string; type: Type; nullable: boolean }[] = [];
    const names = new Set<string>();
    for (let more = true; more;) {
      const at = scan.start();
      const name = fieldName(scan);
      if (names.has(name)) scan.fail(`there are two fields ${JSON.stringify(name)}`, at);
      names.add(name);
      scan.skip(':');
      const type = parse(scan, depth);
      const nullable = mayBeNull(scan);
      fields.push({ name, type, nullable });
      more = scan.skipIf(',');
      if (!more) scan.skip('>', nullable ? '",", ">" or "not null"' : '"," or ">"');
    }
    return struct(fields);
  },

  map(scan: Scanner, depth: number): Type {
    const key = parse(scan, depth);
    // Keys are never null, said or not.
    const said = !mayBeNull(scan);
    scan.skip(',', said ? undefined : '"," and the type of the values');
    const value = parse(scan, depth);
    const nullable = mayBeNull(scan);
    scan.skip('>', nullable ? '">" or "not null"' : undefined);
    return map(key, value, nullable);
  },
};

function mayBeNull(scan: Scanner): boolean {
  return scan.takeIf(NOT_NULL) === undefined;
}

function fieldName(scan: Scanner): string {
  const at = scan.start();
  const quoted = scan.takeIf(QUOTED);
  if (quoted === undefined) return scan.take(WORD, 'the name of a field, a word or quoted as in JSON');
  const name = JSON.parse(quoted) as string;
  if (/\p{Surrogate}/u.test(name)) scan.fail('the name of a field holds half a surrogate pair', at);
  return name;
}
