import { isPeer } from '../contenders/index.mjs';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

const digits = (value) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
const megabytes = (bytes) => `${digits(bytes / 1e6)} MB`;

/** Rows of cells as a Markdown table, columns aligned. */
export function printTable(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  console.log([line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n'));
}

/** All contenders of one table: cells are { codec, contender, rounds, bytes, wasmBytes, heap, buffers }. */
export function printCells({ name, rows, packedBytes, cells }) {
  console.log(`\n${name}: ${rows.toLocaleString('en')} rows, ${megabytes(packedBytes)}\n`);
  const head = [
    'codec',
    'contender',
    'cpu ms',
    'spread',
    'all threads',
    'wall ms',
    'MB/s',
    'file bytes',
    'wasm memory',
    'heap growth',
    'buffer growth',
  ];
  printTable([
    head,
    ...cells.map(({ codec, contender, rounds, bytes, wasmBytes, heap, buffers }) => {
      const cpu = rounds.map((round) => round.cpu);
      const middle = median(cpu);
      return [
        codec,
        contender,
        digits(middle),
        `±${((Math.max(...cpu) - Math.min(...cpu)) / middle / 0.02).toFixed(0)}%`,
        digits(median(rounds.map((round) => round.allThreads))),
        digits(median(rounds.map((round) => round.wall))),
        digits(packedBytes / 1e3 / middle),
        bytes.toLocaleString('en'),
        wasmBytes ? megabytes(wasmBytes) : '',
        heap === undefined ? '' : megabytes(heap),
        buffers === undefined ? '' : megabytes(buffers),
      ];
    }),
  ]);
}

/** The median over the rounds of the ratio of processor times in the same round. */
export const timeRatio = (cell, other) => median(cell.rounds.map((round, i) => round.cpu / other.rounds[i].cpu));

/** parquill against the peers of one codec. */
function compare(cells) {
  const mine = cells.find(({ contender }) => contender === 'parquill');
  const peers = cells.filter(({ contender }) => isPeer(contender));
  if (!mine || peers.length === 0) return undefined;
  const cpu = (cell) => median(cell.rounds.map((round) => round.cpu));
  const fastest = peers.reduce((best, cell) => (cpu(cell) < cpu(best) ? cell : best));
  const smallest = peers.reduce((best, cell) => (cell.bytes < best.bytes ? cell : best));
  return {
    fastest: fastest.contender,
    time: timeRatio(mine, fastest),
    smallest: smallest.contender,
    size: mine.bytes / smallest.bytes,
    timesAsFast: peers.map((peer) => [peer.contender, timeRatio(peer, mine)]),
  };
}

export const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** Of every table and codec: the ratios parquill / best peer, and how many times as fast as each peer parquill is. */
export function printRatios(tables) {
  const ratios = tables.flatMap(({ name, cells }) =>
    [...new Set(cells.map(({ codec }) => codec))].flatMap((codec) => {
      const ratio = compare(cells.filter((cell) => cell.codec === codec));
      return ratio ? [{ name, codec, ...ratio }] : [];
    }),
  );
  if (ratios.length === 0) return;
  console.log('\nparquill / best peer, below 1 is better for parquill\n');
  printTable([
    ['table', 'codec', 'cpu', 'fastest peer', 'bytes', 'smallest peer'],
    ...ratios.map(({ name, codec, time, fastest, size, smallest }) => [
      name,
      codec,
      time.toFixed(2),
      fastest,
      size.toFixed(2),
      smallest,
    ]),
    [
      'geometric mean',
      '',
      geometricMean(ratios.map(({ time }) => time)).toFixed(2),
      '',
      geometricMean(ratios.map(({ size }) => size)).toFixed(2),
      '',
    ],
  ]);
  const peers = [...new Set(ratios.flatMap(({ timesAsFast }) => timesAsFast.map(([peer]) => peer)))];
  console.log('\ncpu of each peer / parquill: parquill is so many times as fast\n');
  printTable([
    ['table', 'codec', ...peers],
    ...ratios.map(({ name, codec, timesAsFast }) => {
      return [name, codec, ...peers.map((peer) => new Map(timesAsFast).get(peer)?.toFixed(2) ?? '')];
    }),
  ]);
}
