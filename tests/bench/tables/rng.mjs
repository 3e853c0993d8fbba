/** Random numbers by sfc32; only exact operations, so that every engine makes the same tables. */
export function rng(seed) {
  let a = seed >>> 0;
  let b = 0x9e3779b9;
  let c = 0x243f6a88;
  let d = 0xb7e15162;
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 16; i++) next();
  const float = () => next() / 4294967296;
  return {
    next,
    float,
    /** Integer in [lo, hi] */
    int: (lo, hi) => lo + Math.floor(float() * (hi - lo + 1)),
    /** Approximately normal, mean 0, deviation 1 */
    normal: () => {
      let sum = 0;
      for (let i = 0; i < 12; i++) sum += float();
      return sum - 6;
    },
    pick: (list) => list[Math.floor(float() * list.length)],
    /** One of the values of weights(). */
    weighted: (w) => {
      const x = float() * w.total;
      let lo = 0;
      let hi = w.cum.length - 1;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (x < w.cum[mid]) hi = mid;
        else lo = mid + 1;
      }
      return w.values[lo];
    },
    hex: (n) => {
      let s = '';
      while (s.length < n) s += (next() >>> 0).toString(16).padStart(8, '0');
      return s.slice(0, n);
    },
  };
}

/** Cumulative weights from [[value, weight], …]. */
export function weights(pairs) {
  let total = 0;
  const cum = [];
  const values = [];
  for (const [v, w] of pairs) {
    total += w;
    cum.push(total);
    values.push(v);
  }
  return { total, cum, values };
}

/** Weight 1/(i + 1) for the value at i. */
export function zipf(values) {
  return weights(values.map((v, i) => [v, 1 / (i + 1)]));
}
