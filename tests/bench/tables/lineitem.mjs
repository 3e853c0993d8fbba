import { DAY, column, flat } from './column.mjs';
import { rng } from './rng.mjs';
import { textPool } from './tpch-text.mjs';

const decoder = new TextDecoder();

/** TPC-H lineitem, 16 columns (600,000 rows = scale factor 0.1). */
export function lineitem(n) {
  const r = rng(1);
  const pool = textPool(4 << 20, 11);
  const orderkey = new BigInt64Array(n);
  const partkey = new Int32Array(n);
  const suppkey = new Int32Array(n);
  const linenumber = new Int32Array(n);
  const quantity = new Float64Array(n);
  const price = new Float64Array(n);
  const discount = new Float64Array(n);
  const tax = new Float64Array(n);
  const flag = new Array(n);
  const status = new Array(n);
  const ship = new Array(n);
  const commit = new Array(n);
  const receipt = new Array(n);
  const instruct = new Array(n);
  const mode = new Array(n);
  const comment = new Array(n);
  const instructs = ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'];
  const modes = ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'];
  const parts = Math.max(1000, Math.floor(n / 30));
  const supps = Math.max(100, Math.floor(n / 600));
  const start = Date.UTC(1992, 0, 1);
  const current = Date.UTC(1995, 5, 17);
  const lastOrderDay = (Date.UTC(1998, 11, 31) - start) / DAY - 151;
  let i = 0;
  let order = 0;
  while (i < n) {
    // order keys are sparse: the first 8 of every 32
    const key = BigInt(Math.floor(order / 8) * 32 + (order % 8) + 1);
    order++;
    const orderDay = start + r.int(0, lastOrderDay) * DAY;
    const lines = r.int(1, 7);
    for (let l = 1; l <= lines && i < n; l++, i++) {
      const p = r.int(1, parts);
      orderkey[i] = key;
      partkey[i] = p;
      suppkey[i] = ((p + r.int(0, 3) * (Math.floor(supps / 4) + Math.floor((p - 1) / supps))) % supps) + 1;
      linenumber[i] = l;
      const q = r.int(1, 50);
      quantity[i] = q;
      price[i] = (q * (90000 + (Math.floor(p / 10) % 20001) + 100 * (p % 1000))) / 100;
      discount[i] = r.int(0, 10) / 100;
      tax[i] = r.int(0, 8) / 100;
      const s = orderDay + r.int(1, 121) * DAY;
      const c = orderDay + r.int(30, 90) * DAY;
      const rc = s + r.int(1, 30) * DAY;
      ship[i] = new Date(s);
      commit[i] = new Date(c);
      receipt[i] = new Date(rc);
      flag[i] = rc <= current ? (r.float() < 0.5 ? 'R' : 'A') : 'N';
      status[i] = s > current ? 'O' : 'F';
      instruct[i] = flat(r.pick(instructs));
      mode[i] = r.pick(modes);
      const len = r.int(10, 43);
      const at = r.int(0, pool.length - 50);
      comment[i] = decoder.decode(pool.subarray(at, at + len));
    }
  }
  return [
    column('l_orderkey', 'int64', orderkey),
    column('l_partkey', 'int32', partkey),
    column('l_suppkey', 'int32', suppkey),
    column('l_linenumber', 'int32', linenumber),
    column('l_quantity', 'float64', quantity),
    column('l_extendedprice', 'float64', price),
    column('l_discount', 'float64', discount),
    column('l_tax', 'float64', tax),
    column('l_returnflag', 'utf8', flag),
    column('l_linestatus', 'utf8', status),
    column('l_shipdate', 'date32', ship),
    column('l_commitdate', 'date32', commit),
    column('l_receiptdate', 'date32', receipt),
    column('l_shipinstruct', 'utf8', instruct),
    column('l_shipmode', 'utf8', mode),
    column('l_comment', 'utf8', comment),
  ];
}
