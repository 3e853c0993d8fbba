/** How far values of one kind go: a loop for each kind, so that each sees few kinds of arrays and stays fast. */

import { timeOf } from './views.js';

/** Integers that an int64 column takes from numbers: −0 is none, it would lose its sign. */
export function isSafe(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** The index behind integers of 32 bits. */
export function runOfIntegers(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    const value = data[row];
    if (typeof value !== 'number' || (value | 0) !== value || (value === 0 && 1 / value < 0)) return row;
  }
  return to;
}

export function runOfSafeIntegers(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    const value = data[row];
    if (typeof value !== 'number' || !isSafe(value)) return row;
  }
  return to;
}

export function runOfStrings(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    if (typeof data[row] !== 'string') return row;
  }
  return to;
}

export function runOfDates(data: readonly unknown[], from: number, to: number): number {
  for (let row = from; row < to; row++) {
    if (timeOf(data[row]) === undefined) return row;
  }
  return to;
}

export function runOf(
  kind: 'number' | 'bigint' | 'boolean',
  data: readonly unknown[],
  from: number,
  to: number,
): number {
  for (let row = from; row < to; row++) {
    if (typeof data[row] !== kind) return row;
  }
  return to;
}
