/** Values of the Temporal API, whichever realm or polyfill made them: judged by their tag and their fields. */

import { daysOf } from './days.js';

export const temporalKinds = ['Instant', 'ZonedDateTime', 'PlainDateTime', 'PlainDate', 'PlainTime'] as const;
export type TemporalKind = (typeof temporalKinds)[number];

const byTag = new Map(temporalKinds.map((kind) => [`[object Temporal.${kind}]`, kind]));

interface Fields {
  readonly epochNanoseconds: unknown;
  readonly calendarId?: unknown;
  readonly withCalendar?: (calendar: string) => Fields;
  readonly [name: string]: unknown;
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function hasDate({ year, month, day }: Fields): boolean {
  return isWithin(year, -271_821, 275_760) && isWithin(month, 1, 12) && isWithin(day, 1, 31);
}

function hasTime({ hour, minute, second, millisecond, microsecond, nanosecond }: Fields): boolean {
  const parts = [millisecond, microsecond, nanosecond];
  return (
    isWithin(hour, 0, 23) &&
    isWithin(minute, 0, 59) &&
    isWithin(second, 0, 59) &&
    parts.every((part) => isWithin(part, 0, 999))
  );
}

/** A date's fields in the ISO calendar, whatever its own is. */
export function inIso(value: Fields): Fields {
  if (value.calendarId === undefined || value.calendarId === 'iso8601') return value;
  return value.withCalendar?.('iso8601') ?? value;
}

/** Which Temporal value this is, undefined when it is none that a column takes. */
export function temporalKind(value: unknown): TemporalKind | undefined {
  const kind = byTag.get(Object.prototype.toString.call(value));
  if (kind === undefined) return undefined;
  const fields = value as Fields;
  switch (kind) {
    case 'Instant':
    case 'ZonedDateTime':
      return typeof fields.epochNanoseconds === 'bigint' ? kind : undefined;
    case 'PlainTime':
      return hasTime(fields) ? kind : undefined;
    case 'PlainDate':
      return hasDate(inIso(fields)) ? kind : undefined;
    case 'PlainDateTime':
      return hasDate(inIso(fields)) && hasTime(fields) ? kind : undefined;
  }
}

/** Nanoseconds since 1970 of an Instant or ZonedDateTime. */
export function epochNanoseconds(value: unknown): bigint {
  return (value as Fields).epochNanoseconds as bigint;
}

/** Days since 1970 of a PlainDate or PlainDateTime. */
export function daysOfPlain(value: unknown): number {
  const { year, month, day } = inIso(value as Fields) as Record<string, number>;
  return daysOf(year, month, day);
}

/** Seconds of the day of a PlainTime or PlainDateTime, and nanoseconds of the second. */
export function secondsOfPlain(value: unknown): number {
  const { hour, minute, second } = value as Record<string, number>;
  return (hour * 60 + minute) * 60 + second;
}

export function nanosOfPlain(value: unknown): number {
  const { millisecond, microsecond, nanosecond } = value as Record<string, number>;
  return (millisecond * 1000 + microsecond) * 1000 + nanosecond;
}

/** Whether a value that has a time has nanoseconds that microseconds cannot say. */
export function needsNanoseconds(kind: TemporalKind, value: unknown): boolean {
  const isInstant = kind === 'Instant' || kind === 'ZonedDateTime';
  return isInstant ? epochNanoseconds(value) % 1000n !== 0n : (value as Fields).nanosecond !== 0;
}
