/** Cells for dates, times and timestamps. */

import type { LeafType, Unit } from '../schema.js';
import { Cell32, Cell64 } from './cell.js';
import { IsoReader } from './iso.js';
import { daysOfPlain, epochNanoseconds, nanosOfPlain, secondsOfPlain, temporalKind } from './temporal-values.js';
import { timeOf } from './views.js';

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

const iso = new IsoReader();

/** Days since 1970: whole numbers, the UTC day of a Date, ISO text, or a PlainDate. */
export class DateCell extends Cell32 {
  put(slot: number, value: unknown, row: number): void {
    const days = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : this.#dayOf(value, row);
    if ((days | 0) !== days) throw this.range(row, value, 'date (whole days since 1970 in 32 bits)');
    this.out[slot] = days;
  }

  #dayOf(value: unknown, row: number): number {
    if (typeof value === 'string') {
      const verdict = iso.date(value);
      if (verdict === 'form') throw this.mismatch(row, value, 'date (as text: 2024-02-29)');
      if (verdict === 'range') throw this.range(row, value, 'date that there is');
      return iso.days;
    }
    const time = timeOf(value);
    if (time === undefined) {
      if (temporalKind(value) === 'PlainDate') return daysOfPlain(value);
      throw this.mismatch(row, value, 'date (a Date, a Temporal.PlainDate, ISO text, or whole days since 1970)');
    }
    if (Number.isNaN(time)) throw this.range(row, value, 'date');
    return Math.floor(time / DAY_MS);
  }
}

interface Scale {
  /** Units in a millisecond and in a second; nanoseconds in a unit. */
  readonly perMs: number;
  readonly perSecond: number;
  readonly nanos: number;
  /** The last moments that INT64 holds, as seconds and nanoseconds behind them. */
  readonly least: readonly [seconds: number, nanos: number];
  readonly most: readonly [seconds: number, nanos: number];
  readonly span: string;
}

const scales: Readonly<Record<Unit, Scale>> = {
  ms: {
    perMs: 1,
    perSecond: 1e3,
    nanos: 1e6,
    // No Date and no text is so far away.
    least: [-Infinity, 0],
    most: [Infinity, 0],
    span: '',
  },
  us: {
    perMs: 1e3,
    perSecond: 1e6,
    nanos: 1e3,
    least: [-9_223_372_036_855, 224_192_000],
    most: [9_223_372_036_854, 775_807_000],
    span: ' (years −290308 to 294247)',
  },
  ns: {
    perMs: 1e6,
    perSecond: 1e9,
    nanos: 1,
    least: [-9_223_372_037, 145_224_192],
    most: [9_223_372_036, 854_775_807],
    span: ' (1677-09-21 to 2262-04-11)',
  },
};

const finer = ({ text, unit }: LeafType) => `${text}, exactly: there is more behind the ${unit}`;

/** Timestamps: Dates, Temporal values, ISO text, and integers that count the unit since 1970. */
export class TimestampCell extends Cell64 {
  readonly #scale: Scale;
  readonly #bigNanos: bigint;

  constructor(type: LeafType, column: string) {
    super(type, column);
    this.#scale = scales[type.unit];
    this.#bigNanos = BigInt(this.#scale.nanos);
  }

  put(slot: number, value: unknown, row: number): void {
    switch (typeof value) {
      case 'bigint':
        this.#putBig(slot, value, value, row);
        return;
      case 'number':
        if (!Number.isSafeInteger(value)) {
          throw this.range(row, value, `${this.type.text} (a whole number, or a bigint)`);
        }
        this.putInteger(slot, value);
        return;
      case 'string':
        this.#putText(slot, value, row);
        return;
    }
    const time = timeOf(value);
    if (time === undefined) {
      this.#putTemporal(slot, value, row);
      return;
    }
    if (Number.isNaN(time)) throw this.range(row, value);
    const seconds = Math.floor(time / 1000);
    this.#check(seconds, (time - seconds * 1000) * 1e6, value, row);
    this.putProduct(slot, time, this.#scale.perMs);
  }

  #putBig(slot: number, count: bigint, value: unknown, row: number): void {
    if (BigInt.asIntN(64, count) !== count) {
      throw this.range(row, value, `${this.type.text} in 64 bits${this.#scale.span}`);
    }
    this.wholes[slot] = count;
  }

  /** Throws when the moment is outside of what 64 bits hold, or between two units. */
  #check(seconds: number, nanos: number, value: unknown, row: number): void {
    const { least, most, span } = this.#scale;
    const early = seconds < least[0] || (seconds === least[0] && nanos < least[1]);
    if (early || seconds > most[0] || (seconds === most[0] && nanos > most[1])) {
      throw this.range(row, value, `${this.type.text}${span}`);
    }
    if (nanos % this.#scale.nanos !== 0) throw this.range(row, value, finer(this.type));
  }

  #putMoment(slot: number, seconds: number, nanos: number, value: unknown, row: number): void {
    this.#check(seconds, nanos, value, row);
    this.putProduct(slot, seconds, this.#scale.perSecond, nanos / this.#scale.nanos);
  }

  #putText(slot: number, text: string, row: number): void {
    const verdict = iso.dateTime(text);
    const { utc } = this.type;
    if (verdict === 'form' || iso.zoned !== utc) {
      const form = utc ? 'Z or an offset: 2024-02-29T12:34:56Z' : 'no zone: 2024-02-29T12:34:56';
      throw this.mismatch(row, text, `${this.type.text} (as text with ${form})`);
    }
    if (verdict === 'range') throw this.range(row, text, `${this.type.text} that there is`);
    this.#putMoment(slot, iso.epochSeconds, iso.nanos, text, row);
  }

  #putTemporal(slot: number, value: unknown, row: number): void {
    const kind = temporalKind(value);
    const { utc } = this.type;
    if (utc && (kind === 'Instant' || kind === 'ZonedDateTime')) {
      const nanoseconds = epochNanoseconds(value);
      const count = nanoseconds / this.#bigNanos;
      if (count * this.#bigNanos !== nanoseconds) throw this.range(row, value, finer(this.type));
      this.#putBig(slot, count, value, row);
    } else if (!utc && kind === 'PlainDateTime') {
      const seconds = daysOfPlain(value) * DAY_SECONDS + secondsOfPlain(value);
      this.#putMoment(slot, seconds, nanosOfPlain(value), value, row);
    } else {
      const temporal = utc ? 'Temporal.Instant or ZonedDateTime' : 'Temporal.PlainDateTime';
      const counted = `an integer that counts ${this.type.unit} since 1970`;
      throw this.mismatch(row, value, `${this.type.text} (a Date, a ${temporal}, ISO text, or ${counted})`);
    }
  }
}

/** Times of day: PlainTimes, ISO text, and integers that count the unit since midnight. */
export class TimeCell extends Cell64 {
  readonly #narrow: boolean;
  readonly #scale: Scale;

  constructor(type: LeafType, column: string) {
    super(type, column);
    this.#narrow = type.width === 4;
    this.#scale = scales[type.unit];
  }

  override attach(memory: ArrayBuffer, address: number, slots: number): void {
    if (this.#narrow) this.halves = new Int32Array(memory, address, slots);
    else super.attach(memory, address, slots);
  }

  put(slot: number, value: unknown, row: number): void {
    const count = this.#countOf(value, row);
    if (this.#narrow) this.halves[slot] = count;
    else this.putInteger(slot, count);
  }

  #countOf(value: unknown, row: number): number {
    const { text, unit, utc } = this.type;
    switch (typeof value) {
      case 'number':
      case 'bigint': {
        const count = Number(value);
        if (!Number.isInteger(count) || count < 0 || count >= DAY_SECONDS * this.#scale.perSecond) {
          throw this.range(row, value, `${text} (a whole number of ${unit} within a day)`);
        }
        return count;
      }
      case 'string': {
        const verdict = iso.time(value);
        if (verdict === 'form' || iso.zoned !== utc) {
          throw this.mismatch(row, value, `${text} (as text${utc ? ' with Z: 12:34:56Z' : ': 12:34:56'})`);
        }
        if (verdict === 'range') throw this.range(row, value, `${text} that there is`);
        return this.#inUnits(iso.seconds, iso.nanos, value, row);
      }
    }
    // A PlainTime says nothing of UTC.
    if (utc || temporalKind(value) !== 'PlainTime') {
      const sources = utc ? 'ISO text' : 'a Temporal.PlainTime, ISO text';
      throw this.mismatch(row, value, `${text} (${sources}, or an integer that counts ${unit} since midnight)`);
    }
    return this.#inUnits(secondsOfPlain(value), nanosOfPlain(value), value, row);
  }

  #inUnits(seconds: number, nanos: number, value: unknown, row: number): number {
    if (nanos % this.#scale.nanos !== 0) throw this.range(row, value, finer(this.type));
    return seconds * this.#scale.perSecond + nanos / this.#scale.nanos;
  }
}
