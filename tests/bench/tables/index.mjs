/**
 * The tables that are written: { name, rows, columns: [{ name, type, nullable, data }] }, seeded.
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
 *
 * Strings are as JSON.parse makes them: each longer one is a separate flat string.
 */
import { events } from './events.mjs';
import { lineitem } from './lineitem.mjs';
import { floats, ints } from './numbers.mjs';
import { small } from './small.mjs';
import { taxi } from './taxi.mjs';

const makers = { floats, ints, lineitem, events, taxi, small };

export const defaultRows = {
  floats: 500_000,
  ints: 2_000_000,
  lineitem: 600_000,
  events: 300_000,
  taxi: 1_000_000,
  small: 1000,
};

/** Rows at a scale. `small` measures latency and keeps its size. */
export const rowsAt = (name, scale) => (name === 'small' ? defaultRows.small : Math.round(defaultRows[name] * scale));

export const makeTable = (name, rows) => ({ name, rows, columns: makers[name](rows) });

const widths = { int32: 4, int64: 8, float64: 8, bool: 1, date32: 4, timestamp_ms: 8, timestamp_us: 8 };

function utf8Length(text) {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Bytes of the data in a packed layout, as Arrow would hold it: the MB of "MB/s". */
export function packedBytes(table) {
  let total = 0;
  for (const { type, data } of table.columns) {
    if (type !== 'utf8') total += widths[type] * data.length;
    else for (const text of data) total += 4 + (text === null ? 0 : utf8Length(text));
  }
  return total;
}
