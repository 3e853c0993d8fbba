/**
 * The tables that are written: { name, rows, columns: [{ name, type, nullable, data }], objects }, seeded, or what
 * people collected (real.mjs). `objects` has the rows of the one table that is held as row objects, whose columns have
 * no data.
 *
 * type (what the file must contain)   data (what a JavaScript caller naturally holds)
 *   int32                             Int32Array, or Array<number | null> when nullable
 *   int64                             BigInt64Array
 *   float64                           Float64Array, or Array<number | null> when nullable
 *   bool                              Array<boolean>
 *   utf8                              Array<string | null>
 *   date32         (days)             Array<Date>
 *   timestamp_ms   (UTC)              Array<Date> or BigInt64Array (epoch ms)
 *   timestamp_us   (local)            BigInt64Array (epoch us)
 *   { list: T }                       Array<Array<T> | null>
 *   { struct: [{ name, type, nullable }, …] }   Array<object>
 *   { map: [K, V] }                   Array<Array<[K, V]>>
 *
 * Strings are as JSON.parse makes them: each longer one is a separate flat string.
 */
import { events } from './events.mjs';
import { lineitem } from './lineitem.mjs';
import { nested } from './nested.mjs';
import { floats, ints } from './numbers.mjs';
import { birdstrikes, flights, zipcodes } from './real.mjs';
import { rowObjects, rows } from './rows.mjs';
import { small } from './small.mjs';
import { strings } from './strings.mjs';
import { taxi } from './taxi.mjs';

const makers = { floats, ints, lineitem, events, nested, rows, strings, taxi, small, flights, zipcodes, birdstrikes };
const objectMakers = { rows: rowObjects };

export const defaultRows = {
  floats: 500_000,
  ints: 2_000_000,
  lineitem: 600_000,
  events: 300_000,
  nested: 200_000,
  rows: 200_000,
  strings: 1_000_000,
  taxi: 1_000_000,
  small: 1000,
  flights: 1_000_000,
  zipcodes: 42_049,
  birdstrikes: 10_000,
};

/** Rows at a scale. `small` measures latency and keeps its size. */
export const rowsAt = (name, scale) => (name === 'small' ? defaultRows.small : Math.round(defaultRows[name] * scale));

export const makeTable = async (name, length) => ({
  name,
  rows: length,
  columns: await makers[name](length),
  objects: objectMakers[name]?.(length),
});
