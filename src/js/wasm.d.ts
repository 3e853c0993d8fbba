/**
 * What src/wasm.rs exports, as wasm-bindgen wraps it. Written by hand, so that the sources can be checked before the
 * Rust side is built; the meaning of every method stands in src/wasm.rs.
 */

/** Bytes of the module's memory, lent for the length of the call. */
export type CoreSink =
  (kind: number, column: number, head: number, headBytes: number, body: number, bodyBytes: number) => void;

export class WasmWriter {
  constructor(settings: object, sink: CoreSink);
  free(): void;
  begin_row_group(rows: number): void;
  begin_chunk(column: number): void;
  page_rows(column: number): number;
  lane(lane: number, bytes: number): number;
  sample(column: number, rows: number, form: number, nulls: number, validityBit: number, valuesBit: number): void;
  dictionary_open(column: number): boolean;
  push(
    column: number, rows: number, form: number, nulls: number, validityBit: number, valuesBit: number,
    newEntries: number, last: boolean): number;
  carried_bytes(): number;
  end_chunk(column: number): void;
  end_row_group(): void;
  finish(): void;
  position(): number;
}

export interface Exports {
  readonly memory: WebAssembly.Memory;
}

/** Instantiates the module; with an instance already there it returns that one. */
export function initSync(source: { module: WebAssembly.Module }): Exports;

/** A new instance of the same module. Objects of the old one throw when they are used. */
export const __wbg_reset_state: (() => void) | undefined;
