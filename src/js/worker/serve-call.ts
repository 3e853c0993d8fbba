/** One call, in the worker. */

import { loadParts } from '../parts.js';
import { BlobSink } from '../sink/blob.js';
import { BytesSink } from '../sink/bytes.js';
import { writeGiven } from '../write.js';
import type { Channel } from './channel.js';
import type { CallReply, CallRequest } from './messages.js';
import { unpack, unpackValues } from './pack.js';
import { postBlob } from './post-blob.js';
import { Troubles } from './trouble.js';

export function serveCall(channel: Channel): void {
  const lists: unknown[][] = [];
  const stop = new AbortController();
  const troubles = new Troubles();
  const post = (reply: CallReply, transfers: Transferable[] = []) => channel.post(reply, transfers);

  const run = async ({ packed, options, bytes, progress }: Extract<CallRequest, { packed: unknown }>) => {
    const { signal } = stop;
    const onProgress = progress ? (done: Parameters<typeof report>[0]) => report(done) : undefined;
    const report = (done: Extract<CallReply, { progress: unknown }>['progress']) => post({ progress: done });
    try {
      await loadParts();
      const table = unpack(packed, lists);
      const given = { table, options: { ...options, signal, onProgress } };
      if (bytes) {
        const file = await writeGiven(() => given, BytesSink);
        post({ done: file }, [file.buffer]);
      } else {
        const blob = await writeGiven(() => given, BlobSink);
        await postBlob(blob, (done, transfers) => post({ done }, transfers));
      }
    } catch (error) {
      post({ failed: troubles.write(error) });
    } finally {
      channel.close();
    }
  };

  channel.take = (body) => {
    const request = body as CallRequest | undefined;
    if (request === undefined) return;
    if ('list' in request) {
      const list = (lists[request.list] ??= []);
      for (const value of unpackValues(request.values, request.odd)) list.push(value);
    } else if ('abort' in request) {
      stop.abort(troubles.read(request.abort));
      channel.close();
    } else {
      void run(request);
    }
  };
}
