import { column } from './column.mjs';
import { rng } from './rng.mjs';

const words = 'red green blue small large heavy light new used sale vintage rare common fragile bulky'.split(' ');
const keys = ['width', 'height', 'depth', 'weight', 'stock', 'views', 'rating_pct', 'warehouse_shelf'];

/** Items of a shop: two lists, a struct and a map of short strings to integers. */
export function nested(n) {
  const r = rng(7);
  const id = new BigInt64Array(n);
  const scores = new Array(n);
  const tags = new Array(n);
  const pos = new Array(n);
  const attrs = new Array(n);
  for (let i = 0; i < n; i++) {
    id[i] = BigInt(i);
    scores[i] = r.float() < 0.05 ? null : Array.from({ length: r.int(0, 8) }, () => r.int(0, 1000));
    tags[i] = r.float() < 0.05 ? null : Array.from({ length: r.int(0, 5) }, () => r.pick(words));
    pos[i] = {
      lat: r.int(-9000000, 9000000) / 100000,
      lon: r.int(-18000000, 18000000) / 100000,
      label: r.float() < 0.2 ? null : `place-${r.int(0, 999)}`,
    };
    const first = r.int(0, 7);
    attrs[i] = Array.from({ length: r.int(0, 4) }, (_, k) => [keys[(first + k) % 8], r.int(0, 500)]);
  }
  const place = [
    { name: 'lat', type: 'float64' },
    { name: 'lon', type: 'float64' },
    { name: 'label', type: 'utf8', nullable: true },
  ];
  return [
    column('id', 'int64', id),
    column('scores', { list: 'int32' }, scores, true),
    column('tags', { list: 'utf8' }, tags, true),
    column('pos', { struct: place }, pos),
    column('attrs', { map: ['utf8', 'int32'] }, attrs),
  ];
}
