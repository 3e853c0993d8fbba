/** The figures of a run as a picture: bars of processor time, those of parquill first. */
import { median } from './report.mjs';

const COLORS = ['#0b7a5b', '#c9772b', '#3f6fb0', '#8a5aa8', '#a33b4a', '#777777'];
const WIDTH = 860;
const LEFT = 120;
const BAR = 9;
const GAP = 8;
const HEAD = 56;

const escape = (text) => text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Times of each table and codec as multiples of parquill's; undefined where parquill did not run. */
function groupsOf(tables, names) {
  return tables.flatMap(({ name, cells }) =>
    cells.filter(({ contender }) => contender === 'parquill').map((mine) => {
      const cpu = (cell) => median(cell.rounds.map((round) => round.cpu));
      const own = cpu(mine);
      const bars = names.flatMap((contender, color) => {
        const cell = cells.find((one) => one.contender === contender && one.codec === mine.codec);
        return cell === undefined ? [] : [{ color, ms: cpu(cell), times: cpu(cell) / own }];
      });
      return { label: `${name}, ${mine.codec}`, bars };
    }),
  );
}

/** An SVG; undefined when there is nothing to compare. */
export function chartOf(tables) {
  const all = [...new Set(tables.flatMap(({ cells }) => cells.map(({ contender }) => contender)))];
  const names = all.filter((name) => name !== 'copy-only').slice(0, COLORS.length);
  const groups = groupsOf(tables, names);
  if (names.length < 2 || groups.length === 0) return undefined;
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ times }) => times)));
  const scale = (WIDTH - LEFT - 90) / most;
  const parts = [];
  names.forEach((name, index) => {
    const x = LEFT + (index % 3) * 220;
    const y = 12 + Math.floor(index / 3) * 18;
    parts.push(`<rect x="${x}" y="${y}" width="10" height="10" fill="${COLORS[index]}"/>`);
    parts.push(`<text x="${x + 15}" y="${y + 9}">${escape(name)}</text>`);
  });
  let y = HEAD;
  for (const { label, bars } of groups) {
    parts.push(`<text x="${LEFT - 8}" y="${y + 8}" text-anchor="end">${escape(label)}</text>`);
    for (const { color, ms, times } of bars) {
      const width = Math.max(1, times * scale).toFixed(1);
      parts.push(`<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR - 1}" fill="${COLORS[color]}"/>`);
      const text = `${ms.toFixed(ms < 10 ? 1 : 0)} ms${color === 0 ? '' : `, ${times.toFixed(1)} ×`}`;
      parts.push(`<text x="${LEFT + Number(width) + 4}" y="${y + 8}" font-size="9">${text}</text>`);
      y += BAR;
    }
    y += GAP;
  }
  const title = 'Processor time of one write, as a multiple of parquill';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" font-family="sans-serif" font-size="11"` +
      ` fill="#222" role="img"><title>${title}</title><rect width="100%" height="100%" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
