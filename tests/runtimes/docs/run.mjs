// Runs one snippet and prints every file that it makes: `node run.mjs snippet.mjs`, in the snippet's own folder.
// What a snippet takes from its surroundings (a page, a service, the runtime's server) stands in here.

import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const files = [];
const bytesOf = async (file) => new Uint8Array(file instanceof Uint8Array ? file : await file.arrayBuffer());
const keep = async (file) => files.push(await bytesOf(file));
const settled = async (check) => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** A bucket that takes one upload in parts. */
const bucket = {
  async createMultipartUpload() {
    return {
      uploadPart: async (partNumber, bytes) => ({ partNumber, etag: String(partNumber), bytes: bytes.slice() }),
      complete: (parts) => keep(new Blob(parts.map(({ bytes }) => bytes))),
      abort: async () => {},
    };
  },
};
const database = {
  registerFileBuffer: async (_, bytes) => keep(bytes),
  connect: async () => ({ query: async (text) => text, close: async () => {} }),
};

/** Handlers that were given to the runtime's server. */
const handlers = [];
if (globalThis.Deno) Deno.serve = (handler) => handlers.push(handler);
if (globalThis.Bun) Bun.serve = ({ fetch }) => handlers.push(fetch);
const ask = async (handler) => {
  const answer = await handler(new Request('http://localhost/'), { BUCKET: bucket }, {});
  if (!answer.headers.get('content-type')?.includes('json')) await keep(answer);
};

/** The page of an HTML snippet, with its scripts taken out. */
async function page(text) {
  const { JSDOM } = await import('jsdom');
  const { window } = new JSDOM(text.replace(/<script[\s\S]*?<\/script>/g, ''));
  window.HTMLAnchorElement.prototype.click = () => {};
  // Not `document`: the worker of the package would take Node for a page, which it is not.
  globalThis.pageOfSnippet = window.document;
  const made = [];
  URL.createObjectURL = (blob) => {
    made.push(blob);
    return 'blob:made';
  };
  return async () => {
    window.document.querySelector('button').onclick();
    await settled(() => made.length > 0);
    await keep(made[0]);
  };
}

/** Renders a component around the hook and calls what it gives. */
async function hook(useParquet) {
  const { createElement } = await import('react');
  const { renderToString } = await import('react-dom/server');
  let given;
  renderToString(createElement(() => {
    given = useParquet();
    return null;
  }));
  await keep(await given.write({ id: [1, 2, 3] }, { compression: 'snappy' }));
}

const [, , name, html] = process.argv;
const click = html ? await page(readFileSync(html, 'utf8')) : undefined;
const { default: worker, query, useParquet, ...shown } = await import(pathToFileURL(name));
if (click) await click();
if (worker?.fetch) await ask(worker.fetch);
for (const handler of handlers) await ask(handler);
if (query) await query(database);
if (useParquet) await hook(useParquet);
for (const value of [shown.bytes, shown.blob, shown.same]) if (value) await keep(value);
const written = () => readdirSync('.').filter((file) => file.endsWith('.parquet'));
if (name.endsWith('.cjs')) await settled(() => written().length > 0 && readFileSync(written()[0]).length > 8);
for (const file of written()) await keep(readFileSync(file));
for (const file of files) console.log(`file:${Buffer.from(file).toString('base64')}`);
// A worker that the snippet leaves running would keep the program.
process.exit(0);
