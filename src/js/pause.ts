/** Giving way to other work on this thread, without the 4 ms that nested timers cost. */

interface Scheduler {
  yield?(): Promise<void>;
}

export class Pause {
  #channel: MessageChannel | undefined;

  /** Resolves when other tasks that were waiting have had their turn. */
  next(): Promise<void> {
    const { scheduler } = globalThis as { scheduler?: Scheduler };
    if (scheduler?.yield !== undefined) return scheduler.yield();
    if (typeof MessageChannel === 'undefined') return new Promise((resolve) => setTimeout(resolve));
    const { port1, port2 } = this.#channel ??= new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(undefined);
    });
  }

  /** An open channel would keep Node from ending. */
  close(): void {
    this.#channel?.port1.close();
  }
}
