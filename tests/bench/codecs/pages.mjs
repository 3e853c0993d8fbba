// Payloads of Parquet pages, made anew for each page size: what a codec is handed behind the levels.

import { rng, zipf } from '../tables/rng.mjs';
import { textPool } from '../tables/tpch-text.mjs';

/** Calls `page(bytes, number)` for each page of `size` bytes. */
function paged(bytes, size, page) {
  const out = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += size) page(out.subarray(at, at + size), at / size);
  return out;
}

/** Values one after the other, each behind its length in 4 bytes. */
function strings(bytes, next) {
  const out = new Uint8Array(bytes);
  const view = new DataView(out.buffer);
  for (let at = 0; at + 4 < bytes;) {
    const value = next();
    view.setUint32(at, value.length, true);
    out.set(value.subarray(0, bytes - at - 4), at + 4);
    at += 4 + value.length;
  }
  return out;
}

/** Microseconds, a second apart, 20 milliseconds of jitter. */
function ts(bytes) {
  const r = rng(1);
  let time = 1_700_000_000_000_000n;
  return new Uint8Array(BigInt64Array.from({ length: bytes / 8 }, () => {
    time += 1_000_000n;
    return time + BigInt(Math.round(r.normal() * 20_000));
  }).buffer);
}

/** TPC-H's l_extendedprice at scale 0.5. */
function prices(count, r) {
  return Float64Array.from({ length: count }, () => {
    const part = r.int(1, 100_000);
    return (r.int(1, 50) * (90_000 + (Math.floor(part / 10) % 20_001) + 100 * (part % 1000))) / 100;
  });
}

/** TPC-H's l_comment. */
function text(bytes) {
  const r = rng(3);
  const pool = textPool(8 << 20, 13);
  return strings(bytes, () => {
    const at = r.int(0, pool.length - 50);
    return pool.subarray(at, at + r.int(10, 43));
  });
}

function url(bytes) {
  const r = rng(4);
  const hosts = zipf(['www.example.com', 'shop.example.com', 'cdn.example.net', 'news.example.org', 'api.example.io']);
  const paths = zipf(['products', 'articles', 'users', 'search', 'images', 'category', 'static/js', 'checkout/cart']);
  const sources = zipf(['google', 'newsletter', 'twitter', 'facebook', 'direct', 'partner']);
  const words = ['red', 'large', 'classic', 'summer', 'leather', 'wireless', 'organic', 'vintage', 'mini', 'deluxe'];
  const encoder = new TextEncoder();
  return strings(bytes, () => {
    const start = `https://${r.weighted(hosts)}/${r.weighted(paths)}/`;
    const name = `${r.pick(words)}-${r.pick(words)}-${r.int(1, 99_999)}`;
    const query = r.float() < 0.5 ? `?utm_source=${r.weighted(sources)}&session=${r.hex(8)}` : '';
    return encoder.encode(start + name + query);
  });
}

/** Indices of a dictionary: the width, then one run of groups of 8, or short and long runs in turn. */
function dict(bytes, size) {
  const r = rng(5);
  const skewed = zipf(Array.from({ length: 256 }, (_, index) => index));
  const few = zipf(Array.from({ length: 32 }, (_, index) => index));
  const kinds = [
    [6, () => r.int(0, 63)],
    [12, () => r.int(0, 2525)],
    [8, () => r.weighted(skewed)],
  ];
  const packed = (page, [width, next]) => {
    page[0] = width;
    // Room for the run's header, whose bytes are as good as any.
    let [word, used] = [0, 0];
    for (let at = 4; at < page.length; at++) {
      while (used < 8) {
        word |= next() << used;
        used += width;
      }
      page[at] = word;
      word >>>= 8;
      used -= 8;
    }
  };
  // Long runs, with groups of 8 packed ones between.
  const runs = (page) => {
    page[0] = 5;
    for (let at = 1; at + 6 < page.length;) {
      if (r.float() < 0.95) {
        page[at++] = (8 + Math.floor(-16 * Math.log(1 - r.float()))) << 1;
        page[at++] = r.weighted(few);
      } else {
        page[at++] = 3;
        for (let byte = 0; byte < 5; byte++) page[at++] = r.int(0, 255);
      }
    }
  };
  return paged(bytes, size, (page, number) => {
    const kind = kinds[number % 4];
    if (kind) packed(page, kind);
    else runs(page);
  });
}

function rand(bytes) {
  const r = rng(6);
  return new Uint8Array(Uint32Array.from({ length: bytes / 4 }, () => r.next()).buffer);
}

/** BYTE_STREAM_SPLIT: a walk of float32 and prices of float64 in turn. */
function bss(bytes, size) {
  const r = rng(7);
  let value = 1000;
  const split = (page, values) => {
    const from = new Uint8Array(values.buffer);
    const width = values.BYTES_PER_ELEMENT;
    for (let at = 0; at < from.length; at++) page[(at % width) * values.length + Math.floor(at / width)] = from[at];
  };
  return paged(bytes, size, (page, number) => {
    if (number % 2 === 1) return split(page, prices(page.length / 8, r));
    return split(page, Float32Array.from({ length: page.length / 4 }, () => (value += r.normal() * 0.1)));
  });
}

const price = (bytes) => new Uint8Array(prices(bytes / 8, rng(2)).buffer);

/** Kinds by name; each gives `bytes` bytes, to be cut into pages of `size`. All but `rand` count for totals. */
export const kinds = { ts, price, text, url, dict, rand, bss };
