/** Drives the module batch by batch: the chunks of a row group are open side by side, each with lanes of its own. */

import type { WasmWriter } from '#wasm';
import { type CoreContext, coreError, isTrap } from '../core-error.js';
import { free, settings } from '../encode.js';
import { ParquetError } from '../errors.js';
import { Lanes, Nulls } from '../input/lanes.js';
import type { Source } from '../input/source.js';
import { LENGTH_BYTES } from '../input/text-lane.js';
import type { Core } from '../module.js';
import { NestedSource } from '../nested/source.js';
import type { FileOptions } from '../options.js';
import { firstBeyond, mostBytes, plainBytes } from '../row-group.js';
import type { CoreSink } from '../sink/sink.js';
import type { Table } from '../table.js';
import { fitColumns, type StreamColumn } from './columns.js';
import { moved } from './moved.js';
import { streamSource } from './source.js';

/** Rows of a batch that all columns take before the next ones are looked at. */
const STRIDE = 1 << 13;

interface OpenLeaf {
  readonly index: number;
  readonly lanes: Lanes;
  readonly pageRows: number;
  readonly maxDefinition: number;
  /** Bytes of a value; 0 where that differs. */
  readonly width: number;
  /** What lies in the lanes, once something does. */
  form: number;
  nulls: number;
  /** Row of the file that is the first in the lanes. */
  firstRow: number;
}

interface Filled {
  readonly source: Source;
}

export class StreamEncoder {
  /** Rows taken, row groups ended, and the file's bytes that are settled. */
  rows = 0;
  rowGroups = 0;
  bytes = 0;
  /** The module's instance cannot be trusted any more. */
  lost = false;
  readonly columns: readonly StreamColumn[];
  readonly #options: FileOptions;
  readonly #sink: CoreSink & { readonly thrown: unknown };
  readonly #context: CoreContext;
  readonly #writer: WasmWriter;
  readonly #leaves: OpenLeaf[] = [];
  /** Of the open row group: rows, and bytes in PLAIN form. */
  #groupRows = 0;
  #groupBytes = 0;

  /** Errors: ERR_SCHEMA, ERR_OPTION, ERR_LIMIT. */
  constructor(
    columns: readonly StreamColumn[],
    table: Pick<Table, 'metadata' | 'arrow'>,
    options: FileOptions,
    core: Core,
    sink: CoreSink & { readonly thrown: unknown },
  ) {
    this.columns = columns;
    this.#options = options;
    this.#sink = sink;
    this.#context = {
      leaves: columns.flatMap(({ name, leaves }) => leaves.map(() => name)),
      elements: columns.flatMap(({ name, elements }) => elements.map(() => name)),
      leaf: undefined,
      row: 0,
      groupRow: 0,
    };
    try {
      this.#writer = new core.WasmWriter(...settings(columns, table, options, core.memory, sink));
    } catch (error) {
      throw coreError(error, this.#context, sink.thrown);
    }
    for (const [index, { leaf }] of columns.flatMap(({ leaves }) => leaves).entries()) {
      const { kind, width } = leaf.leaf;
      this.#leaves.push({
        index,
        lanes: new Lanes(this.#writer, core.memory),
        pageRows: this.#writer.page_rows(index),
        maxDefinition: leaf.maxDefinition,
        width: kind === 'bool' ? 1 / 8 : width,
        form: 0,
        nulls: 0,
        firstRow: 0,
      });
    }
  }

  /** Takes a batch. Stops wherever other work may go first, with true behind every row group. */
  *add(table: Table): Generator<boolean, void> {
    const base = this.rows;
    const { columns } = this;
    const shapes = fitColumns(columns, table, base);
    try {
      const sources = columns.flatMap(({ field, leaves }, index) =>
        leaves.map(({ leaf }) => ({ source: streamSource(shapes[index], field, leaf) })),
      );
      for (const { source } of sources) source.begin(false);
      for (let start = 0; start < table.rows;) start = yield* this.#stride(sources, start, table.rows, base);
    } catch (error) {
      if (error instanceof ParquetError) throw moved(error, base);
      throw this.#failed(error);
    }
  }

  /** As many rows as go into the open row group, at most a stride; the row behind them. */
  *#stride(sources: readonly Filled[], start: number, rows: number, base: number): Generator<boolean, number> {
    if (this.#groupRows === 0) this.#begin();
    const room = this.#options.rowGroupRows - this.#groupRows;
    const stop = Math.min(rows, start + STRIDE, start + room);
    const end = this.#fit(sources, start, stop);
    for (const leaf of this.#leaves) yield* this.#fill(leaf, sources[leaf.index].source, start, end, base);
    this.#groupRows += end - start;
    this.rows = base + end;
    if (end < stop || this.#groupRows === this.#options.rowGroupRows) yield* this.#end();
    return end;
  }

  /** The first row of those to come that the row group has no room for; a row that is too large stands alone. */
  #fit(sources: readonly Filled[], start: number, stop: number): number {
    const room = this.#options.rowGroupBytes - this.#groupBytes;
    if (mostBytes(sources, start, stop) <= room || plainBytes(sources, start, stop) <= room) return stop;
    const end = firstBeyond(sources, start, stop, room);
    return this.#groupRows === 0 ? Math.max(end, start + 1) : end;
  }

  #begin(): void {
    this.#writer.begin_row_group(0);
    for (const { index } of this.#leaves) this.#writer.begin_chunk(index);
    this.#groupBytes = 0;
    this.#context.groupRow = this.rows;
  }

  *#fill(leaf: OpenLeaf, source: Source, from: number, to: number, base: number): Generator<boolean, void> {
    const { lanes, pageRows, width } = leaf;
    this.#context.leaf = leaf.index;
    this.#writer.select(leaf.index);
    const pageBytes = this.#writer.page_bytes();
    // Rows that the module would have to read in two ways cannot share a page.
    if (lanes.rows > 0 && (leaf.form !== source.form || leaf.nulls !== source.nulls)) this.#push(leaf, true);
    leaf.form = source.form;
    leaf.nulls = source.nulls;
    for (let row = from; row < to;) {
      if (lanes.rows === 0) leaf.firstRow = base + row;
      this.#context.row = leaf.firstRow;
      const { slots, bytes } = lanes;
      const next = source.fill(lanes, row, Math.min(to, row + pageRows - lanes.rows), pageBytes);
      if (width === 0) this.#groupBytes += lanes.bytes - bytes + (lanes.slots - slots) * LENGTH_BYTES;
      else if (source instanceof NestedSource) this.#groupBytes += (lanes.slots - slots) * width;
      else this.#groupBytes += source.plainBytes(row, next);
      row = next;
      const held = width === 0 ? lanes.bytes + lanes.slots * LENGTH_BYTES : lanes.slots * width;
      if (lanes.rows < pageRows && held <= pageBytes) continue;
      this.#push(leaf, false);
      yield false;
    }
    this.#context.leaf = undefined;
  }

  /** Gives the module what lies in the lanes; with `all` also what does not make a whole page. */
  #push({ index, lanes, form, nulls, maxDefinition, firstRow }: OpenLeaf, all: boolean): void {
    const writer = this.#writer;
    this.#context.row = firstRow;
    const { rows, validityBit, valuesBit, entries } = lanes;
    const left = writer.push(index, rows, form, nulls, validityBit, valuesBit, 0, all, entries);
    if (nulls === Nulls.definition || nulls === Nulls.levels) {
      lanes.keepLevels(left, writer.carried_entries(), maxDefinition, writer.carried_bytes());
    } else {
      lanes.keep(left, nulls === Nulls.dense, writer.carried_bytes());
    }
    this.#leaves[index].firstRow = firstRow + rows - left;
  }

  /** Ends the open row group, if there is one. */
  *endRowGroup(): Generator<boolean, void> {
    if (this.#groupRows === 0) return;
    try {
      yield* this.#end();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  *#end(): Generator<boolean, void> {
    const writer = this.#writer;
    for (const leaf of this.#leaves) {
      this.#context.leaf = leaf.index;
      writer.select(leaf.index);
      if (leaf.lanes.rows > 0) this.#push(leaf, true);
      writer.end_chunk();
      yield false;
    }
    this.#context.leaf = undefined;
    writer.end_row_group();
    this.#groupRows = 0;
    this.rowGroups++;
    this.bytes = writer.position();
    yield true;
  }

  /** Writes what stands at the end of the file; the last row group must have ended. */
  finish(): void {
    try {
      this.#writer.finish();
      this.bytes = this.#writer.position();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    this.lost ||= isTrap(error);
    return coreError(error, this.#context, this.#sink.thrown);
  }

  /** Gives the module's memory back. */
  free(): void {
    if (!this.lost) this.lost = !free(this.#writer);
  }
}
