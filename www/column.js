/** A column's type, and its cells as the values that parquill takes for it. Cells are texts (CSV) or JSON values. */

import { instant, integerRange, scalar, typeOfTexts } from './text.js';

/** The types that the page offers beside the inferred one. */
export const TYPES = [
  'string', 'bool',
  'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64',
  'float32', 'float64', 'decimal(9, 2)', 'decimal(18, 2)', 'decimal(18, 6)',
  'date', 'timestamp[ms]', 'timestamp[ms, UTC]', 'timestamp[us]', 'timestamp[us, UTC]', 'timestamp[ns]',
];

/**
 * The type of a column and, where it is not plain, why: `{ type, kinds }` with the kinds of value that were met.
 * Text in JSON was meant as text, so there only dates are read, which JSON has no other way to say.
 */
export function inferColumn(cells, fromText) {
  if (fromText) return { type: typeOfTexts(cells), kinds: ['text'] };
  const kinds = [...new Set(cells.map(kindOf))].filter((kind) => kind !== 'null');
  if (kinds.length !== 1) return { type: 'string', kinds };
  if (kinds[0] === 'boolean') return { type: 'bool', kinds };
  if (kinds[0] === 'number') return { type: numberType(cells), kinds };
  if (kinds[0] === 'text') {
    const type = typeOfTexts(cells);
    return { type: type === 'date' || type.startsWith('timestamp') ? type : 'string', kinds };
  }
  return { type: 'string', kinds };
}

function kindOf(cell) {
  if (cell === null || cell === undefined) return 'null';
  if (typeof cell === 'string') return 'text';
  if (typeof cell === 'bigint') return 'number';
  if (Array.isArray(cell)) return 'list';
  return typeof cell;
}

function numberType(cells) {
  let least = 0n;
  let most = 0n;
  let low = 0;
  let high = 0;
  for (const cell of cells) {
    if (cell === null || cell === undefined) continue;
    if (typeof cell === 'bigint') {
      if (cell < least) least = cell;
      if (cell > most) most = cell;
    } else if (!Number.isSafeInteger(cell) || Object.is(cell, -0)) {
      return 'float64';
    } else if (cell < low) low = cell;
    else if (cell > high) high = cell;
  }
  return integerRange(BigInt(low) < least ? BigInt(low) : least, BigInt(high) > most ? BigInt(high) : most) ?? 'string';
}

/**
 * Cells as values of `type`. A cell that cannot be one is left as it is: parquill then names its column and row,
 * which says more than a silent null.
 */
export function convertColumn(cells, type) {
  const convert = converter(type);
  return cells.map((cell) => (cell === null || cell === undefined ? null : convert(cell)));
}

function converter(type) {
  if (type === 'string') return asText;
  if (type === 'date') return (cell) => dateOf(cell) ?? cell;
  if (type.startsWith('timestamp')) {
    const unit = /\[(..)/.exec(type)[1];
    return (cell) => momentOf(cell, unit) ?? cell;
  }
  if (type.startsWith('decimal')) return (cell) => (typeof cell === 'string' ? cell.trim() : cell);
  return (cell) => (typeof cell === 'string' ? scalar(cell, type) ?? cell : cell);
}

function asText(cell) {
  if (typeof cell === 'string') return cell;
  return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell, bigintAsText);
}

function bigintAsText(_key, value) {
  return typeof value === 'bigint' ? String(value) : value;
}

function dateOf(cell) {
  const read = typeof cell === 'string' ? instant(cell) : undefined;
  return read && !read.hasTime ? new Date(read.milliseconds) : undefined;
}

/** A Date holds milliseconds only, so finer units become a count since 1970. */
function momentOf(cell, unit) {
  const read = typeof cell === 'string' ? instant(cell) : undefined;
  if (!read) return undefined;
  if (unit === 'ms') return read.nanoseconds === 0 ? new Date(read.milliseconds) : undefined;
  const nanoseconds = BigInt(read.milliseconds) * 1_000_000n + BigInt(read.nanoseconds);
  if (unit === 'ns') return nanoseconds;
  return nanoseconds % 1000n === 0n ? nanoseconds / 1000n : undefined;
}
