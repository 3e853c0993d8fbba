// NDJSON of as many bytes as asked for.

import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const WORDS = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fjord', 'grove', 'heath', 'islet', 'jetty'];

export async function writeRows(path, bytes, seed) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
  const file = createWriteStream(path);
  let rows = 0;
  for (let written = 0; written < bytes;) {
    const lines = [];
    for (let line = 0; line < 1000; line++, rows++) {
      const row = {
        id: rows,
        at: new Date(1_700_000_000_000 + rows * 137).toISOString(),
        name: `${WORDS[random(10)]} ${WORDS[random(10)]} ${random(100_000)}`,
        value: random(1_000_000) / 64,
        ok: random(3) === 0 ? null : random(2) === 0,
        tags: Array.from({ length: random(4) }, () => WORDS[random(10)]),
      };
      if (random(4) > 0) row.note = `${'ünïcödé '.repeat(random(3))}${random(1000)}`;
      lines.push(`${JSON.stringify(row)}\n`);
    }
    const text = lines.join('');
    written += Buffer.byteLength(text);
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return rows;
}
