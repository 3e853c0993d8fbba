import { cents, column } from './column.mjs';
import { rng, weights, zipf } from './rng.mjs';

/** NYC yellow taxi trips, 19 columns, one month, sorted loosely by pickup time. */
export function taxi(n) {
  const r = rng(2);
  const i32 = () => new Int32Array(n);
  const f64 = () => new Float64Array(n);
  const vendor = i32();
  const pickup = new BigInt64Array(n);
  const dropoff = new BigInt64Array(n);
  const passengers = new Array(n);
  const distance = f64();
  const rate = new Array(n);
  const fwd = new Array(n);
  const pu = i32();
  const dof = i32();
  const pay = i32();
  const fare = f64();
  const extra = f64();
  const mta = f64();
  const tip = f64();
  const tolls = f64();
  const improvement = f64();
  const total = f64();
  const congestion = new Array(n);
  const airport = new Array(n);
  const zones = Array.from({ length: 263 }, (_, k) => k + 1);
  for (let k = zones.length - 1; k > 0; k--) {
    const j = r.int(0, k);
    [zones[k], zones[j]] = [zones[j], zones[k]];
  }
  const zone = zipf(zones);
  const pass = weights([
    [1, 72],
    [2, 15],
    [3, 4],
    [4, 3],
    [5, 2],
    [6, 2],
    [0, 2],
  ]);
  const rates = weights([
    [1, 94],
    [2, 4],
    [5, 1],
    [3, 0.4],
    [4, 0.3],
    [99, 0.3],
  ]);
  const pays = weights([
    [1, 78],
    [2, 18],
    [3, 1],
    [4, 1],
  ]);
  const month = Date.UTC(2023, 0, 1) / 1000;
  const secs = 31 * 86400;
  for (let i = 0; i < n; i++) {
    const isNull = r.float() < 0.05;
    const t = month + Math.floor((i / n) * secs) + r.int(-1800, 1800);
    const d = cents(0.4 + 18 * r.float() * r.float() * r.float() * (r.float() < 0.1 ? 2 : 1));
    const dur = Math.max(60, Math.floor(d * (150 + 200 * r.float()) + 60 * r.normal()));
    vendor[i] = r.float() < 0.27 ? 1 : 2;
    pickup[i] = BigInt(t) * 1000000n;
    dropoff[i] = BigInt(t + dur) * 1000000n;
    passengers[i] = isNull ? null : r.weighted(pass);
    distance[i] = d;
    const rc = r.weighted(rates);
    rate[i] = isNull ? null : rc;
    fwd[i] = isNull ? null : r.float() < 0.006 ? 'Y' : 'N';
    pu[i] = r.weighted(zone);
    dof[i] = r.weighted(zone);
    const pt = isNull ? 0 : r.weighted(pays);
    pay[i] = pt;
    const f = rc === 2 ? 70 : Math.round((3 + d * 3.5 + dur / 90) * 10) / 10;
    fare[i] = f;
    const hour = Math.floor(t / 3600) % 24;
    extra[i] = hour >= 16 && hour < 20 ? 2.5 : hour >= 20 || hour < 6 ? 1 : 0;
    mta[i] = 0.5;
    tip[i] = pt === 1 ? cents((f + extra[i] + 4) * (r.float() < 0.6 ? 0.2 : r.float() * 0.35)) : 0;
    tolls[i] = r.float() < 0.07 ? 6.55 : 0;
    improvement[i] = 1;
    const cg = r.float() < 0.92 ? 2.5 : 0;
    const ap = r.float() < 0.09 ? 1.25 : 0;
    congestion[i] = isNull ? null : cg;
    airport[i] = isNull ? null : ap;
    total[i] = cents(f + extra[i] + 0.5 + tip[i] + tolls[i] + 1 + cg + ap);
  }
  return [
    column('VendorID', 'int32', vendor),
    column('tpep_pickup_datetime', 'timestamp_us', pickup),
    column('tpep_dropoff_datetime', 'timestamp_us', dropoff),
    column('passenger_count', 'int32', passengers, true),
    column('trip_distance', 'float64', distance),
    column('RatecodeID', 'int32', rate, true),
    column('store_and_fwd_flag', 'utf8', fwd, true),
    column('PULocationID', 'int32', pu),
    column('DOLocationID', 'int32', dof),
    column('payment_type', 'int32', pay),
    column('fare_amount', 'float64', fare),
    column('extra', 'float64', extra),
    column('mta_tax', 'float64', mta),
    column('tip_amount', 'float64', tip),
    column('tolls_amount', 'float64', tolls),
    column('improvement_surcharge', 'float64', improvement),
    column('total_amount', 'float64', total),
    column('congestion_surcharge', 'float64', congestion, true),
    column('airport_fee', 'float64', airport, true),
  ];
}
