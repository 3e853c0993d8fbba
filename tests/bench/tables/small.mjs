import { DAY, cents, column, flat } from './column.mjs';
import { rng } from './rng.mjs';

/** 10 mixed columns, for latency. */
export function small(n) {
  const r = rng(6);
  const id = new Int32Array(n);
  const big = new BigInt64Array(n);
  const x = new Float64Array(n);
  const y = new Array(n);
  const ok = new Array(n);
  const country = new Array(n);
  const uuid = new Array(n);
  const day = new Array(n);
  const at = new Array(n);
  const note = new Array(n);
  const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett'];
  for (let i = 0; i < n; i++) {
    id[i] = i;
    big[i] = BigInt(r.next()) * 1000n;
    x[i] = r.float() * 1000;
    y[i] = r.float() < 0.1 ? null : cents(r.float() * 100);
    ok[i] = r.float() < 0.7;
    country[i] = r.pick(['US', 'DE', 'FR', 'JP', 'BR']);
    const h = r.hex(32);
    uuid[i] = flat(`${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`);
    day[i] = new Date(Date.UTC(2024, 0, 1) + r.int(0, 365) * DAY);
    at[i] = new Date(Date.UTC(2024, 0, 1) + r.next());
    note[i] = r.float() < 0.2 ? null : flat(`${r.pick(words)} ${r.pick(words)} ${r.int(0, 999)}`);
  }
  return [
    column('id', 'int32', id),
    column('big', 'int64', big),
    column('x', 'float64', x),
    column('y', 'float64', y, true),
    column('ok', 'bool', ok),
    column('country', 'utf8', country),
    column('uuid', 'utf8', uuid),
    column('day', 'date32', day),
    column('at', 'timestamp_ms', at),
    column('note', 'utf8', note, true),
  ];
}
