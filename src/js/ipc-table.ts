/** Arrow IPC bytes on their way to a write that will read them. */

/** Bytes that nobody has read yet; known by the symbol also to another copy of this package. */
const mark = Symbol.for('parquill.ArrowIPC');

export class IpcTable {
  readonly [mark] = true;

  constructor(readonly ipc: Uint8Array) {}
}

export function isIpcTable(value: unknown): value is { readonly ipc: Uint8Array } {
  return typeof value === 'object' && value !== null && mark in value;
}
