import { column, flat } from './column.mjs';
import { rng } from './rng.mjs';

const words = `
  alpine amber anchor basalt birch cedar cobalt copper coral crimson delta ember falcon fjord glacier
  granite harbor indigo ivory jasper juniper lagoon linen maple marble meadow nimbus onyx opal orchid`
  .trim()
  .split(/\s+/);

/** One column of keys, each different, in no order: 18 to 21 characters of ASCII. */
export function strings(n) {
  const r = rng(9);
  const key = new Array(n);
  for (let i = 0; i < n; i++) key[i] = flat(`${r.pick(words)}-${r.hex(8)}-${i.toString(36).padStart(4, '0')}`);
  return [column('key', 'utf8', key)];
}
