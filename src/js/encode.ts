/** Drives the module: row groups, column chunks, pages, one small step at a time. */

import type { WasmWriter } from '#wasm';
import { type ReadyColumn, readyColumn } from './column.js';
import { type CoreContext, coreError, isTrap } from './core-error.js';
import { Form, Lanes, Nulls } from './input/lanes.js';
import type { Source } from './input/source.js';
import type { Core } from './module.js';
import type { FileOptions } from './options.js';
import { rowGroupEnd } from './row-group.js';
import { Physical } from './schema.js';
import type { CoreSink } from './sink/sink.js';
import type { Table } from './table.js';

/** A sample is as many rows as this, in as many slices; slices of whole bytes of a bitmap. */
const SAMPLE_ROWS = 2048;
const SAMPLE_SLICES = 16;
/** Rows below which there is nothing to find out. */
const LEAST_SAMPLE = 8;
/** Most bytes of a sample, where values have no fixed width. */
const SAMPLE_BYTES = 1 << 17;

export class Encoder {
  /** Rows done, and the file's bytes that are settled. */
  rows = 0;
  bytes = 0;
  /** The module's instance cannot be trusted any more. */
  lost = false;
  readonly #table: Table;
  readonly #options: FileOptions;
  readonly #core: Core;
  readonly #sink: CoreSink & { readonly thrown: unknown };
  /** What an error of the module is about. */
  readonly #context: CoreContext = { columns: [], column: undefined, row: 0 };

  constructor(table: Table, options: FileOptions, core: Core, sink: CoreSink & { readonly thrown: unknown }) {
    this.#table = table;
    this.#options = options;
    this.#core = core;
    this.#sink = sink;
  }

  /**
   * Writes the whole file. Stops wherever other work may go first, with true behind every row group. However it ends,
   * the module's memory is free again.
   */
  *run(): Generator<boolean, void> {
    let writer: WasmWriter | undefined;
    try {
      const columns = yield* this.#readyColumns();
      writer = new this.#core.WasmWriter(settings(columns, this.#options), this.#sink);
      yield* this.#rowGroups(writer, columns);
      writer.finish();
      this.bytes = writer.position();
    } catch (error) {
      this.lost = isTrap(error);
      throw coreError(error, this.#context, this.#sink.thrown);
    } finally {
      if (!this.lost) this.lost = !free(writer);
    }
  }

  *#readyColumns(): Generator<boolean, ReadyColumn[]> {
    const columns: ReadyColumn[] = [];
    for (const given of this.#table.columns) {
      const steps = readyColumn(given, this.#options);
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield false;
      columns.push(step.value);
    }
    this.#context.columns = columns.map(({ name }) => name);
    return columns;
  }

  *#rowGroups(writer: WasmWriter, columns: readonly ReadyColumn[]): Generator<boolean, void> {
    const { rows } = this.#table;
    const lanes = new Lanes(writer, this.#core.memory);
    for (let start = 0; start < rows;) {
      const end = yield* rowGroupEnd(columns, start, rows, this.#options);
      writer.begin_row_group(end - start);
      for (let column = 0; column < columns.length; column++) {
        this.#context.column = column;
        for (const row of this.#chunk(writer, lanes, column, columns[column], start, end)) {
          const done = column * (end - start) + row - start;
          this.rows = start + Math.floor(done / columns.length);
          yield false;
        }
      }
      this.#context.column = undefined;
      writer.end_row_group();
      this.rows = end;
      this.bytes = writer.position();
      yield true;
      start = end;
    }
  }

  /** One column of a row group; stops behind each push with the first row that is not in it. */
  *#chunk(
    writer: WasmWriter,
    lanes: Lanes,
    column: number,
    { source, options, type }: ReadyColumn,
    start: number,
    end: number,
  ): Generator<number, void> {
    writer.begin_chunk(column);
    const mayChoose = options.dictionary && options.encoding < 0 && type.kind !== 'bool' && type.kind !== 'null';
    const sampling = mayChoose && end - start >= LEAST_SAMPLE;
    source.begin(sampling);
    if (sampling) sample(writer, lanes, source, start, end);
    const pageRows = writer.page_rows(column);
    lanes.clear();
    for (let row = start; row < end;) {
      this.#context.row = row - lanes.rows;
      row = source.fill(lanes, row, Math.min(end, row + pageRows - lanes.rows), this.#options.pageBytes);
      const { form, nulls } = source;
      const left = writer.push(
        column,
        lanes.rows,
        form,
        nulls,
        lanes.validityBit,
        lanes.valuesBit,
        source.newEntries,
        row === end,
      );
      const closed = form === Form.codes && !writer.dictionary_open();
      if (closed) source.dictionaryClosed();
      if (left > 0 && (closed || source.refills)) {
        row -= left;
        lanes.clear();
      } else {
        lanes.keep(left, nulls === Nulls.dense, writer.carried_bytes());
      }
      yield row;
    }
    writer.end_chunk();
  }
}

/** Shows the module rows from all over the chunk, so that it chooses the encoding once, before the first page. */
function sample(writer: WasmWriter, lanes: Lanes, source: Source, start: number, end: number): void {
  lanes.clear();
  const rows = end - start;
  if (rows <= SAMPLE_ROWS) {
    source.fill(lanes, start, end, SAMPLE_BYTES);
  } else {
    for (let slice = 0; slice < SAMPLE_SLICES && lanes.bytes < SAMPLE_BYTES; slice++) {
      const from = Math.ceil((start + Math.floor((slice * rows) / SAMPLE_SLICES)) / 8) * 8;
      source.fill(lanes, from, Math.min(from + SAMPLE_ROWS / SAMPLE_SLICES, end), SAMPLE_BYTES);
    }
  }
  writer.sample(lanes.rows, source.form, source.nulls, lanes.validityBit, lanes.valuesBit);
  source.sampled(writer.dictionary_open());
}

/** What the module is told of the file. */
function settings(columns: readonly ReadyColumn[], options: FileOptions): object {
  return {
    elements: columns.map(({ name, type, nullable, fieldId }) => ({
      name,
      fieldId,
      repetition: nullable ? 1 : 0,
      children: 0,
      physical: type.physical,
      typeLength: type.physical === Physical.fixed ? type.width : 0,
      logical: type.logical,
      a: type.a,
      b: type.b,
    })),
    leaves: columns.map((column) => column.options),
    pageBytes: options.pageBytes,
    pageRows: options.pageRows,
    dictionaryBytes: options.dictionaryBytes,
    statisticsTruncateBytes: options.statisticsTruncateBytes,
    pageChecksum: options.pageChecksum,
    createdBy: options.createdBy,
    metadata: options.metadata,
  };
}

/** Gives the writer's memory back; false when that cannot be done, and the instance is lost. */
function free(writer: WasmWriter | undefined): boolean {
  try {
    writer?.free();
    return true;
  } catch {
    return false;
  }
}
