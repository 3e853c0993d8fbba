// A plain static server on this machine, such as any visitor might put the page on.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Serves a folder on the first free port from `port` on (0: any). Resolves to `{ url, close }`. */
export async function serve(folder, port = 0) {
  const inside = normalize(folder + sep);
  const server = createServer(async (request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
      const file = normalize(join(inside, path.endsWith('/') ? `${path}index.html` : path));
      if (!file.startsWith(inside)) throw new Error('outside of the folder');
      const body = await readFile(file);
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  for (let next = port; ; next += 1) {
    try {
      await listen(server, next);
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || next >= 65_535) throw error;
    }
  }
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
