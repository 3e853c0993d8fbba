/** Giving way to other work on this thread, without the 4 ms that nested timers cost. */

interface Turns {
  scheduler?: { yield?(): Promise<void> };
  setImmediate?(callback: () => void): unknown;
}

export class Pause {
  #channel: MessageChannel | undefined;

  /** Resolves when other tasks that were waiting have had their turn. */
  next(): Promise<void> {
    const { scheduler, setImmediate } = globalThis as Turns;
    if (scheduler?.yield !== undefined) return scheduler.yield();
    // Where there is setImmediate, timers never get a turn between the messages of a channel.
    if (setImmediate !== undefined)
      return new Promise((resolve) => {
        setImmediate(resolve);
      });
    if (typeof MessageChannel === 'undefined')
      return new Promise((resolve) => {
        setTimeout(resolve);
      });
    const { port1, port2 } = (this.#channel ??= new MessageChannel());
    return new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(undefined);
    });
  }

  /** An open channel would keep its thread from ending. */
  close(): void {
    this.#channel?.port1.close();
  }
}
