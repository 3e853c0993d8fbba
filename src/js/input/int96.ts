/** The cell for INT96 timestamps. */

import { Cell } from './cell.js';
import { IsoReader } from './iso.js';
import { daysOfPlain, epochNanoseconds, nanosOfPlain, secondsOfPlain, temporalKind } from './temporal-values.js';
import { timeOf } from './views.js';

const DAY_SECONDS = 86_400;
const MOST_JULIAN_DAY = 2 ** 31 - 1;
const JULIAN_DAY_OF_1970 = 2_440_588;
const DAY_NANOS = 86_400_000_000_000n;

const iso = new IsoReader();

/**
 * INT96 as Impala has it: nanoseconds of the day, then the Julian day. From Dates, Temporal values, ISO text (with a zone
 * an instant, taken to UTC; else a local time as it stands), and integers that count nanoseconds since 1970.
 */
export class Int96Cell extends Cell {
  #words = new Int32Array(0);

  attach(memory: ArrayBuffer, address: number, slots: number): void {
    this.#words = new Int32Array(memory, address, slots * 3);
  }

  put(slot: number, value: unknown, row: number): void {
    switch (typeof value) {
      case 'bigint':
        this.#putBig(slot, value, value, row);
        return;
      case 'number':
        if (!Number.isSafeInteger(value)) throw this.range(row, value, 'int96 (a whole number of ns, or a bigint)');
        this.#putBig(slot, BigInt(value), value, row);
        return;
      case 'string': {
        const verdict = iso.dateTime(value);
        if (verdict === 'form') throw this.mismatch(row, value, 'int96 (as text: 2024-02-29T12:34:56Z)');
        if (verdict === 'range') throw this.range(row, value, 'int96 that there is');
        this.#putMoment(slot, iso.epochSeconds, iso.nanos, value, row);
        return;
      }
    }
    const time = timeOf(value);
    if (time !== undefined) {
      if (Number.isNaN(time)) throw this.range(row, value);
      const seconds = Math.floor(time / 1000);
      this.#putMoment(slot, seconds, (time - seconds * 1000) * 1e6, value, row);
      return;
    }
    const kind = temporalKind(value);
    if (kind === 'Instant' || kind === 'ZonedDateTime') {
      this.#putBig(slot, epochNanoseconds(value), value, row);
    } else if (kind === 'PlainDateTime') {
      const seconds = daysOfPlain(value) * DAY_SECONDS + secondsOfPlain(value);
      this.#putMoment(slot, seconds, nanosOfPlain(value), value, row);
    } else {
      const objects = 'a Date, a Temporal.Instant, ZonedDateTime or PlainDateTime';
      throw this.mismatch(row, value, `int96 (${objects}, ISO text, or an integer that counts ns since 1970)`);
    }
  }

  #putBig(slot: number, nanoseconds: bigint, value: unknown, row: number): void {
    const rest = nanoseconds % DAY_NANOS;
    const ofDay = rest < 0n ? rest + DAY_NANOS : rest;
    this.#putDay(slot, Number((nanoseconds - ofDay) / DAY_NANOS), Number(ofDay), value, row);
  }

  #putMoment(slot: number, seconds: number, nanos: number, value: unknown, row: number): void {
    const day = Math.floor(seconds / DAY_SECONDS);
    this.#putDay(slot, day, (seconds - day * DAY_SECONDS) * 1e9 + nanos, value, row);
  }

  #putDay(slot: number, day: number, nanos: number, value: unknown, row: number): void {
    const julian = day + JULIAN_DAY_OF_1970;
    if (!(julian >= 0 && julian <= MOST_JULIAN_DAY)) {
      throw this.range(row, value, `int96 (Julian days 0 to ${MOST_JULIAN_DAY})`);
    }
    const words = this.#words;
    words[slot * 3] = nanos | 0;
    words[slot * 3 + 1] = Math.floor(nanos / 0x1_0000_0000);
    words[slot * 3 + 2] = julian;
  }
}
