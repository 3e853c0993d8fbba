/** Starting the worker before the first write. */

import type { WasmSource } from '../types.js';
import { sharedLink } from './link.js';
import { Reasons, type Sent } from './trouble.js';

/**
 * Starts the worker and loads the module in it. All functions do so by themselves; call it to choose the moment or
 * the source.
 *
 * @param source Where the module comes from: compiled, its bytes, a Response, or an address that `fetch` takes.
 *   Default: the one that the package ships.
 * @returns A promise that resolves when the worker can write.
 * @throws {ParquetError} ERR_NOT_INITIALIZED when there can be no worker, or no module in it.
 *
 * @example
 * ```ts
 * await init();
 * ```
 */
export async function init(source?: WasmSource): Promise<void> {
  const given = await source;
  const tag = Object.prototype.toString.call(given);
  const sent = tag === '[object Response]' ? await (given as Response).arrayBuffer() : given;
  const link = sharedLink();
  const channel = link.begin('init', tag === '[object URL]' ? String(given) : sent);
  const done = new Promise<void>((resolve, reject) => {
    channel.take = (body) => {
      const reply = body as { done: true } | { failed: Sent };
      if ('done' in reply) resolve();
      else reject(new Reasons().read(reply.failed));
    };
    channel.lost = reject;
  });
  await link.during(done.finally(() => channel.close()));
}
