/** Data that people collected, from the vega-datasets package of the repository. */
import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import Papa from 'papaparse';
import { column, DAY } from './column.mjs';

const folder = new URL('../../../node_modules/vega-datasets/data/', import.meta.url);
const bytesOf = (name) => readFileSync(new URL(name, folder));

function csv(name, rows) {
  const { data } = Papa.parse(bytesOf(name).toString(), { header: true, skipEmptyLines: true });
  return data.slice(0, rows);
}

const texts = (rows, name) => column(name, 'utf8', rows.map((row) => row[name] || null), true);
const floats = (rows, name) => column(name, 'float64', Float64Array.from(rows, (row) => Number(row[name])));
const ints = (rows, name) => {
  const data = rows.map((row) => (row[name] === '' ? null : Math.round(Number(row[name]))));
  return column(name, 'int32', data, true);
};
const days = (rows, name) =>
  column(name, 'date32', rows.map((row) => new Date(Math.floor(Date.parse(row[name]) / DAY) * DAY)));

/** Flights within the United States in 2001: time, minutes late, miles, airports; sorted by time. */
export async function flights(n) {
  const { buffer, byteOffset, byteLength } = bytesOf('flights-3m.parquet');
  const file = buffer.slice(byteOffset, byteOffset + byteLength);
  const rows = await parquetReadObjects({ file, compressors, rowEnd: n });
  return [
    column('date', 'timestamp_us', BigInt64Array.from(rows, ({ date }) => BigInt(date.getTime()) * 1000n)),
    column('delay', 'int64', BigInt64Array.from(rows, ({ delay }) => delay)),
    column('distance', 'int64', BigInt64Array.from(rows, ({ distance }) => distance)),
    column('origin', 'utf8', rows.map(({ origin }) => origin)),
    column('destination', 'utf8', rows.map(({ destination }) => destination)),
  ];
}

/** Places of the United States by postal code, sorted by it. */
export function zipcodes(n) {
  const rows = csv('zipcodes.csv', n);
  return [
    texts(rows, 'zip_code'),
    floats(rows, 'latitude'),
    floats(rows, 'longitude'),
    texts(rows, 'city'),
    texts(rows, 'state'),
    texts(rows, 'county'),
  ];
}

/** Reports of aircraft that struck birds: few distinct words in most columns. */
export function birdstrikes(n) {
  const rows = csv('birdstrikes.csv', n);
  const words = ['Airport Name', 'Aircraft Make Model', 'Effect Amount of damage'];
  const more = ['Aircraft Airline Operator', 'Origin State', 'Phase of flight', 'Wildlife Size', 'Wildlife Species'];
  const numbers = ['Cost Other', 'Cost Repair', 'Cost Total $', 'Speed IAS in knots'];
  return [
    ...words.map((name) => texts(rows, name)),
    days(rows, 'Flight Date'),
    ...[...more, 'Time of day'].map((name) => texts(rows, name)),
    ...numbers.map((name) => ints(rows, name)),
  ];
}
