/** Messages of an IPC stream, or of an IPC file by its footer (Message.fbs, File.fbs). */

import { formatError } from './array.js';
import { Table } from './flatbuffer.js';

export const enum Header { schema = 1, dictionary, batch }

export interface Message {
  /** Byte of the input at which it starts, for messages. */
  readonly at: number;
  /** One of `Header`. */
  readonly kind: number;
  readonly header: Table;
  readonly body: Uint8Array;
}

const magic = [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31];
/** Magic and padding. */
const HEAD = 8;
/** Length of the footer, and magic. */
const TAIL = 10;
const CONTINUATION = 0xffff_ffff;
/** Versions before 0.8 of Arrow laid batches out in another way. */
const OLDEST_VERSION = 3;
const NEWEST_VERSION = 4;
const BLOCK_BYTES = 24;

function hasMagic(bytes: Uint8Array, at: number): boolean {
  return magic.every((byte, index) => bytes[at + index] === byte);
}

/** All messages in their order: schema, then dictionaries and batches; of a file, dictionaries go first. */
export function* readMessages(bytes: Uint8Array): Generator<Message> {
  if (bytes.length >= HEAD && hasMagic(bytes, 0)) return yield* readFile(bytes);
  return yield* readStream(bytes);
}

function* readStream(bytes: Uint8Array): Generator<Message> {
  for (let at = 0; at < bytes.length;) {
    const message = readMessage(bytes, at);
    if (message === undefined) return;
    yield message.message;
    at = message.end;
  }
}

function* readFile(bytes: Uint8Array): Generator<Message> {
  const tail = bytes.length - TAIL;
  if (tail < HEAD || !hasMagic(bytes, tail + 4)) throw formatError('file', 'it is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getInt32(tail, true);
  if (size < 0 || size > tail - HEAD) {
    throw formatError('file', `its footer has ${size} bytes, but ${tail - HEAD} are there`);
  }
  const footer = Table.root(bytes.subarray(tail - size, tail), `footer at byte ${tail - size}`);
  checkVersion(footer, 0);
  const header = footer.table(1) ?? footer.fail('it has no schema');
  yield { at: tail - size, kind: Header.schema, header, body: bytes.subarray(0, 0) };
  let room = bytes.length;
  for (const [number, kind] of [[2, Header.dictionary], [3, Header.batch]]) {
    const blocks = footer.vector(number, BLOCK_BYTES);
    for (let index = 0; index < blocks.count; index++) {
      const at = footer.countAt(blocks.at(index));
      const found = at < tail - size ? readMessage(bytes.subarray(0, tail - size), at) : undefined;
      if (found === undefined || found.message.kind !== kind) {
        return footer.fail(`there is no message of kind ${kind} at byte ${at}`);
      }
      room -= found.end - at;
      if (room < 0) footer.fail('its blocks overlap');
      yield found.message;
    }
  }
}

function checkVersion(table: Table, number: number): void {
  const version = table.short(number);
  if (version < OLDEST_VERSION || version > NEWEST_VERSION) {
    table.fail(`metadata version V${version + 1}; V${OLDEST_VERSION + 1} and V${NEWEST_VERSION + 1} can be read`);
  }
}

/** The message at `at` and where it ends; undefined at the end of a stream. */
function readMessage(bytes: Uint8Array, at: number): { message: Message; end: number } | undefined {
  const where = `message at byte ${at}`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const upTo = (end: number) => {
    if (end > bytes.length) throw formatError(where, `it is cut off: it ends at byte ${end} of ${bytes.length}`);
    return end;
  };
  const word = (position: number) => view.getUint32(upTo(position + 4) - 4, true);
  const first = word(at);
  // Before 0.15 of Arrow there was no mark in front of the length.
  const start = first === CONTINUATION ? at + 8 : at + 4;
  const size = first === CONTINUATION ? word(at + 4) : first;
  if (size === 0) return undefined;
  if (at === 0 && start + size > bytes.length) {
    throw formatError('input', 'it is neither an IPC stream nor an IPC file');
  }
  const table = Table.root(bytes.subarray(start, upTo(start + size)), where);
  checkVersion(table, 0);
  const kind = table.byte(1);
  if (kind < Header.schema || kind > Header.batch) table.fail(`messages of kind ${kind} are not tables`);
  const header = table.table(2) ?? table.fail('it has no header');
  const bodySize = table.count(3);
  const end = upTo(start + size + bodySize);
  return { message: { at, kind, header, body: bytes.subarray(start + size, end) }, end };
}
