/** A CSV with what is hard about CSV, from a seed. */

const TEXTS = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', ' edges ', 'Grüße', '数据', '🪵 parquet', 'null', '-'];

/** The types DuckDB must see in the file made from it. */
export const CSV_TYPES = {
  id: 'INTEGER',
  'what, "said"': 'VARCHAR',
  code: 'VARCHAR',
  version: 'VARCHAR',
  price: 'DOUBLE',
  ratio: 'DOUBLE',
  big: 'BIGINT',
  flag: 'BOOLEAN',
  day: 'DATE',
  local: 'TIMESTAMP',
  instant: 'TIMESTAMP WITH TIME ZONE',
  nothing: 'VARCHAR',
};

export function makeCsv(seed, rows) {
  const random = generator(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const maybe = (text) => (random() < 0.15 ? '' : text);
  const day = () => new Date(Math.floor(random() * 4e12) - 1e12).toISOString();
  const records = Array.from({ length: rows }, (_, row) => [
    String(row - 100),
    maybe(pick(TEXTS)),
    String(Math.floor(random() * 1000)).padStart(5, '0'),
    pick(['1.9', '1.10', '2.0']),
    maybe((random() * 1000).toFixed(2)),
    maybe(String(random() * 2 - 1)),
    maybe(String(BigInt(Math.floor(random() * 2 ** 31)) * 2n ** 32n - 2n ** 62n + 1n)),
    maybe(pick(['true', 'false'])),
    maybe(day().slice(0, 10)),
    maybe(`${day().slice(0, 19).replace('T', ' ')}.${String(Math.floor(random() * 1e6)).padStart(6, '0')}`),
    maybe(day()),
    '',
  ]);
  return [Object.keys(CSV_TYPES), ...records].map((fields) => fields.map(quote).join(',')).join('\r\n') + '\r\n';
}

function quote(field) {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Mulberry32: the same numbers for the same seed everywhere. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
