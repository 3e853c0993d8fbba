// Decimals of up to 38 digits against BigInt arithmetic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeParquetBytes } from '../../pkg/index.js';
import { assertRefused, assertStored, roundTripColumn } from './read-back.mjs';

const SEED = 381938;
const column = (data, type) => () => writeParquetBytes([{ name: 'c', data, type }]);

function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const digits = (random, count) => Array.from({ length: count }, () => random(10)).join('');

/** The decimal text of unscaled × 10^−scale. */
function textOf(unscaled, scale) {
  const size = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const whole = size.slice(0, size.length - scale);
  return `${unscaled < 0n ? '-' : ''}${whole}${scale > 0 ? `.${size.slice(size.length - scale)}` : ''}`;
}

/** What a decimal text means, in units of 10^−scale; undefined when that is no integer or has too many digits. */
function unscaledOf(text, precision, scale) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  const power = scale + Number(exponent) - fraction.length;
  const size = BigInt(whole + fraction);
  const factor = 10n ** BigInt(Math.abs(power));
  if (power < 0 && size % factor !== 0n) return undefined;
  const unscaled = power < 0 ? size / factor : size * factor;
  if (unscaled >= 10n ** BigInt(precision)) return undefined;
  return sign === '-' ? -unscaled : unscaled;
}

test('text of any precision and scale is stored exactly', async () => {
  console.log(`seed ${SEED}`);
  const random = randomOf(SEED);
  for (let precision = 1; precision <= 38; precision++) {
    for (const scale of new Set(
      [0, 1, precision >> 1, precision - 1, precision].filter((scale) => scale <= precision),
    )) {
      const most = 10n ** BigInt(precision) - 1n;
      const unscaled = [0n, 1n, -1n, most, -most, most - 1n, 255n, -256n, 2n ** 31n, -(2n ** 63n), 2n ** 64n]
        .filter((value) => value <= most && value >= -most)
        .concat(
          Array.from(
            { length: 40 },
            () => BigInt(digits(random, 1 + random(precision))) * (random(2) === 0 ? 1n : -1n),
          ),
        );
      await assertStored(
        unscaled.map((value) => textOf(value, scale)),
        `decimal(${precision}, ${scale})`,
        unscaled,
      );
    }
  }
});

test('numbers mean their shortest text, at every size', async () => {
  console.log(`seed ${SEED}`);
  const random = randomOf(SEED);
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  const anyDouble = () => {
    words[0] = random(2 ** 32);
    // Exponents that leave the value between 10^-45 and 10^45, and so on both sides of what fits.
    words[1] = (random(2) << 31) | ((1023 - 150 + random(300)) << 20) | random(2 ** 20);
    return double[0];
  };
  const roundDouble = () => Number(`${random(2) === 0 ? '-' : ''}${digits(random, 1 + random(17))}e${random(60) - 40}`);
  let fitting = 0;
  for (const [precision, scale] of [
    [9, 2],
    [18, 6],
    [19, 0],
    [19, 19],
    [25, 22],
    [30, 23],
    [38, 0],
    [38, 10],
    [38, 20],
    [38, 38],
  ]) {
    const type = `decimal(${precision}, ${scale})`;
    const numbers = Array.from({ length: 3000 }, (_, index) => (index % 2 === 0 ? anyDouble() : roundDouble()));
    const expected = numbers.map((value) => unscaledOf(String(value), precision, scale));
    const fits = numbers.map((_, index) => expected[index] !== undefined);
    fitting += fits.filter(Boolean).length;
    await assertStored(
      numbers.filter((_, index) => fits[index]),
      type,
      expected.filter((value) => value !== undefined),
    );
    for (const value of numbers.filter((_, index) => !fits[index]).slice(0, 100)) {
      await assertRefused(column([0, value], type), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
    }
  }
  assert.ok(fitting > 5000, `${fitting} of 30000 fitted`);
});

test('bigints mean the value itself', async () => {
  const nines = 10n ** 28n - 1n;
  await assertStored(
    [12n, -12n, nines, -nines, 0n],
    'decimal(38, 10)',
    [12n, -12n, nines, -nines, 0n].map((value) => value * 10n ** 10n),
  );
  for (const wrong of [10n ** 28n, -(10n ** 28n), 10n ** 1000n]) {
    await assertRefused(column([wrong], 'decimal(38, 10)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  }
});

test('HC-17: decimals of many digits are exact', async () => {
  await assertStored([4.35, 8.2, 1.15, -0.29, 1e-2, 1e21, -0], 'decimal(30, 2)', [
    435n,
    820n,
    115n,
    -29n,
    1n,
    10n ** 23n,
    0n,
  ]);
  for (const wrong of ['1.005', 1.005, 1e-3]) {
    await assertRefused(column([wrong], 'decimal(30, 2)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
  }
});

test('HC-18: a decimal of many digits that does not fit', async () => {
  const most = '9'.repeat(38);
  await assertStored([most, `-${most}`], 'decimal(38, 0)', [BigInt(most), -BigInt(most)]);
  for (const wrong of [`1${'0'.repeat(38)}`, `${most}.5`, 1e38, -1e39, 1e300, NaN, -Infinity]) {
    await assertRefused(column(['1', wrong], 'decimal(38, 0)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 1 });
  }
  await assertRefused(column(['9'.repeat(20)], 'decimal(19, 0)'), 'ERR_OUT_OF_RANGE', { column: 'c', row: 0 });
});

test('text is strict', async () => {
  for (const type of ['decimal(5, 2)', 'decimal(15, 2)', 'decimal(30, 2)']) {
    for (const wrong of ['', ' 1', '1 ', '1,5', '1_000', '0x1', '1n', '١', 'NaN', '1e', '.', '-']) {
      await assertRefused(column([wrong], type), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
    }
    for (const wrong of [true, {}, [], new Date(0), new Uint8Array(4), new Number(1), new String('1')]) {
      await assertRefused(column([wrong], type), 'ERR_TYPE_MISMATCH', { column: 'c', row: 0 });
    }
  }
});

test('typed arrays of numbers', async () => {
  await assertStored(Int32Array.of(1, -2), 'decimal(38, 2)', [100n, -200n]);
  await assertStored(BigUint64Array.of(2n ** 64n - 1n), 'decimal(20, 0)', [2n ** 64n - 1n]);
  await assertStored(Float64Array.of(0.1, -1e20), 'decimal(38, 2)', [10n, -(10n ** 22n)]);
  const spaced = { values: Float64Array.of(0.5, NaN, 1.5), validity: Uint8Array.of(0b101) };
  await assertStored(spaced, 'decimal(38, 1)', [5n, null, 15n]);
});

test('nulls and pages that end anywhere', async () => {
  const data = Array.from({ length: 500 }, (_, row) => (row % 3 === 0 ? null : `${row - 250}.5`));
  const expected = data.map((text) => text && unscaledOf(text, 38, 1));
  for (const options of [{}, { pageRows: 7 }, { dictionary: false, pageBytes: 33 }, { rowGroupRows: 100 }]) {
    const { values } = await roundTripColumn(data, 'decimal(38, 1)', options);
    assert.deepEqual(values, expected);
  }
});
