/**
 * What src/wasm.rs exports, as wasm-bindgen wraps it. Written by hand, so that the sources can be checked before the
 * Rust side is built; the meaning of every method stands in src/wasm.rs.
 */

export class WasmWriter {
  constructor(numbers: Float64Array, texts: Uint8Array, sink: object);
  free(): void;
  begin_row_group(rows: number): void;
  begin_chunk(column: number): void;
  select(column: number): void;
  page_rows(column: number): number;
  page_bytes(): number;
  lane(lane: number, bytes: number): number;
  dictionary_open(): boolean;
  push(
    column: number,
    rows: number,
    form: number,
    nulls: number,
    validityBit: number,
    valuesBit: number,
    newEntries: number,
    last: boolean,
    entries: number,
  ): number;
  carried_bytes(): number;
  carried_entries(): number;
  end_chunk(): void;
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
export function __wbg_reset_state(): void;
