import { printTable } from './report.mjs';

/** What must hold: 'broad' against the smallest peer in every cell, 'modern' in the geometric mean of all. */
const BROAD_MOST = 1.02;
const MODERN_MOST = 0.85;

const shortName = (name) => name.replace('native ', '');
const ratio = (bytes, other) => (bytes / other).toFixed(3);

/** Prints bytes and ratios of { table, codec, contender, bytes }; gives the number of targets that were missed. */
export function printSizes(cells) {
  const peers = [...new Set(cells.map(({ contender }) => contender))].filter((name) => !/^(broad|modern)$/.test(name));
  const places = new Map();
  for (const cell of cells) {
    const place = `${cell.table} ${cell.codec}`;
    places.set(place, [...(places.get(place) ?? []), cell]);
  }
  const rows = [];
  const missed = [];
  let logs = 0;
  for (const [place, here] of places) {
    const bytesOf = (name) => here.find(({ contender }) => contender === name)?.bytes ?? NaN;
    const smallest = Math.min(...peers.map(bytesOf));
    const broad = bytesOf('broad');
    if (broad > smallest * BROAD_MOST) missed.push(`${place}: 'broad' is ${ratio(broad, smallest)} × the smallest peer`);
    logs += Math.log(bytesOf('modern') / smallest);
    rows.push([
      ...place.split(' '),
      ...peers.map((name) => bytesOf(name).toLocaleString('en')),
      broad.toLocaleString('en'),
      ratio(broad, smallest),
      bytesOf('modern').toLocaleString('en'),
      ratio(bytesOf('modern'), smallest),
    ]);
  }
  printTable([['table', 'codec', ...peers.map(shortName), 'broad', '/ smallest', 'modern', '/ smallest'], ...rows]);
  const mean = Math.exp(logs / places.size);
  console.log(`\n'modern' / smallest peer, geometric mean of ${places.size}: ${mean.toFixed(3)}`);
  if (!(mean <= MODERN_MOST)) missed.push(`'modern' is ${mean.toFixed(3)} × the smallest peer, at most ${MODERN_MOST} is wanted`);
  for (const line of missed) console.log(`MISSED ${line}`);
  return missed.length;
}
