import { column, flat } from './column.mjs';
import { rng, weights, zipf } from './rng.mjs';

const words = `
  alpine amber anchor basalt birch cedar cobalt copper coral crimson delta ember falcon fjord glacier
  granite harbor indigo ivory jasper juniper lagoon linen maple marble meadow nimbus oak ochre onyx opal
  orchid pebble pine quartz raven river sable saffron sierra slate spruce summit thistle timber topaz
  tundra velvet walnut willow`
  .trim()
  .split(/\s+/);

/** Browsers of 24 versions on five systems. */
function userAgents() {
  const agents = [];
  for (let v = 0; v < 24; v++) {
    const blink = `AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${124 - v}.0.0.0`;
    const ios = `CPU iPhone OS 1${v % 8}_${v % 5} like Mac OS X`;
    const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
    agents.push(
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36`,
      `Mozilla/5.0 (iPhone; ${ios}) ${webkit} Version/1${v % 8}.${v % 5} Mobile/15E148 Safari/604.1`,
      `Mozilla/5.0 (Linux; Android 1${v % 5}; SM-G9${90 - v}B) ${blink} Mobile Safari/537.36`,
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/${17 - (v % 4)}.${v % 6} Safari/605.1.15`,
      `Mozilla/5.0 (X11; Linux x86_64; rv:${125 - v}.0) Gecko/20100101 Firefox/${125 - v}.0`,
    );
  }
  return agents;
}

/** Web analytics events, 16 columns: URLs, user agents, UUIDs, JSON properties. */
export function events(n) {
  const r = rng(3);
  const id = new BigInt64Array(n);
  const user = new BigInt64Array(n);
  const ts = new Array(n);
  const session = new Array(n);
  const type = new Array(n);
  const url = new Array(n);
  const ref = new Array(n);
  const ua = new Array(n);
  const country = new Array(n);
  const lang = new Array(n);
  const mobile = new Array(n);
  const isNew = new Array(n);
  const width = new Int32Array(n);
  const load = new Array(n);
  const title = new Array(n);
  const props = new Array(n);
  const types = weights([
    ['page_view', 60],
    ['click', 22],
    ['scroll', 9],
    ['add_to_cart', 4],
    ['search', 3],
    ['purchase', 1],
    ['error', 1],
  ]);
  const hosts = zipf([
    'shop.example.com',
    'www.example.com',
    'blog.example.com',
    'docs.example.org',
    'm.example.com',
    'help.example.org',
  ]);
  const sections = zipf('product category search article account cart help news deals compare'.split(' '));
  const unicode = ['Größe', 'naïve', '東京', 'café', 'Łódź', 'señal', '🚀', 'Ελλάδα'];
  const refs = weights([
    [null, 45],
    ['https://www.google.com/', 25],
    ['https://www.bing.com/', 5],
    ['https://duckduckgo.com/', 3],
    ['https://t.co/', 6],
    ['https://news.ycombinator.com/', 3],
    ['self', 13],
  ]);
  const agent = zipf(userAgents());
  const countries = zipf(
    'US DE GB IN FR BR JP CA NL ES IT PL AU SE MX KR CH AT BE DK NO FI PT CZ IE ZA AR CL NZ SG'.split(' '),
  );
  const langs = zipf(['en-US', 'de-DE', 'en-GB', 'fr-FR', 'pt-BR', 'ja-JP', 'es-ES', 'it-IT', 'pl-PL', 'nl-NL']);
  const widths = zipf([1920, 390, 1536, 412, 1440, 360, 2560, 1366, 768, 393]);
  const sess = [];
  let t = Date.UTC(2024, 4, 1);
  for (let i = 0; i < n; i++) {
    if (sess.length < 200 || r.float() < 0.18) {
      const h = r.hex(32);
      const a = r.weighted(agent);
      const s = {
        id: `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`,
        user: BigInt(r.next()) * 2097152n + BigInt(r.int(0, 2097151)),
        ua: a,
        mobile: a.includes('Mobile'),
        country: r.weighted(countries),
        lang: r.weighted(langs),
        width: r.weighted(widths),
        isNew: r.float() < 0.35,
        host: r.weighted(hosts),
        ref: r.weighted(refs),
      };
      if (sess.length < 200) sess.push(s);
      else sess[r.int(0, 199)] = s;
    }
    const s = sess[Math.floor(r.float() * r.float() * sess.length)];
    t += r.int(0, 60);
    const section = r.weighted(sections);
    const w1 = r.pick(words);
    const w2 = r.pick(words);
    const num = r.int(1, 20000);
    const e = r.weighted(types);
    id[i] = 1700000000000000n + BigInt(i) * 4n + BigInt(r.int(0, 3));
    user[i] = s.user;
    ts[i] = new Date(t);
    session[i] = s.id;
    type[i] = e;
    url[i] =
      `https://${s.host}/${section}/${w1}-${w2}-${num}` +
      (section === 'search'
        ? `?q=${w1}+${w2}&page=${r.int(1, 9)}`
        : r.float() < 0.3
          ? `?utm_source=${r.pick(words)}&utm_campaign=spring-${r.int(1, 60)}`
          : '');
    ref[i] =
      s.ref === 'self'
        ? `https://${s.host}/${r.weighted(sections)}/${r.pick(words)}-${r.pick(words)}-${r.int(1, 20000)}`
        : s.ref;
    ua[i] = s.ua;
    country[i] = s.country;
    lang[i] = s.lang;
    mobile[i] = s.mobile;
    isNew[i] = s.isNew;
    width[i] = s.width;
    load[i] = r.float() < 0.08 ? null : Math.round(80 + 3000 * r.float() * r.float() * r.float());
    title[i] = `${w1} ${w2} ${r.float() < 0.04 ? r.pick(unicode) + ' ' : ''}| Example Store`;
    if (e === 'page_view' && r.float() < 0.5) props[i] = '{}';
    else {
      const ui = `"ab":"${r.pick(['a', 'b'])}","depth":${r.int(0, 100)},"el":"${w2}"`;
      const at = `"x":${r.int(0, 1920)},"y":${r.int(0, 1080)}`;
      const sale = e === 'purchase' ? `,"value":${r.int(100, 90000) / 100},"currency":"EUR"` : '';
      props[i] = `{${ui},${at}${sale}}`;
    }
  }
  for (const a of [session, type, url, ref, ua, title, props]) for (let i = 0; i < n; i++) a[i] = flat(a[i]);
  return [
    column('event_id', 'int64', id),
    column('user_id', 'int64', user),
    column('session_id', 'utf8', session),
    column('ts', 'timestamp_ms', ts),
    column('event_type', 'utf8', type),
    column('url', 'utf8', url),
    column('referrer', 'utf8', ref, true),
    column('user_agent', 'utf8', ua),
    column('country', 'utf8', country),
    column('language', 'utf8', lang),
    column('is_mobile', 'bool', mobile),
    column('is_new_user', 'bool', isNew),
    column('screen_width', 'int32', width),
    column('load_ms', 'float64', load, true),
    column('title', 'utf8', title),
    column('props', 'utf8', props),
  ];
}
