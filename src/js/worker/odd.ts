/** Values that cannot be copied into a worker, or would change on the way: described by what columns see of them. */

import { inIso, type TemporalKind, temporalKind } from '../input/temporal-values.js';

export interface Odd {
  readonly what: 'function' | 'symbol' | 'instance';
  /** What messages call it. */
  readonly name: string;
  readonly tag: string;
  /** What is read of a value of Temporal. */
  readonly temporal?: Record<string, unknown>;
  /** What it is as JSON, where it says so itself. */
  readonly json?: { readonly value: unknown };
  readonly iterable: boolean;
}

/** A function, a symbol, or an object of a class that columns do not know; `clean` makes values that can be copied. */
export function describeOdd(value: unknown, clean: (value: unknown) => unknown): Odd {
  if (typeof value === 'symbol') return { what: 'symbol', name: '', tag: '', iterable: false };
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const given = value as { constructor?: { name?: unknown }; toJSON?: unknown; [Symbol.iterator]?: unknown };
  const made = given.constructor;
  const name = typeof made === 'function' && typeof made.name === 'string' ? made.name : '';
  const what = typeof value === 'function' ? 'function' : 'instance';
  const kind = temporalKind(value);
  return {
    what,
    name,
    tag,
    iterable: what === 'instance' && typeof given[Symbol.iterator] === 'function',
    ...(kind === undefined ? {} : { temporal: temporalFields(kind, value) }),
    ...(typeof given.toJSON === 'function' ? { json: { value: clean(given.toJSON('')) } } : {}),
  };
}

/** Something that columns see as they would see the original. */
export function makeOdd({ what, name, tag, temporal, json, iterable }: Odd): unknown {
  if (what === 'symbol') return Symbol('from another thread');
  if (what === 'function') return () => {};
  const Made = class {};
  Object.defineProperty(Made, 'name', { value: name });
  const made = new Made() as Record<PropertyKey, unknown>;
  const hidden = (key: PropertyKey, value: unknown) => Object.defineProperty(made, key, { value });
  if (tag !== 'Object') hidden(Symbol.toStringTag, tag);
  if (json !== undefined) hidden('toJSON', () => json.value);
  if (iterable) hidden(Symbol.iterator, () => [][Symbol.iterator]());
  return Object.assign(made, temporal);
}

const fieldNames = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond'];

/** All that is read of a value of Temporal. */
function temporalFields(kind: TemporalKind, value: unknown): Record<string, unknown> {
  const given = value as Parameters<typeof inIso>[0];
  if (kind === 'Instant' || kind === 'ZonedDateTime') return { epochNanoseconds: given.epochNanoseconds };
  const fields = inIso(given);
  return Object.fromEntries(
    fieldNames.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}
