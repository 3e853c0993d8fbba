/** Dates and times as ISO 8601 text, in the strict forms that columns take. */

import { daysOf } from './days.js';

/** `'form'`: this is no such text; `'range'`: it is, but there is no such day or time. */
type Verdict = 'ok' | 'form' | 'range';

const DAY_SECONDS = 86_400;
const ZERO = 48;

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Reads one text after the other. Of a text that was read well:
 *
 * - date: `2024-02-29`, `+012024-02-29`, `-000044-03-15`;
 * - time: `12:34`, `12:34:56`, `12:34:56.789` with one to nine digits behind the point;
 * - both with `T` or a space between them, and then `Z`, an offset such as `+05:30`, or nothing.
 */
export class IsoReader {
  /** Days since 1970. */
  days = 0;
  /** Of the day, and nanoseconds of the second. */
  seconds = 0;
  nanos = 0;
  /** Whether a zone was given, and its seconds east of UTC. */
  zoned = false;
  offset = 0;
  #text = '';
  #at = 0;

  /** Seconds since 1970, in UTC where a zone was given. */
  get epochSeconds(): number {
    return this.days * DAY_SECONDS + this.seconds - this.offset;
  }

  date(text: string): Verdict {
    this.#begin(text);
    return this.#ended(this.#date());
  }

  /** A time of day with `Z`, or with nothing. */
  time(text: string): Verdict {
    this.#begin(text);
    const verdict = this.#time();
    if (verdict !== 'form') this.zoned = this.#skip('Z');
    return this.#ended(verdict);
  }

  dateTime(text: string): Verdict {
    this.#begin(text);
    const date = this.#date();
    if (date === 'form' || !(this.#skip('T') || this.#skip(' '))) return 'form';
    const time = this.#time();
    const zone = time === 'form' ? time : this.#zone();
    if (zone === 'form') return zone;
    return this.#ended(date !== 'ok' ? date : time !== 'ok' ? time : zone);
  }

  #begin(text: string): void {
    this.#text = text;
    this.#at = 0;
    this.zoned = false;
    this.offset = 0;
  }

  #ended(verdict: Verdict): Verdict {
    return this.#at === this.#text.length ? verdict : 'form';
  }

  #skip(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  /** A number of `count` digits; NaN when they are not there. */
  #digits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) {
      const digit = this.#text.charCodeAt(this.#at + index) - ZERO;
      if (!(digit >= 0 && digit <= 9)) return NaN;
      value = value * 10 + digit;
    }
    this.#at += count;
    return value;
  }

  #date(): Verdict {
    const before = this.#skip('-');
    const year = this.#digits(before || this.#skip('+') ? 6 : 4);
    if (!this.#skip('-')) return 'form';
    const month = this.#digits(2);
    if (!this.#skip('-')) return 'form';
    const day = this.#digits(2);
    // There is one year 0; with a minus it is no ISO text.
    if (Number.isNaN(year + month + day) || (before && year === 0)) return 'form';
    const signed = before ? -year : year;
    if (month < 1 || month > 12 || day < 1 || day > daysIn(signed, month)) return 'range';
    this.days = daysOf(signed, month, day);
    return 'ok';
  }

  #time(): Verdict {
    const hours = this.#digits(2);
    if (!this.#skip(':')) return 'form';
    const minutes = this.#digits(2);
    const exact = this.#skip(':');
    const seconds = exact ? this.#digits(2) : 0;
    this.nanos = 0;
    if (exact && this.#skip('.') && !this.#fraction()) return 'form';
    if (Number.isNaN(hours + minutes + seconds)) return 'form';
    if (hours > 23 || minutes > 59 || seconds > 59) return 'range';
    this.seconds = (hours * 60 + minutes) * 60 + seconds;
    return 'ok';
  }

  #fraction(): boolean {
    let unit = 1e9;
    let nanos = 0;
    for (; unit > 1; this.#at++) {
      const digit = this.#text.charCodeAt(this.#at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      unit /= 10;
      nanos += digit * unit;
    }
    this.nanos = nanos;
    return unit < 1e9;
  }

  #zone(): Verdict {
    this.zoned = true;
    if (this.#skip('Z')) return 'ok';
    const west = this.#skip('-');
    if (!west && !this.#skip('+')) {
      this.zoned = false;
      return 'ok';
    }
    const hours = this.#digits(2);
    if (!this.#skip(':')) return 'form';
    const minutes = this.#digits(2);
    if (Number.isNaN(hours + minutes)) return 'form';
    if (hours > 23 || minutes > 59) return 'range';
    this.offset = (west ? -1 : 1) * (hours * 60 + minutes) * 60;
    return 'ok';
  }
}
