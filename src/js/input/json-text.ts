/** JSON values as text: what JSON.stringify gives, without what it loses in silence. */

import { columnError, describe, ParquetError, type ParquetErrorCode } from '../errors.js';
import { isPlainObject } from './views.js';

/** Most arrays and objects inside one another. */
const MOST_DEPTH = 1000;

/** What is wrong with a value somewhere inside of a cell. */
class Refusal extends Error {
  constructor(
    readonly code: ParquetErrorCode,
    text: string,
  ) {
    super(text);
  }
}

/**
 * The text of a cell. A string is JSON text already, and only checked. Other values are written as JSON.stringify does,
 * with `toJSON`, fields that are undefined left out and undefined elements as null; but −0 keeps its sign, and what JSON
 * does not have is refused: bigints, NaN, infinities, invalid Dates, functions, symbols, and objects without `toJSON`
 * that are neither plain nor arrays.
 *
 * Errors: ERR_TYPE_MISMATCH, ERR_OUT_OF_RANGE, ERR_LIMIT with column and row.
 */
export function jsonText(value: unknown, column: string, row: number): string {
  if (typeof value === 'string') {
    try {
      JSON.parse(value);
      return value;
    } catch {
      const expected = 'expected json (a string is taken as JSON text; JSON.stringify(string) makes some)';
      throw columnError('ERR_TYPE_MISMATCH', column, row, `${expected}, got ${describe(value)}`);
    }
  }
  if (isQuick(value)) return JSON.stringify(value);
  const path: (string | number)[] = [];
  try {
    const text = textOf(value, '', path, []);
    if (text !== undefined) return text;
    throw new Refusal('ERR_TYPE_MISMATCH', 'expected json, got an object whose toJSON gives undefined');
  } catch (error) {
    const place = path.map((key) => `[${JSON.stringify(key)}]`).join('');
    const at = place === '' ? '' : `; at ${place.length > 100 ? `${place.slice(0, 100)}…` : place}`;
    if (error instanceof Refusal) throw columnError(error.code, column, row, error.message + at);
    if (error instanceof ParquetError) throw error;
    throw columnError('ERR_TYPE_MISMATCH', column, row, `expected json, got an object that throws${at}`, error);
  }
}

/** Whether JSON.stringify says all of a value: then it is more than twice as fast as what stands below. */
function isQuick(value: unknown): boolean {
  try {
    return isOrdinary(value, MOST_DEPTH);
  } catch {
    // What a getter throws is reported with its place by the longer way.
    return false;
  }
}

/** `floors`: how many arrays and objects may be inside one another. */
function isOrdinary(value: unknown, floors: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (floors === 0 || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isOrdinary(value[index], floors - 1)) return false;
    return true;
  }
  if (!isPlainObject(value as object)) return false;
  for (const key of Object.keys(value as object)) {
    if (!isOrdinary((value as Record<string, unknown>)[key], floors - 1)) return false;
  }
  return true;
}

/** Text of a value; undefined where the value is. `path` leads to it, `around` are the objects that it is in. */
function textOf(given: unknown, key: string, path: (string | number)[], around: object[]): string | undefined {
  switch (typeof given) {
    case 'string':
      return JSON.stringify(given);
    case 'number':
      if (!Number.isFinite(given)) throw new Refusal('ERR_OUT_OF_RANGE', `expected json, got ${describe(given)}`);
      return Object.is(given, -0) ? '-0' : String(given);
    case 'boolean':
      return String(given);
    case 'undefined':
      return undefined;
    case 'object':
      return given === null ? 'null' : objectText(given, key, path, around);
    default: {
      const hint = typeof given === 'bigint' ? ', which JSON does not have: give a number or text' : '';
      throw new Refusal('ERR_TYPE_MISMATCH', `expected json, got ${describe(given)}${hint}`);
    }
  }
}

function objectText(given: object, key: string, path: (string | number)[], around: object[]): string | undefined {
  const { toJSON } = given as { toJSON?: unknown };
  if (typeof toJSON === 'function') {
    const value: unknown = toJSON.call(given, key);
    if (value === null && isDate(given)) throw new Refusal('ERR_OUT_OF_RANGE', 'expected json, got an invalid Date');
    return typeof value === 'object' && value !== null
      ? plainText(value, path, around)
      : textOf(value, key, path, around);
  }
  return plainText(given, path, around);
}

const isDate = (value: object) => Object.prototype.toString.call(value) === '[object Date]';

function plainText(value: object, path: (string | number)[], around: object[]): string {
  if (around.length === MOST_DEPTH) {
    if (around.includes(value)) {
      throw new Refusal('ERR_TYPE_MISMATCH', 'expected json, got an object that holds itself');
    }
    throw new Refusal('ERR_LIMIT', `values are nested more than ${MOST_DEPTH} deep`);
  }
  around.push(value);
  const text = Array.isArray(value) ? arrayText(value, path, around) : recordText(value, path, around);
  around.pop();
  return text;
}

function arrayText(values: readonly unknown[], path: (string | number)[], around: object[]): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) {
    path.push(index);
    text += (index === 0 ? '' : ',') + (textOf(values[index], String(index), path, around) ?? 'null');
    path.pop();
  }
  return `${text}]`;
}

function recordText(value: object, path: (string | number)[], around: object[]): string {
  if (!isPlainObject(value)) {
    throw new Refusal(
      'ERR_TYPE_MISMATCH',
      `expected json, got ${describe(value)}, which is neither plain nor has toJSON`,
    );
  }
  let text = '{';
  for (const key of Object.keys(value)) {
    path.push(key);
    const member = textOf((value as Record<string, unknown>)[key], key, path, around);
    if (member !== undefined) text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${member}`;
    path.pop();
  }
  return `${text}}`;
}
