/**
 * What a column of text means. A reading is taken only when every text of the column can be regained from the
 * values it gives: `007`, `1.10` beside `1.9`, `2023-02-30` and a number with too many digits stay text.
 */

const INTEGER = /^(?:0|-?[1-9]\d*)$/;
// An exponent needs its sign: `12E5` is more often a part number than 1 200 000.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]\d+)?$/;
const BOOLEANS = [['true', 'false'], ['True', 'False'], ['TRUE', 'FALSE']];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DATE = /^(\d{4})([-/])(\d\d)\2(\d\d)(?:([ T])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|\+00:00)?)?$/;
const NAMED_DATE = /^([A-Z][a-z]{2}) (\d{1,2}) (\d{4})$/;

const INT32 = 2n ** 31n;
const INT64 = 2n ** 63n;

/** The type that all texts of a column share, as a TypeSpec; 'string' when there is none. Nulls are skipped. */
export function typeOfTexts(texts) {
  const first = texts.find((text) => text !== null);
  if (first === undefined) return 'string';
  return booleanType(texts, first) ?? integerType(texts, first) ?? numberType(texts, first)
    ?? dateType(texts, first) ?? 'string';
}

function booleanType(texts, first) {
  const words = BOOLEANS.find((pair) => pair.includes(first));
  return words && texts.every((text) => text === null || words.includes(text)) ? 'bool' : undefined;
}

function integerType(texts, first) {
  if (!INTEGER.test(first)) return undefined;
  let least = 0n;
  let most = 0n;
  let low = 0;
  let high = 0;
  for (const text of texts) {
    if (text === null) continue;
    if (!INTEGER.test(text)) return undefined;
    const value = Number(text);
    if (Number.isSafeInteger(value)) {
      if (value < low) low = value;
      if (value > high) high = value;
    } else {
      const exact = BigInt(text);
      if (exact < least) least = exact;
      if (exact > most) most = exact;
    }
  }
  return integerRange(BigInt(low) < least ? BigInt(low) : least, BigInt(high) > most ? BigInt(high) : most);
}

/** The narrowest of int32, int64 and uint64 that holds both bounds, or nothing. */
export function integerRange(least, most) {
  if (least >= -INT32 && most < INT32) return 'int32';
  if (least >= -INT64 && most < INT64) return 'int64';
  return least >= 0n && most < 2n * INT64 ? 'uint64' : undefined;
}

function numberType(texts, first) {
  if (!NUMBER.test(first)) return undefined;
  let decimals = -1;
  let fixed = true;
  let padded = false;
  let pointZero = false;
  let whole = false;
  for (const text of texts) {
    if (text === null) continue;
    if (!NUMBER.test(text)) return undefined;
    const shortest = numberText(Number(text));
    if (shortest !== text && digits(shortest) !== digits(text)) return undefined;
    const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
    if (decimals >= 0 && decimals !== fraction.length) fixed = false;
    decimals = fraction.length;
    if (fraction === '') whole = true;
    else if (fraction === '0') pointZero = true;
    else if (fraction.endsWith('0')) padded = true;
  }
  // Either all have as many decimals (prices), or none carries a zero that the number forgets (1.10 is not 1.1).
  return fixed || (!padded && !(whole && pointZero)) ? 'float64' : undefined;
}

function numberText(value) {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Significant digits and power of ten: two texts mean the same decimal number when these are equal. */
function digits(text) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+|Infinity)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  const all = (whole + fraction).replace(/^0+/, '');
  const kept = all.replace(/0+$/, '');
  if (kept === '') return `${sign}0`;
  return `${sign}${kept}e${Number(exponent) - fraction.length + all.length - kept.length}`;
}

function dateType(texts, first) {
  const model = instant(first);
  if (!model) return undefined;
  let fraction = 0;
  for (const text of texts) {
    if (text === null) continue;
    const read = instant(text);
    if (read?.shape !== model.shape) return undefined;
    fraction = Math.max(fraction, read.fractionDigits);
  }
  if (!model.hasTime) return 'date';
  const unit = fraction <= 3 ? 'ms' : fraction <= 6 ? 'us' : 'ns';
  return model.utc ? `timestamp[${unit}, UTC]` : `timestamp[${unit}]`;
}

/**
 * A date or a time of day on a date, read as UTC: whole milliseconds, the nanoseconds beyond them, and the shape
 * of the text. Undefined when the text is neither, or names a day that no calendar has.
 */
export function instant(text) {
  const named = NAMED_DATE.exec(text);
  const parts = named ? null : DATE.exec(text);
  if (!named && !parts) return undefined;
  const year = Number(named ? named[3] : parts[1]);
  const month = named ? MONTHS.indexOf(named[1]) : Number(parts[3]) - 1;
  const day = Number(named ? named[2] : parts[4]);
  const [separator, hour, minute, second, fraction = '', zone] = named ? [] : parts.slice(5);
  const clock = [hour, minute, second].map((part) => Number(part ?? 0));
  const date = new Date(0);
  // Not Date.UTC, which reads years below 100 as 19xx.
  date.setUTCFullYear(year, month, day);
  if (month < 0 || date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return undefined;
  const nanoseconds = Number(fraction.padEnd(9, '0'));
  date.setUTCHours(clock[0], clock[1], clock[2], Math.floor(nanoseconds / 1e6));
  return {
    milliseconds: date.getTime(),
    nanoseconds: nanoseconds % 1e6,
    fractionDigits: fraction.length,
    hasTime: separator !== undefined,
    utc: zone !== undefined,
    shape: named ? `Mmm ${named[2].length}` : [parts[2], separator, second === undefined, zone].join('|'),
  };
}

/** A boolean, a number or a bigint, or undefined when the text is not one. Wider than inference: the user asked. */
export function scalar(text, type) {
  const trimmed = text.trim();
  if (type === 'bool') return /^true$/i.test(trimmed) ? true : /^false$/i.test(trimmed) ? false : undefined;
  if (type.startsWith('float')) {
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) || /^(?:NaN|[+-]?Infinity)$/.test(trimmed)
      ? Number(trimmed) : undefined;
  }
  if (!/^[+-]?\d+(?:\.0+)?$/.test(trimmed)) return undefined;
  const integer = trimmed.replace(/\.0+$/, '').replace(/^\+/, '');
  const value = Number(integer);
  return Number.isSafeInteger(value) ? value + 0 : BigInt(integer);
}
