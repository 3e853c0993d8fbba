import { column, flat } from './column.mjs';
import { rng, zipf } from './rng.mjs';

const firstNames = `
  anna ben clara david emma felix greta hugo ines jonas klara leon mia noah olga paul rosa sam tara uwe`
  .trim()
  .split(/\s+/);
const lastNames = `
  adler bauer claassen dietrich ernst fischer graf huber ilves jansen keller lang maier nowak ott peters quast
  richter sommer thoma`
  .trim()
  .split(/\s+/);

/** User accounts as row objects, such as a query or JSON gives. */
export function rowObjects(n) {
  const r = rng(8);
  const plans = zipf(['free', 'basic', 'pro', 'team', 'enterprise']);
  const countries = zipf(['US', 'DE', 'GB', 'FR', 'JP', 'BR', 'IN', 'NL']);
  const objects = new Array(n);
  for (let i = 0; i < n; i++) {
    const first = r.pick(firstNames);
    const last = r.pick(lastNames);
    objects[i] = {
      id: i + 1,
      name: flat(`${first} ${last}`),
      email: flat(`${first}.${last}${r.int(1, 99999)}@example.com`),
      country: r.weighted(countries),
      plan: r.weighted(plans),
      amount: r.int(0, 1000000) / 100,
      score: r.float() < 0.1 ? null : r.float(),
      active: r.float() < 0.8,
      created: new Date(Date.UTC(2022, 0, 1) + r.int(0, 2 * 365 * 86400) * 1000),
      visits: r.int(0, 400),
    };
  }
  return objects;
}

/** Their columns, without data. */
export const rows = () => [
  column('id', 'int32'),
  column('name', 'utf8'),
  column('email', 'utf8'),
  column('country', 'utf8'),
  column('plan', 'utf8'),
  column('amount', 'float64'),
  column('score', 'float64', undefined, true),
  column('active', 'bool'),
  column('created', 'timestamp_ms'),
  column('visits', 'int32'),
];

/** The columns of row objects, with data: for writers that take no rows. */
export function pivot({ name, rows: n, columns, objects }) {
  const pivoted = columns.map((one) => {
    const typed = !one.nullable && { int32: Int32Array, float64: Float64Array }[one.type];
    const data = typed ? new typed(n) : new Array(n);
    for (let i = 0; i < n; i++) data[i] = objects[i][one.name];
    return { ...one, data };
  });
  return { name, rows: n, columns: pivoted };
}
