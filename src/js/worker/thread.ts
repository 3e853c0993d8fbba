/** What runs in the worker. */

import { loadCore } from '../module.js';
import { loadParts } from '../parts.js';
import type { WasmSource } from '../types.js';
import { type Channel, Channels } from './channel.js';
import { ownPort } from './port.js';
import { serveCall } from './serve-call.js';
import { serveWriter } from './serve-writer.js';
import { Troubles } from './trouble.js';

const services = new Map<string, (channel: Channel) => void>([
  ['call', serveCall],
  ['writer', serveWriter],
  ['init', serveInit],
]);

new Channels(ownPort(), (about, channel) => services.get(about)?.(channel));

function serveInit(channel: Channel): void {
  channel.take = (source) => {
    Promise.all([loadCore(source as WasmSource | undefined), loadParts()]).then(
      () => channel.post({ done: true }),
      (error: unknown) => channel.post({ failed: new Troubles().write(error) }),
    );
    channel.close();
  };
}
