/** Reading objects of options: every value checked as it is taken, and what nobody asked for refused. */

import { describe, ParquetError } from './errors.js';

/** Throws ERR_OPTION about an option. */
export function refuse(name: string, text: string): never {
  throw new ParquetError('ERR_OPTION', `option ${name}: ${text}`);
}

/** Reads options one by one; what nobody asked for is unknown. */
export class OptionReader {
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #at: string;
  readonly #known = new Set<string>();

  constructor(given: unknown, at: string) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      refuse(at === '' ? '(all)' : at, `expected an object of options, got ${describe(given)}`);
    }
    this.#given = given as Record<string, unknown>;
    this.#at = at;
  }

  name(key: string): string {
    return this.#at === '' ? key : `${this.#at}.${key}`;
  }

  get(key: string): unknown {
    this.#known.add(key);
    return Object.hasOwn(this.#given, key) ? this.#given[key] : undefined;
  }

  fail(key: string, expected: string): never {
    refuse(this.name(key), `expected ${expected}, got ${describe(this.get(key))}`);
  }

  integer(key: string, least: number, most: number): number | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
      this.fail(key, `a whole number from ${least} to ${most}`);
    }
    return value as number;
  }

  boolean(key: string): boolean | undefined {
    const value = this.get(key);
    if (value !== undefined && typeof value !== 'boolean') this.fail(key, 'true or false');
    return value;
  }

  /** One of some words; words of later versions have their own message. */
  word(key: string, words: ReadonlyMap<string, number>, later: readonly string[] = []): number | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (later.includes(value as string)) refuse(this.name(key), `${describe(value)} is not in this version`);
    return words.get(value as string) ?? this.fail(key, [...words.keys()].map((word) => `"${word}"`).join(', '));
  }

  /** An option of later versions: only its neutral values are taken. */
  later(key: string, neutral: readonly unknown[]): void {
    const value = this.get(key);
    if (value !== undefined && !neutral.includes(value))
      refuse(this.name(key), `${describe(value)} is not in this version`);
  }

  function(key: string): unknown {
    const value = this.get(key);
    if (value !== undefined && typeof value !== 'function') this.fail(key, 'a function');
    return value;
  }

  /** Own entries of an object option. */
  entries(key: string): [string, unknown][] | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail(key, 'an object');
    return Object.entries(value);
  }

  end(): void {
    const unknown = Object.keys(this.#given).find((key) => !this.#known.has(key));
    if (unknown !== undefined) refuse(this.name(unknown), 'there is no such option');
  }
}
